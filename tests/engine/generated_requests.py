"""Generated requests: every read and write of items, most of them sound and some refused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.engine import generated_expressions as expressions
from tests.engine.generated import (
    PLAIN,
    TABLE,
    Draw,
    Index,
    Request,
    Shape,
    Wire,
    items,
    keys,
    shapes,
)
from tests.engine.generated_expressions import Wording
from tests.engine.generated_mistakes import spoil

_OPERATIONS = [
    *["Query"] * 6, *["UpdateItem"] * 3, *["Scan"] * 2, "GetItem", "BatchGetItem", "PutItem",
    "DeleteItem", "BatchWriteItem",
]  # fmt: skip
_UNITS = st.sampled_from(["INDEXES", "INDEXES", "INDEXES", "TOTAL", "NONE"])


@st.composite
def sessions(draw: Draw, shape: Shape) -> list[Request]:
    """Requests to one table, the first of which fill it."""
    filled = [
        ("PutItem", {"TableName": TABLE, "Item": item, "ReturnConsumedCapacity": "INDEXES"})
        for item in draw(st.lists(items(shape), min_size=6, max_size=10))
    ]
    more: list[Request] = draw(st.lists(requests(shape), min_size=25, max_size=40))
    return filled + more


def shapes_and_sessions() -> st.SearchStrategy[tuple[Shape, list[Request]]]:
    return shapes().flatmap(lambda shape: st.tuples(st.just(shape), sessions(shape)))


@st.composite
def requests(draw: Draw, shape: Shape) -> Request:
    operation = draw(st.sampled_from(_OPERATIONS))
    request: dict[str, Any] = {"ReturnConsumedCapacity": draw(_UNITS)}
    if operation.startswith("Batch"):
        request["RequestItems"] = {TABLE: _batch(draw, operation, shape)}
        return operation, request
    request["TableName"] = TABLE
    words = Wording(draw)
    if operation in ("Query", "Scan"):
        _pages(draw, operation, shape, words, request)
    else:
        _one_item(draw, operation, shape, words, request)
    words.put_into(request)
    if draw(st.integers(0, 14)) == 14:
        spoil(draw, operation, shape, request)
    return operation, request


def _one_item(
    draw: Draw, operation: str, shape: Shape, words: Wording, request: dict[str, Any]
) -> None:
    if operation == "PutItem":
        request["Item"] = draw(items(shape))
    else:
        request["Key"] = draw(keys(shape))
    attributes = [*PLAIN, *shape.types]
    if operation == "GetItem":
        request["ConsistentRead"] = draw(st.booleans())
        if draw(st.booleans()):
            request["ProjectionExpression"] = expressions.projection(words, attributes)
        return
    if operation == "UpdateItem" and draw(st.integers(0, 9)) < 9:
        request["UpdateExpression"] = expressions.update(words, shape)
    if draw(st.integers(0, 3)) == 3:
        request["ConditionExpression"] = expressions.condition(words, attributes)
    wanted = ["NONE", "ALL_OLD"]
    if operation == "UpdateItem":
        wanted += ["UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"]
    request["ReturnValues"] = draw(st.sampled_from(wanted))


def _pages(
    draw: Draw, operation: str, shape: Shape, words: Wording, request: dict[str, Any]
) -> None:
    index: Index | None = draw(st.sampled_from([None, *shape.indexes]))
    schema = shape.schema if index is None else index.schema
    if index is not None:
        request["IndexName"] = index.name
    if operation == "Query":
        request["KeyConditionExpression"] = expressions.key_condition(words, schema, shape)
        request["ScanIndexForward"] = draw(st.booleans())
    elif draw(st.integers(0, 3)) == 3:
        request["TotalSegments"] = draw(st.integers(1, 3))
        request["Segment"] = 0
    if index is None or index.local:
        request["ConsistentRead"] = draw(st.booleans())
    if draw(st.integers(0, 2)) == 2:
        request["Limit"] = draw(st.integers(1, 5))
    if draw(st.integers(0, 2)) == 2:
        attributes = [*PLAIN, *(name for name in shape.types if name not in schema)]
        request["FilterExpression"] = expressions.condition(words, attributes)
    choices = [None, None, "COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "projection"]
    if index is not None:
        choices.append("ALL_PROJECTED_ATTRIBUTES")
    select = draw(st.sampled_from(choices))
    if select in ("SPECIFIC_ATTRIBUTES", "projection"):
        request["ProjectionExpression"] = expressions.projection(words, [*PLAIN, *shape.types])
    if select not in (None, "projection"):
        request["Select"] = select


def _batch(draw: Draw, operation: str, shape: Shape) -> Any:
    if operation == "BatchGetItem":
        part: dict[str, Any] = {
            "Keys": draw(st.lists(keys(shape), min_size=1, max_size=8, unique_by=repr))
        }
        part["ConsistentRead"] = draw(st.booleans())
        words = Wording(draw)
        if draw(st.booleans()):
            part["ProjectionExpression"] = expressions.projection(words, [*PLAIN, *shape.types])
        words.put_into(part)
        if draw(st.integers(0, 19)) == 19:
            part["Keys"] = part["Keys"] + part["Keys"][:1]
        return part
    unique: dict[str, Wire] = {}
    for item in draw(st.lists(items(shape), min_size=1, max_size=6)):
        unique[repr([item[name] for name in shape.schema])] = item
    actions: list[dict[str, Any]] = [
        {"PutRequest": {"Item": item}}
        if draw(st.booleans())
        else {"DeleteRequest": {"Key": {name: item[name] for name in shape.schema}}}
        for item in unique.values()
    ]
    if draw(st.integers(0, 19)) == 19:
        actions *= draw(st.sampled_from([2, 26]))
    return actions
