"""The threads beside a run's clients: those that were there before, and those that clients start.

A run follows one thread a client. Others may be there: the conductor's, whose invariant reads,
and, once the run is over, whoever uses the same tables.
"""

from __future__ import annotations

import threading
from collections.abc import Collection


class Bystanders:
    """What threads there were when a run began; made in the conductor's thread."""

    def __init__(self) -> None:
        self._conductor = threading.current_thread()
        self._before = set(threading.enumerate())
        self._left: set[threading.Thread] | None = None  # those that outlive the run

    def may_ask(self, thread: threading.Thread) -> bool:
        """Whether a thread that is no client's may make a request.

        During the run the conductor alone; after it everybody but those that the run left behind.
        """
        if self._left is None:
            return thread is self._conductor
        return thread not in self._left

    def gone_within(self, seconds: float, asleep: Collection[threading.Thread | None]) -> bool:
        """Waits so long for each thread that the run brought; whether all are gone.

        asleep: threads that nothing ends, which are not counted.
        """
        for thread in self._brought(asleep):
            thread.join(seconds)
        self._left = set(self._brought(asleep))
        return not self._left

    def _brought(self, asleep: Collection[threading.Thread | None]) -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t not in self._before and t not in asleep]
