"""The walk over every choice: who goes next, who dies, what is lost, late or stale.

A client is a function of the replies that it got. So a state is the stored items, each
client's replies, and what is still on its way: one that was seen before needs no second look.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dynalab.schedules.choices import Choice
from dynalab.schedules.ending import Unfit
from dynalab.schedules.lives import NOT_REPEATABLE
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.run import Run
from dynalab.schedules.scene import Branches, Scene


@dataclass(frozen=True)
class End:
    """The end of a schedule; `broken` is a sentence where the invariant does not hold.

    state, outcome: how the clients left it there, where the search keeps that.
    """

    broken: str | None
    state: Any = None
    outcome: Outcome | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Count:
    """Schedules from a state on: how many, how many fail, how long the shortest failing one is."""

    schedules: int
    failing: int
    shortest: int | None


@dataclass(frozen=True)
class _Waiting:
    """A choice that was not made yet, after the way to it.

    key: of the state, or way, that it is made in. run: how the clients stand there, where that is
    kept; None at the start, and where they share more than the tables.
    """

    path: tuple[Choice, ...]
    key: Any
    run: Run | None


@dataclass
class Search:
    """A depth-first walk; each run goes a known way to a choice not made yet, and on from there.

    reduced: whether a state that was seen before is left alone; else each way to it is walked.
    keeps: whether each End keeps its state and outcome.
    nodes: for each state, or way, where each choice leads: to another one, or to an End.
    """

    scene: Scene
    reduced: bool
    keeps: bool = False
    nodes: dict[Any, dict[Choice, Any]] = field(default_factory=dict)
    root: Any = None
    states: set[Any] = field(default_factory=set)
    runs: int = 0
    requests: tuple[int, ...] = ()  # of each client, in the first run
    failing: tuple[Choice, ...] | None = None  # the first schedule that was seen to fail
    _ends: dict[Any, End] = field(default_factory=dict)

    def walk(self, most: int) -> bool:
        """Visits everything; False where `most` runs did not do."""
        waiting = [_Waiting((), None, None)]
        while waiting:
            if self.runs >= most:
                return False
            waiting += self._go(waiting.pop())
        return True

    def _go(self, known: _Waiting) -> list[_Waiting]:
        """One run: a choice that was left out, then the first one of each new state.

        It ends at a known state. Returns the choices that it left out itself.
        """
        self.runs += 1
        others: list[_Waiting] = []
        path = list(known.path)
        arrive: Callable[[Any], None] = self._start_at
        with self._at(known) as run:
            if path:
                arrive = _edge(self.nodes[known.key], path[-1])
                run.carry_out(path[-1])
            while choices := self.scene.possible(run):
                state = self.scene.state(run)
                key = state if self.reduced else tuple(path)
                arrive(key)
                if key in self.nodes:
                    return others
                self.states.add(state)
                edges = self.nodes[key] = {}
                choice, *rest = choices
                kept = run.copy() if rest and not self.scene.sharing else None
                others += [_Waiting((*path, other), key, kept) for other in reversed(rest)]
                arrive = _edge(edges, choice)
                path.append(choice)
                run.carry_out(choice)
            if not self.requests:
                self.requests = tuple(client.requests for client in run.clients.values())
            state = self.scene.state(run)
            if not self.reduced or state not in self._ends:
                self._ends[state] = self._end(run, state)
            arrive(self._ends[state])
            if self.failing is None and self._ends[state].broken is not None:
                self.failing = tuple(path)
        return others

    @contextmanager
    def _at(self, known: _Waiting) -> Iterator[Run]:
        """The run in which a choice can be made."""
        if known.run is not None:
            with self.scene.resumed(known.run) as run:
                yield run
            return
        with self.scene.begun() as run:
            for number, choice in enumerate(known.path, 1):
                if choice not in self.scene.possible(run):
                    raise Unfit(NOT_REPEATABLE)
                if number < len(known.path):
                    run.carry_out(choice)
            yield run

    def _end(self, run: Run, state: Any) -> End:
        broken, outcome = self.scene.finish(run)
        return End(broken, state, outcome) if self.keeps else End(broken)

    def _start_at(self, key: Any) -> None:
        self.root = key

    def count(self) -> Count:
        """All schedules, of a walk that visited everything."""
        return self._counted(self.root, self._counts())

    def shortest(self) -> list[Choice]:
        """The shortest failing schedule; of equals, the one that comes first."""
        counts = self._counts()
        path: list[Choice] = []
        target = self.root
        while not isinstance(target, End):
            ways = [
                (count.shortest, choice, edge)
                for choice, edge in self.nodes[target].items()
                if (count := self._counted(edge, counts)).shortest is not None
            ]
            _, choice, target = min(ways, key=lambda way: way[0] or 0)
            path.append(choice)
        return path

    def _counts(self) -> dict[Any, Count]:
        """The counts of each state, those it leads to first (a recursion could go too deep)."""
        counts: dict[Any, Count] = {}
        stack = [] if isinstance(self.root, End) else [self.root]
        while stack:
            edges = self.nodes[stack[-1]].values()
            open_ones = [e for e in edges if not isinstance(e, End) and e not in counts]
            if open_ones:
                stack += open_ones
                continue
            parts = [self._counted(edge, counts) for edge in edges]
            lengths = [part.shortest + 1 for part in parts if part.shortest is not None]
            counts[stack.pop()] = Count(
                sum(part.schedules for part in parts),
                sum(part.failing for part in parts),
                min(lengths, default=None),
            )
        return counts

    def _counted(self, target: Any, counts: dict[Any, Count]) -> Count:
        if not isinstance(target, End):
            return counts[target]
        broken = target.broken is not None
        return Count(1, int(broken), 0 if broken else None)


def _edge(edges: dict[Choice, Any], choice: Choice) -> Callable[[Any], None]:
    def arrive(target: Any) -> None:
        edges[choice] = target

    return arrive


def repeats(scene: Scene) -> bool:
    """Whether clients that run anew do what is known of them, on two ways through the schedules.

    They could share more than the tables. In the walk's first run they went one after the other,
    so here the last one goes first; and what can go wrong does so as soon as it can.
    """
    nothing_wrong = scene.branches == Branches()
    for pick in [_last_served] if nothing_wrong else [_last_served, _last]:
        known = _along(scene, pick)
        with scene.lives.anew():
            if _along(scene, pick) != known:
                return False
    return True


def _last_served(choices: list[Choice]) -> Choice:
    return [choice for choice in choices if choice.fate in ("served", "lands")][-1]


def _last(choices: list[Choice]) -> Choice:
    return choices[-1]


def _along(scene: Scene, pick: Callable[[list[Choice]], Choice]) -> list[Any]:
    """The states of the schedule that makes these choices, and the one after the recovery."""
    with scene.begun() as run:
        states = [scene.state(run)]
        while choices := scene.possible(run):
            run.carry_out(pick(choices))
            states.append(scene.state(run))
        scene.recovered(run)
        states.append(scene.state(run))
    return states


def drawn(scene: Scene, seed: int, count: int) -> dict[tuple[Choice, ...], str | None]:
    """Schedules drawn at random, for a search too large to finish: each with what it broke."""
    generator = random.Random(seed)
    results: dict[tuple[Choice, ...], str | None] = {}
    for _ in range(count):
        path: list[Choice] = []
        with scene.begun() as run:
            while choices := scene.possible(run):
                path.append(generator.choice(choices))
                run.carry_out(path[-1])
            results[tuple(path)] = scene.finish(run)[0]
    return results
