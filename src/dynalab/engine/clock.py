"""The engine's clock: it follows the real one, and it can be moved on without waiting."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Seconds since the epoch. With `at` it stands still and moves only by `advance`."""

    def __init__(self, at: float | None = None) -> None:
        self._at = at
        self._ahead = 0.0

    def __call__(self) -> float:
        return (time.time() if self._at is None else self._at) + self._ahead

    def advance(self, seconds: float) -> None:
        """Moves the clock on. Retries of boto3 move it instead of sleeping."""
        if seconds < 0:
            raise ValueError("A clock moves forward only; give a number of seconds from 0 on.")
        self._ahead += seconds

    @contextmanager
    def still(self) -> Iterator[None]:
        """It moves only by `advance` while the block runs, and goes on from there afterwards.

        It stands at a whole second, so that sums with it are rounded the same in every run.
        """
        if self._at is not None:
            yield
            return
        self._at, self._ahead = float(math.ceil(self())), 0.0
        try:
            yield
        finally:
            reached, self._at = self(), None
            self._ahead = reached - time.time()

    def copy(self) -> Clock:
        clock = Clock(self._at)
        clock._ahead = self._ahead
        return clock
