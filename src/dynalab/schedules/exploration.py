"""explore and replay: every schedule of some clients, or one of them step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import Any

from dynalab.engine.engine import Store
from dynalab.schedules.choices import Choice, choice_of, written
from dynalab.schedules.clients import Step
from dynalab.schedules.ending import Unfit
from dynalab.schedules.lives import NOT_REPEATABLE
from dynalab.schedules.outcome import ItemsByTable, Outcome
from dynalab.schedules.readers import Beside
from dynalab.schedules.replicas import is_read
from dynalab.schedules.scene import RECOVERY, Branches, Clients, Invariant, Scene, staged
from dynalab.schedules.search import Search, drawn, repeats
from dynalab.schedules.trace import Tables, Words, left, words

ONE_BY_ONE = 100  # schedules: where there are no more, each is run, and none left out as seen
MOST_RUNS = 2_000  # beyond them, schedules are drawn at random
SEED = 7  # of the draw


@dataclass(frozen=True)
class Schedule:
    """One schedule as it was carried out: its steps, what it broke (or None), what it left.

    text: the schedule as a short string, "A1 B1 B† A2". clients: their names in order, the
    recovery's last. keys: each table's key attributes.
    frames: every table's items at the start and after each step, as `outcome.tables` has them.
    """

    text: str
    clients: tuple[str, ...]
    steps: tuple[Step, ...]
    broken: str | None
    outcome: Outcome
    keys: Mapping[str, tuple[str, ...]]
    frames: tuple[Tables, ...]

    def words(self) -> list[Words]:
        """Each step in words."""
        return words(self.steps, self.keys)

    def left(self) -> dict[str, list[dict[str, Any]]]:
        """The items at the end that it named or changed, by table."""
        return left(self.steps, self.keys, self.frames[0], self.outcome.tables)


@dataclass(frozen=True)
class Exploration:
    """What a search found.

    schedules, failing: exact numbers; where `seed` is set, of those that were drawn at random.
    states: how many different states the schedules pass through. failure: the shortest that fails.
    """

    schedules: int
    failing: int
    states: int
    one_by_one: bool
    failure: Schedule | None
    seed: int | None = None
    estimate: int = 0

    @property
    def holds(self) -> bool:
        """Whether no schedule fails."""
        return self.failing == 0

    def extent(self) -> str:
        """How much was tried, in words that claim no more than was done."""
        many = f"{self.schedules:,} schedule{'' if self.schedules == 1 else 's'}"
        if self.seed is not None:
            return f"{self.schedules:,} of about {self.estimate:,} schedules, seed {self.seed}"
        return many if self.one_by_one else f"{many} through {self.states:,} states"


def explore(
    clients: Clients,
    invariant: Invariant,
    recover: Callable[[], Any] | None = None,
    *,
    crash: bool | None = None,
    lost: bool = False,
    late: bool = False,
    stale: bool = False,
    readers: Clients | None = None,
    sharing: bool = False,
    most: int = MOST_RUNS,
    seed: int = SEED,
) -> Exploration:
    """Runs clients in every order of their requests and asks an invariant after each.

    clients: name → function without arguments, which uses boto3 as it always does. What it does
    may depend on the replies that it gets and on nothing else: pass in clocks, sleeps and random
    generators, start no threads, and let clients share nothing but the tables. Everything starts
    from the tables as they are now, and they are as they are now afterwards.
    invariant: gets an Outcome, to look at; returns None or True where it holds, else False or a
    sentence.
    recover: runs alone, after the clients have ended and nothing is on its way.
    crash: at most one client dies, at any of its requests; the default is to do so with `recover`.
    lost: one write's request or reply is lost, so boto3 sends it again. late: one write times out
    at its client and lands at any later time. stale: a read that is not strongly consistent
    may be answered from before the last write, where that is another answer.
    readers: clients that only read, and live; beside two writers they cost little time.
    sharing: clients share more than the tables, such as a cache; each schedule then runs all their
    code, from the start of the first client on.
    most: beyond so many runs, that many schedules are drawn with `seed` instead of all.
    Raises Unfit, with one sentence, where clients cannot be explored.
    """
    branches = Branches(recover is not None if crash is None else crash, lost, late, stale)
    everybody = {**clients, **(readers or {})}
    with staged(everybody, invariant, recover, branches) as scene:
        if readers and sharing:
            raise Unfit("Readers share nothing; give them as clients where all share something.")
        if readers:
            writers = replace(scene, clients=clients, invariant=lambda outcome: None)
            return _explored_beside(writers, scene, readers, most, seed)
        return _explored(replace(scene, sharing=sharing), most, seed)


def _explored(scene: Scene, most: int, seed: int) -> Exploration:
    search = Search(scene, reduced=False)
    done = search.walk(1)
    one_by_one = most if scene.sharing else min(ONE_BY_ONE, most)
    if not done and (scene.sharing or _estimate(search.requests, scene.branches) <= one_by_one):
        search = Search(scene, reduced=False)
        done = search.walk(one_by_one)
    if not done and not scene.sharing:  # what is shared is no part of a state
        search = Search(scene, reduced=True)
        done = search.walk(most)
    if not done:
        return _sampled(scene, search, most, seed)
    if not repeats(scene):
        raise Unfit(NOT_REPEATABLE)
    return _counted(scene, search)


def _explored_beside(
    writers: Scene, scene: Scene, readers: Clients, most: int, seed: int
) -> Exploration:
    search = Search(writers, reduced=True, keeps=True)
    if not search.walk(most):
        return _sampled(scene, search, most, seed)
    if not repeats(writers):
        raise Unfit(NOT_REPEATABLE)
    return _counted(scene, Beside(scene, search, readers).schedules())


def _counted(scene: Scene, search: Search) -> Exploration:
    total = search.count()
    return Exploration(
        total.schedules,
        total.failing,
        len(search.states),
        not search.reduced,
        _failure(scene, search.shortest()) if total.failing else None,
    )


def _estimate(requests: Sequence[int], branches: Branches) -> int:
    """About how many schedules there are, from the requests that each client made in one run."""
    orders = factorial(sum(requests)) // prod(map(factorial, requests))
    return orders * (1 + sum(requests) * (branches.crash + 2 * branches.lost + branches.late))


def _sampled(scene: Scene, search: Search, most: int, seed: int) -> Exploration:
    results = drawn(scene, seed, most)
    failing = [path for path, broken in results.items() if broken is not None]
    if not failing and search.failing is not None:  # the walk met one before it was given up
        failing = [search.failing]
    return Exploration(
        len({*results, *failing}),
        len(failing),
        len(search.states),
        False,
        _failure(scene, min(failing, key=len)) if failing else None,
        seed,
        max(len(results), _estimate(search.requests, scene.branches)),
    )


def _failure(scene: Scene, path: Sequence[Choice]) -> Schedule:
    try:
        schedule = _carried_out(scene, path)
    except Impossible:
        raise Unfit(NOT_REPEATABLE) from None
    if schedule.broken is None:
        raise Unfit(NOT_REPEATABLE)
    return schedule


class Impossible(Unfit):
    """A choice that cannot be made where a schedule has it."""


def _carried_out(scene: Scene, path: Sequence[Choice]) -> Schedule:
    """One schedule; what it leaves open is done in order at its end."""
    done: list[Choice] = []
    frames: list[Tables] = []

    def look() -> None:
        if frames and is_read(run.steps[-1].operation):
            frames.append(frames[-1])
        else:
            frames.append(ItemsByTable(run.store.copy(), scene.plain))

    with scene.begun(watch=look) as run:
        look()
        for wanted in path:
            choices = scene.possible(run)
            if wanted not in choices:
                what = f"what can: {', '.join(map(str, choices))}" if choices else "all is done"
                raise Impossible(f"{wanted} cannot happen there; {what}.")
            run.carry_out(wanted)
            done.append(wanted)
        while choices := scene.possible(run, Branches()):
            run.carry_out(choices[0])
            done.append(choices[0])
        broken, outcome = scene.finish(run)
        keys = {**_keys(scene.base), **_keys(run.store)}
        clients, steps = tuple(run.clients), tuple(run.steps)
    return Schedule(written(done), clients, steps, broken, outcome, keys, tuple(frames))


def _keys(store: Store) -> dict[str, tuple[str, ...]]:
    tables = store.backend.tables
    return {name: tuple(store.backend.table(name).table_key_attrs) for name in tables}


def replay(
    schedule: str,
    clients: Clients,
    invariant: Invariant = lambda outcome: None,
    recover: Callable[[], Any] | None = None,
) -> Schedule:
    """Carries out one schedule, as explore wrote it ("A1 B1 B† A2"), and tells its steps.

    A1 is A's first request, A† its death there, A1× a request and A1~ a reply that is lost,
    A1… a request that lands later, at …A1, and A1° a stale read. What the string leaves open is
    done in order at its end. Raises Unfit for a string that names no choice, or one that is not
    possible there.
    """
    branches = Branches(crash=True, lost=True, late=True, stale="°" in schedule)
    with staged(clients, invariant, recover, branches) as scene:
        path: list[Choice] = []
        for word in schedule.split():
            if re.fullmatch(rf"{RECOVERY}\d+", word):  # the recovery follows by itself
                continue
            choice = choice_of(word, path)
            if choice is None:
                raise Unfit(
                    f"{word!r} is not a step of a schedule; write steps such as A1, B2 or A†."
                )
            path.append(choice)
        return _carried_out(scene, path)
