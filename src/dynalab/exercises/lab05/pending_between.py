"""Exercise 5.4: the games that are pending since an instant of a half-open interval."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab05.game_lists import (
    evaluated,
    expect_newest_first,
    ids_of,
    refuse_scan,
    refuse_strangers,
    refuse_waste,
)
from dynalab.exercises.lab05.games import (
    GAMES,
    INES,
    LARGE_PENDING,
    MARA,
    NINE,
    iso,
    minutes,
    put_game,
    put_many_games,
)
from dynalab.exercises.words import in_read_units
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

_EAST, _WEST = timezone(timedelta(hours=2)), timezone(-timedelta(hours=3))
_MILLISECOND = timedelta(milliseconds=1)
_IN, _LATER_IN = (minutes(8) + timedelta(microseconds=late) for late in (200, 700))


def check_pending_between(pending_between: Any, trial: Trial) -> Passed:
    table = trial.table(GAMES)
    games = put_many_games(table)
    put_game(table, "GAME#edge", MARA, "PENDING", minutes(20) - _MILLISECOND)
    games = sorted([*games, ("GAME#edge", minutes(20) - _MILLISECOND)], key=_time, reverse=True)
    bills = []
    for start, end in (
        (minutes(4), minutes(20)),
        (minutes(3), minutes(21)),
        (minutes(4).astimezone(_EAST), minutes(20).astimezone(_WEST)),
        (minutes(16), minutes(16) + _MILLISECOND),
        (NINE - timedelta(days=9), NINE),
        (NINE - timedelta(days=9), NINE + timedelta(days=9)),
    ):
        bills.append(_expect_between(trial, pending_between, table, games, start, end))
    for at in (minutes(8), minutes(9)):
        _expect_empty(trial, pending_between, table, at)
    for start, end in (
        (minutes(20), minutes(4)),
        (minutes(20).astimezone(_WEST), minutes(4).astimezone(_EAST)),
        (NINE, NINE - _MILLISECOND),
    ):
        _expect_reversed(trial, pending_between, table, start, end)
    for start, end in ((_IN, _LATER_IN), (_IN, _IN), (_LATER_IN, _IN)):
        _expect_empty_millisecond(trial, pending_between, table, start, end)
    _expect_zone(trial, pending_between, table)
    _expect_large_interval(trial, pending_between, table)
    read, returned, cost = bills[0]
    return Passed(
        f"The start is included, the end is not, in any zone. {read} games read, {returned} "
        f"returned, {in_read_units(cost)}, of {len(games)} pending games and "
        f"{len(trial.items(GAMES))} in all."
    )


def _time(game: tuple[str, datetime]) -> datetime:
    return game[1]


def _expect_between(
    trial: Trial,
    pending_between: Any,
    table: Any,
    games: Sequence[tuple[str, datetime]],
    start: datetime,
    end: datetime,
) -> tuple[int, int, float]:
    """Games read, games returned, read units."""
    call = f"pending_between(table, {MARA!r}, {start.isoformat()}, {end.isoformat()})"
    with trial.bill() as charges:
        attempt = trial.attempt(pending_between, table, MARA, start, end)
    if isinstance(attempt.raised, ValueError):
        raise Refused(
            f"{call} raised ValueError. In UTC that is from {iso(start)} to {iso(end)}.",
            "The texts do not say which instant is earlier. What do you compare?",
        )
    if attempt.raised is not None:
        raise Refused(f"{call} raised {told(attempt.raised)}", advice(attempt.raised))
    found = attempt.returned
    refuse_scan(charges)
    ids = ids_of(call, found)
    refuse_strangers(call, ids, MARA, trial.items(GAMES))
    wanted = [game_id for game_id, when in games if start <= when < end]
    times = dict(games)
    for game_id in [*ids, *wanted]:
        if (game_id in ids) == (game_id in wanted):
            continue
        when = times[game_id]
        raise Refused(
            f"{call} is asked for the games from {iso(start)} on and before {iso(end)}. The one "
            f"that is pending since {iso(when)} is {'' if game_id in ids else 'not '}in the list.",
            _boundary_question(when, start, end),
        )
    expect_newest_first(call, ids, wanted)
    refuse_waste(call, ids, charges, extra=1)
    return evaluated(charges), len(ids), read_units(charges)


def _boundary_question(when: datetime, start: datetime, end: datetime) -> str:
    if when == end:
        return (
            "The end is the first instant outside the interval, but BETWEEN includes both of its "
            "bounds. Which key is the last one that you want?"
        )
    if when == start:
        return "The start is included. Which comparison includes its bound?"
    if end - timedelta(seconds=1) <= when < end:
        return "This game is one millisecond before the end. What is the last key before the end?"
    return "Which keys are the bounds, and which games are between them?"


def _expect_empty(trial: Trial, pending_between: Any, table: Any, at: datetime) -> None:
    attempt = trial.attempt(pending_between, table, MARA, at, at)
    if attempt.raised is not None:
        raise Refused(
            f"start and end are the same instant, so the interval is empty. {attempt.text} raised "
            f"{attempt.raised_name()}.",
            "DynamoDB refuses a range whose bounds are reversed. In which case do you need no "
            "request?",
        )
    if ids := ids_of(attempt.text, attempt.returned):
        raise Refused(
            f"start and end are the same instant, and {attempt.text} returned {', '.join(ids)}.",
            "Can an instant be both at or after the start and before the end?",
        )


def _expect_empty_millisecond(
    trial: Trial, pending_between: Any, table: Any, start: datetime, end: datetime
) -> None:
    attempt = trial.attempt(pending_between, table, MARA, start, end)
    if attempt.raised is None and attempt.returned == []:
        return
    if end < start and isinstance(attempt.raised, ValueError):
        return  # the end is before the start, if only by a part of a millisecond
    came = attempt.raised_name()
    raise Refused(
        f"start and end are in the same millisecond, {iso(start)}. {attempt.text} "
        + (f"raised {came}." if came else f"returned {attempt.returned!r}."),
        "Instants are exact to the millisecond, so these two are the same, with nothing in "
        "between. What do you compare, the datetimes or their keys?",
    )


def _expect_reversed(
    trial: Trial, pending_between: Any, table: Any, start: datetime, end: datetime
) -> None:
    attempt = trial.attempt(pending_between, table, MARA, start, end)
    if isinstance(attempt.raised, ValueError):
        return
    came = attempt.raised_name()
    raise Refused(
        f"In UTC the start is {iso(start)} and the end {iso(end)}. {attempt.text} "
        + (f"raised {came}." if came else f"returned {attempt.returned!r}."),
        "The caller has made a mistake. The docstring says how to report it, before DynamoDB does."
        if came
        else "An empty list looks like an answer. How does the caller learn of the mistake?",
    )


def _expect_zone(trial: Trial, pending_between: Any, table: Any) -> None:
    start, end = (each.replace(tzinfo=None) for each in (minutes(4), minutes(20)))
    attempt = trial.attempt(pending_between, table, MARA, start, end)
    if not isinstance(attempt.raised, ValueError):
        came = attempt.raised_name()
        raise Refused(
            f"start and end have no zone. {attempt.text} "
            + (f"raised {came}." if came else "accepted them."),
            "Which function of yours turns an instant into a key, and already refuses these?",
        )


def _expect_large_interval(trial: Trial, pending_between: Any, table: Any) -> None:
    call = f"pending_between(table, {INES!r}, …)"
    found = trial.call(pending_between, table, INES, minutes(0), minutes(5))
    ids = ids_of(call, found)
    if len(ids) < len(LARGE_PENDING):
        raise Refused(
            f"An interval holds 5 pending games of 300 KB, more than 1 MB in all; {call} returned "
            f"{len(ids)}.",
            "That is the first page. What does its reply say about the rest?",
        )
    expect_newest_first(call, ids, LARGE_PENDING)
