"""Posts with likes, a tally and a rev, and what others do to them, in labs 04 and 14."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from dynalab.exercises.given import given
from dynalab.exercises.social import TABLE, Post, put_like, put_post
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Refused, Trial

POST, OTHER_POST, DELETED_POST, NO_POST = "POST#a91f", "POST#77b0", "POST#0c3d", "POST#none"
LARGE = "POST#long"
MARA, TOM, INES, ZOE = "USER#7c20", "USER#2d11", "USER#9a40", "USER#f00d"
AT = 1750636801

Change: TypeAlias = Callable[[Any, str, str], None]


def put_liked(
    table: Any,
    post_id: str,
    likers: Sequence[str],
    *,
    tally: int | None = None,
    rev: int | None = None,
) -> None:
    """A post and its likes. tally, rev: the number of likes, where nothing else is said."""
    for number, user_id in enumerate(likers):
        put_like(table, post_id, user_id, AT + 10 * number)
    count = len(likers)
    put_post(
        table,
        post_id,
        likeTally=count if tally is None else tally,
        rev=count if rev is None else rev,
    )


def make_large(table: Any) -> None:
    """Five likes of LARGE, so large that they take more than one page."""
    for user_id in users(5):
        item = {"PK": LARGE, "SK": f"LIKE#{user_id}", "likedAt": AT, "note": "x" * 300_000}
        given(table, item)


def like(table: Any, post_id: str, user_id: str) -> None:
    """A like that somebody else makes meanwhile."""
    item = {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": AT + 90}
    _with_meta(table, post_id, {"Put": {"TableName": TABLE, "Item": item}}, 1)


def take_back(table: Any, post_id: str, user_id: str) -> None:
    """An unlike that somebody else makes meanwhile."""
    key = {"PK": post_id, "SK": f"LIKE#{user_id}"}
    _with_meta(table, post_id, {"Delete": {"TableName": TABLE, "Key": key}}, -1)


def _with_meta(table: Any, post_id: str, action: dict[str, Any], by: int) -> None:
    update = {
        "TableName": TABLE,
        "Key": {"PK": post_id, "SK": "META"},
        "UpdateExpression": "ADD likeTally :by, rev :one",
        "ExpressionAttributeValues": {":by": by, ":one": 1},
    }
    table.meta.client.transact_write_items(TransactItems=[action, {"Update": update}])


def users(count: int) -> list[str]:
    return [f"USER#{number:04}" for number in range(1, count + 1)]


def numbers_of(meta: Mapping[str, Any]) -> str:
    return " and ".join(f"{name} {meta[name]}" for name in ("likeTally", "rev") if name in meta)


def expect_no_such_post(trial: Trial, call: Any, table: Any, name: str, *rest: Any) -> None:
    attempt = trial.attempt(call, table, NO_POST, MARA, *rest)
    post = Post.of(trial.items(TABLE), NO_POST)
    if post.meta is not None or post.likers:
        raise Refused(
            f"There is no post {NO_POST}. {attempt.text} {how_it_ended(attempt)} and wrote to it: "
            f"{post.counted()}.",
            "An Update creates what it does not find, unless a condition forbids it. "
            "Which of your actions needs one?",
        )
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"There is no post {NO_POST}. {attempt.text} {how_it_ended(attempt)}.",
            f"A missing post and a missing like have different answers: {name}'s docstring says "
            "which. Whose condition tells them apart?",
        )
