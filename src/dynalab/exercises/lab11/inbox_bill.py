"""Exercise 11.1, inbox_cost: the read units of an inbox that is listed with its messages."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity
from dynalab.exercises.given import given
from dynalab.exercises.lab11.mail import INBOX, list_units
from dynalab.trial import Refused, Trial

MESSAGES, BYTES_EACH = 50, 262_144

# Sizes that fill a page of 1 MB exactly, or stay on one page: on which page the item is that
# crosses 1 MB is not documented, and does not matter for these.
_COSTS = (
    (MESSAGES, BYTES_EACH),
    (3, 300),
    (50, 1_024),
    (1, 100),
    (2, 4_097),
    (0, 262_144),
    (1_001, 8_192),
    (1_500, 1_024),
    (33, 131_072),
)


def check_inbox_cost(inbox_cost: Any, trial: Trial) -> Passed:
    for messages, bytes_each in _COSTS:
        _expect_cost(trial, inbox_cost, messages, bytes_each)
    table = trial.table(INBOX)
    put_whole(table, "mara", MESSAGES, BYTES_EACH)
    with trial.bill() as charges:
        start: dict[str, Any] = {}
        while True:
            page = table.query(
                KeyConditionExpression="PK = :inbox",
                ExpressionAttributeValues={":inbox": "INBOX#mara"},
                **start,
            )
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    return Passed(
        f"All sizes agree. Measured: {MESSAGES} messages of {BYTES_EACH:,} bytes come in "
        f"{len(charges)} pages, {list_units(charges)}."
    )


def put_whole(table: Any, user_id: str, messages: int, bytes_each: int) -> None:
    """Messages that are one item each, of exactly so many bytes, keys included."""
    for number in range(1, messages + 1):
        item: dict[str, Any] = {"PK": f"INBOX#{user_id}", "SK": f"MSG#{number:04}", "body": ""}
        size = capacity.item_size({name: {"S": value} for name, value in item.items()})
        given(table, {**item, "body": "x" * (bytes_each - size)})


def _expect_cost(trial: Trial, inbox_cost: Any, messages: int, bytes_each: int) -> None:
    wanted = capacity.query_units(messages, bytes_each)
    cost = trial.call(inbox_cost, messages, bytes_each)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal | Fraction):
        raise Refused(
            f"inbox_cost({messages}, {bytes_each}) returned {type(cost).__name__}; read units "
            "are a number.",
            "Return only the units of all pages together.",
        )
    if cost == wanted:
        return
    raise Refused(
        f"inbox_cost({messages:_}, {bytes_each:_}) returned {cost}; DynamoDB bills {wanted:g}.",
        _question(float(cost), messages, bytes_each, wanted),
    )


def _question(cost: float, messages: int, bytes_each: int, wanted: float) -> str:
    blocks = -(-bytes_each // 4096)
    if messages == 0:
        return "What does a Query cost that finds nothing? It still reads."
    if cost == 1 and wanted == 0.5:
        return (
            "One unit is the minimum of a strongly consistent Query. What is the minimum of an "
            "eventually consistent one?"
        )
    if cost == 2 * wanted:
        return "That is a strongly consistent read. What does an eventually consistent one cost?"
    if cost <= 1 and wanted > 100:
        return (
            "That is the cost of only the part that the screen shows. But a projection comes "
            "after the read: which bytes does a Query evaluate?"
        )
    if cost == messages * blocks * 0.5:
        return (
            "That rounds up each message. What does a Query round up: each item, or the sum of a "
            "page?"
        )
    if cost == 128 or cost == capacity.query_units(1_048_576 // bytes_each or 1, bytes_each):
        return "That is one page of 1 MB. How many pages does the whole inbox have?"
    if abs(cost - messages * bytes_each / 8192) < 1e-9:
        return "Can a part of 4 KB be billed? Look at what is rounded up."
    if cost in (-(-messages * bytes_each // 4000) / 2, -(-messages * bytes_each // 4000)):
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    return (
        "Round all bytes up to a multiple of 4,096; each 4,096 bytes cost half a unit. Lab 01 "
        "counted likes that way."
    )
