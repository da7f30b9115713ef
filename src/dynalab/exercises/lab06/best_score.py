"""Exercise 6.5: a friend's score that only rises, whoever writes at the same time."""

from __future__ import annotations

from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab06.best_score_schedules import hold_two_scores, hold_unfriended
from dynalab.exercises.lab06.friend_scores import KEY, TABLE, put_friends
from dynalab.exercises.words import (
    extent_of,
    how_it_ended,
    in_read_units,
    in_words,
    in_write_units,
    operations,
)
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial


def check_set_score(set_score: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_friends(table, "alice", {"bob": None, "chuck": 20})
    put_friends(table, "bob", {"alice": 20})
    first = _expect_raised(trial, set_score, table, 30)
    better = _expect_raised(trial, set_score, table, 50)
    refused = _expect_kept(trial, set_score, table, 40)
    _expect_kept(trial, set_score, table, 50)
    _expect_zero_is_a_score(trial, set_score)
    _expect_no_ghost(trial, set_score, table)
    _expect_ints_only(trial, set_score)
    _expect_other_errors_through(trial, set_score)
    extent = extent_of(hold_two_scores(trial, set_score))
    hold_unfriended(trial, set_score)
    told = (
        f" A refused write costs {_writes(refused):g}: the meter knows it, DynamoDB's reply does "
        "not say so."
        if _writes(refused)
        else ""
    )
    return Passed(
        f"Two scores at once, deaths included, {extent}: the best one stays. A first score costs "
        f"{in_write_units(_writes(first))}, a better one {_writes(better):g}.{told}",
        _remark(first, better),
    )


def _writes(charges: list[Charge]) -> float:
    return write_units(charges)


def _remark(first: list[Charge], better: list[Charge]) -> str:
    if len(first) == 1 and _writes(better) <= 3:
        return ""
    reads = read_units(first)
    extra = f", {in_read_units(reads)} on top" if reads else ""
    return (
        f"a first score took {operations(first)}{extra}. One UpdateItem can compare and set, "
        "and decides by itself."
    )


def _bob(trial: Trial) -> dict[str, Any] | None:
    return trial.item(TABLE, **KEY)


def _expect_raised(trial: Trial, set_score: Any, table: Any, score: int) -> list[Charge]:
    """A first score, or a better one."""
    was = (_bob(trial) or {}).get("highScore")
    situation = "bob never played." if was is None else f"bob's highScore was {was}."
    others = [item for item in trial.items(TABLE) if not item.items() >= KEY.items()]
    with trial.bill() as charges:
        attempt = trial.attempt(set_score, table, "alice", "bob", score)
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
    item = _bob(trial)
    if attempt.raised is not None:
        raise Refused(
            f"{text}.",
            "A missing attribute is neither less nor more, so the condition fails. How does your "
            "condition let a first score pass?"
            if attempt.raised_name() == "ConditionalCheckFailedException"
            else "What did DynamoDB refuse?",
        )
    if [each for each in trial.items(TABLE) if not each.items() >= KEY.items()] != others:
        raise Refused(
            f"{text}, and another item changed or is new.",
            "Both keys identify a copy: whose list is it in, and which friend is it?",
        )
    if item is None or item.get("name") != "Bob" or "since" not in item:
        raise Refused(
            f"{text}, and what is left of the copy is {in_words(item)}.",
            "Which operation changes one attribute of an item and leaves the others as they are?",
        )
    if item.get("highScore") != score:
        raise Refused(
            f"{text}, and his highScore is {item.get('highScore')}.",
            _why_not_set(was, attempt),
        )
    if attempt.returned is not True:
        raise Refused(
            f"{text}, but his highScore is {score}: it rose.",
            "The caller wants to know: True if it rose, else False.",
        )
    return charges


def _why_not_set(was: Any, attempt: Attempt) -> str:
    if was is None and attempt.returned is False:
        return (
            "A missing attribute is neither less nor more: the comparison is false. How does your "
            "condition let a first score pass?"
        )
    return (
        "The score is better than the stored one. What stops the write, or which score do you set?"
    )


def _expect_kept(trial: Trial, set_score: Any, table: Any, score: int) -> list[Charge]:
    """A score that is no better than 50."""
    with trial.bill() as charges:
        attempt = trial.attempt(set_score, table, "alice", "bob", score)
    stored = (_bob(trial) or {}).get("highScore")
    text = f"bob's highScore was 50. {attempt.text} {how_it_ended(attempt)}"
    if stored != 50:
        raise Refused(
            f"{text}, and it is {stored} now.",
            "It keeps the best. Which condition is true for a better score, and for no other?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"{text}.",
            "A score that is not better is not an error: most games end so. Which exception says "
            "so, and what do you return then?",
        )
    if attempt.returned is not False:
        raise Refused(
            f"{text}, but it is still 50.",
            "Did it rise? The same score again is not a better one."
            if score == 50
            else "Did it rise? A refused write tells you so.",
        )
    return charges


def _expect_zero_is_a_score(trial: Trial, set_score: Any) -> None:
    table = trial.table(TABLE)
    put_friends(table, "alice", {"bob": None})
    attempt = trial.attempt(set_score, table, "alice", "bob", 0)
    stored = (_bob(trial) or {}).get("highScore")
    if stored != 0 or attempt.returned is not True:
        raise Refused(
            f"bob plays for the first time and scores 0. {attempt.text} {how_it_ended(attempt)}, "
            f"and his highScore is {stored}.",
            "He has played now, and belongs on the leaderboard. Is a missing score the same as a "
            "score of 0?",
        )


def _expect_no_ghost(trial: Trial, set_score: Any, table: Any) -> None:
    attempt = trial.attempt(set_score, table, "alice", "nobody", 30)
    ghost = trial.item(TABLE, PK="USER#alice", SK="FRIEND#nobody")
    situation = f"alice has no friend with the id nobody. {attempt.text} {how_it_ended(attempt)}"
    if ghost is not None:
        raise Refused(
            f"{situation} and wrote {in_words(ghost)}: a row without a name on her leaderboard.",
            "UpdateItem creates what it does not find, unless a condition forbids it. Which "
            "condition tells a missing score from a missing item?",
        )
    if attempt.returned is not False:
        raise Refused(
            f"{situation} and wrote nothing, which is right.",
            "The score did not rise: what does the docstring promise then?",
        )


def _expect_ints_only(trial: Trial, set_score: Any) -> None:
    table = trial.table(TABLE)
    for friends in ({"bob": 7}, {"bob": None}):
        put_friends(table, "alice", friends)
        before = trial.items(TABLE)
        for score in (30.5, 60.0, True, "77"):
            attempt = trial.attempt(set_score, table, "alice", "bob", score)
            kind = {bool: "a bool", str: "a text"}.get(type(score), "a float")
            if trial.items(TABLE) != before:
                stored = (_bob(trial) or {}).get("highScore")
                raise Refused(
                    f"{attempt.text} {how_it_ended(attempt)}, and bob's highScore is {stored!r}. "
                    f"The score given is {kind}.",
                    "For isinstance a bool is an int, and int() accepts values that are not "
                    "scores. How do you test for an int and nothing else?",
                )
            if attempt.raised_name() != "TypeError":
                raise Refused(
                    f"The score is {kind}, and bob's highScore did not change. {attempt.text} "
                    f"{_short(attempt)}.",
                    "This is the caller's mistake. Report it before you send anything, by the "
                    "exception that the docstring promises. How do you test for an int and "
                    "nothing else? For isinstance, True is one.",
                )


def _short(attempt: Attempt) -> str:
    """How it ended, without DynamoDB's long message."""
    return how_it_ended(attempt).partition(": ")[0]


def _expect_other_errors_through(trial: Trial, set_score: Any) -> None:
    table = trial.table(TABLE)
    put_friends(table, "alice", {"bob": 7})
    with faults.throttle(table, times=None):
        attempt = trial.attempt(set_score, table, "alice", "bob", 30)
    if attempt.raised is None and (_bob(trial) or {}).get("highScore") == 7:
        raise Refused(
            f"bob's highScore was 7, and DynamoDB answered ThrottlingException. {attempt.text} "
            f"returned {attempt.returned!r}, and 30 is lost.",
            "Which one of DynamoDB's refusals says that the score is not better?",
        )
