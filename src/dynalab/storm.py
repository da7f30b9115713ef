"""A storm: many calls that come evenly, each a client of its own, on the engine's clock.

A call that boto3 makes wait does not hold up the others, as it would not in a fleet of servers.
Exactly one call runs at a time, so the same storm gives the same figures.
"""

from __future__ import annotations

import heapq
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from dynalab.engine.clock import Clock
from dynalab.engine.engine import Engine
from dynalab.schedule import STALL_SECONDS, interrupt


class Stuck(RuntimeError):
    """A call of a storm neither ended nor made a request; the message says what to look for."""


@dataclass
class Storm:
    """What became of the calls of a storm.

    retried: calls that waited and were sent again; of these `absorbed` succeeded. retries: how
    often they waited, all together. errors: what the failed
    calls raised, as text, with its count. first: the first exception. seconds: of the engine's
    clock, from the first call to the end of the last.
    """

    calls: int
    per_second: float
    succeeded: int = 0
    retried: int = 0
    absorbed: int = 0
    retries: int = 0
    seconds: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    first: Exception | None = None

    @property
    def failed(self) -> int:
        return sum(self.errors.values())

    @property
    def refused_first(self) -> int:
        """Calls whose first attempt did not succeed."""
        return self.absorbed + self.failed


def storm(
    engine: Engine,
    call: Callable[[], Any],
    *,
    calls: int,
    per_second: float,
    progress: Callable[[int], None] = lambda done: None,
) -> Storm:
    """Makes `calls` calls, `per_second` of them in each second of the engine's clock.

    progress: is told how many calls have ended, in this thread. An exception of a call is
    counted; NotImplementedError is raised, and so is what is no Exception.
    """
    if calls < 1 or per_second <= 0:
        raise ValueError("A storm has at least one call, and some calls a second.")
    store = engine.store
    kept = store.clock
    with kept.still():
        conductor = _Conductor(kept, call, progress)
        store.clock = conductor
        try:
            return conductor.run(calls, per_second)
        finally:
            conductor.end()
            store.clock = kept
            kept.advance(conductor() - kept())


class _Conductor(Clock):
    """The engine's clock during a storm: who sleeps on it waits for their turn."""

    def __init__(
        self, clock: Clock, call: Callable[[], Any], progress: Callable[[int], None]
    ) -> None:
        super().__init__(at=clock())
        self.start = clock()
        self.parked = threading.Semaphore(0)
        self.call = call
        self._progress = progress
        self._workers: dict[int, _Worker] = {}

    def advance(self, seconds: float) -> None:
        worker = self._workers.get(threading.get_ident())
        if worker is None:
            super().advance(seconds)
        else:
            worker.sleep(self() + seconds)

    def run(self, calls: int, per_second: float) -> Storm:
        result = Storm(calls, per_second)
        order = count()
        # When, in which order, and who wakes up then; None is a call that comes.
        due: list[tuple[float, int, _Worker | None]] = [
            (self.start + number / per_second, next(order), None) for number in range(calls)
        ]
        idle: list[_Worker] = []
        ended = 0
        while due:
            at, _, worker = heapq.heappop(due)
            super().advance(max(0.0, at - self()))
            if worker is None:
                worker = idle.pop() if idle else self._hired()
            worker.go.release()
            if not self.parked.acquire(timeout=STALL_SECONDS):
                interrupt(worker.thread)
                raise Stuck(
                    f"A call worked for {STALL_SECONDS:g} seconds without an end; "
                    "does its loop end, and does it wait by the `sleep` that it was given?"
                )
            if worker.wakes is not None:
                heapq.heappush(due, (worker.wakes, next(order), worker))
                continue
            worker.report(result)
            idle.append(worker)
            ended += 1
            self._progress(ended)
        result.seconds = self() - self.start
        return result

    def _hired(self) -> _Worker:
        worker = _Worker(self)
        worker.thread.start()
        assert worker.thread.ident is not None
        self._workers[worker.thread.ident] = worker
        return worker

    def end(self) -> None:
        """Ends every thread, those too that are asleep where the storm was broken off."""
        for worker in self._workers.values():
            worker.ended = True
            worker.go.release()


class _Worker:
    """A thread that makes one call after the other, and stops wherever a call sleeps."""

    def __init__(self, conductor: _Conductor) -> None:
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.go = threading.Semaphore(0)
        self.wakes: float | None = None
        self.ended = False
        self._conductor = conductor
        self._sleeps = 0
        self._raised: BaseException | None = None

    def _work(self) -> None:
        while True:
            self.go.acquire()
            if self.ended:
                return
            self._sleeps, self._raised = 0, None
            try:
                self._conductor.call()
            except SystemExit:
                return
            except BaseException as error:
                self._raised = error
            self._conductor.parked.release()

    def sleep(self, until: float) -> None:
        self._sleeps += 1
        self.wakes = until
        self._conductor.parked.release()
        self.go.acquire()
        self.wakes = None
        if self.ended:
            raise SystemExit

    def report(self, result: Storm) -> None:
        """Counts the call that has ended; raises what is not the storm's to count."""
        error = self._raised
        if error is None:
            result.succeeded += 1
        elif isinstance(error, NotImplementedError) or not isinstance(error, Exception):
            raise error
        else:
            result.errors[_text(error)] += 1
            result.first = result.first or error
        result.retries += self._sleeps
        result.retried += bool(self._sleeps)
        result.absorbed += bool(self._sleeps) and error is None


def _text(error: Exception) -> str:
    """The exception's name with what DynamoDB says of the reason, without the message."""
    response: dict[str, Any] = getattr(error, "response", {})
    reasons = response.get("throttlingReasons") or response.get("ThrottlingReasons") or []
    told = {each["reason"] for each in reasons}
    told |= {each["Code"] for each in response.get("CancellationReasons", [])} - {"None"}
    code = response.get("Error", {}).get("Code", type(error).__name__)
    return f"{code} ({', '.join(sorted(told))})" if told else str(code)
