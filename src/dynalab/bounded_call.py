"""One call of a learner's function in a thread of its own, which ends whatever it does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from dynalab.engine.connect import Connection, Go
from dynalab.engine.engine import Reply
from dynalab.schedules.ending import STALL_SECONDS, Endless, OwnThread, Stopped, interrupt

MOST_REQUESTS = 500


class BoundedCall:
    """A thread for one call, bounded by its requests and by the time between them."""

    def __init__(self, connection: Connection, function: Callable[[], Any]) -> None:
        self._connection = connection
        self._function = function
        self._requests = 0
        self._asked: tuple[str, Mapping[str, Any]] | None = None
        self._repeats = 0  # how often the last request came in a row
        self._last = time.monotonic()
        self._ended = False
        self._thread = OwnThread(self._work)
        self.returned: Any = None
        self.raised: BaseException | None = None

    def run(self) -> None:
        """Makes the call, to its end or to its bound; then `returned` or `raised` is set."""
        self._connection.middleware.append(self._count)
        try:
            self._thread.start()
            while not self._thread.gone_within(STALL_SECONDS / 10):
                if time.monotonic() - self._last > STALL_SECONDS:
                    self._end()
                    self.raised = Endless(
                        f"it worked for {STALL_SECONDS:.0f} seconds without a request."
                    )
                    return
        finally:  # also where the learner interrupts the kernel
            self._end()

    def _end(self) -> None:
        """Ends the thread. One that does not end is refused whatever it asks for later."""
        self._ended = True
        if not self._thread.gone_within(0):
            interrupt(self._thread)
        gone = self._thread.gone_within(STALL_SECONDS / 10)
        if gone and self._count in self._connection.middleware:
            self._connection.middleware.remove(self._count)

    def _work(self) -> None:
        try:
            self.returned = self._function()
        except BaseException as error:
            self.raised = error

    def _count(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if self._ended:
            if threading.current_thread() is self._thread:
                raise Stopped
            return go()
        self._requests += 1
        self._last = time.monotonic()
        asked = (operation, request)
        self._repeats = self._repeats + 1 if asked == self._asked else 0
        self._asked = asked
        if self._requests > MOST_REQUESTS:
            raise Endless(f"it made more than {MOST_REQUESTS} requests.")
        return go()

    @property
    def question(self) -> str:
        """What to ask of a function that did not end."""
        if self._repeats > MOST_REQUESTS // 2:
            if self._asked is not None and self._asked[0] in ("Query", "Scan"):
                return (
                    "The same request was sent again and again: what tells the next one where to "
                    "go on?"
                )
            return "The same request was sent again and again: which answer ends its loop?"
        return "Which condition ends its loop?"
