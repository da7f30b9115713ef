"""Counters as lab 09's checks need them: where they stand, their bounds, and words for them."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Attempt, Refused, Trial

LEAST, MOST = -(2**63), 2**63 - 1
POST: dict[str, Any] = {"PK": "POST#a91f", "SK": "META"}
ROOM: dict[str, Any] = {"PK": "ROOM#lobby", "SK": "META"}
VIEWS = "views"  # a reserved word


def put_counter(table: Any, value: Any) -> None:
    """A post with this in its counter; None for a post without one."""
    counted = {} if value is None else {VIEWS: value}
    given(table, {**POST, "body": "Hello", **counted})


def store_text(table: Any) -> None:
    """Somebody stores a text where the counter is."""
    table.update_item(
        Key=POST,
        UpdateExpression="SET #views = :text",
        ExpressionAttributeNames={"#views": VIEWS},
        ExpressionAttributeValues={":text": "many"},
    )


def counter(trial: Trial, attribute: str = VIEWS, **key: Any) -> Any:
    """What is stored in an attribute; None where there is none."""
    return (trial.item(TABLE, **(key or POST)) or {}).get(attribute)


def power(number: Any) -> str:
    """A number near the bounds as people write it: 2**63 - 1."""
    for bound, name in ((LEAST, "-2**63"), (MOST + 1, "2**63")):
        away = int(number) - bound
        if abs(away) <= 2:
            return name if not away else f"{name} {'+' if away > 0 else '-'} {abs(away)}"
    return str(number)


def kind(value: Any) -> str:
    """What a value is to DynamoDB: "a text"."""
    names = {str: "a text", set: "a set", bool: "a bool", type(None): "NULL", list: "a list"}
    return names.get(type(value), "a number")


def expect(attempt: Attempt, wanted: str, situation: str, ask: str) -> None:
    """Refused where the call did not raise the exception of this name."""
    if attempt.raised_name() != wanted:
        ended = how_it_ended(attempt).partition(": ")[0]
        raise Refused(f"{situation} {attempt.text} {ended}.", ask)
