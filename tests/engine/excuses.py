"""Where dynalite is known to be wrong: one function an excuse, as narrow as it can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tests.engine import dynalite_units

if TYPE_CHECKING:
    from tests.engine.differences import Difference, Exchange

Excuse: TypeAlias = "Callable[[Exchange, Difference], bool]"

_EXCUSES: list[Excuse] = []


def excuses(exchange: Exchange, difference: Difference) -> list[str]:
    """The known limits of dynalite that explain a difference; none where it is unexplained."""
    if difference.what == "ConsumedCapacity":
        return dynalite_units.explain(exchange, difference)
    for excuse in _EXCUSES:
        if excuse(exchange, difference):
            return [(excuse.__doc__ or "").rstrip(".")]
    return []


def _excuse(function: Excuse) -> Excuse:
    _EXCUSES.append(function)
    return function


def _refused_by_us(difference: Difference, *parts: str) -> bool:
    """Whether only we refuse, and with this message."""
    return (
        difference.what == "code"
        and difference.theirs.startswith("None")
        and all(part in difference.ours for part in parts)
    )


@_excuse
def projected_without_index(exchange: Exchange, difference: Difference) -> bool:
    """It takes ALL_PROJECTED_ATTRIBUTES where no index is read."""
    return _refused_by_us(difference, "ALL_PROJECTED_ATTRIBUTES can be used only")


@_excuse
def consistent_scan(exchange: Exchange, difference: Difference) -> bool:
    """It takes a consistent Scan of a global index."""
    return exchange.operation == "Scan" and _refused_by_us(
        difference, "Consistent reads are not supported on global secondary indexes"
    )


@_excuse
def order_of_text(exchange: Exchange, difference: Difference) -> bool:
    """It orders text by UTF-16 units in conditions; DynamoDB by UTF-8 bytes, as in its keys."""
    request = exchange.request
    given = str(request.get("ExpressionAttributeValues"))
    if "\uffff" not in given and "😀" not in given:
        return False
    refusals = ("does not match the range key predicate", "The BETWEEN operator requires upper")
    if difference.what == "code" and any(
        each in f"{difference.ours} {difference.theirs}" for each in refusals
    ):
        return True
    tested = f"{request.get('FilterExpression')} {request.get('ConditionExpression')}"
    return any(sign in tested for sign in ("<", ">", "BETWEEN"))


@_excuse
def fetch_by_projection(exchange: Exchange, difference: Difference) -> bool:
    """It leaves out what a local index does not project; DynamoDB fetches it from the table."""
    affected = ("Items", "Count") if "FilterExpression" in exchange.request else ("Items",)
    return difference.what in affected and dynalite_units.fetches_by_projection(exchange)


@_excuse
def specific_without_projection(exchange: Exchange, difference: Difference) -> bool:
    """It takes SPECIFIC_ATTRIBUTES without a ProjectionExpression."""
    return _refused_by_us(difference, "when choosing to get SPECIFIC_ATTRIBUTES")


@_excuse
def empty_attributes(exchange: Exchange, difference: Difference) -> bool:
    """It sends an empty Attributes where an update touched nothing that is there."""
    return difference.what == "Attributes" and difference.theirs == {} and difference.ours is None


@_excuse
def made_of_nothing(exchange: Exchange, difference: Difference) -> bool:
    """It makes an item where an update only takes attributes away, and there is none."""
    return difference.what == "Attributes" and takes_from_nothing(exchange)


def takes_from_nothing(exchange: Exchange) -> bool:
    """Whether an update went through, and left us without an item under its key."""
    if exchange.operation != "UpdateItem" or exchange.ours.code is not None:
        return False
    key = exchange.request["Key"]
    return not any(key.items() <= item.items() for item in exchange.stored)


@_excuse
def count_with_projection(exchange: Exchange, difference: Difference) -> bool:
    """It takes a ProjectionExpression with Select COUNT."""
    return _refused_by_us(difference, "when choosing to get only the Count")


@_excuse
def all_with_projection(exchange: Exchange, difference: Difference) -> bool:
    """It takes a ProjectionExpression with Select ALL_ATTRIBUTES or ALL_PROJECTED_ATTRIBUTES."""
    return _refused_by_us(difference, "Cannot specify the ProjectionExpression", "to get ALL_")


@_excuse
def empty_index_key(exchange: Exchange, difference: Difference) -> bool:
    """It takes an empty index key."""
    return difference.what == "code" and (
        "A value specified for a secondary index key is not supported" in difference.ours
    )


@_excuse
def sizes_of_text(exchange: Exchange, difference: Difference) -> bool:
    """Its size() counts the UTF-16 units of text; DynamoDB's the UTF-8 bytes."""
    conditions = [value for name, value in exchange.request.items() if "Expression" in name]
    texts = [value["S"] for item in exchange.stored for value in item.values() if "S" in value]
    return any("size(" in condition for condition in conditions if isinstance(condition, str)) and (
        not all(map(str.isascii, texts))
    )


@_excuse
def absent_sizes(exchange: Exchange, difference: Difference) -> bool:
    """It finds the sizes of two absent attributes equal."""
    conditions = [value for name, value in exchange.request.items() if "Expression" in name]
    return "size(v1) = size(v2)" in conditions


@_excuse
def unprojected_by_global(exchange: Exchange, difference: Difference) -> bool:
    """It takes a projection of what a global index does not hold."""
    return _refused_by_us(difference, "Global secondary index", "does not project")
