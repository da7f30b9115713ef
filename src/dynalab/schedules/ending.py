"""How the thread of a learner's code is ended, where it has no end or nobody needs it any more."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

STALL_SECONDS = 5.0  # without a request: beyond them a loop does not end


class Stopped(SystemExit):
    """Ends a thread quietly. `except Exception` does not catch it."""


class Endless(Stopped):
    """A client that makes requests without end."""


class Unfit(Exception):
    """The clients cannot be explored; the message is one sentence that says why."""


class OwnThread(threading.Thread):
    """A thread that tells its end itself.

    Until Python 3.13 a KeyboardInterrupt in `join` makes `is_alive` say no while the thread runs.
    """

    def __init__(self, target: Callable[[], object]) -> None:
        super().__init__(target=target, daemon=True)
        self._ended = threading.Event()

    def run(self) -> None:
        try:
            super().run()
        finally:
            self._ended.set()

    def gone_within(self, seconds: float) -> bool:
        """Waits so long for its end; whether it has ended, or never began."""
        return self.ident is None or self._ended.wait(seconds)


def interrupt(thread: threading.Thread | None) -> None:
    """Raises Stopped inside a thread that does not come back by itself."""
    if thread is not None and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(Stopped)
        )
