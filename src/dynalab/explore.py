"""Every interleaving of some clients, with every crash point, then the recovery: one search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

from dynalab.engine.connect import connect
from dynalab.outcome import Outcome
from dynalab.schedule import Choice, Fate, Step, Unfit
from dynalab.search import (
    NOT_REPEATABLE,
    RECOVERY,
    Branches,
    Clients,
    End,
    Invariant,
    Scene,
    Search,
    drawn,
    possible,
)
from dynalab.trace import Words, words

ONE_BY_ONE = 100
MOST_RUNS = 2_000
SEED = 7


@dataclass(frozen=True)
class Schedule:
    """One schedule as it was carried out: its steps, what it broke (or None), what it left.

    text: the schedule as a short string, "A1 B1 B† A2". keys: each table's key attributes.
    """

    text: str
    steps: tuple[Step, ...]
    broken: str | None
    outcome: Outcome
    keys: Mapping[str, tuple[str, ...]]

    def words(self) -> list[Words]:
        return [words(step, self.keys) for step in self.steps]


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
    most: int = MOST_RUNS,
    seed: int = SEED,
) -> Exploration:
    """Runs clients in every order of their requests and asks an invariant after each.

    clients: name → function without arguments, which uses boto3 as it always does. Everything
    starts from the tables as they are now, and they are as they are now afterwards.
    invariant: gets an Outcome; returns None or True where it holds, else False or a sentence.
    recover: runs alone, after the clients have ended.
    crash: at most one client dies, at any of its requests; the default is to do so with `recover`.
    lost: one write's request or reply is lost, so boto3 sends it again. late: one write times out
    at its client and lands at any later time. stale: a read that is not strongly consistent
    may be answered from before the last write.
    most: beyond so many runs, that many schedules are drawn with `seed` instead of all.
    Raises Unfit, with one sentence, where clients cannot be explored.
    """
    _refuse_bad_clients(clients)
    connection = connect()
    branches = Branches(recover is not None if crash is None else crash, lost, late, stale)
    scene = Scene(connection, clients, invariant, recover, branches, connection.engine.store.copy())
    kept, connection.embedded_only = connection.embedded_only, True
    try:
        return _explored(scene, most, seed)
    finally:
        connection.embedded_only = kept


def _refuse_bad_clients(clients: Clients) -> None:
    if not clients:
        raise Unfit('Give explore at least one client: {"A": a_function_without_arguments}.')
    for name, function in clients.items():
        if not (isinstance(name, str) and name.isalpha() and name != RECOVERY):
            raise Unfit(f"Name clients with letters, not {name!r}; {RECOVERY} is the recovery.")
        if not callable(function):
            raise Unfit(f"Client {name} is no function; wrap the call: lambda: like(table, ...).")


def _explored(scene: Scene, most: int, seed: int) -> Exploration:
    search = Search(scene, reduced=False)
    if not search.walk(1):
        few = _estimate(search.requests, scene.branches) <= ONE_BY_ONE
        search = Search(scene, reduced=not few)
        if few and not search.walk(ONE_BY_ONE):
            search = Search(scene, reduced=True)
        if search.reduced and not search.walk(most):
            return _sampled(scene, search, most, seed)
    counts: dict[Any, _Count] = {}
    total = _count(search, search.root, counts)
    failure = None
    if total.shortest is not None:
        failure = replay_choices(scene, _path(search, counts))
    return Exploration(
        total.schedules, total.failing, len(search.nodes), not search.reduced, failure
    )


def _estimate(requests: Sequence[int], branches: Branches) -> int:
    """About how many schedules there are, from the requests that each client made in one run."""
    orders = factorial(sum(requests)) // prod(map(factorial, requests))
    return orders * (1 + sum(requests) * (branches.crash + 2 * branches.lost + branches.late))


def _sampled(scene: Scene, search: Search, most: int, seed: int) -> Exploration:
    results = drawn(scene, seed, most)
    failing = [path for path, broken in results if broken is not None]
    failure = replay_choices(scene, min(failing, key=len)) if failing else None
    estimate = _estimate(search.requests, scene.branches)
    return Exploration(
        len(results), len(failing), len(search.nodes), False, failure, seed, estimate
    )


@dataclass(frozen=True)
class _Count:
    """Schedules from a state on: how many, how many fail, and the length of the shortest failing."""

    schedules: int
    failing: int
    shortest: int | None


def _count(search: Search, target: Any, counts: dict[Any, _Count]) -> _Count:
    if isinstance(target, End):
        broken = target.broken is not None
        return _Count(1, int(broken), 0 if broken else None)
    if target not in counts:
        parts = [_count(search, edge, counts) for edge in search.nodes[target].values()]
        lengths = [part.shortest + 1 for part in parts if part.shortest is not None]
        counts[target] = _Count(
            sum(part.schedules for part in parts),
            sum(part.failing for part in parts),
            min(lengths, default=None),
        )
    return counts[target]


def _path(search: Search, counts: dict[Any, _Count]) -> list[Choice]:
    """The shortest failing schedule; of equals, the one that comes first."""
    path: list[Choice] = []
    target = search.root
    while not isinstance(target, End):
        rest = [
            (_count(search, edge, counts).shortest, choice, edge)
            for choice, edge in search.nodes[target].items()
        ]
        failing = [entry for entry in rest if entry[0] is not None]
        _, choice, target = min(failing, key=lambda entry: entry[0] or 0)
        path.append(choice)
    return path


def replay_choices(scene: Scene, path: Sequence[Choice]) -> Schedule:
    """Carries out one schedule; choices that are left open at its end are made in order."""
    done: list[Choice] = []
    with scene.begun() as run:
        for wanted in path:
            if wanted not in possible(run, scene.branches):
                raise Unfit(f"{wanted} cannot happen there. {NOT_REPEATABLE}")
            run.carry_out(wanted)
            done.append(wanted)
        while choices := possible(run, Branches()):
            run.carry_out(choices[0])
            done.append(choices[0])
        broken, outcome = scene.finish(run)
        backend = scene.base.backend
        keys = {name: tuple(backend.table(name).table_key_attrs) for name in backend.tables}
        return Schedule(" ".join(map(str, done)), tuple(run.steps), broken, outcome, keys)


_CHOICE = re.compile(r"^(?P<lands>…)?(?P<client>[A-Za-z]+)(?P<number>\d*)(?P<mark>[†×~…°]?)$")
_FATE_OF: dict[str, Fate] = {
    "": "served",
    "†": "dies",
    "×": "lost request",
    "~": "lost reply",
    "…": "late",
    "°": "stale",
}


def replay(
    schedule: str,
    clients: Clients,
    invariant: Invariant = lambda outcome: None,
    recover: Callable[[], Any] | None = None,
) -> Schedule:
    """Carries out one schedule, as explore wrote it ("A1 B1 B† A2"), and tells its steps.

    What the string leaves open is done in order at its end. Raises Unfit for a string that
    names no choice, or one that is not possible there.
    """
    _refuse_bad_clients(clients)
    connection = connect()
    marks = Branches(crash=True, lost=True, late=True, stale="°" in schedule)
    scene = Scene(connection, clients, invariant, recover, marks, connection.engine.store.copy())
    kept, connection.embedded_only = connection.embedded_only, True
    try:
        return replay_text(scene, schedule)
    finally:
        connection.embedded_only = kept


def replay_text(scene: Scene, schedule: str) -> Schedule:
    wanted = [text for text in schedule.split() if not text.startswith(RECOVERY)]
    path: list[Choice] = []
    for text in wanted:
        path.append(_choice(text, path))
    return replay_choices(scene, path)


def _choice(text: str, path: Sequence[Choice]) -> Choice:
    match = _CHOICE.match(text)
    if match is None or not (match["number"] or match["mark"] == "†"):
        raise Unfit(f"{text!r} is no step of a schedule; write steps such as A1, B2 or A†.")
    client, fate = match["client"], _FATE_OF[match["mark"]]
    if match["lands"]:
        fate = "lands"
    if fate == "dies":
        number = 1 + sum(c.client == client and c.fate != "lands" for c in path)
    else:
        number = int(match["number"])
    return Choice(client, number, fate)
