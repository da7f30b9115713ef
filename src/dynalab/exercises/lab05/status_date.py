"""Exercise 5.2: keys whose order as text is the order of instants."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.lab05.games import NINE, status_date
from dynalab.telling import told
from dynalab.trial import Attempt, Refused, Trial

_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EAST, _WEST = timezone(timedelta(hours=2)), timezone(-timedelta(hours=5, minutes=30))

# The order tells the usual mistakes apart: each instant is the first that one of them gets wrong.
_INSTANTS = (
    NINE,
    NINE.replace(microsecond=17_000),
    NINE.replace(microsecond=5_000),
    NINE.replace(microsecond=991_999),
    NINE.replace(microsecond=999_999),
    datetime(2026, 11, 30, 11, 0, 0, 250_000, tzinfo=_EAST),
    datetime(2026, 11, 30, 22, 15, 30, 1_000, tzinfo=_WEST),
    datetime(987, 6, 5, 4, 3, 2, tzinfo=UTC),
)
_DRAWN = 120
_DATED = re.compile(r"\d+-\d\d-\d\dT\d\d:\d\d")


def check_status_date(answer: Any, trial: Trial) -> Passed:
    for when in _INSTANTS:
        _expect_key(trial, answer, "PENDING", when)
    _expect_key(trial, answer, "ACTIVE", NINE)
    _expect_value_error(
        trial.attempt(answer, "PENDING", NINE.replace(tzinfo=None)),
        "That is a datetime without a zone: nobody knows which instant it is, and Python takes it "
        "for this machine's local time. How do you recognise one, and what do you do with it?",
    )
    _expect_value_error(
        trial.attempt(answer, "IN#PROGRESS", NINE),
        "A program that splits this key at its # gets three parts. Where is the last place to "
        "notice a # in the status?",
    )
    compared = _expect_order(trial, answer)
    return Passed(
        f"{compared:,} instants in {len(_zones())} zones, from a microsecond to centuries apart: "
        "as texts the keys are in the order of the instants, to the millisecond. No zone, or a # "
        "in the status: ValueError."
    )


def _expect_key(trial: Trial, answer: Any, status: str, when: datetime) -> None:
    attempt = trial.attempt(answer, status, when)
    if isinstance(attempt.raised, ValueError):
        raise Refused(
            f"status_date({status!r}, {when.isoformat()}) raised ValueError.",
            "That instant has a zone, and the status has no #. What else do you refuse?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"status_date({status!r}, {when.isoformat()}) raised {told(attempt.raised)}",
            "Run it in a cell of its own: at which line does it stop?",
        )
    key, wanted = attempt.returned, status_date(status, when)
    if key != wanted:
        raise Refused(
            f"status_date({status!r}, {when.isoformat()}) returned {key!r}; the key is {wanted!r}.",
            _question(key, wanted, when),
        )


def _question(key: Any, wanted: str, when: datetime) -> str:
    if not isinstance(key, str):
        return "A key of the index is a text."
    status, _, time = key.partition("#")
    date, fraction = wanted.partition("#")[2][:19], wanted[-5:]
    if "#" not in key or status != wanted.partition("#")[0]:
        return "Status, then #, then the time. Which part is different in yours?"
    if not _DATED.match(time):
        return "A year, month, day, then a T and the time of day: how does the docstring write it?"
    if time.endswith("+00:00"):
        return "The letter Z says UTC in one character. What does isoformat write in its place?"
    if "+" in time or time[10:].count("-"):
        return (
            "The zone is part of that text, so it is sorted by local time. Which zone does Z mean?"
        )
    if when.year < 1000 and not time.startswith(f"{when.year:04}"):
        return "How many digits does that year have, and which key sorts first then?"
    if time[:19] == date:
        return _fraction_question(time, fraction)
    if time[:10] != date[:10] or time[11:13] != date[11:13]:
        return "You can compare two times only in one zone. What is that instant in UTC?"
    return "Compare them digit by digit: at which place does your key become another instant?"


def _fraction_question(time: str, fraction: str) -> str:
    digits = time[19:].removesuffix("Z")
    if not time.endswith("Z"):
        return "What in the key says that this is UTC?"
    if not digits:
        return (
            "A point sorts before a Z, so 09:00:00.017Z comes before 09:00:00Z. How long must "
            "every key be, whatever the fraction is?"
        )
    if len(digits) != len(fraction) - 1:
        return (
            "Keys of different lengths are compared digit by digit from the left. How many digits "
            "must the milliseconds always have here?"
        )
    return (
        "Cut the milliseconds off, do not round them. A float cannot hold every one of them "
        "exactly, and int() cuts towards 1970. Which digits of the microseconds are the "
        "milliseconds?"
    )


def _expect_value_error(attempt: Attempt, ask: str) -> None:
    if isinstance(attempt.raised, ValueError):
        return
    if attempt.raised is not None:
        raise Refused(
            f"{attempt.text} raised {attempt.raised_name()}.",
            "The docstring says from which exception the caller learns of it.",
        )
    raise Refused(f"{attempt.text} returned {attempt.returned!r}.", ask)


# --- the property ---------------------------------------------------------------------------------


def _zones() -> list[timezone]:
    return [timezone(timedelta(minutes=each)) for each in (0, 120, -330, 345, -720, 840)]


def _drawn() -> list[datetime]:
    """Instants of two centuries and their neighbours, and a few of other millennia."""
    generator = random.Random(5)
    zones = _zones()
    instants = []
    for _ in range(_DRAWN):
        # So near to 1970 that a float of seconds holds each microsecond.
        seconds = generator.randrange(-(2**31), 2**32)
        micros = generator.choice((0, 1_000, 999_000, generator.randrange(1_000_000)))
        first = _EPOCH + timedelta(seconds=seconds, microseconds=micros)
        step = generator.choice((1, 500, 1_000, 10_000, 999_000, 3_600_000_000))
        instants += [first, first + timedelta(microseconds=step)]
    for year in (7, 99, 480, 999, 1000, 4321, 9990):
        instants.append(datetime(year, 5, 6, 7, 8, 9, 10_500, tzinfo=UTC))
    return [when.astimezone(generator.choice(zones)) for when in instants]


def _expect_order(trial: Trial, answer: Any) -> int:
    keys = [(when, trial.call(answer, "PENDING", when)) for when in sorted(_drawn())]
    for (first, key), (second, other) in pairwise(keys):
        same = (first - _EPOCH) // _MILLISECOND == (second - _EPOCH) // _MILLISECOND
        if key == other if same else key < other:
            continue
        exact = (
            (one, status_date("PENDING", at), at) for at, one in ((first, key), (second, other))
        )
        wrong = [each for each in exact if each[0] != each[1]]
        raise Refused(
            f"{first.astimezone(UTC).isoformat()} is before {second.astimezone(UTC).isoformat()}, "
            + ("in the same millisecond" if same else "by a millisecond or more")
            + f". Their keys are {key!r} and {other!r}, which are "
            + ("two" if same else "equal" if key == other else "the other way round")
            + ".",
            _question(*wrong[0])
            if wrong
            else "DynamoDB compares texts byte by byte. At which one does it go wrong?",
        )
    return len(keys)
