"""What a request asks of which partition, told before it is served: units by partition key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from dynalab.engine import capacity
from dynalab.engine.expressions import Expressions
from dynalab.engine.key_conditions import key_condition
from dynalab.engine.ledger import Ledger, Read, Write
from dynalab.engine.legacy import modern
from dynalab.engine.query import query
from dynalab.engine.refusals import key_of
from dynalab.engine.tables import Backend, Table
from dynalab.engine.writes import Change

Kind: TypeAlias = Literal["Read", "Write"]


@dataclass(frozen=True)
class Load:
    """What one read or write asks of one partition key value of a table or a global index.

    index: None for the table, which serves its local indexes too. key: text, Decimal or bytes.
    """

    table: str
    index: str | None
    kind: Kind
    key: Any
    units: float


def loads_of(backend: Backend, operation: str, request: Mapping[str, Any]) -> list[list[Load]]:
    """A list for each entry of a batch or transaction, in order; one list for a single request.

    Nothing is changed. A Scan loads no key: it moves from partition to partition. Raises as the
    request itself would where it is refused for its form.
    """
    request = modern(request)
    if operation == "Scan":
        return [[]]
    if operation == "Query":
        return [_query(backend, request)]
    if operation == "BatchGetItem":
        return [
            _get(backend, {**part, "TableName": name, "Key": key})
            for name, part in request["RequestItems"].items()
            for key in part["Keys"]
        ]
    if operation == "BatchWriteItem":
        return [
            _write(backend, kind.removesuffix("Request"), {"TableName": name, **action})
            for name, actions in request["RequestItems"].items()
            for each in actions
            for kind, action in each.items()
        ]
    if operation == "TransactGetItems":
        return [_get(backend, each["Get"], transactional=True) for each in request["TransactItems"]]
    if operation == "TransactWriteItems":
        return [
            _write(backend, kind, action, transactional=True)
            for each in request["TransactItems"]
            for kind, action in each.items()
        ]
    if operation == "GetItem":
        return [_get(backend, request)]
    return [_write(backend, operation.removesuffix("Item"), request)]


def _get(backend: Backend, request: Mapping[str, Any], transactional: bool = False) -> list[Load]:
    table = backend.table(request["TableName"])
    key, _ = key_of(table, request["Key"])
    item = table.find(key)
    size = 0 if item is None else item.size
    read = Read(table, size, bool(request.get("ConsistentRead")), transactional)
    return [Load(table.name, None, "Read", key[0], read.units)]


def _query(backend: Backend, request: Mapping[str, Any]) -> list[Load]:
    ledger = Ledger("Query", request)
    query(backend, ledger)
    [read] = ledger.reads
    table, index = read.table, read.index
    expressions = Expressions(
        request, "ProjectionExpression", "FilterExpression", "KeyConditionExpression"
    )
    condition = key_condition(table, index, expressions, request["KeyConditionExpression"])
    if index is None or table.is_local(index):
        units = read.units + read.fetched_units
        return [Load(table.name, None, "Read", condition.partition, units)]
    return [Load(table.name, index.name, "Read", condition.partition, read.units)]


def _write(
    backend: Backend, kind: str, request: Mapping[str, Any], transactional: bool = False
) -> list[Load]:
    change = Change(backend, kind, request)
    table = change.table
    holds = change.condition_holds()
    write = Write(table, change.before, change.after) if holds else change.refusal()
    units = capacity.write_units(write.size, transactional=transactional)
    entries: list[Load] = []
    if holds and kind != "ConditionCheck":
        ledger = Ledger("TransactWriteItems" if transactional else "PutItem", request, [write])
        of_table = ledger.units()[table.name]
        units = of_table.table + sum(of_table.local.values())
        entries = _entries(table, write)
    return [Load(table.name, None, "Write", change.key[0], units), *entries]


def _entries(table: Table, write: Write) -> list[Load]:
    """The writes to global indexes; an entry that moves to another key loads both."""
    loads: list[Load] = []
    for index in table.global_indexes:
        entries = [
            None if item is None else table.entry(index, item.wire)
            for item in (write.before, write.after)
        ]
        before, after = entries
        keys = [None if entry is None else table.place(index, entry)[0] for entry in entries]
        parts = [(before, after)] if keys[0] == keys[1] else [(before, None), (None, after)]
        for old, new in parts:
            units = capacity.index_write_units(old, new, index.schema_key_attrs)
            if units:
                key = keys[0] if old is not None else keys[1]
                loads.append(Load(table.name, index.name, "Write", key, units))
    return loads
