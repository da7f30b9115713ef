"""A call that stops once, at one of its steps, while another thread comes in.

A step is a line of the answer that is about to run, or its look at the clock. The operating
system may stop a thread at each of them too, so what comes of it counts.
"""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from dynalab.exercises.lab12.readers import Reader
from dynalab.schedules.ending import Stopped, interrupt

MOST_STEPS = 60


def every(steps: int) -> str:
    """How far a check went. How many there are is left out: Python's versions count differently."""
    return "each step" if steps < MOST_STEPS else f"each of the first {MOST_STEPS} steps"


class Paused:
    """Calls `call`, and before its step number `at` waits for the reader that `meanwhile` gives.

    answer: the learner's function; a line is theirs where its module is that of the answer.
    reached: whether there was such a step. let_in: whether the other one came to its end there; it
    does not where it waits for the call that is stopped. line: where it stopped, in the answer.
    """

    def __init__(
        self, call: Callable[[], Any], answer: Any, at: int, meanwhile: Callable[[], Reader]
    ) -> None:
        self.reached = False
        self.let_in = False
        self.line = ""
        self._call = call
        self._module = getattr(answer, "__module__", None)
        self._left = at
        self._meanwhile = meanwhile
        self._thread: int | None = None

    def __call__(self) -> Any:
        _take_back_interrupts()
        before = sys.gettrace()
        self._thread = threading.get_ident()
        sys.settrace(self._trace)
        try:
            return self._call()
        finally:
            sys.settrace(before)
            self._thread = None

    def look(self) -> None:
        """Called by the clock, in whichever thread looks at it."""
        if threading.get_ident() == self._thread:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and not self._is_theirs(frame):
                frame = frame.f_back
            self._step(frame)

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self._is_theirs(frame):
            return None
        if event == "line":
            self._step(frame)
        return self._trace

    def _is_theirs(self, frame: FrameType) -> bool:
        return frame.f_globals.get("__name__") == self._module

    def _step(self, frame: FrameType | None) -> None:
        self._left -= 1
        if self._left:
            return
        self.reached = True
        if frame is not None:
            self.line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        self.let_in = self._meanwhile().gone_within(0)


def _take_back_interrupts() -> None:
    """An interrupt of a thread that never runs again stays pending for the whole interpreter.

    In Python 3.11 a traced function never begins so long as one does. One that arrives, here, takes
    the notice back.
    """
    try:
        interrupt(threading.current_thread())
        for _ in range(1_000):
            pass
    except Stopped:
        pass
