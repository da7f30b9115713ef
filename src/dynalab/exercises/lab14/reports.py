"""A report as the exercises of lab 14 return it: rows, each told by its post's id; reads only."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import GeneratorType
from typing import Any

from dynalab import faults
from dynalab.exercises.lab14.audited_posts import Row
from dynalab.exercises.words import how_it_ended
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial


def called(trial: Trial, audit: Any, table: Any, post_ids: Sequence[str]) -> Any:
    """What an audit returns; Refused where it raises, and where SQLite refuses its statement."""
    attempt = trial.attempt(audit, table, post_ids)
    error = attempt.raised
    if isinstance(error, sqlite3.Error):
        ask = (
            "SQLite takes int, float, str, bytes and None. To which type did you convert boto3's "
            "Decimal?"
            if "not supported" in str(error)
            else "This is SQLite's message about your statement. Are its names those of your "
            "tables and columns?"
        )
        raise Refused(f"{attempt.text} raised {type(error).__name__}: {error}.", ask)
    if error is not None:
        raise Refused(f"{attempt.text} raised {told(error)}", advice(error))
    return attempt.returned


def rows_of(name: str, returned: Any, shape: str) -> dict[str, Row]:
    """The rows by post id; Refused where they are no such rows, or two tell of one post.

    shape: the columns as the docstring names them: "post_id, stored, rev, counted".
    """
    width = shape.count(",") + 1
    if not isinstance(returned, list):
        raise Refused(
            f"{name} returned {what(returned)}.", f"It returns a list of tuples ({shape})."
        )
    rows: dict[str, Row] = {}
    for row in returned:
        if not isinstance(row, tuple) or len(row) != width:
            raise Refused(f"{name} reports {_short(row)}.", f"A row is a tuple ({shape}).")
        if row[0] in rows:
            raise Refused(
                f"{name} reports {row[0]} twice: {_short(rows[row[0]])} and {_short(row)}.",
                "Each post has one row. What does your join multiply?",
            )
        rows[row[0]] = row
    return rows


def refuse_a_raise(attempt: Attempt, situation: str, ask: str) -> None:
    if attempt.raised is not None:
        raise Refused(f"{situation} {attempt.text} raised {told(attempt.raised)}", ask)


def expect_errors_through(trial: Trial, audit: Any, table: Any, post_ids: Sequence[str]) -> None:
    """An audit that could not look does not say that all is well."""
    with faults.throttle(table, times=None) as fault:
        attempt = trial.attempt(audit, table, post_ids)
    if attempt.raised is not None or not fault.hits:  # a client of the function's own met none
        return
    raise Refused(
        "DynamoDB answered every request with ThrottlingException. "
        f"{attempt.text} {how_it_ended(attempt)}.",
        "An audit that could not read does not know that everything is right. Which errors does "
        "your `except` catch?",
    )


def refuse_strangers(name: str, rows: Mapping[str, Row], post_ids: Sequence[str]) -> None:
    if strangers := set(rows) - set(post_ids):
        raise Refused(
            f"{name} reports {', '.join(sorted(map(str, strangers)))}, which are not in post_ids.",
            "The report is only about some posts: which are in post_ids?",
        )


def refuse_writes_and_scans(name: str, charges: Sequence[Charge]) -> None:
    writes = [charge.operation for charge in charges if charge.write_units]
    if writes:
        raise Refused(
            f"{name} sent {writes[0]}.",
            "An audit only reads. Who decides what to do about its report?",
        )
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        items = sum(charge.evaluated for charge in scans)
        raise Refused(
            f"A Scan read {items} items, those of every post and every user. SQL then drops most "
            "of them, but you have paid for them.",
            "The posts are given. Which requests read these item collections, and no others?",
        )


def refuse_no_int(name: str, row: Row, *columns: Any) -> None:
    """Numbers that came through the database as text or as floats, or past it as Decimals."""
    for value in columns:
        if isinstance(value, str):
            raise Refused(
                f"{name} reports {_short(row)}: {value!r} is a text.",
                "A number that was loaded as text compares as text: 10 comes before 9, and no "
                "text equals a number. To which type did you convert boto3's Decimal?",
            )
        if isinstance(value, Decimal):
            raise Refused(
                f"{name} reports {_short(row)}: {value!r} is a Decimal.",
                "That is how boto3 returns a number. A report has ints: how do you convert it to "
                "one?",
            )
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(
                f"{name} reports {_short(row)}: {value!r} is not an int.",
                "boto3 does not accept a float, and a repair passes these numbers back to it. To "
                "which type did you convert boto3's Decimal?",
            )


def what(returned: Any) -> str:
    """What a function returned in place of a list."""
    if isinstance(returned, GeneratorType):
        return "a generator: its code does not run before somebody asks for its rows"
    return f"{_short(returned)}, which is not a list"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
