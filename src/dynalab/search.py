"""The walk over every choice: who goes next, who dies, what is lost, late or stale.

A client is a function of the replies that it got. So a state is the stored items, each
client's replies, and what is still on its way: one that was seen before needs no second look.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dynalab.engine.connect import Connection
from dynalab.engine.engine import Store
from dynalab.outcome import Outcome, verdict
from dynalab.schedule import Choice, Client, Fate, Run, Unfit, is_read

Clients: TypeAlias = Mapping[str, Callable[[], Any]]
Invariant: TypeAlias = Callable[[Outcome], Any]

RECOVERY = "R"
NOT_REPEATABLE = (
    "A client did something else when the same schedule was run again; "
    "pass in clocks, sleeps and random generators, and keep no state outside the function."
)


@dataclass(frozen=True)
class Branches:
    """What may go wrong: one client's death, one request's loss or delay, stale reads."""

    crash: bool = False
    lost: bool = False
    late: bool = False
    stale: bool = False


@dataclass(frozen=True)
class Scene:
    """What is explored: clients on a store, what must hold at the end, and the recovery before it."""

    connection: Connection
    clients: Clients
    invariant: Invariant
    recover: Callable[[], Any] | None
    branches: Branches
    base: Store

    @contextmanager
    def begun(self) -> Iterator[Run]:
        """A run on a copy of the store, its clients at their first requests."""
        engine = self.connection.engine
        kept, engine.store = engine.store, self.base.copy()
        engine.store.listeners = []
        run = Run(self.connection, self.clients)
        run.keep_before_writes = self.branches.stale
        try:
            with run.started():
                yield run
        finally:
            engine.store = kept

    def finish(self, run: Run) -> tuple[str | None, Outcome]:
        """Runs the recovery to its end, then asks the invariant: what broke, and the outcome."""
        if self.recover is not None:
            client = Client(RECOVERY, self.recover)
            run.start(client)
            while client.pending is not None:
                run.carry_out(Choice(RECOVERY, client.requests, "served"))
        outcome = Outcome.of(run, self.connection.engine.store)
        return verdict(self.invariant, outcome), outcome


@dataclass(frozen=True)
class End:
    """The end of a schedule; `broken` is a sentence where the invariant does not hold."""

    broken: str | None


@dataclass
class Search:
    """A depth-first walk; each run replays a prefix of choices and goes on from there.

    nodes: for each state, where each choice leads: the key of another state, or an End.
    """

    scene: Scene
    reduced: bool
    nodes: dict[Any, dict[Choice, Any]] = field(default_factory=dict)
    root: Any = None
    runs: int = 0
    requests: tuple[int, ...] = ()  # of each client, in the first run

    def walk(self, most: int) -> bool:
        """Visits everything; False where `most` runs did not do."""
        waiting: list[list[Choice]] = [[]]
        while waiting:
            if self.runs >= most:
                return False
            waiting.extend(self._extend(waiting.pop()))
        return True

    def _extend(self, prefix: list[Choice]) -> list[list[Choice]]:
        """One run: the prefix, then the first choice of each new state, until a known state."""
        self.runs += 1
        others: list[list[Choice]] = []
        path: list[Choice] = []
        leave: Callable[[Any], None] = self._enter
        with self.scene.begun() as run:
            while choices := possible(run, self.scene.branches):
                key = self._key(run, path)
                known = key in self.nodes
                edges = self.nodes.setdefault(key, {})
                leave(key)
                if len(path) < len(prefix):
                    choice = prefix[len(path)]
                    if choice not in choices:
                        raise Unfit(NOT_REPEATABLE)
                elif known:
                    return others
                else:
                    choice, *rest = choices
                    others.extend([*path, other] for other in reversed(rest))
                leave = _edge(edges, choice)
                path.append(choice)
                run.carry_out(choice)
            if not self.requests:
                self.requests = tuple(client.requests for client in run.clients.values())
            leave(End(self.scene.finish(run)[0]))
        return others

    def _enter(self, key: Any) -> None:
        self.root = key

    def _key(self, run: Run, path: Sequence[Choice]) -> Any:
        if not self.reduced:
            return tuple(path)
        return state_of(run, self.scene.connection.engine.store, self.scene.base)


def _edge(edges: dict[Choice, Any], choice: Choice) -> Callable[[Any], None]:
    def leave(target: Any) -> None:
        edges[choice] = target

    return leave


def drawn(scene: Scene, seed: int, count: int) -> list[tuple[list[Choice], str | None]]:
    """Schedules drawn at random, for a search too large to finish: each with what it broke."""
    generator = random.Random(seed)
    results = []
    for _ in range(count):
        path: list[Choice] = []
        with scene.begun() as run:
            while choices := possible(run, scene.branches):
                path.append(generator.choice(choices))
                run.carry_out(path[-1])
            results.append((path, scene.finish(run)[0]))
    return results


def possible(run: Run, branches: Branches) -> list[Choice]:
    """What can happen next; empty once every client is done and nothing is on its way."""
    fates_so_far = {step.choice.fate for step in run.steps}
    nobody_died = "dies" not in fates_so_far
    nothing_lost = not fates_so_far & {"lost request", "lost reply", "late"}
    choices: list[Choice] = []
    for client in run.clients.values():
        if client.pending is None:
            continue
        operation, request, _ = client.pending
        fates: list[Fate] = ["served"]
        if branches.stale and run.before_last_write and may_be_stale(operation, request):
            fates.append("stale")
        if nothing_lost and not is_read(operation):
            fates += ["lost request", "lost reply"] if branches.lost else []
            fates += ["late"] if branches.late else []
        if nobody_died and branches.crash:
            fates.append("dies")
        choices += [Choice(client.name, client.requests, fate) for fate in fates]
    choices += [Choice(late.client, late.number, "lands") for late in run.floating]
    return choices


def may_be_stale(operation: str, request: Mapping[str, Any]) -> bool:
    """Whether this read may be answered from before the last write: it is not strongly consistent."""
    if operation == "BatchGetItem":
        return not all(part.get("ConsistentRead") for part in request["RequestItems"].values())
    return operation in ("GetItem", "Query", "Scan") and not request.get("ConsistentRead")


def state_of(run: Run, store: Store, base: Store) -> Any:
    """What the rest of a run depends on."""
    before = run.before_last_write
    fates = {step.choice.fate for step in run.steps}
    return (
        contents(store, base),
        None if before is None else contents(before, base),
        tuple(
            (client.name, client.finished, None if client.died else client.history)
            for client in run.clients.values()
        ),
        tuple((late.client, late.number) for late in run.floating),
        "dies" in fates,
        bool(fates & {"lost request", "lost reply", "late"}),
    )


def contents(store: Store, base: Store) -> frozenset[Any]:
    """The items that differ from those at the start, and the stream records since."""
    changed: list[Any] = []
    for name in store.backend.tables:
        table = store.backend.table(name)
        started = base.backend.table(name).stored if name in base.backend.tables else {}
        for key in table.touched:
            item, was = table.stored.get(key), started.get(key)
            wire = None if item is None else item.wire
            if wire != (None if was is None else was.wire):
                changed.append((name, key, repr(wire if wire is None else sorted(wire.items()))))
        if table.shards is not None:
            changed.append((name, table.shards.trace()))
    return frozenset(changed)
