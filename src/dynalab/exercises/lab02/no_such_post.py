"""Exercise 2.3, like on a post that is not there: no ghost, and the right exception."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.lab02.bump import expect_own_post
from dynalab.exercises.lab02.like import expect_like, hold_both_or_neither
from dynalab.exercises.lab02.posts import (
    AT,
    GONE,
    MARA,
    NONE,
    OLD,
    TOM,
    empty_table,
    hold_deleted_post,
    keys,
    refusal,
)
from dynalab.exercises.social import TABLE, Post, put_like, put_post
from dynalab.trial import Refused, Trial


def check_like_no_such_post(like: Any, trial: Trial) -> Passed:
    expect_like(trial, like)
    extent = hold_both_or_neither(trial, like)
    table = empty_table(trial)
    put_post(table, OLD)
    put_like(table, GONE, MARA, AT)
    _expect_nothing_written(trial, like, table, NONE, "There is no post POST#none.")
    _expect_nothing_written(
        trial,
        like,
        table,
        GONE,
        f"The post {GONE} was deleted, and {MARA}'s old like of it is still there.",
    )
    with _another_message(table):
        _expect_nothing_written(
            trial,
            like,
            table,
            NONE,
            "DynamoDB words its message differently today: its CancellationReasons are the same, "
            "and there is no post POST#none.",
        )
    remark = _expect_only_missing_posts(trial, like, table)
    hold_deleted_post(trial, like, "like", MARA, AT)
    return Passed(
        "NoSuchPost, and nothing written, also if the post is deleted meanwhile. The rest is as "
        f"before: {extent}.",
        remark,
    )


def _expect_nothing_written(
    trial: Trial, like: Any, table: Any, post_id: str, situation: str
) -> None:
    before = trial.items(TABLE)
    attempt = trial.attempt(like, table, post_id, MARA, AT + 20)
    expect_own_post(trial, attempt, post_id, before)
    new = [item for item in trial.items(TABLE) if item not in before]
    if new:
        came = "raised" if attempt.raised else "returned"
        what = attempt.raised_name() or repr(attempt.returned)
        raise Refused(
            f"{situation} {attempt.text} {came} {what} and wrote {keys(new)}.",
            "An Update creates what it does not find, unless a condition forbids it. "
            "Which of your two actions needs one?",
        )
    if attempt.raised is None:
        raise Refused(
            f"{situation} {attempt.text} wrote nothing, which is right, but returned "
            f"{attempt.returned!r}: the caller believes that the like is counted.",
            "Which exception does the docstring promise?",
        )
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"{situation} {attempt.text} wrote nothing, which is right, and {refusal(attempt)}.",
            "The reasons are in the order of your TransactItems. Which of them is about META, and "
            "what is its Code?",
        )


def _expect_only_missing_posts(trial: Trial, like: Any, table: Any) -> str:
    """NoSuchPost must not stand for other trouble; the remark on a second like."""
    with faults.conflict(table):
        attempt = trial.attempt(like, table, OLD, TOM, AT + 30)
    if attempt.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {OLD} exists. Another transaction was working on its items, and the "
            f"reasons were TransactionConflict and None. {attempt.text} raised NoSuchPost.",
            "A transaction is cancelled for more than one reason. Which Code, at which place, "
            "means that the post is missing?",
        )
    for _ in range(2):
        again = trial.attempt(like, table, OLD, MARA, AT + 40)
    if again.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {OLD} exists. {MARA} liked it twice, and the second time like raised "
            "NoSuchPost.",
            "Two items have a condition. Which one failed, and how do the reasons tell you?",
        )
    post = Post.of(trial.items(TABLE), OLD)
    if post.tally == len(post.likers):
        return ""
    return f"the same user liked twice: {post.counted()}. Lab 03 puts a guard into the data."


@contextmanager
def _another_message(table: Any) -> Iterator[None]:
    """What DynamoDB says about a cancelled transaction is put in other words."""

    def reword(parsed: dict[str, Any], **_: Any) -> None:
        if "CancellationReasons" in parsed:
            text = "The transaction was cancelled; its reasons are listed."
            parsed["Error"]["Message"] = parsed["Message"] = text

    events, name = table.meta.client.meta.events, "after-call.dynamodb.TransactWriteItems"
    events.register(name, reword)
    try:
        yield
    finally:
        events.unregister(name, reword)
