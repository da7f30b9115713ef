"""Exercise 3.1: a like that a second request, or a second device, counts once."""

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
    expect_answer,
    expect_conflict_apart,
    expect_count,
    expect_first,
    expect_guarded,
    expect_key,
    expect_no_such_post,
    expect_post_to_win,
    found_in,
    new_post,
)
from dynalab.exercises.lab03.two_devices import hold_two_devices, one_like
from dynalab.exercises.social import delete_post
from dynalab.exercises.words import in_read_units, in_words, in_write_units
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def check_like(like: Any, trial: Trial) -> Passed:
    table = new_post(trial)
    sent: list[Any] = []

    def note(call: Call, fault: Fault) -> None:
        sent.append(call.body.get("TransactItems"))

    with trial.bill() as charges, opened(client_of(table), note):
        first = trial.attempt(like, table, POST, USER, AT)
    expect_first(trial, first)
    expect_guarded(trial, trial.attempt(like, table, POST, USER, AT + 10))
    expect_key(trial)
    other = trial.attempt(like, table, POST, OTHER, AT + 20)
    expect_count(trial, 2, f"{other.text}, a second user's like", "Whose like does it write?")
    expect_answer(True, other, "A second user's like is new", "Whose like does it look at?")
    expect_no_such_post(trial, trial.attempt(like, table, NO_POST, USER, AT))
    expect_conflict_apart(trial, table, lambda user: trial.attempt(like, table, POST, user, AT))
    table = new_post(trial)
    clients = {
        "A": lambda: like(table, POST, USER, AT),
        "B": lambda: like(table, POST, USER, AT + 10),
    }
    extent = hold_two_devices(trial, trial.explore(clients, one_like, crash=True))
    expect_post_to_win(
        trial, table, lambda: trial.attempt(like, table, DELETED_POST, USER, AT + 30)
    )
    _hold_deleted_post(trial, like)
    reads, writes = read_units(charges), write_units(charges)
    return Passed(
        f"Two devices, deaths included, {extent}: one True, one like item, tally 1. A like costs "
        f"{in_write_units(writes)}.",
        _remark(reads, sent),
    )


def _hold_deleted_post(trial: Trial, like: Any) -> None:
    """While A likes the post, B deletes it."""
    table = new_post(trial)

    def no_ghost(outcome: Outcome) -> str | None:
        post = found_in(outcome)
        return f"The deleted post is back: {in_words(post.meta)}." if post.is_ghost else None

    clients = {
        "A": lambda: like(table, POST, USER, AT),
        "B": lambda: delete_post(table, POST),
    }
    trial.hold(
        trial.explore(clients, no_ghost),
        "The post is deleted while A likes it",
        "You looked for the post first, and wrote afterwards. "
        "What is tested in the same step as the write?",
    )


def _remark(reads: float, sent: list[Any]) -> str:
    if reads:
        return (
            f"looking first costs {in_read_units(reads)} for every like, and decides nothing: the "
            "condition decides."
        )
    if any(items and "Update" in items[0] for items in sent):
        return (
            "your transaction names META first. From 3.2 on the like must come first, so its "
            "reason comes first too."
        )
    return ""
