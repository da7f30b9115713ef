"""What a guarded like does, one expectation at a time, as the checks of lab 03 need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.social import TABLE, Post, put_like, put_post
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

POST, NO_POST, DELETED_POST = "POST#a91f", "POST#none", "POST#0c3d"
USER, OTHER = "USER#7c20", "USER#2d11"
AT = 1750636801
_CANCELED = "TransactionCanceledException"
_CONFLICT = "TransactionConflict"
_MISMATCH = "IdempotentParameterMismatchException"
_TOKENS_LIVE = 10 * 60 + 1  # seconds; API reference, TransactWriteItems, ClientRequestToken


def new_post(trial: Trial) -> Any:
    """The table with one post that nobody has liked yet; tokens used before are forgotten."""
    trial.clock.advance(_TOKENS_LIVE)
    table = trial.table(TABLE)
    put_post(table, POST)
    return table


def unlike(table: Any) -> bool:
    """Another device of USER: takes the like back where it is there."""
    there = {"TableName": table.name, "ConditionExpression": "attribute_exists(PK)"}
    like = {"Key": {"PK": POST, "SK": f"LIKE#{USER}"}, **there}
    tally = {
        "Key": {"PK": POST, "SK": "META"},
        "UpdateExpression": "ADD likeTally :less",
        "ExpressionAttributeValues": {":less": -1},
        **there,
    }
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=[{"Delete": like}, {"Update": tally}])
    except client.exceptions.TransactionCanceledException:
        return False
    return True


def ended(attempt: Attempt) -> str:
    """How a call ended: "returned False", or "raised TransactionCanceledException"."""
    name = attempt.raised_name()
    return f"returned {attempt.returned!r}" if name is None else f"raised {name}"


def found(trial: Trial) -> Post:
    """What is stored of POST now."""
    return Post.of(trial.items(TABLE), POST)


def found_in(outcome: Outcome) -> Post:
    """What is stored of POST at the end of a schedule."""
    return Post.of(outcome.items(TABLE), POST)


def expect_answer(wanted: bool, attempt: Attempt, because: str, ask: str) -> None:
    """Refuses everything but the very bool that the contract names."""
    _refuse_mismatch(attempt)
    if attempt.raised is not None:
        raise Refused(
            f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised) or ask
        )
    if attempt.returned is not wanted:
        raise Refused(f"{because}: {attempt.text} returned {attempt.returned!r}.", ask)


def _refuse_mismatch(attempt: Attempt) -> None:
    if attempt.raised_name() == _MISMATCH:
        raise Refused(
            f"{attempt.text} raised {_MISMATCH}: DynamoDB has seen its token before, with another "
            "body.",
            "Which token did this request have, and which requests may share one?",
        )


def expect_count(trial: Trial, count: int, after: str, ask: str) -> None:
    post = found(trial)
    if len(post.likers) != count or post.tally != count:
        raise Refused(f"After {after}: {post.counted()}.", ask)


def expect_first(trial: Trial, attempt: Attempt) -> None:
    """USER's like, at AT, of a post that nobody had liked: it is there, and counted."""
    if attempt.raised is not None:
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    expect_count(
        trial,
        1,
        f"{attempt.text}, the first like of the post",
        "One transaction makes the like and counts it: which two items does it write?",
    )
    like = trial.item(TABLE, PK=POST, SK=f"LIKE#{USER}")
    if like is not None and like.get("likedAt") != AT:
        raise Refused(
            f"The like's likedAt is {like.get('likedAt')}; the call was given {AT}.",
            "The caller says when the tap was. What would a second attempt store?",
        )
    expect_answer(
        True,
        attempt,
        "This call made the like",
        "The caller wants to know whether this very call made the like: True or False.",
    )


