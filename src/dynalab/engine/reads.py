"""GetItem, BatchGetItem and TransactGetItems."""

from __future__ import annotations

from typing import Any

from dynalab.engine import limits, projection
from dynalab.engine.errors import Invalid, TransactionCanceledException
from dynalab.engine.expressions import Expressions
from dynalab.engine.item_collections import Key
from dynalab.engine.ledger import Ledger, Read
from dynalab.engine.refusals import key_of, refuse_duplicates
from dynalab.engine.tables import Backend, Item, size_of
from dynalab.engine.values import Wire


def get_item(backend: Backend, ledger: Ledger) -> dict[str, Any]:
    request = ledger.request
    table = backend.table(request["TableName"])
    paths = Expressions(request, "ProjectionExpression").paths(table)
    key, _ = key_of(table, request["Key"])
    item = table.find(key)
    consistent = bool(request.get("ConsistentRead"))
    ledger.reads.append(Read(table, size_of(item), consistent, returned=int(item is not None)))
    return {} if item is None else {"Item": _shown(item, paths)}


def batch_get_item(backend: Backend, ledger: Ledger) -> dict[str, Any]:
    """Each item is rounded up to 4 KB by itself; what passes 16 MB comes back as unprocessed."""
    asked: dict[str, Any] = ledger.request["RequestItems"]
    if sum(len(part["Keys"]) for part in asked.values()) > limits.BATCH_KEYS:
        raise Invalid("Too many items requested for the BatchGetItem call")
    responses: dict[str, list[Wire]] = {}
    unprocessed: dict[str, Any] = {}
    total = 0
    for name, part in asked.items():
        table = backend.table(name)
        paths = Expressions(part, "ProjectionExpression").paths(table)
        keys: list[tuple[Key, Any]] = [(key_of(table, key)[0], key) for key in part["Keys"]]
        refuse_duplicates((table.name, key) for key, _ in keys)
        responses[name] = []
        for key, asked_key in keys:
            item = table.find(key)
            if total + size_of(item) > limits.BATCH_READ_BYTES:
                rest = unprocessed.setdefault(name, {**part, "Keys": []})
                rest["Keys"].append(asked_key)
                continue
            total += size_of(item)
            consistent = bool(part.get("ConsistentRead"))
            ledger.reads.append(
                Read(table, size_of(item), consistent, returned=int(item is not None))
            )
            if item is not None:
                responses[name].append(_shown(item, paths))
    return {"Responses": responses, "UnprocessedKeys": unprocessed}


def transact_get_items(backend: Backend, ledger: Ledger) -> dict[str, Any]:
    """A snapshot of up to 100 items, at twice the read units; a missing item costs two as well."""
    actions = ledger.request["TransactItems"]
    found = []
    reasons: list[tuple[str | None, str | None, Any]] = []
    for action in actions:
        get = action["Get"]
        table = backend.table(get["TableName"])
        paths = Expressions(get, "ProjectionExpression").paths(table)
        try:
            found.append((table, key_of(table, get["Key"])[0], paths))
            reasons.append((None, None, None))
        except Invalid as error:  # a key that is none cancels, as in a transaction of writes
            reasons.append(("ValidationError", error.exception_msg, None))
    if len(found) < len(actions):
        raise TransactionCanceledException(reasons)
    if len({(table.name, key) for table, key, _ in found}) < len(found):
        raise Invalid("Transaction request cannot include multiple operations on one item")
    responses = []
    for table, key, paths in found:
        item = table.find(key)
        ledger.reads.append(
            Read(table, size_of(item), transactional=True, returned=int(item is not None))
        )
        responses.append({} if item is None else {"Item": _shown(item, paths)})
    return {"Responses": responses}


def _shown(item: Item, paths: tuple[projection.Path, ...] | None) -> Wire:
    return item.wire if paths is None else projection.project(item.wire, paths)
