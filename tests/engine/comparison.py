"""Sends generated requests to our engine and to dynalite, and tells what differs and why."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from dynalab.engine.engine import Engine
from dynalab.engine.ledger import Ledger
from tests.engine import peer_dynalite
from tests.engine.differences import Answer, Difference, Exchange, differences
from tests.engine.excuses import excuses, takes_from_nothing
from tests.engine.generated import TABLE, Request, Shape, Wire
from tests.engine.generated_requests import shapes_and_sessions
from tests.engine.peer_dynalite import Dynalite

_READS = ("GetItem", "BatchGetItem", "Query", "Scan")
_PAGES = 60  # more than any generated table has
_ROUND = 20  # hypothesis begins each round with small examples, so a round is not too short


def compare(wanted: int) -> tuple[Tally, list[str]]:
    """What comparing this many requests finds; always the same ones for the same number."""
    tally = Tally()
    found: list[str] = []
    with peer_dynalite.running() as peer:
        for number in count():
            _round(number, peer, tally, found, wanted)
            if tally.requests >= wanted:
                break
    return tally, found


def _round(number: int, peer: Dynalite, tally: Tally, found: list[str], wanted: int) -> None:
    @seed(number)
    @settings(
        max_examples=_ROUND,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(shapes_and_sessions())
    def each(drawn: tuple[Shape, list[Request]]) -> None:
        shape, requests = drawn
        session = Session(peer, shape, tally)
        for request in requests:
            if tally.requests >= wanted or session.parted:
                return
            found.extend(session.unexplained(request))

    each()


@dataclass
class Tally:
    """How many requests were compared, and how often each excuse was needed."""

    requests: int = 0
    refused: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)


class Session:
    """One table in both engines; `parted` once the two may hold different items."""

    def __init__(self, peer: Dynalite, shape: Shape, tally: Tally) -> None:
        self._peer, self._shape, self._tally = peer, shape, tally
        self.parted = False
        self.engine = Engine()
        self._ledgers: list[Ledger] = []
        self.engine.store.listeners.append(self._ledgers.append)
        if peer.answer("DeleteTable", {"TableName": TABLE})[0] == 200:
            while peer.answer("DescribeTable", {"TableName": TABLE})[0] == 200:
                pass
        for answer in (self._answer, peer.answer):
            status, reply = answer("CreateTable", shape.create())
            assert status == 200, reply
        while self._status() != "ACTIVE":
            pass

    def _status(self) -> str:
        described = self._peer.answer("DescribeTable", {"TableName": TABLE})[1]
        return str(described["Table"]["TableStatus"])

    def _answer(self, operation: str, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        reply = self.engine.answer(operation, request)
        return reply.status, json.loads(reply.body)

    def unexplained(self, request: Request) -> list[str]:
        """Send one request to both; what differs and is not excused, as text."""
        operation, body = request
        self._ledgers.clear()
        before = self._items()
        ours = _answered(self._answer, operation, body)
        theirs = _answered(self._peer.answer, operation, body)
        exchange = Exchange(
            self._shape, operation, body, ours, theirs, list(self._ledgers), before + self._items()
        )
        self._tally.requests += 1
        self._tally.operations[operation] += 1
        self._tally.refused += ours.code is not None
        found = []
        for difference in differences(exchange):
            reasons = excuses(exchange, difference)
            self._tally.excused.update(reasons)
            if not reasons:
                found.append(_told(exchange, difference))
            if operation not in _READS and (not reasons or difference.what == "code"):
                self.parted = True
        if takes_from_nothing(exchange):  # dynalite has an item now, and we have none
            self.parted = True
        return found

    def _items(self) -> list[Wire]:
        table = self.engine.store.backend.table(TABLE)
        return [dict(item.wire) for item in table.stored.values()]


def _answered(answer: Any, operation: str, request: dict[str, Any]) -> Answer:
    """The answer with all its pages; of a parallel scan, those of every segment."""
    pages: list[dict[str, Any]] = []
    for segment in range(request.get("TotalSegments", 1)):
        asked = dict(request)
        if "TotalSegments" in request and request["Segment"] == 0:
            asked["Segment"] = segment
        for _ in range(_PAGES):
            status, reply = answer(operation, asked)
            if status != 200:
                code = str(reply.get("__type", "")).rpartition("#")[2]
                return Answer(code, str(reply.get("message") or reply.get("Message")), pages)
            pages.append(reply)
            if "LastEvaluatedKey" not in reply:
                break
            asked["ExclusiveStartKey"] = reply["LastEvaluatedKey"]
    return Answer(None, "", pages)


def _told(exchange: Exchange, difference: Difference) -> str:
    return (
        f"{exchange.operation} differs in {difference.what}\n"
        f"  request  {_short(exchange.request)}\n"
        f"  ours     {_short(difference.ours)}\n"
        f"  dynalite {_short(difference.theirs)}\n"
        f"  table    {_short(exchange.shape.create())}"
    )


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 900 else f"{text[:600]} … {text[-250:]}"