def expect_guarded(trial: Trial, attempt: Attempt) -> None:
    """USER's second like, later than AT: it changed nothing, and says so."""
    _refuse_mismatch(attempt)
    post = found(trial)
    if len(post.likers) > 1:
        keys = " and ".join(repr(f"LIKE#{liker}") for liker in post.likers)
        raise Refused(
            f"One user liked one post twice, ten seconds apart. Now there are two likes: {keys}.",
            "A condition looks at the item with exactly the same key. What must be in the key, "
            "and what must not, so that each user has one like?",
        )
    if post.tally != 1:
        raise Refused(
            f"One user liked one post twice: {post.counted()}.",
            "The tally knows how many, not who. Which item says that this user has liked this "
            "post, and what must be true of it before it is written?",
        )
    if attempt.raised_name() == _CANCELED:
        raise Refused(
            f"The second like of one user: {attempt.text} raised {_CANCELED}.",
            "That the like is there already is an answer, not a failure. "
            "Which of the error's CancellationReasons says so?",
        )
    expect_answer(
        False,
        attempt,
        "The like was there already",
        "The caller wants to know that this call changed nothing: False.",
    )
    like = trial.item(TABLE, PK=POST, SK=f"LIKE#{USER}")
    if like is not None and like.get("likedAt") != AT:
        raise Refused(
            f"The second like changed likedAt from {AT} to {like.get('likedAt')}.",
            "The first like is the one that counts. What keeps the second from overwriting it?",
        )


def expect_key(trial: Trial) -> None:
    [liker] = found(trial).likers
    if liker != USER:
        raise Refused(
            f"The like has the sort key 'LIKE#{liker}'.",
            f"The labs' sort key for it is LIKE# and the user: 'LIKE#{USER}'.",
        )


def expect_no_such_post(trial: Trial, attempt: Attempt) -> None:
    """USER's like of NO_POST, which does not exist."""
    written = [str(item["SK"]) for item in trial.items(TABLE) if item["PK"] == NO_POST]
    if written:
        raise Refused(
            f"There is no post {NO_POST}, and {attempt.text} left {' and '.join(written)} of it.",
            "ADD creates the item if it does not find it. What must be true of META?",
        )
    _refuse_mismatch(attempt)
    if attempt.raised_name() != "NoSuchPost":
        how = f"raised {told(attempt.raised)}" if attempt.raised else f"{ended(attempt)}."
        raise Refused(
            f"There is no post {NO_POST}, and {attempt.text} {how}",
            "The task asks for NoSuchPost. The reasons are in the order of the transaction's "
            "actions: which of them is META's?",
        )


def expect_post_to_win(trial: Trial, table: Any, like: Callable[[], Attempt]) -> None:
    """USER's like of DELETED_POST, whose META is gone and whose like by USER is not."""
    put_like(table, DELETED_POST, USER, AT)
    attempt = like()
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"The post {DELETED_POST} was deleted, and {USER}'s old like of it is still there. "
            f"{attempt.text} {ended(attempt)}.",
            'Both conditions failed. "Already" or "no such post": which of the two does the '
            "docstring promise here, and whose reason do you look at first?",
        )


def expect_conflict_apart(trial: Trial, table: Any, like: Callable[[str], Attempt]) -> None:
    """A like that met another transaction is neither "already" nor "no such post".

    like: likes POST as this user.
    """
    for place, codes in (("first", [_CONFLICT]), ("second", ["None", _CONFLICT])):
        user = f"USER#{place}"
        with cancelling(table, *codes) as fault:
            attempt = like(user)
        if not fault.hits:  # a client of the learner's own, which meets no trouble
            return
        situation = (
            "Another transaction was at work on "
            f"the item of the {place} action, so this one was cancelled with TransactionConflict"
        )
        if attempt.raised_name() == "NoSuchPost":
            raise Refused(
                f"{situation}, and {attempt.text} raised NoSuchPost.",
                "The post exists. Which code, of which item, says that it does not?",
            )
        if attempt.raised is None and (
            attempt.returned is not True or user not in found(trial).likers
        ):
            raise Refused(
                f"{situation}. Nothing was written, and {attempt.text} {ended(attempt)}.",
                "A transaction is cancelled for several reasons. "
                "Which code, of which item, says that the like is there already?",
            )
