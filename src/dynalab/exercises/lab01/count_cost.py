"""Exercise 1.2, count_cost: the read units of a COUNT, computed and measured."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dynalab.check import Passed
from dynalab.engine import capacity
from dynalab.exercises.lab01.posts import SMALL, put_likes
from dynalab.exercises.words import in_read_units
from dynalab.trial import Refused, Trial

# Sizes that fill a page of 1 MB exactly, or stay on one page: whether the item that crosses
# 1 MB is on the page is not documented, and does not matter for these.
_COSTS = ((7, 60), (68, 60), (69, 60), (0, 60), (1, 8_192), (1_000, 64), (16_384, 64), (16_385, 64))
_MILLION = (1_000_000, 64)


def check_count_cost(count_cost: Any, trial: Trial) -> Passed:
    for likes, like_bytes in (*_COSTS, _MILLION):
        for consistent in (False, True):
            _expect_cost(trial, count_cost, likes, like_bytes, consistent)
    table = trial.table("Social")
    put_likes(table, SMALL, 120, padding=150)
    size = capacity.item_size(
        {
            "PK": {"S": SMALL},
            "SK": {"S": "LIKE#USER#0000"},
            "likedAt": {"N": "1750636801"},
            "note": {"S": "x" * 150},
        }
    )
    with trial.bill() as charges:
        table.query(
            Select="COUNT",
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": SMALL, ":like": "LIKE#"},
        )
    million = capacity.query_units(*_MILLION)
    return Passed(
        f"All sizes agree. Measured: 120 likes of {size} bytes cost "
        f"{in_read_units(charges[0].read_units)}. A million likes of 64 bytes: {million:,g}."
    )


def _expect_cost(
    trial: Trial, count_cost: Any, likes: int, like_bytes: int, consistent: bool
) -> None:
    wanted = capacity.query_units(likes, like_bytes, consistent=consistent)
    options = {"consistent": True} if consistent else {}
    cost = trial.call(count_cost, likes, like_bytes, **options)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal):
        raise Refused(
            f"count_cost({likes}, {like_bytes}) returned {type(cost).__name__}; "
            "read units are a number.",
            "Return the units: 0.5, 6, 7324.5 are possible answers.",
        )
    if cost == wanted:
        return
    call = f"count_cost({likes:_}, {like_bytes}{', consistent=True' if consistent else ''})"
    raise Refused(
        f"{call} returned {cost}; DynamoDB bills {wanted:g}.",
        _cost_question(float(cost), likes, like_bytes, consistent),
    )


def _cost_question(cost: float, likes: int, like_bytes: int, consistent: bool) -> str:
    half = 1.0 if consistent else 0.5
    if likes == 0:
        return "What does a Query that finds nothing cost? It still looks."
    if cost == likes * half * max(1, -(-like_bytes // 4096)) and likes > 1:
        return (
            "That rounds up each like, as BatchGetItem does. What does a Query round up: each "
            "item, or the sum of a page?"
        )
    if abs(cost - likes * like_bytes / 4096 * half) < 1e-9:
        return "Can a part of 4 KB be billed? Look at what is rounded up."
    if cost == max(1, -(-likes * like_bytes // 4000)) * half:
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if (likes, like_bytes) == _COSTS[0] and cost in (0.5, 1.0):
        return "Which of the two reads costs half: the eventually or the strongly consistent one?"
    return (
        "Round the bytes of a page up to a multiple of 4,096. Then halve if the read is "
        "eventually consistent."
    )
