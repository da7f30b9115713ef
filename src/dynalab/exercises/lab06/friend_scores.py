"""The tables of lab 06, and friends with scores as its checks need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.trial import Trial

TABLE, INDEX = "FriendScore", "byHighScore"

HIGH_SCORE: dict[str, Any] = {
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}

FRIEND_SCORE: dict[str, Any] = {
    **PK_SK,
    "AttributeDefinitions": [
        *PK_SK["AttributeDefinitions"],
        {"AttributeName": "highScore", "AttributeType": "N"},
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": INDEX,
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "highScore", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name"]},
        }
    ],
}

SINCE = 1750636801
KEY = {"PK": "USER#alice", "SK": "FRIEND#bob"}


def friend_item(user_id: str, friend_id: str, score: int | None, name: str = "") -> dict[str, Any]:
    """A friend of a user's. score: None for one who never played. name: else the id's own."""
    item = {
        "PK": f"USER#{user_id}",
        "SK": f"FRIEND#{friend_id}",
        "name": name or friend_id.capitalize(),
        "since": SINCE,
    }
    return item if score is None else {**item, "highScore": score}


def put_friends(table: Any, user_id: str, scores: Mapping[str, int | None]) -> None:
    """A user's friends, by id; None for one who never played."""
    for friend_id, score in scores.items():
        given(table, friend_item(user_id, friend_id, score))


def many_friends(count: int) -> dict[str, int | None]:
    """Friends of all scores, in no order; every tenth never played, and some scores are shared."""
    return {
        f"p{number:03}": 10 * (number * 37 % 89) + number % 9 + 1 if number % 10 else None
        for number in range(1, count + 1)
    }


# Numbers that text would order otherwise, a score of 0, two friends who never played, a tie.
FEW: dict[str, int | None] = {
    "bob": 9, "chuck": 100, "dana": None, "emil": 25, "fay": 0, "gus": 25, "hana": None,
}  # fmt: skip
MANY = many_friends(300)


def best(scores: Mapping[str, int | None]) -> list[int]:
    """The scores of those who played, best first."""
    return sorted((score for score in scores.values() if score is not None), reverse=True)


def few_and_many(trial: Trial) -> Any:
    """Alice has a few friends, vera has many, and somebody else's friend beats all of them."""
    table = trial.table(TABLE)
    put_friends(table, "alice", FEW)
    put_friends(table, "vera", MANY)
    put_friends(table, "zora", {"hugo": 901})
    return table


def some(values: Sequence[object]) -> str:
    """The first ten, in a line."""
    shown = ", ".join(map(str, values[:10]))
    return f"{shown}, …" if len(values) > 10 else shown or "none"
