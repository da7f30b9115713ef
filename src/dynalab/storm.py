"""A storm: many calls that come evenly, each a client of its own, on the engine's clock.

A call that boto3 makes wait does not hold up the others, as it would not in a fleet of servers.
Exactly one call runs at a time, so the same storm gives the same figures.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from dynalab.engine.clock import Clock
from dynalab.engine.engine import Engine
from dynalab.schedules.ending import STALL_SECONDS, interrupt

LOOK_SECONDS = 0.1  # between two looks at how far it is


class Stuck(RuntimeError):
    """A call of a storm neither ended nor made a request; the message says what to look for."""


@dataclass
class Storm:
    """What became of the calls of a storm.

    retried: calls that waited and were sent again; of these `absorbed` succeeded. retries: how
    often they waited, all together. errors: what the failed calls raised, as text, with its count.
    first: the first exception. seconds: of the engine's clock, from the first call to the end of
    the last.
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

    progress: is told now and then how many calls have ended, in this thread. An exception of a
    call is counted; NotImplementedError is raised, and so is what is no Exception.
    """
    if calls < 1 or per_second <= 0:
        raise ValueError("A storm has at least one call, and some calls a second.")
    store = engine.store
    kept = store.clock
    with kept.still():
        conductor = _Conductor(kept, call, Storm(calls, per_second))
        store.clock = conductor
        try:
            conductor.run(progress)
            return conductor.result
        finally:
            conductor.end()
            store.clock = kept
            kept.advance(conductor() - kept())


class _Conductor(Clock):
    """The engine's clock during a storm: who sleeps on it waits for their turn.

    One thread has the turn. When its call ends or sleeps it passes the turn on to what is due
    next, and keeps it where that is a call that comes: most calls need no other thread.
    """

    def __init__(self, clock: Clock, call: Callable[[], Any], result: Storm) -> None:
        super().__init__(at=clock())
        self.call = call
        self.result = result
        self.over = threading.Event()
        self.ended = 0
        self.steps = 0
        self.broken: BaseException | None = None
        self._start = self()
        self._order = count(result.calls)
        # When, in which order, and who wakes up then; None is a call that comes.
        self._due: list[tuple[float, int, _Worker | None]] = [
            (self._start + number / result.per_second, number, None)
            for number in range(result.calls)
        ]
        self._idle: list[_Worker] = []
        self._workers: dict[int, _Worker] = {}
        self._turn: _Worker | None = None

    def run(self, progress: Callable[[int], None]) -> None:
        """Makes the calls, in threads of their own, and waits for the end of all."""
        self.pass_on(None)
        steps, since = -1, time.monotonic()
        while not self.over.wait(LOOK_SECONDS):
            progress(self.ended)
            if self.steps != steps:
                steps, since = self.steps, time.monotonic()
            elif time.monotonic() - since > STALL_SECONDS:
                interrupt(self._turn.thread if self._turn else None)
                raise Stuck(
                    f"A call worked for {STALL_SECONDS:g} seconds without an end; "
                    "does its loop end, and does it wait by the `sleep` that it was given?"
                )
        if self.broken is not None:
            raise self.broken
        progress(self.ended)

    def advance(self, seconds: float) -> None:
        worker = self._workers.get(threading.get_ident())
        if worker is None:
            super().advance(seconds)
            return
        worker.sleeps += 1
        heapq.heappush(self._due, (self() + seconds, next(self._order), worker))
        if not self.pass_on(worker, asleep=True):
            worker.go.acquire()
        if self.over.is_set():
            raise SystemExit

    def pass_on(self, worker: _Worker | None, asleep: bool = False) -> bool:
        """Gives the turn to what is due next; whether that is this very worker."""
        self.steps += 1
        if not self._due:
            self.result.seconds = self() - self._start
            self.over.set()
            return False
        at, _, due = heapq.heappop(self._due)
        super().advance(max(0.0, at - self()))
        if due is None and worker is not None and not asleep:
            return True
        if worker is not None and not asleep:
            self._idle.append(worker)
        if due is None:
            due = self._idle.pop() if self._idle else self._hired()
        self._turn = due
        if due is worker:
            return True
        due.go.release()
        return False

    def _hired(self) -> _Worker:
        worker = _Worker(self)
        worker.thread.start()
        assert worker.thread.ident is not None
        self._workers[worker.thread.ident] = worker
        return worker

    def end(self) -> None:
        """Ends every thread, those too that are asleep where the storm was broken off."""
        self.over.set()
        for worker in self._workers.values():
            worker.go.release()


class _Worker:
    """A thread that makes one call after the other."""

    def __init__(self, conductor: _Conductor) -> None:
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.go = threading.Semaphore(0)
        self.sleeps = 0
        self._conductor = conductor

    def _work(self) -> None:
        conductor = self._conductor
        self.go.acquire()
        while not conductor.over.is_set():
            self.sleeps = 0
            error: BaseException | None = None
            try:
                conductor.call()
            except SystemExit:
                return
            except BaseException as raised:
                error = raised
            if error is not None and not _is_counted(error):
                conductor.broken = error
                conductor.over.set()
                return
            _count(conductor.result, error, self.sleeps)
            conductor.ended += 1
            if not conductor.pass_on(self):
                self.go.acquire()


def _is_counted(error: BaseException) -> bool:
    return isinstance(error, Exception) and not isinstance(error, NotImplementedError)


def _count(result: Storm, error: BaseException | None, sleeps: int) -> None:
    result.retries += sleeps
    result.retried += bool(sleeps)
    result.absorbed += bool(sleeps) and error is None
    if isinstance(error, Exception):
        result.errors[_text(error)] += 1
        result.first = result.first or error
    else:
        result.succeeded += 1


def _text(error: Exception) -> str:
    """The exception's name with what DynamoDB says of the reason, without the message."""
    response: dict[str, Any] = getattr(error, "response", {})
    reasons = response.get("throttlingReasons") or response.get("ThrottlingReasons") or []
    told = {each["reason"] for each in reasons}
    told |= {each["Code"] for each in response.get("CancellationReasons", [])} - {"None"}
    code = response.get("Error", {}).get("Code", type(error).__name__)
    return f"{code} ({', '.join(sorted(told))})" if told else str(code)
