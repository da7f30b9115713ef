"""Exercise 2.4, like_cost: what a like is billed, measured and computed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity
from dynalab.exercises.lab02.posts import AT, MARA, NEW, OLD, empty_table
from dynalab.exercises.social import TABLE, put_post
from dynalab.exercises.words import in_write_units
from dynalab.trial import Refused, Trial

# The order tells the usual mistakes apart: each pair is the first that one of them gets wrong.
_COSTS = (
    (600, 700),
    (410, 720),
    (60, 210),
    (5_000, 60),
    (60, 1_024),
    (60, 1_025),
    (60, 3_072),
    (60, 3_073),
    (60, 40_000),
)


def check_like_cost(like_cost: Any, trial: Trial) -> Passed:
    for like_bytes, meta_bytes in _COSTS:
        _expect_cost(trial, like_cost, like_bytes, meta_bytes)
    table = empty_table(trial)
    put_post(table, OLD, story="x" * 3_000)
    put_post(table, NEW)
    big, small = (_measured(trial, table, post_id) for post_id in (OLD, NEW))
    return Passed(f"All sizes agree. Measured: {big}; {small}.")


def _measured(trial: Trial, table: Any, post_id: str) -> str:
    with trial.bill() as charges:
        table.meta.client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": TABLE,
                        "Item": {"PK": post_id, "SK": f"LIKE#{MARA}", "likedAt": AT},
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": {"PK": post_id, "SK": "META"},
                        "UpdateExpression": "ADD likeTally :one",
                        "ExpressionAttributeValues": {":one": 1},
                    }
                },
            ]
        )
    meta = trial.item(TABLE, PK=post_id, SK="META") or {}
    size = capacity.item_size(
        {k: {"N": str(v)} if isinstance(v, Decimal) else {"S": v} for k, v in meta.items()}
    )
    return f"a like of a post of {size:,} bytes costs {in_write_units(charges[0].write_units)}"


def _expect_cost(trial: Trial, like_cost: Any, like_bytes: int, meta_bytes: int) -> None:
    plain = [capacity.write_units(size) for size in (like_bytes, meta_bytes)]
    wanted = 2 * sum(plain)
    cost = trial.call(like_cost, like_bytes, meta_bytes)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal):
        raise Refused(
            f"like_cost({like_bytes}, {meta_bytes}) returned {type(cost).__name__}; "
            "write units are a number.",
            "Return how many units the transaction costs.",
        )
    if cost != wanted:
        raise Refused(
            f"like_cost({like_bytes:_}, {meta_bytes:_}) returned {cost}; "
            f"DynamoDB bills {wanted:g}.",
            _cost_question(float(cost), like_bytes, meta_bytes, plain),
        )


def _cost_question(cost: float, like_bytes: int, meta_bytes: int, plain: list[float]) -> str:
    both = like_bytes + meta_bytes
    if cost == 2 * plain[0] + 2 and plain[1] > 1:
        return (
            "Only a few bytes of META change. Is an update billed by the size of the change, or "
            "by that of the whole item?"
        )
    if cost == capacity.write_units(both, transactional=True):
        return "That rounds the sum up. Is a transaction rounded once, or item by item?"
    if cost == sum(capacity.write_units(2 * size) for size in (like_bytes, meta_bytes)):
        return "That doubles the bytes and then rounds. Which of the two comes first?"
    if cost == capacity.write_units(2 * both):
        return "That adds and doubles before it rounds. What does DynamoDB round up?"
    if cost == 2 * sum(-(-size // 1000) for size in (like_bytes, meta_bytes)):
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if cost == 2 * sum(-(-size // capacity.READ_UNIT_BYTES) for size in (like_bytes, meta_bytes)):
        return "Reads are billed by 4 KB. By how many bytes are writes billed?"
    if cost == sum(plain):
        return "That is the bill of two plain writes. What does a transaction do to each of them?"
    if abs(cost - 2 * both / capacity.WRITE_UNIT_BYTES) < 1e-9:
        return "Can a part of a kilobyte be billed? Look at what is rounded up."
    return "Each item has a size of its own: which sizes make this like cost so much?"
