"""Exercise 3.4: a like that is one request for ten minutes by its token, and one like for good."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab03.guarded_like import (
    AT,
    DELETED_POST,
    NO_POST,
    OTHER,
    POST,
    USER,
    ended,
    expect_answer,
    expect_conflict_apart,
    expect_count,
    expect_first,
    expect_guarded,
    expect_key,
    expect_no_such_post,
    expect_post_to_win,
    found,
    new_post,
)
from dynalab.exercises.words import in_read_units, in_write_units
from dynalab.trial import Refused, Trial

_MISMATCH = "IdempotentParameterMismatchException"
_TOKEN = "tap-7c20-a91f-0001"


def check_like_once(like_once: Any, trial: Trial) -> Passed:
    table = new_post(trial)
    with trial.bill() as first:
        made = trial.attempt(like_once, table, POST, USER, AT, _TOKEN)
    expect_first(trial, made)
    with trial.bill() as second:
        again = trial.attempt(like_once, table, POST, USER, AT, _TOKEN)
    if again.raised_name() == _MISMATCH:
        raise Refused(
            f"{again.text}, called twice, raised {_MISMATCH} the second time.",
            "The token is the same, but the body is not. Which part of your request changes from "
            "call to call?",
        )
    ask = (
        "If DynamoDB has seen a request already, it answers with success and writes nothing. Did "
        "you send the token, and was the body the same?"
    )
    expect_count(trial, 1, f"two calls {again.text}", ask)
    expect_answer(True, again, "The same token and body again, within ten minutes", ask)
    expect_key(trial)
    _expect_mismatch(trial, like_once, table, USER, AT + 10, "another `at`")
    _expect_mismatch(trial, like_once, table, OTHER, AT, "another user")
    fresh = trial.attempt(like_once, table, POST, USER, AT + 10, "tap-7c20-a91f-0002")
    expect_guarded(trial, fresh)
    nowhere = trial.attempt(like_once, table, NO_POST, USER, AT, "tap-7c20-none-0001")
    expect_no_such_post(trial, nowhere)
    expect_post_to_win(
        trial,
        table,
        lambda: trial.attempt(like_once, table, DELETED_POST, USER, AT, "tap-7c20-0c3d-0001"),
    )
    expect_conflict_apart(
        trial,
        table,
        lambda user: trial.attempt(like_once, table, POST, user, AT, f"tap-{user}"),
    )
    _expect_guard_to_outlive_the_token(trial, like_once)
    reads, writes = read_units(second), write_units(first)
    return Passed(
        f"The first call costs {in_write_units(writes)}; its repetition costs "
        f"{in_read_units(reads)} and writes nothing. Another body is refused. "
        "After ten minutes the guard answers: False, tally 1."
    )


def _expect_mismatch(
    trial: Trial, like_once: Any, table: Any, user_id: str, at: int, other: str
) -> None:
    attempt = trial.attempt(like_once, table, POST, user_id, at, _TOKEN)
    if attempt.raised_name() != _MISMATCH:
        raise Refused(
            f"The token is that of an earlier call, the body is not: {other}. {attempt.text} "
            f"{ended(attempt)}; {found(trial).counted()}.",
            f"To DynamoDB this is the caller's mistake, {_MISMATCH}, and the caller must see the "
            "error. Did you send the token, and does the error go on to the caller?",
        )


def _expect_guard_to_outlive_the_token(trial: Trial, like_once: Any) -> None:
    table, token = new_post(trial), "tap-7c20-a91f-0003"
    trial.attempt(like_once, table, POST, USER, AT, token)
    trial.clock.advance(601)
    late = trial.attempt(like_once, table, POST, USER, AT, token)
    expect_count(
        trial,
        1,
        f"{late.text}, called twice, ten minutes and a second apart",
        "By then DynamoDB has forgotten the token. What in the data still knows of the first call?",
    )
    expect_answer(
        False,
        late,
        "Ten minutes later DynamoDB has forgotten the token, and the like is there",
        "Only what is stored can answer now: which condition, on which item?",
    )
