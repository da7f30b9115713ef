"""Readers beside a search of those who write: each of their reads falls before, between or after.

A read changes nothing. So the writers' states are walked once, without the readers, and every
reader is then taken through them: its next read, at each state, is answered from the items there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from dynalab.engine.engine import Reply, Store
from dynalab.engine.operations import READS
from dynalab.engine.tables import Item
from dynalab.schedules.choices import Choice
from dynalab.schedules.ending import Unfit
from dynalab.schedules.outcome import verdict
from dynalab.schedules.scene import RECOVERY, Scene
from dynalab.schedules.search import End, Search
from dynalab.schedules.standing import Standing, Told

Place: TypeAlias = tuple[Any, tuple[Standing, ...]]  # the writers' state; where each reader stands


@dataclass
class Beside:
    """Readers beside the writers of a search that was walked and kept its outcomes.

    scene: that of writers and readers.
    """

    scene: Scene
    search: Search
    readers: Mapping[str, Callable[[], Any]]
    _stores: dict[Any, Store] = field(default_factory=dict)
    _answers: dict[tuple[Any, Standing], Reply] = field(default_factory=dict)

    def schedules(self) -> Search:
        """A search that holds every schedule, as if it had walked them. Raises Unfit."""
        found = Search(self.scene, reduced=True)
        now, lives = self.scene.base.clock(), self.scene.lives
        starts = tuple(lives.start(name, reader, now) for name, reader in self.readers.items())
        found.root = self._settled((self.search.root, starts))
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
        state, standings = place
        ways: list[tuple[Choice, Place]] = []
        if not isinstance(state, End):
            ways += [(choice, (to, standings)) for choice, to in self.search.nodes[state].items()]
        for number, name in enumerate(self.readers):
            standing = standings[number]
            if standing.asks is not None:
                to = (
                    *standings[:number],
                    self._read(state, name, standing),
                    *standings[number + 1 :],
                )
                ways.append((Choice(name, standing.requests, "served"), (state, to)))
        return ways

    def _settled(self, place: Place) -> Place | End:
        """The place, or what it breaks where nothing is left to happen."""
        state, standings = place
        if not isinstance(state, End) or any(each.asks for each in standings):
            return place
        assert state.outcome is not None
        ended = dict(zip(self.readers, standings, strict=True))
        whole = {name: each.returned for name, each in ended.items() if each.raised is None}
        raised = {name: each.raised for name, each in ended.items() if each.raised is not None}
        outcome = replace(
            state.outcome,
            returned=_recovery_last(state.outcome.returned, whole),
            raised=_recovery_last(state.outcome.raised, raised),
        )
        return End(verdict(self.scene.invariant, outcome))

    def _read(self, state: Any, name: str, standing: Standing) -> Standing:
        """Where a reader stands once its request was answered at one of the writers' states."""
        told = Told(self._answer(state, name, standing), self.scene.base.clock())
        return self.scene.lives.after(name, self.readers[name], standing, told)

    def _answer(self, state: Any, name: str, standing: Standing) -> Reply:
        items = (state.state if isinstance(state, End) else state)[0]
        if not isinstance(items, frozenset):
            raise Unfit("A client makes or drops tables; leave that out beside readers.")
        known = self._answers.get((items, standing))
        if known is not None:
            return known
        assert standing.asks is not None
        operation, request, _ = standing.asks
        if operation not in READS:
            raise Unfit(f"{name} is a reader, and asked for {operation}; make it a client.")
        engine = self.scene.connection.engine
        with engine.on(self._store(items)):
            reply = engine.answer(operation, request)
        return self._answers.setdefault((items, standing), reply)

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
