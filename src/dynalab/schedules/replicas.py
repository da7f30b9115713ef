"""The store as the clients of a run meet it: the leader, and a replica that is one write behind."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynalab.engine.connect import Go
from dynalab.engine.engine import Engine, Reply, Store
from dynalab.engine.operations import DATA_OPERATIONS, READS
from dynalab.schedules.state import contents


@dataclass(frozen=True)
class Past:
    """The store as it was before the last write that changed anything."""

    store: Store
    contents: frozenset[Any]


class Replicas:
    """Serves the requests of one run on the store that the engine is on, which began as `base`.

    behind: whether reads may be stale. past: None before the first write. redefined: whether a
    client asked for more than items, a new table for one.
    """

    def __init__(self, engine: Engine, base: Store, *, behind: bool) -> None:
        self.past: Past | None = None
        self.redefined = False
        self._engine = engine
        self._base = base
        self._behind = behind

    def copy(self) -> Replicas:
        """The same, free to go another way."""
        return copy.copy(self)  # a Past never changes

    def fresh(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        """What the leader answers; `go` asks it."""
        if is_read(operation):
            return go()
        self.redefined |= operation not in DATA_OPERATIONS
        if not self._behind:
            return go()
        store = self._engine.store
        past = Past(store.copy(), contents(store, self._base))
        reply = go()
        if contents(store, self._base) != past.contents:
            self.past = past
        return reply

    def stale(self, operation: str, request: Mapping[str, Any]) -> Reply:
        """What the replica answers."""
        assert self.past is not None
        with self._engine.on(self.past.store):
            return self._engine.answer(operation, request)

    def differ(self, operation: str, request: Mapping[str, Any]) -> bool:
        """Whether this read may be stale, and would then get another answer than a fresh one."""
        if self.past is None or not _is_eventual(operation, request):
            return False
        return self.stale(operation, request) != self._engine.answer(operation, request)


def is_read(operation: str) -> bool:
    """Whether an operation, on items, tables or streams, leaves everything as it was."""
    return operation in READS or operation.startswith(
        ("Describe", "List", "GetRecords", "GetShard")
    )


def _is_eventual(operation: str, request: Mapping[str, Any]) -> bool:
    if operation == "BatchGetItem":
        return not all(part.get("ConsistentRead") for part in request["RequestItems"].values())
    return operation in ("GetItem", "Query", "Scan") and not request.get("ConsistentRead")
