"""Query and Scan over ordered item collections: a page costs what it holds, no more.

moto filters and sorts the whole table for each Query, copies every result, ends a page at
1,000,000 bytes, and leaves LastEvaluatedKey out where Limit is met exactly at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from moto.dynamodb.models.table import SecondaryIndex

from dynalab.engine import capacity, projection
from dynalab.engine.errors import Invalid
from dynalab.engine.expressions import Expressions
from dynalab.engine.item_collections import Key, segment_of
from dynalab.engine.key_conditions import KeyCondition, key_condition
from dynalab.engine.ledger import Ledger, Read
from dynalab.engine.refusals import key_of, refuse_paths_into_keys
from dynalab.engine.selection import fetches, refuse_select
from dynalab.engine.tables import Backend, Entry, Table
from dynalab.engine.values import Wire, checked_item


@dataclass
class Page:
    """What one Query or Scan call evaluated."""

    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    full: bool = False  # stopped by Limit or by 1 MB, so a LastEvaluatedKey follows


def query(backend: Backend, ledger: Ledger) -> dict[str, Any]:
    """One page of an item collection, in the order of its sort keys."""
    request = ledger.request
    table = backend.table(request["TableName"])
    index = table.index(request["IndexName"]) if "IndexName" in request else None
    if "KeyConditionExpression" not in request and "KeyConditions" not in request:
        raise Invalid(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified "
            "in the request."
        )
    expressions = Expressions(
        request, "ProjectionExpression", "FilterExpression", "KeyConditionExpression"
    )
    expressions.parse("FilterExpression")
    refuse_paths_into_keys(table, expressions.filtered_paths())
    condition = key_condition(table, index, expressions, request["KeyConditionExpression"])
    start = _start(table, index, request, condition)
    forward = request.get("ScanIndexForward", True)
    page = _page(_in_order(table, index, condition, start, forward), request.get("Limit"))
    return _reply(table, index, expressions, page, ledger)


def scan(backend: Backend, ledger: Ledger) -> dict[str, Any]:
    """One page of a whole table or index, or of one of its segments."""
    request = ledger.request
    table = backend.table(request["TableName"])
    index = table.index(request["IndexName"]) if "IndexName" in request else None
    expressions = Expressions(request, "ProjectionExpression", "FilterExpression")
    expressions.parse("FilterExpression")
    refuse_paths_into_keys(table, expressions.filtered_paths())
    segment, total = _segments(request)
    start = _start(table, index, request, None)
    entries = (
        entry
        for partition, entry in table.entries(index, start)
        if total == 1 or segment_of(partition, total) == segment
    )
    page = _page(entries, request.get("Limit"))
    return _reply(table, index, expressions, page, ledger)


def _segments(request: Any) -> tuple[int, int]:
    segment, total = request.get("Segment"), request.get("TotalSegments")
    if segment is None and total is None:
        return 0, 1
    if total is None or segment is None:
        missing, given = "Segment", "parameter TotalSegments"
        if total is None:
            missing, given = "TotalSegments", "Segment parameter"
        raise Invalid(
            f"The {missing} parameter is required but was not present in the request "
            f"when {given} is present"
        )
    if segment < 0:
        raise Invalid(
            f"1 validation error detected: Value '{segment}' at 'segment' failed to satisfy "
            "constraint: Member must have value greater than or equal to 0"
        )
    if segment >= total:
        raise Invalid(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total}"
        )
    return segment, total


def _in_order(
    table: Table,
    index: SecondaryIndex | None,
    condition: KeyCondition,
    start: Key | None,
    forward: bool,
) -> Iterator[Entry]:
    collection = table.collection(index, condition.partition)
    low, high, inclusive = condition.low, condition.high, condition.inclusive
    if start is not None:
        after = start[1:]
        if forward and (low is None or after >= low):
            low, inclusive = after, (False, inclusive[1])
        elif not forward and (high is None or after <= high):
            high, inclusive = after, (inclusive[0], False)
    for key in collection.irange(low, high, inclusive, reverse=not forward):
        yield collection[key]


def _page(entries: Iterable[Entry], limit: int | None) -> Page:
    """A page ends at Limit, or before the entry that would take it past 1 MB."""
    page = Page()
    for entry in entries:
        if page.entries and page.size + entry.size > capacity.PAGE_BYTES:
            page.full = True
            break
        page.entries.append(entry)
        page.size += entry.size
        if len(page.entries) == limit:
            page.full = True
            break
    return page


def _start(
    table: Table, index: SecondaryIndex | None, request: Any, condition: KeyCondition | None
) -> Key | None:
    """Where the last page ended, as a place in the order of the table or index."""
    if not request.get("ExclusiveStartKey"):
        return None
    wire = checked_item(request["ExclusiveStartKey"])
    wanted = list(table.table_key_attrs)
    if index is not None:
        wanted += [name for name in index.schema_key_attrs if name not in wanted]
    if set(wire) != set(wanted):
        raise Invalid("The provided starting key is invalid")
    types = table.key_types
    key_of(table, {name: wire[name] for name in table.table_key_attrs})
    if any(types[name] not in wire[name] for name in wanted):
        raise Invalid("The provided key element does not match the schema")
    place = table.place(index, wire)
    if condition is not None and place[0] != condition.partition:
        raise Invalid(
            "The provided starting key is outside query boundaries based on provided conditions"
        )
    if condition is not None and not condition.holds(place[1:]):
        raise Invalid("The provided starting key does not match the range key predicate")
    return place


def _reply(
    table: Table,
    index: SecondaryIndex | None,
    expressions: Expressions,
    page: Page,
    ledger: Ledger,
) -> dict[str, Any]:
    request = ledger.request
    paths = expressions.paths(table)
    refuse_select(table, index, request, paths)
    fetched = index is not None and fetches(table, index, request, paths)
    read = [entry.item.wire if fetched else entry.wire for entry in page.entries]
    kept = read
    if "FilterExpression" in request:
        kept = [wire for wire in read if expressions.holds("FilterExpression", wire)]
    ledger.reads.append(
        Read(
            table,
            page.size,
            bool(request.get("ConsistentRead")),
            index=index,
            evaluated=len(read),
            returned=len(kept),
            fetched=tuple(entry.item.size for entry in page.entries) if fetched else (),
        )
    )
    reply: dict[str, Any] = {"Count": len(kept), "ScannedCount": len(read)}
    if request.get("Select") != "COUNT":
        reply["Items"] = kept if paths is None else [projection.project(w, paths) for w in kept]
    if page.full:
        reply["LastEvaluatedKey"] = _last_key(table, index, page.entries[-1].item.wire)
    return reply


def _last_key(table: Table, index: SecondaryIndex | None, wire: Wire) -> Wire:
    names = [*table.table_key_attrs, *(index.schema_key_attrs if index is not None else ())]
    return {name: wire[name] for name in names}
