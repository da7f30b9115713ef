"""Exercise 11.4, open_message: the body of a header, also where a replica has not got it yet."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.failed_call import failures
from dynalab.exercises.given import given
from dynalab.exercises.lab11.mail import AT, BODIES, MARA, body_key, header_of
from dynalab.exercises.words import in_read_units
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Refused, Trial

_TEXT = "Meet me at nine."
_LARGE = 262_144


def check_open_message(open_message: Any, trial: Trial) -> Passed:
    bodies = trial.table(BODIES)
    header = header_of(MARA, "m0001", AT)
    given(bodies, {**body_key("m0001"), "body": "x" * _LARGE})
    given(bodies, {**body_key("m0002"), "body": _TEXT})
    with trial.bill() as charges:
        body = trial.call(open_message, bodies, header)
    with trial.bill() as least:
        bodies.get_item(Key=body_key("m0001"))
    if not isinstance(body, str) or len(body) != _LARGE:
        raise Refused(
            f"The body of m0001 is a text of {_LARGE:,} characters; open_message returned "
            f"{_shown(body)}.",
            "The body's item has the key MESSAGE#m0001 / BODY: which of its attributes is the "
            "text?",
        )
    other = trial.call(open_message, bodies, header_of(MARA, "m0002", AT))
    if other != _TEXT:
        raise Refused(
            f"The body of m0002 is {_TEXT!r}; open_message returned {_shown(other)}.",
            "Which part of the header says whose body it is?",
        )
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"A Scan read {scans[0].evaluated} items to find one.",
            "You know the whole key. Which request reads one item by its key?",
        )
    _expect_none(trial, open_message, bodies)
    _expect_empty(trial, open_message, bodies)
    _expect_errors_go_on(trial, open_message, bodies)
    _hold_stale(trial, open_message)
    units = read_units(charges)
    remark = ""
    if units > least[0].read_units:
        remark = (
            f"{in_read_units(units)}, but {least[0].read_units:g} are nearly always enough: a body "
            "never changes, so an eventually consistent read that finds it is right. Only if it "
            "finds nothing, read again, strongly consistent."
        )
    return Passed(
        f"A body of 256 KB costs {in_read_units(units)}, and is found also directly after it was "
        "stored.",
        remark,
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{type(value).__name__} {text[:40]}…"


def _expect_none(trial: Trial, open_message: Any, bodies: Any) -> None:
    attempt = trial.attempt(open_message, bodies, header_of(MARA, "m0404", AT))
    if attempt.raised is not None or attempt.returned is not None:
        ended = (
            f"returned {_shown(attempt.returned)}"
            if attempt.raised is None
            else f"raised {type(attempt.raised).__name__}"
        )
        raise Refused(
            "The body of m0404 was deleted, but its header was still on somebody's screen. "
            f"open_message {ended}.",
            "None says that there is no such body. How does a reply of GetItem say so?",
        )


def _expect_empty(trial: Trial, open_message: Any, bodies: Any) -> None:
    given(bodies, {**body_key("m0003"), "body": ""})
    returned = trial.call(open_message, bodies, header_of(MARA, "m0003", AT))
    if returned != "":
        raise Refused(
            "The body of m0003 exists and is the empty text; open_message returned "
            f"{_shown(returned)}.",
            "None says that there is no body. How do you tell a missing item from an empty text?",
        )


def _expect_errors_go_on(trial: Trial, open_message: Any, bodies: Any) -> None:
    header = header_of(MARA, "m0002", AT)
    for what, attempt in failures(trial, lambda: None, open_message, bodies, header):
        if attempt.raised is None and attempt.returned != _TEXT:
            raise Refused(
                f"DynamoDB {what}. open_message returned {_shown(attempt.returned)}, but the body "
                "is there.",
                "None says that there is no body. Does an error say so?",
            )


def _hold_stale(trial: Trial, open_message: Any) -> None:
    """The list shows a header whose body was stored a moment ago."""
    bodies = trial.table(BODIES)
    header = header_of(MARA, "m0001", AT)

    def store_and_open() -> Any:
        bodies.put_item(Item={**body_key("m0001"), "body": _TEXT})
        return open_message(bodies, header)

    def opened(outcome: Outcome) -> str | None:
        for error in outcome.raised.values():
            return f"open_message raised {type(error).__name__}."
        body = outcome.returned.get("A")
        return None if body == _TEXT else f"The body is stored, but open_message returned {body!r}."

    trial.hold(
        trial.explore({"A": store_and_open}, opened, stale=True),
        "A body was stored a moment ago, and an eventually consistent read may still miss it",
        "The header is there, so the body is. Which read sees a write that was acknowledged?",
    )
