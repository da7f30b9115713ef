"""Copies of scores and their followers in one table, as exercise 13.4 has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.lab13.ballots import COPIES
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome

CHUCK, ROSE = "chuck", "Rose"
ALICE, BOB, CARA, DAVE = "alice", "bob", "cara", "dave"


def copy_key(user_id: str, friend: str) -> dict[str, str]:
    return {"PK": f"USER#{friend}", "SK": f"FRIEND#{user_id}"}


def follower_key(user_id: str, friend: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": f"FOLLOWER#{friend}"}


def put_copies(table: Any, user_id: str, copies: Mapping[str, int | None]) -> None:
    """Followers of a player, each with a copy of the score; None: nothing was played yet."""
    for friend, score in copies.items():
        more = {} if score is None else {"highScore": score}
        copy = {**copy_key(user_id, friend), "name": user_id.title(), **more}
        given(table, copy, follower_key(user_id, friend))


def befriend(table: Any, user_id: str, friend: str, score: int) -> None:
    """A new follower, with a copy of the score as it is at that moment."""
    copy = {**copy_key(user_id, friend), "name": user_id.title(), "highScore": score}
    items = (copy, follower_key(user_id, friend))
    table.meta.client.transact_write_items(
        TransactItems=[{"Put": {"TableName": COPIES, "Item": item}} for item in items]
    )


def unfriend(table: Any, user_id: str, friend: str) -> None:
    """A follower goes, and the copy with him."""
    keys = (copy_key(user_id, friend), follower_key(user_id, friend))
    table.meta.client.transact_write_items(
        TransactItems=[{"Delete": {"TableName": COPIES, "Key": key}} for key in keys]
    )


def copies_of(items: Sequence[dict[str, Any]], user_id: str = CHUCK) -> dict[str, Any]:
    """Follower → what the copy says; None where it has no highScore."""
    mine = [item for item in items if item["SK"] == f"FRIEND#{user_id}"]
    return {item["PK"].removeprefix("USER#"): item.get("highScore") for item in mine}


def said(copies: Mapping[str, Any]) -> str:
    """ "alice 30, bob none"."""
    told = [f"{name} {'none' if score is None else score}" for name, score in copies.items()]
    return ", ".join(told) or "no copies"


def all_say(score: int, *friends: str) -> Callable[[Outcome], str | None]:
    """An invariant: these friends of Chuck's have a copy of this score, and nobody else has one."""

    def invariant(outcome: Outcome) -> str | None:
        copies = copies_of(outcome.items(COPIES))
        if copies != dict.fromkeys(friends, score):
            return f"Chuck has {score}; his copies: {said(copies)}."
        return first_raised(outcome)

    return invariant
