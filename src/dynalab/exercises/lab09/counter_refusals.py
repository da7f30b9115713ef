"""What a counter refuses: what is no int, what is no number, and what does not fit."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

from dynalab.exercises.failed_call import failures, goes_on
from dynalab.exercises.lab09.counters import (
    LEAST,
    MOST,
    POST,
    VIEWS,
    counter,
    expect,
    kind,
    power,
    put_counter,
)
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Attempt, Refused, Trial

_NO_INTS: tuple[Any, ...] = (1.0, 2.5, 1e30, True, "1", Decimal("1.5"))
_NO_NUMBERS: tuple[Any, ...] = ("5", {1, 2}, True, None)
# Stored (None: nothing), added, and whether that fits.
_SUMS: tuple[tuple[int | None, int, bool], ...] = (
    (MOST - 1, 1, True),
    (MOST, 1, False),
    (MOST - 1, 2, False),
    (LEAST + 1, -1, True),
    (LEAST, -1, False),
    (7, MOST, False),
    (-1, MOST, True),
    (MOST, -1, True),
    (None, MOST, True),
    (None, LEAST, True),
    (None, MOST + 1, False),
    (None, LEAST - 1, False),
)


def _expect_unchanged(
    trial: Trial, attempt: Attempt, stored: Any, situation: str, ask: str
) -> None:
    found = counter(trial)
    if found != stored or type(found) is not type(stored):
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt).partition(': ')[0]}, and views is "
            f"{found!r} now.",
            ask,
        )


def expect_ints_only(trial: Trial, increment: Any, table: Any) -> None:
    names = {float: "a float", bool: "a bool", str: "a text", Decimal: "a Decimal"}
    ask = (
        "This is the caller's mistake. Report it by TypeError, before you send anything. How do "
        "you test for an int and nothing else? For isinstance, True is one."
    )
    put_counter(table, 7)
    for by in _NO_INTS:
        attempt = trial.attempt(increment, table, POST, VIEWS, by)
        situation = f"`by` is {names[type(by)]}, {by!r}."
        _expect_unchanged(trial, attempt, Decimal(7), situation, ask)
        expect(attempt, "TypeError", situation, ask)


def expect_numbers_only(trial: Trial, increment: Any, table: Any) -> None:
    for stored in _NO_NUMBERS:
        item = {**POST, "body": "Hello", VIEWS: stored}
        table.put_item(Item=item)
        before = trial.items(TABLE)
        attempt = trial.attempt(increment, table, POST, VIEWS, 1)
        situation = f"views is {kind(stored)}, {stored!r}."
        if trial.items(TABLE) != before:
            raise Refused(
                f"{situation} After {attempt.text} it is {counter(trial)!r}.",
                "An attribute that is not a number is not a counter, and must stay as it is. What "
                "keeps your write from changing it?",
            )
        expect(
            attempt,
            "ValueError",
            situation,
            "If the stored attribute is not a number, raise ValueError; if the sum does not fit, "
            "raise OverflowError. The write was refused: which of the two does the stored item "
            "show?",
        )


def expect_bounds(trial: Trial, increment: Any, table: Any) -> None:
    for stored, by, fits in _SUMS:
        put_counter(table, stored)
        there = "not there" if stored is None else power(stored)
        situation = f"views is {there}."
        attempt = trial.attempt(increment, table, POST, VIEWS, by)
        total = (stored or 0) + by
        text = f"{situation} increment(…, by={power(by)})"
        if fits:
            if attempt.raised is not None or counter(trial) != total:
                raise Refused(
                    f"{text} {how_it_ended(attempt).partition(': ')[0]}; {power(total)} fits.",
                    "To which stored numbers may you add it? The bounds are -2**63 and 2**63 - 1, "
                    "both included.",
                )
            continue
        found = counter(trial)
        if found != stored and LEAST <= (found or 0) <= MOST:
            raise Refused(
                f"{text} {how_it_ended(attempt).partition(': ')[0]}, and views is {found} now.",
                "A refused call must change nothing. Between an addition and its reversal others "
                "read, and a process may die. What can refuse the addition itself?",
            )
        if found != stored:
            raise Refused(
                f"{text} stored {power(found)}, which no signed 64-bit integer holds.",
                "DynamoDB has 38 digits and no such bound. A missing attribute counts as 0, so "
                "`by` alone is the sum: what tests it?"
                if stored is None
                else "DynamoDB has 38 digits and no such bound. What must be true of the stored "
                "number, so that the sum fits? A condition can test it.",
            )
        if attempt.raised_name() != "OverflowError":
            raise Refused(
                f"{text} {how_it_ended(attempt).partition(': ')[0]}, and wrote nothing, which is "
                "right.",
                "The docstring promises OverflowError for this. If the write is refused, how do "
                "you tell a number that is too large from a value that is not a number?",
            )


def expect_other_errors_through(trial: Trial, increment: Any, table: Any) -> None:
    """Each request is refused in its turn, of an addition that fits and of two that do not."""
    ask = (
        "Which one of DynamoDB's refusals says what you told your caller? Every other error goes "
        "on as it is."
    )
    for stored, right in ((7, None), (MOST, "OverflowError"), ("many", "ValueError")):
        start = partial(put_counter, table, stored)
        for what, attempt in failures(trial, start, increment, table, POST, VIEWS, 1):
            whole = attempt.raised_name() == right and (right or counter(trial) == 8)
            other = goes_on(attempt) and attempt.raised_name() not in (
                "ValueError",
                "OverflowError",
            )
            if not other and not whole:
                raise Refused(
                    f"views is {power(stored) if stored == MOST else repr(stored)}. DynamoDB "
                    f"{what}, and {attempt.text} {how_it_ended(attempt)}.",
                    ask,
                )
    put_counter(table, 7)
    attempt = trial.attempt(increment, table, {"PK": POST["PK"]}, VIEWS, 1)
    if attempt.raised_name() in (None, "ValueError", "OverflowError"):
        raise Refused(
            "views is 7, a number. The key lacks its sort key, so DynamoDB answered "
            f"ValidationException, and {attempt.text} {how_it_ended(attempt)}.",
            ask,
        )
