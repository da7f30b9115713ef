"""The clients' own code: exactly one thread runs at a time, and each stops before each request.

What a client does next depends on the replies that it got and on nothing else. So its code runs
once for each row of replies; after the same ones, what it did is known.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from dynalab.engine.clock import Clock
from dynalab.engine.connect import Connection, Go
from dynalab.engine.engine import Reply, Store
from dynalab.schedules.bystanders import Bystanders
from dynalab.schedules.dice import loaded
from dynalab.schedules.ending import STALL_SECONDS, Endless, Stopped, Unfit, interrupt
from dynalab.schedules.standing import Standing, Told

MOST_REQUESTS = 200  # of one client: beyond them its loop does not end
NOT_REPEATABLE = (
    "A client did something else when the same schedule was run again; "
    "pass in clocks, sleeps and random generators, and keep no state outside the function."
)
_MOST_REFUSALS = 20  # of a client that was ended: beyond them it catches every exception
_MOMENT = 0.01  # seconds
_MOMENTS = 100


class _Life:
    """A thread in which a client's code runs, and where it stands.

    hears: what it waits on before each request; None ends it. parked: what its conductor waits
    on. refusals: its requests after its end.
    """

    def __init__(self, name: str, function: Callable[[], Any]) -> None:
        self.name = name
        self.function = function
        self.thread: threading.Thread | None = None
        # A queue in C hands over in half the time of threading.Semaphore.
        self.hears: SimpleQueue[Told | None] = SimpleQueue()
        self.parked: SimpleQueue[None] = SimpleQueue()
        self.standing: Standing | None = None
        self.asks: tuple[str, Mapping[str, Any], Go] | None = None
        self.requests = 0
        self.ended = False
        self.refusals = 0
        self.returned: Any = None
        self.raised: BaseException | None = None


class Lives:
    """The clients of an exploration. Use as `with lives.open():`, then ask what each does next.

    Raises Unfit, in the block or after it, where a client cannot be conducted.
    """

    def __init__(self, connection: Connection) -> None:
        self._engine = connection.engine
        self._middleware = connection.middleware
        self._aside = Store(listeners=[])  # what a client that makes no request could reach
        self._starts: dict[str, Standing] = {}
        self._living: dict[str, _Life] = {}  # one a client, so that its code runs once at a time
        self._asleep: set[threading.Thread | None] = set()  # nothing ends them
        self._bystanders = Bystanders()
        self._closed = False
        self._unfit: Unfit | None = None

    @contextmanager
    def open(self) -> Iterator[None]:
        """Conducts the clients' requests in a block; ends what is left of them afterwards."""
        self._middleware.append(self._gate)
        try:
            with loaded(self._is_client):
                yield
        finally:
            if self._close():  # else what is left would reach the tables that come back
                self._middleware.remove(self._gate)
        if self._unfit is not None:
            raise self._unfit

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

    def start(self, name: str, function: Callable[[], Any], at: float) -> Standing:
        """Where a client first stands. at: the time."""
        if name not in self._starts:
            life = self._begun(name, function, at)
            assert life.standing is not None
            self._starts[name] = life.standing
        return self._starts[name]

    def after(
        self, name: str, function: Callable[[], Any], place: Standing, told: Told
    ) -> Standing:
        """Where a client stands once it was told something more."""
        known = place.after.get(told)
        if known is None:
            life = self._life_at(name, function, place)
            known = place.after[told] = self._go_on(life, told)
        return known

    def kill(self, name: str, place: Standing) -> None:
        """Ends a client where it stands, if its code runs at all."""
        life = self._living.get(name)
        if life is not None and life.standing is place:
            self._end(life)

    # --- the conductor's side -----------------------------------------------------------------

    def _life_at(self, name: str, function: Callable[[], Any], place: Standing) -> _Life:
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
            self._go_on(life, step.told)
            self._follow(life, step)
        return life

    def _follow(self, life: _Life, known: Standing) -> None:
        assert life.standing is not None
        if not life.standing.does_as(known):
            raise Unfit(NOT_REPEATABLE)
        life.standing = known

    def _begun(self, name: str, function: Callable[[], Any], at: float) -> _Life:
        if name in self._living:
            self._end(self._living[name])
        life = self._living[name] = _Life(name, function)
        life.thread = threading.Thread(target=self._live, args=(life,), daemon=True)
        self._wait(life, life.thread.start, None, at)
        return life

    def _go_on(self, life: _Life, told: Told) -> Standing:
        return self._wait(life, lambda: life.hears.put(told), told, told.at)

    def _wait(
        self, life: _Life, start: Callable[[], None], told: Told | None, at: float
    ) -> Standing:
        """Lets a client run to its next request, or to its end."""
        # Whoever draws, boto3's backoff and its request tokens for two, draws alike in each run.
        random.seed(f"{life.name}{life.requests}")
        clock = self._aside.clock = Clock(at=at)
        kept, self._engine.store = self._engine.store, self._aside
        try:
            start()
            life.parked.get(timeout=STALL_SECONDS)
        except Empty:
            interrupt(life.thread)
            raise self._unfit or Unfit(
                f"{life.name} worked for {STALL_SECONDS:g} seconds without a request and was "
                "stopped; does its loop end?"
            ) from None
        finally:
            self._engine.store = kept
        if self._unfit is not None:
            raise self._unfit
        life.standing = Standing(
            life.standing, told, at, life.asks, life.returned, life.raised, clock() - at
        )
        return life.standing

    def _end(self, life: _Life) -> None:
        """Ends a client's thread."""
        life.ended = True
        life.hears.put(None)
        for moment in range(2 * _MOMENTS):
            if life.thread is None or life.thread in self._asleep or not life.thread.is_alive():
                break
            if moment >= _MOMENTS:
                interrupt(life.thread)
            life.thread.join(_MOMENT)
        if self._unfit is not None and not self._closed:
            raise self._unfit

    def _end_all(self) -> None:
        for life in self._living.values():
            self._end(life)
        self._living.clear()

    def _close(self) -> bool:
        """Ends the clients' threads, and those that they started; whether all are gone."""
        self._closed = True
        for life in self._living.values():
            self._end(life)
        return self._bystanders.gone_within(_MOMENTS * _MOMENT, self._asleep)

    # --- in the clients' threads ------------------------------------------------------------

    def _is_client(self, thread: threading.Thread) -> bool:
        return any(life.thread is thread for life in self._living.values())

    def _live(self, life: _Life) -> None:
        try:
            life.returned = life.function()
        except Stopped:
            pass
        except BaseException as error:
            life.raised = error
        finally:
            life.asks = None
            life.parked.put(None)

    def _gate(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        thread = threading.current_thread()
        life = next((each for each in self._living.values() if each.thread is thread), None)
        if life is None:
            return self._gate_for_others(thread, go)
        if life.ended:
            self._refuse(life)
        life.requests += 1
        if life.requests > MOST_REQUESTS:
            self._unfit = Unfit(
                f"{life.name} made more than {MOST_REQUESTS} requests and was stopped; "
                "does its loop end?"
            )
            life.parked.put(None)
            raise Endless
        life.asks = (operation, request, go)
        life.parked.put(None)
        told = life.hears.get()
        if told is None:
            self._refuse(life)
        return told.heard()

    def _gate_for_others(self, thread: threading.Thread, go: Go) -> Reply:
        """An invariant may read; a thread that a client started may do nothing."""
        if self._bystanders.may_ask(thread):
            return go()
        self._unfit = Unfit(
            "A thread that a client started made a request; "
            "schedules follow one thread a client, so leave threads out here."
        )
        raise Stopped

    def _refuse(self, life: _Life) -> NoReturn:
        life.refusals += 1
        if life.refusals == _MOST_REFUSALS:
            self._unfit = Unfit(
                f"{life.name} went on after its end: something in it catches every exception; "
                "write `except Exception`, or name the error that you mean."
            )
            self._asleep.add(life.thread)
            threading.Event().wait()  # nothing ends such a thread
        raise Stopped
