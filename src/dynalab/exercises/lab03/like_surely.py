"""Exercise 3.3: a like that tries again, in bounds, and is one request to DynamoDB all the same."""

from __future__ import annotations

from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.lab03.guarded_like import (
    AT,
    NO_POST,
    POST,
    USER,
    ended,
    expect_first,
    expect_guarded,
    expect_key,
    expect_no_such_post,
    found,
    new_post,
    unlike,
)
from dynalab.exercises.lab03.retry_bounds import expect_backoff, expect_bounds
from dynalab.exercises.lab03.retry_schedules import hold_against_others, hold_alone
from dynalab.exercises.lab03.taps import ATTEMPTS, Case, Trouble, conflicts, impatient
from dynalab.exercises.social import TABLE
from dynalab.trial import NotAttempted, Refused, Trial

_MISMATCH = "IdempotentParameterMismatchException"


def check_like_surely(like_surely: Any, trial: Trial) -> Passed:
    case = Case(like_surely, trial, impatient(new_post(trial)))
    expect_first(trial, trial.attempt(like_surely, case.table, POST, USER, AT))
    try:
        _expect_answers_to_end_it(case)
        _expect_intents_apart(case)
        _expect_trouble_outlived(case)
        expect_bounds(case)
        pauses = expect_backoff(case)
        alone = hold_alone(case)
        likers, against = hold_against_others(case)
    except NotAttempted:
        raise Refused(
            "like_surely works as long as there is no trouble. Then something in it raised "
            "NotImplementedError.",
            "It uses another function of this lab: have you written that one and run its cell?",
        ) from None
    return Passed(
        f"With requests and replies lost, and requests late. Alone: {alone}. Beside a second "
        f"device that likes: {likers}. Beside one that unlikes: {against}. One like, tally 1. The "
        f"longest pauses: {', '.join(f'{seconds:.3f}' for seconds in pauses)} seconds."
    )


def _expect_answers_to_end_it(case: Case) -> None:
    """A second tap, and a like of no post: both are answered at the first attempt."""
    again = case.tap(at=AT + 10, seed=2)
    if again.attempt.raised_name() == _MISMATCH:
        raise Refused(
            "A second tap, ten seconds later, was taken for an attempt of the first: it raised "
            f"{_MISMATCH}.",
            "Each call is an intent of its own. When do you draw its token?",
        )
    expect_guarded(case.trial, again.attempt)
    expect_key(case.trial)
    nowhere = case.tap(post=NO_POST, at=AT + 20, seed=3)
    expect_no_such_post(case.trial, nowhere.attempt)
    for tap, what in ((again, "the like was there already"), (nowhere, "there is no post")):
        if tap.sent > 1 or tap.pauses:
            raise Refused(
                f"DynamoDB answered that {what}. like_surely sent {tap.sent} requests and paused "
                f"{len(tap.pauses)} times.",
                "Another attempt gets the same answer. Which answers end the loop?",
            )


def _expect_intents_apart(case: Case) -> None:
    """Like, unlike, like, all in one second: the second like is no attempt of the first."""
    case.fresh()
    case.tap(seed=4)
    unlike(case.trial.dynamodb.Table(TABLE))
    second = case.tap(seed=5).attempt
    post = found(case.trial)
    if second.returned is not True or not post.likers:
        raise Refused(
            "A user liked, took it back and liked again, all within one second. The second like "
            f"{ended(second)}; now: {post.counted()}.",
            "If the token is the same, DynamoDB takes a request for a repetition. Do two taps "
            "have two tokens here, whatever their arguments are?",
        )


def _expect_trouble_outlived(case: Case) -> None:
    troubles: tuple[tuple[str, int, Trouble], ...] = (
        ("The first attempt met a conflict", 1, conflicts(1)),
        ("The first attempt timed out, because its request was lost", 1, faults.lost_request),
        ("Three attempts met a conflict", 3, conflicts(3)),
    )
    for situation, failing, trouble in troubles:
        case.fresh()
        tap = case.tap(trouble)
        if tap.sent == 0:
            raise Refused(
                f"{tap.attempt.text} {ended(tap.attempt)}, and it sent no transaction through the "
                "table that it was given.",
                "Which client belongs to the table? The caller may have chosen other settings for "
                "it.",
            )
        if tap.attempt.returned is not True or not found(case.trial).likers:
            raise Refused(
                f"{situation}, and the next would have succeeded. With attempts={ATTEMPTS}, "
                f"like_surely sent {tap.sent} and {ended(tap.attempt)}; "
                f"{found(case.trial).counted()}.",
                "Which of the four answers of classify is this, and what does the loop do then?",
            )
        if len(tap.pauses) < failing:
            raise Refused(
                f"{situation}. like_surely sent {tap.sent} requests with {len(tap.pauses)} calls "
                "of `sleep` in between.",
                "The other request needs a moment to end. Pause with the `sleep` that the call "
                "gives you.",
            )
