"""Readers beside a search of those who write: each of their reads falls before, between or after.

A read changes nothing. So the writers' states are walked once, without the readers, and every
reader is then taken through them: its next read, at each state, is answered from the items there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply, Store
from dynalab.engine.operations import READS
from dynalab.engine.tables import Item
from dynalab.schedules.choices import Choice
from dynalab.schedules.outcome import verdict
from dynalab.schedules.replicas import Replicas
from dynalab.schedules.run import Run, Unfit
from dynalab.schedules.scene import RECOVERY, Scene
from dynalab.schedules.search import End, Search

Replies: TypeAlias = tuple[Reply, ...]
Place: TypeAlias = tuple[Any, tuple[Replies, ...]]  # the writers' state; what each reader was told


@dataclass(frozen=True)
class _Next:
    """What a reader does after some replies: asks for more, or ends."""

    operation: str | None
    request: Mapping[str, Any]
    returned: Any
    raised: BaseException | None


class _Script(Replicas):
    """Answers each request with the next of some replies."""

    def __init__(self, scene: Scene, replies: Replies) -> None:
        super().__init__(scene.connection.engine, scene.base, behind=False)
        self._replies = iter(replies)

    def fresh(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        return next(self._replies)


@dataclass
class Beside:
    """Readers beside the writers of a search that was walked and kept its outcomes.

    scene: that of writers and readers.
    """

    scene: Scene
    search: Search
    readers: Mapping[str, Callable[[], Any]]
    _nexts: dict[tuple[str, Replies], _Next] = field(default_factory=dict)
    _stores: dict[Any, Store] = field(default_factory=dict)
    _answers: dict[tuple[Any, str, Replies], Reply] = field(default_factory=dict)

    def schedules(self) -> Search:
        """A search that holds every schedule, as if it had walked them. Raises Unfit."""
        found = Search(self.scene, reduced=True)
        found.root = self._settled((self.search.root, tuple(() for _ in self.readers)))
        waiting = [] if isinstance(found.root, End) else [found.root]
        while waiting:
            place = waiting.pop()
            if place in found.nodes:
                continue
            edges = {choice: self._settled(to) for choice, to in self._ways(place)}
            found.nodes[place] = edges
            found.states.add(place)
            waiting += [to for to in edges.values() if not isinstance(to, End)]
        return found

    def _ways(self, place: Place) -> list[tuple[Choice, Place]]:
        state, told = place
        ways: list[tuple[Choice, Place]] = []
        if not isinstance(state, End):
            ways += [(choice, (to, told)) for choice, to in self.search.nodes[state].items()]
        for number, name in enumerate(self.readers):
            replies = told[number]
            if self._next(name, replies).operation is not None:
                more = (*replies, self._answer(state, name, replies))
                choice = Choice(name, len(more), "served")
                ways.append((choice, (state, (*told[:number], more, *told[number + 1 :]))))
        return ways

    def _settled(self, place: Place) -> Place | End:
        """The place, or what it breaks where nothing is left to happen."""
        state, told = place
        nexts = {n: self._next(n, told[i]) for i, n in enumerate(self.readers)}
        if not isinstance(state, End) or any(each.operation for each in nexts.values()):
            return place
        assert state.outcome is not None
        whole = {name: each.returned for name, each in nexts.items() if each.raised is None}
        raised = {name: each.raised for name, each in nexts.items() if each.raised is not None}
        outcome = replace(
            state.outcome,
            returned=_recovery_last(state.outcome.returned, whole),
            raised=_recovery_last(state.outcome.raised, raised),
        )
        return End(verdict(self.scene.invariant, outcome))

    def _next(self, name: str, replies: Replies) -> _Next:
        """Runs the reader from its start, with these replies."""
        known = self._nexts.get((name, replies))
        if known is not None:
            return known
        script = _Script(self.scene, replies)
        run = Run(self.scene.connection, {name: self.readers[name]}, script, lambda: None)
        with run.started():
            client = run.clients[name]
            for number in range(len(replies)):
                if client.pending is None:
                    raise Unfit(f"{name} did something else when it got the same replies again.")
                run.carry_out(Choice(name, number + 1, "served"))
            operation, request, _ = client.pending or (None, {}, None)
            found = _Next(operation, request, client.returned, client.raised)
        if operation is not None and operation not in READS:
            raise Unfit(f"{name} is a reader, and asked for {operation}; make it a client.")
        return self._nexts.setdefault((name, replies), found)

    def _answer(self, state: Any, name: str, replies: Replies) -> Reply:
        items = (state.state if isinstance(state, End) else state)[0]
        if not isinstance(items, frozenset):
            raise Unfit("A client makes or drops tables; leave that out beside readers.")
        known = self._answers.get((items, name, replies))
        if known is not None:
            return known
        asks = self._next(name, replies)
        engine = self.scene.connection.engine
        kept, engine.store = engine.store, self._store(items)
        try:
            reply = engine.answer(str(asks.operation), asks.request)
        finally:
            engine.store = kept
        return self._answers.setdefault((items, name, replies), reply)

    def _store(self, items: Any) -> Store:
        """The store with these contents, as state.contents tells them."""
        if items not in self._stores:
            store = self.scene.base.copy()
            store.listeners = []
            for name, key, wire in (entry for entry in items if len(entry) == 3):
                item = None if wire is None else Item(json.loads(wire))
                store.backend.table(name).replace(key, item)
            self._stores[items] = store
        return self._stores[items]


def _recovery_last(others: Mapping[str, Any], readers: Mapping[str, Any]) -> dict[str, Any]:
    """How clients ended, in the order in which they were started."""
    ended = {**others, **readers}
    if RECOVERY in others:
        ended[RECOVERY] = ended.pop(RECOVERY)
    return ended
