"""PutItem, UpdateItem, DeleteItem and BatchWriteItem: each writes one item, or nothing.

moto changes items in place, so a failed update can leave half of itself behind, and
threads lose updates. Here an update works on a copy and `Table.replace` is the only door.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from dynalab.engine import limits, updates
from dynalab.engine.errors import ConditionalCheckFailed, Invalid
from dynalab.engine.expressions import Expressions
from dynalab.engine.item_collections import Key
from dynalab.engine.ledger import Ledger, Write
from dynalab.engine.projection import project
from dynalab.engine.refusals import (
    item_of,
    key_of,
    refuse_duplicates,
    updated_item,
)
from dynalab.engine.tables import Backend, Item, Table
from dynalab.engine.values import checked_item


class Change:
    """One write of a request: what it is about, whether its condition holds, and the new item."""

    def __init__(self, backend: Backend, kind: str, request: Mapping[str, Any]) -> None:
        self.request = request
        self.kind = kind
        self.table: Table = backend.table(request["TableName"])
        fields = ["ConditionExpression"]
        if kind == "Update":
            fields.insert(0, "UpdateExpression")
        self.expressions = Expressions(request, *fields)
        self.expressions.parse("ConditionExpression")
        self.update: updates.Update | None = None
        self._put: Item | None = None
        self.key: Key
        if kind == "Put":
            self.key, self._put = item_of(self.table, checked_item(request["Item"]))
        else:
            self.key, self._key_wire = key_of(self.table, request["Key"])
        if kind == "Update":
            self.update = updates.Update(self.table, self.expressions, request)
        self.before = self.table.find(self.key)

    def condition_holds(self) -> bool:
        before = self.before
        return self.expressions.holds(
            "ConditionExpression", None if before is None else before.wire
        )

    @cached_property
    def after(self) -> Item | None:
        """The item that this write leaves; raises Invalid where an update cannot be applied."""
        if self.kind == "Put":
            return self._put
        if self.kind == "Delete":
            return None
        if self.kind == "ConditionCheck" or self.update is None:
            return self.before
        before = self.before
        if before is None and self.update.only_takes_away:
            self.update.applied_to(self._key_wire)  # a path into nothing is refused all the same
            return None
        wire = self.update.applied_to(self._key_wire if before is None else before.wire)
        return updated_item(self.table, wire, self.update.weight)

    def refusal(self) -> Write:
        """What a failed condition is billed for: the larger of the stored and the carried item."""
        return Write(self.table, self.before, self._put)

    def old_image(self) -> Mapping[str, Any] | None:
        """The stored item, where the request asks for it when its condition fails."""
        wanted = self.request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        before = self.before
        return before.wire if wanted and before is not None else None


def apply(change: Change, ledger: Ledger, now: float) -> Write:
    """Writes one change whose condition holds, and records it in the ledger and the stream."""
    after = change.after
    before = change.table.replace(change.key, after)
    write = Write(change.table, before, after)
    ledger.writes.append(write)
    if change.table.shards is not None:
        change.table.shards.add(
            None if before is None else before.wire, None if after is None else after.wire, now
        )
    return write


def _written(backend: Backend, ledger: Ledger, kind: str, now: float) -> tuple[Change, Write]:
    change = Change(backend, kind, ledger.request)
    if not change.condition_holds():
        ledger.refused.append(change.refusal())
        raise ConditionalCheckFailed(item=change.old_image())  # type: ignore[arg-type]
    return change, apply(change, ledger, now)


def put_item(backend: Backend, ledger: Ledger, now: float) -> dict[str, Any]:
    _refuse_return_values(ledger)
    _, write = _written(backend, ledger, "Put", now)
    return _old(ledger, write)


def delete_item(backend: Backend, ledger: Ledger, now: float) -> dict[str, Any]:
    _refuse_return_values(ledger)
    _, write = _written(backend, ledger, "Delete", now)
    return _old(ledger, write)


def update_item(backend: Backend, ledger: Ledger, now: float) -> dict[str, Any]:
    change, write = _written(backend, ledger, "Update", now)
    wanted = ledger.request.get("ReturnValues", "NONE")
    if wanted == "NONE":
        return {}
    item = write.before if wanted.endswith("OLD") else write.after
    if item is None:
        return {}
    if wanted.startswith("ALL"):
        return {"Attributes": item.wire}
    paths = () if change.update is None else change.update.paths
    shown = project(item.wire, paths)
    return {"Attributes": shown} if shown else {}


def _old(ledger: Ledger, write: Write) -> dict[str, Any]:
    wanted = ledger.request.get("ReturnValues", "NONE")
    return {"Attributes": write.before.wire} if wanted == "ALL_OLD" and write.before else {}


def _refuse_return_values(ledger: Ledger) -> None:
    """A put or delete returns the old item, or nothing; constraints.py knows the other words."""
    wanted = ledger.request.get("ReturnValues", "NONE")
    if wanted not in ("NONE", "ALL_OLD"):
        raise Invalid("Return values set to invalid value")


def batch_write_item(backend: Backend, ledger: Ledger, now: float) -> dict[str, Any]:
    """Up to 25 puts and deletes, without conditions and without all-or-nothing."""
    asked: dict[str, list[dict[str, Any]]] = ledger.request["RequestItems"]
    if sum(map(len, asked.values())) > limits.BATCH_WRITES:
        raise Invalid("Too many items requested for the BatchWriteItem call")
    changes = [
        _batched(backend, name, action) for name, actions in asked.items() for action in actions
    ]
    refuse_duplicates((change.table.name, change.key) for change in changes)
    for change in changes:
        apply(change, ledger, now)
    return {"UnprocessedItems": {}}


def _batched(backend: Backend, name: str, action: Mapping[str, Any]) -> Change:
    if len(action) != 1:
        raise Invalid(
            "Supplied AttributeValue has more than one datatypes set, "
            "must contain exactly one of the supported datatypes"
        )
    [(kind, request)] = action.items()
    return Change(backend, kind.removesuffix("Request"), {"TableName": name, **request})
