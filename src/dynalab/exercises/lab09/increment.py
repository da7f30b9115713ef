"""Exercise 9.3: a counter of whole numbers, bounded, that starts at 0 and answers on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.given import given
from dynalab.exercises.lab09.albums import TABLE as ALBUMS
from dynalab.exercises.lab09.albums import bill_text, cost_remark, refuse_raised, was_refused
from dynalab.exercises.lab09.counter_refusals import (
    expect_bounds,
    expect_ints_only,
    expect_numbers_only,
    expect_other_errors_through,
)
from dynalab.exercises.lab09.counter_schedules import (
    hold_at_the_bound,
    hold_changed_type,
    hold_fresh,
    hold_other_attributes,
    hold_two_clients,
    lost_reply,
)
from dynalab.exercises.lab09.counters import POST, ROOM, VIEWS, counter, put_counter
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import how_it_ended, in_words
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial


def check_increment(increment: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_counter(table, None)
    charges = _expect_quiet(trial, increment, table)
    _expect_values(trial, increment, table)
    _expect_names(trial, increment, table)
    _expect_any_table(trial, increment)
    expect_ints_only(trial, increment, table)
    expect_numbers_only(trial, increment, table)
    expect_bounds(trial, increment, table)
    expect_other_errors_through(trial, increment, table)
    extent = hold_two_clients(trial, increment)
    edge = hold_at_the_bound(trial, increment)
    hold_changed_type(trial, increment)
    hold_other_attributes(trial, increment)
    hold_fresh(trial, increment)
    return Passed(
        f"Two clients, {extent}: no addition is lost, and no two calls returned the same value. "
        f"With room for 1 more below 2**63, {edge}: one counts, the other raises OverflowError. "
        f"An increment costs {bill_text(charges)}. {lost_reply(trial, increment)}".rstrip(),
        cost_remark(charges, "One UpdateItem can test, add and return the new value."),
    )


def _expect_quiet(trial: Trial, increment: Any, table: Any) -> list[Charge]:
    """The first one, of an item without the attribute; nothing is returned. Its charges."""
    situation = "The post has no views yet."
    with trial.bill() as charges:
        attempt = trial.attempt(increment, table, POST, VIEWS, 1)
    if counter(trial) is None:
        _refuse_refused(attempt, charges, situation)
    refuse_raised(attempt, situation)
    _expect_stored(trial, attempt, 1, situation)
    if attempt.returned is not None:
        raise Refused(
            f"{attempt.text} returned {attempt.returned!r}.",
            "The value is returned only if the caller asks for it: what is the parameter "
            "`returning` here?",
        )
    return charges


def _refuse_refused(attempt: Attempt, charges: Sequence[Charge], situation: str) -> None:
    """Refused where a condition kept out what counts as 0, whatever the call made of it."""
    if was_refused(charges):
        raise Refused(
            f"{situation} The condition of the update did not hold, so nothing was written, and "
            f"{attempt.text} {how_it_ended(attempt).partition(': ')[0]}.",
            "A missing attribute counts as 0, and so does a missing item: does your condition let "
            "it pass?",
        )


def _expect_stored(trial: Trial, attempt: Attempt, wanted: int, situation: str) -> None:
    stored = counter(trial)
    if stored != wanted:
        raise Refused(
            f"{situation} After {attempt.text} the item is "
            f"{in_words(trial.item(TABLE, **POST))}; views should be {wanted}.",
            "Does your update add to the named attribute, and does it add `by`?",
        )
    if "body" not in (trial.item(TABLE, **POST) or {}):
        raise Refused(
            f"{situation} After {attempt.text} the post's body is gone.",
            "Which operation changes one attribute and leaves the others as they are?",
        )


def _expect_values(trial: Trial, increment: Any, table: Any) -> None:
    now = 1
    for by in (5, -10, 2**53 + 2, 0):
        attempt = trial.attempt(increment, table, POST, VIEWS, by, returning=True)
        situation = f"views was {now}."
        refuse_raised(
            attempt,
            situation,
            f"The sum is {now + by}, and it fits into a signed 64-bit integer. Which of your "
            "tests refuses it?",
        )
        _expect_stored(trial, attempt, now + by, situation)
        value = attempt.returned
        text = f"{situation} {attempt.text} {how_it_ended(attempt)}, and views is {now + by}"
        if value is None:
            raise Refused(
                f"{text}.",
                "UpdateItem's reply holds no attributes unless you ask. "
                "Which of its parameters asks for them?",
            )
        if value == now and by:
            raise Refused(
                f"{text}: that is the old value.",
                "UpdateItem can return the old value or the new one. Which did you ask for?",
            )
        if value != now + by or isinstance(value, bool):
            raise Refused(f"{text}.", "Which part of the reply is the number?")
        if type(value) is not int:
            raise Refused(
                f"{text}. That is not an int: boto3 reads every Number as a Decimal.",
                "How do you convert it to an int?",
            )
        now += by


def _expect_names(trial: Trial, increment: Any, table: Any) -> None:
    """An item that is not there, and a name that is a path without a placeholder."""
    with trial.bill() as charges:
        attempt = trial.attempt(increment, table, ROOM, "messages", 1, returning=True)
    situation = "There is no item ROOM#lobby META yet."
    if trial.item(TABLE, **ROOM) is None:
        _refuse_refused(attempt, charges, situation)
    refuse_raised(attempt, situation)
    stored = counter(trial, "messages", **ROOM)
    if stored != 1 or attempt.returned != 1:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)}, and messages is {stored}.",
            "What is missing counts as 0, and the update creates it. What in your code prevents "
            "that?",
        )
    attempt = trial.attempt(increment, table, ROOM, "views.2026-11", 1)
    if attempt.raised is not None or counter(trial, "views.2026-11", **ROOM) != 1:
        raise Refused(
            f"The attribute is called views.2026-11. {attempt.text} "
            f"{how_it_ended(attempt).partition(': ')[0]}, and the item is "
            f"{in_words(trial.item(TABLE, **ROOM))}.",
            "In an expression a dot is a step into a map. What can you write in place of any name?",
        )


def _expect_any_table(trial: Trial, increment: Any) -> None:
    """A table with another key."""
    albums, key = trial.table(ALBUMS), {"PK": "USER#7c20"}
    given(albums, {**key, "photos": {}, "photoCount": 41})
    attempt = trial.attempt(increment, albums, key, "photoCount", 1, returning=True)
    stored = (trial.item(ALBUMS, **key) or {}).get("photoCount")
    if stored != 42 or attempt.returned != 42:
        raise Refused(
            "`table` is Albums, which has a partition key and no sort key. "
            f"{attempt.text} {how_it_ended(attempt)}, and photoCount went from 41 to {stored}.",
            "Table and key come with the call: what does your function assume about them?",
        )
