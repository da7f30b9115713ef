"""What dynalite reports as ConsumedCapacity, computed from our ledger and its known limits.

A difference in units is explained where dynalite's figures are those that its limits lead to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from dynalab.engine.ledger import Ledger, Read
from dynalab.engine.sizes import number_size
from tests.engine.generated import TABLE, Wire

if TYPE_CHECKING:
    from tests.engine.differences import Difference, Exchange

INDEX_WRITES = "It does not count what a write costs in indexes"
EMPTY_READ = "It reports 0 for a Query or Scan that evaluates nothing; DynamoDB the minimum"
WEAK_SCAN = "It bills a consistent Scan as an eventually consistent one"
FETCHED_TOGETHER = "It rounds the items that a local index fetches together, not one by one"
FETCHED_LIMIT = "It bills a local index's fetches for one entry more than Limit"
NOT_FETCHED = "It does not fetch, nor bill, what a local index does not project"
TEXT = "It counts the UTF-16 units of text; DynamoDB the UTF-8 bytes"
NUMBER = "Its rule for the bytes of a number differs by one for some of them"


class Range(NamedTuple):
    """The least and the most that dynalite may report of one arm."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


class Doubt(NamedTuple):
    """By how many bytes dynalite may take a set of items to be smaller, or larger, than we do."""

    text: int
    number: int

    def units(self, size: int, unit: int, factor: float = 1.0, least: int = 0) -> Range:
        low, high = size - self.text - self.number, size + self.number
        return Range(
            max(least, math.ceil(low / unit)) * factor, max(least, math.ceil(high / unit)) * factor
        )


def explain(exchange: Exchange, difference: Difference) -> list[str]:
    """The limits that lead to dynalite's figures; none where they do not."""
    theirs = difference.theirs
    if isinstance(theirs, list):
        [theirs] = theirs
    ledger = exchange.ledgers[difference.page]
    text, number = _doubts(_touched(exchange, ledger))
    for doubt, why in (
        (Doubt(0, 0), []),
        (Doubt(0, number), [NUMBER]),
        (Doubt(text, 0), [TEXT]),
        (Doubt(text, number), [TEXT, NUMBER]),
    ):
        table, index, limits = _expected(exchange, ledger, doubt)
        if _fits(theirs, table, index):
            return limits + why
    return []


def _touched(exchange: Exchange, ledger: Ledger) -> list[Wire]:
    """The items whose sizes the request can have been billed for."""
    if not ledger.reads:
        images = [image for write in ledger.writes for image in (write.before, write.after)]
        return [dict(image.wire) for image in images if image is not None]
    if ledger.operation in ("Query", "Scan"):
        return exchange.stored
    request = exchange.request
    keys = [request["Key"]] if "Key" in request else request["RequestItems"][TABLE]["Keys"]
    return [item for item in exchange.stored if any(key.items() <= item.items() for key in keys)]


def _expected(exchange: Exchange, ledger: Ledger, doubt: Doubt) -> tuple[Range, Range, list[str]]:
    return _reads(exchange, ledger, doubt) if ledger.reads else _writes(ledger, doubt)


def _fits(theirs: dict[str, Any], table: Range, index: Range) -> bool:
    total = Range(table.low + index.low, table.high + index.high)
    if "Table" not in theirs:
        return theirs["CapacityUnits"] in total
    indexes = [
        units["CapacityUnits"]
        for parameter in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes")
        for units in theirs.get(parameter, {}).values()
    ]
    return (
        theirs["CapacityUnits"] in total
        and theirs["Table"]["CapacityUnits"] in table
        and sum(indexes) in index
    )


def _reads(exchange: Exchange, ledger: Ledger, doubt: Doubt) -> tuple[Range, Range, list[str]]:
    if ledger.operation not in ("Query", "Scan"):
        each = [doubt.units(read.size, 4096, _factor(read), least=1) for read in ledger.reads]
        return _sum(each), Range(0, 0), []
    [read] = ledger.reads
    why, factor = [], _factor(read)
    if ledger.operation == "Scan" and read.consistent:
        why, factor = [WEAK_SCAN], 0.5
    if not read.evaluated:
        return Range(0, 0), Range(0, 0), [EMPTY_READ]
    size = doubt.units(read.size, 4096, factor)
    if read.index is None:
        return size, Range(0, 0), why
    if not read.fetched:
        return Range(0, 0), size, why
    if fetches_by_projection(exchange):
        return Range(0, 0), size, [*why, NOT_FETCHED]
    fetched = doubt.units(sum(read.fetched), 4096, factor)
    if "Limit" in exchange.request:
        most = max(map(_bytes, exchange.stored))
        size = Range(size.low, doubt.units(read.size + most, 4096, factor).high)
        fetched = Range(fetched.low, doubt.units(sum(read.fetched) + most, 4096, factor).high)
        why.append(FETCHED_LIMIT)
    return fetched, size, [*why, FETCHED_TOGETHER]


def _writes(ledger: Ledger, doubt: Doubt) -> tuple[Range, Range, list[str]]:
    each = [doubt.units(write.size, 1024, least=1) for write in ledger.writes]
    indexed = any(write.table.indexes or write.table.global_indexes for write in ledger.writes)
    return _sum(each), Range(0, 0), [INDEX_WRITES] * indexed


def fetches_by_projection(exchange: Exchange) -> bool:
    """Whether our engine fetched items because a ProjectionExpression asked for them."""
    return "ProjectionExpression" in exchange.request and any(
        read.fetched for ledger in exchange.ledgers for read in ledger.reads
    )


def _factor(read: Read) -> float:
    return 1.0 if read.consistent else 0.5


def _sum(ranges: list[Range]) -> Range:
    return Range(sum(each.low for each in ranges), sum(each.high for each in ranges))


# --- sizes ----------------------------------------------------------------------------------


def _doubts(items: Iterable[Wire]) -> tuple[int, int]:
    text = number = 0
    for item in items:
        for name, value in item.items():
            text += _text_doubt(name)
            more_text, more_number = _value_doubt(value)
            text, number = text + more_text, number + more_number
    return text, number


def _value_doubt(value: Wire) -> tuple[int, int]:
    [(kind, inner)] = value.items()
    if kind == "S":
        return _text_doubt(inner), 0
    if kind == "N":
        return 0, _number_doubt(inner)
    if kind == "SS":
        return sum(map(_text_doubt, inner)), 0
    if kind == "NS":
        return 0, sum(map(_number_doubt, inner))
    if kind in ("L", "M"):
        members = inner if kind == "L" else inner.values()
        doubts = [_value_doubt(member) for member in members]
        names = sum(map(_text_doubt, inner)) if kind == "M" else 0
        return names + sum(text for text, _ in doubts), sum(number for _, number in doubts)
    return 0, 0


def _text_doubt(text: str) -> int:
    return len(text.encode("utf-8")) - len(text.encode("utf-16-le")) // 2


def _number_doubt(text: str) -> int:
    return abs(number_size(text) - _dynalite_number_size(text))


def _dynalite_number_size(text: str) -> int:
    """One for each two digits and one, and one more for an even count at an even exponent."""
    number = Decimal(text)
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if not digits:
        return 1
    even = len(digits) % 2 == 0 and number.adjusted() % 2 == 0
    return 1 + math.ceil(len(digits) / 2) + even + (number < 0)


def _bytes(item: Wire) -> int:
    return len(repr(item).encode("utf-8"))
