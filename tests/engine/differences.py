"""What two engines answered to one request, and where the answers differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dynalab.engine.ledger import Ledger
from tests.engine.generated import Shape, Wire


@dataclass
class Answer:
    """What one engine said: the pages of a Query or Scan, or one reply; or an error code."""

    code: str | None
    message: str
    pages: list[dict[str, Any]]

    @property
    def first(self) -> dict[str, Any]:
        return self.pages[0] if self.pages else {}


@dataclass
class Exchange:
    """One request with both answers, and what an excuse may look at."""

    shape: Shape
    operation: str
    request: dict[str, Any]
    ours: Answer
    theirs: Answer
    ledgers: list[Ledger]
    stored: list[Wire]  # the items of the table before the request, and after it

    @property
    def ordered(self) -> bool:
        """Whether DynamoDB defines the order of the items: not between equal sort keys."""
        if self.operation != "Query":
            return False
        index = self.shape.index(self.request.get("IndexName"))
        if index is None:
            return True
        places = [
            json.dumps([item[name] for name in index.schema])
            for item in self.stored
            if all(name in item for name in index.schema)
        ]
        return len(index.schema) == 2 and len(set(places)) == len(places)


@dataclass(frozen=True)
class Difference:
    what: str
    ours: Any
    theirs: Any
    page: int = 0


def differences(exchange: Exchange) -> Iterator[Difference]:
    """Each figure that the two answers do not share."""
    ours, theirs = exchange.ours, exchange.theirs
    if ours.code != theirs.code:
        yield Difference("code", f"{ours.code} {ours.message}", f"{theirs.code} {theirs.message}")
        return
    if exchange.operation not in ("Query", "Scan"):
        yield from _different(ours.first, theirs.first, "ConsumedCapacity", "Attributes", "Item")
        if exchange.operation == "BatchGetItem":
            yield from _different(_responses(ours.first), _responses(theirs.first), "Responses")
        return
    if exchange.ordered or len(ours.pages) == len(theirs.pages) == 1:
        names = ("ConsumedCapacity", "Count", "ScannedCount", "LastEvaluatedKey")
        for number, (our_page, their_page) in enumerate(
            zip(ours.pages, theirs.pages, strict=False)
        ):
            yield from _different(our_page, their_page, *names, page=number)
    sums = [
        {
            "pages": len(answer.pages),
            "Count": sum(page["Count"] for page in answer.pages),
            "ScannedCount": sum(page["ScannedCount"] for page in answer.pages),
            "Items": [item for page in answer.pages for item in page.get("Items", [])],
        }
        for answer in (ours, theirs)
    ]
    if not exchange.ordered:
        for each in sums:
            each["Items"] = sorted(map(comparable, each["Items"]), key=repr)
    if "TotalSegments" not in exchange.request:  # each engine cuts segments its own way
        yield from _different(sums[0], sums[1], "pages")
    yield from _different(sums[0], sums[1], "Count", "ScannedCount", "Items")


def _different(
    ours: dict[str, Any], theirs: dict[str, Any], *names: str, page: int = 0
) -> Iterator[Difference]:
    for name in names:
        if comparable(ours.get(name)) != comparable(theirs.get(name)):
            yield Difference(name, ours.get(name), theirs.get(name), page)


def _responses(reply: dict[str, Any]) -> dict[str, Any]:
    """BatchGetItem promises no order."""
    found = reply.get("Responses", {})
    return {"Responses": {name: sorted(map(comparable, found[name]), key=repr) for name in found}}


def comparable(value: Any) -> Any:
    """The same for what DynamoDB holds equal: a set has no order, nor has a map."""
    if isinstance(value, dict):
        return {
            name: sorted(inner) if name in ("SS", "NS", "BS") else comparable(inner)
            for name, inner in sorted(value.items())
        }
    if isinstance(value, list):
        return [comparable(inner) for inner in value]
    return value
