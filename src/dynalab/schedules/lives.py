"""What each client does next: exactly one thread runs at a time, and each stops before a request.

What a client does depends on the replies that it got and on nothing else. So its code runs once
for each row of replies; after the same ones, what it did is known.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dynalab.engine.clock import Clock
from dynalab.engine.connect import Connection, Go
from dynalab.engine.engine import Reply, Store
from dynalab.schedules.bystanders import Bystanders
from dynalab.schedules.dice import loaded
from dynalab.schedules.ending import Stopped, Unfit
from dynalab.schedules.life import Life
from dynalab.schedules.standing import Standing, Told

NOT_REPEATABLE = (
    "A client did something else when the same schedule was run again; "
    "pass in clocks, sleeps and random generators, and keep no state outside the function."
)
_GONE_SECONDS = 1.0  # for threads that clients started


class Lives:
    """The clients of an exploration. Use as `with lives.open():`, then ask what each does next.

    Raises Unfit, in the block or after it, where a client cannot be conducted.
    """

    def __init__(self, connection: Connection) -> None:
        self._engine = connection.engine
        self._middleware = connection.middleware
        self._aside = Store(listeners=[])  # what a client that makes no request could reach
        self._starts: dict[tuple[str, float], Standing] = {}  # by client and time
        self._living: dict[str, Life] = {}  # one a client, so that its code runs once at a time
        self._lingering: list[Life] = []  # they were ended, and still run
        self._bystanders = Bystanders()
        self._unfit: Unfit | None = None

    @contextmanager
    def open(self) -> Iterator[None]:
        """Conducts the clients' requests in a block; ends what is left of them afterwards."""
        self._middleware.append(self._gate)
        try:
            with loaded(lambda thread: self._life_of(thread) is not None):
                yield
        finally:
            self._end_all()
            asleep = {life.thread for life in self._lingering if life.asleep}
            if self._bystanders.gone_within(_GONE_SECONDS, asleep):
                # else what is left would reach the tables that come back
                self._middleware.remove(self._gate)
        self._refuse_unfit()

    @contextmanager
    def anew(self) -> Iterator[None]:
        """Within the block nothing is known: each client runs again, from its start."""
        known, self._starts = self._starts, {}
        self._end_all()
        try:
            yield
        finally:
            self._end_all()
            self._starts = known
        self._refuse_unfit()

    def start(self, name: str, function: Callable[[], Any], at: float) -> Standing:
        """Where a client first stands. at: the time."""
        if (name, at) not in self._starts:
            life = self._begun(name, function, at)
            assert life.standing is not None
            self._starts[name, at] = life.standing
        return self._starts[name, at]

    def after(
        self, name: str, function: Callable[[], Any], place: Standing, told: Told
    ) -> Standing:
        """Where a client stands once it was told something more."""
        known = place.after.get(told)
        if known is None:
            life = self._life_at(name, function, place)
            known = place.after[told] = self._go_on(life, told, told.at)
        return known

    def kill(self, name: str, place: Standing) -> None:
        """Ends a client where it stands, if its code runs at all."""
        life = self._living.get(name)
        if life is not None and life.standing is place:
            self._end(name)
            self._refuse_unfit()

    # --- the conductor's side -----------------------------------------------------------------

    def _life_at(self, name: str, function: Callable[[], Any], place: Standing) -> Life:
        """A life that stands there: the one that there is, or a new one that is led there."""
        life = self._living.get(name)
        if life is not None and life.standing is place:
            return life
        road: list[Standing] = [place]
        while road[-1].before is not None:
            road.append(road[-1].before)
        start = road.pop()
        life = self._begun(name, function, start.at)
        self._follow(life, start)
        while road:
            step = road.pop()
            assert step.told is not None
            self._go_on(life, step.told, step.told.at)
            self._follow(life, step)
        return life

    def _follow(self, life: Life, known: Standing) -> None:
        assert life.standing is not None
        if not life.standing.does_as(known):
            raise Unfit(NOT_REPEATABLE)
        life.standing = known

    def _begun(self, name: str, function: Callable[[], Any], at: float) -> Life:
        self._end(name)
        life = self._living[name] = Life(name, function)
        self._go_on(life, None, at)
        return life

    def _go_on(self, life: Life, told: Told | None, at: float) -> Standing:
        """Lets a client run to its next request, or to its end. at: the time."""
        # Whoever draws, boto3's backoff and its request tokens for two, draws alike in each run.
        random.seed(f"{life.name}{life.requests}")
        clock = self._aside.clock = Clock(at=at)
        with self._engine.on(self._aside):
            life.go_on(told)
        self._refuse_unfit()
        life.standing = Standing(
            life.standing, told, at, life.asks, life.returned, life.raised, clock() - at
        )
        return life.standing

    def _end(self, name: str) -> None:
        life = self._living.pop(name, None)
        if life is not None:
            self._lingering.append(life)
            life.end()
            if life.thread.gone_within(0) and life.unfit is None:
                self._lingering.remove(life)

    def _end_all(self) -> None:
        for name in list(self._living):
            self._end(name)

    def _refuse_unfit(self) -> None:
        """Raises what a client, or a thread that it started, cannot be conducted for."""
        lives = (*self._living.values(), *self._lingering)
        unfit = self._unfit or next((life.unfit for life in lives if life.unfit), None)
        if unfit is not None:
            raise unfit

    # --- in the clients' threads ------------------------------------------------------------

    def _life_of(self, thread: threading.Thread) -> Life | None:
        lives = (*self._living.values(), *self._lingering)
        return next((life for life in lives if life.thread is thread), None)

    def _gate(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        thread = threading.current_thread()
        life = self._life_of(thread)
        return (
            self._gate_for_others(thread, go) if life is None else life.ask(operation, request, go)
        )

    def _gate_for_others(self, thread: threading.Thread, go: Go) -> Reply:
        """An invariant may read; a thread that a client started may do nothing."""
        if self._bystanders.may_ask(thread):
            return go()
        self._unfit = Unfit(
            "A thread that a client started made a request; "
            "schedules follow one thread a client, so leave threads out here."
        )
        raise Stopped
