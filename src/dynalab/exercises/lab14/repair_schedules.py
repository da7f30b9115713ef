"""A repair of exercise 14.3 in every schedule: beside likes, renames, deletions, and its like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab.exercises.counted_posts import INES, POST, ZOE, Change, users
from dynalab.exercises.lab14.audited_posts import (
    NOBODY,
    SARA,
    both_of,
    copies_of,
    delete_post,
    drifts,
    edit,
    like,
    put_audited,
    put_profile,
    rename,
    take_back,
    tallies_of,
)
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import extent_of, first_raised
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_MOVED = (
    "What the audit saw was out of date when the repair wrote. "
    "Which part of an update is evaluated in the same step as its write, and what could it compare?"
)

# The drift at the start, and what another client does meanwhile.
_MEANWHILE: tuple[tuple[int, tuple[tuple[Change, str], ...]], ...] = (
    (0, ((take_back, "USER#0001"), (like, "USER#0001"))),
    (3, ((like, ZOE), (like, INES))),
)


def hold_repairs(trial: Trial, repair_all: Any) -> str:
    """How much was tried; Refused at the first schedule that fails."""
    tried = [_hold_likes(trial, repair_all, *case) for case in _MEANWHILE]
    tried.append(_hold_two(trial, repair_all))
    tried.append(_hold_edit(trial, repair_all))
    tried.append(_hold_rename(trial, repair_all))
    tried.append(_hold_comeback(trial, repair_all))
    tried.append(_hold_deletion(trial, repair_all))
    tried.append(_hold_all(trial, repair_all))
    return extent_of(tried)


def _tallies(table: Any, repair_all: Any) -> Callable[[], Any]:
    return lambda: repair_all(table, tallies_of(table, [POST]), [])


def _copies(table: Any, repair_all: Any) -> Callable[[], Any]:
    return lambda: repair_all(table, [], copies_of(table, [POST]))


def _hold_likes(
    trial: Trial, repair_all: Any, drift: int, changes: Sequence[tuple[Change, str]]
) -> Exploration:
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sara", 1)
    put_audited(table, POST, users(4), likeTally=4 + drift, rev=4)

    def meanwhile() -> None:
        for change, user in changes:
            change(table, POST, user)

    def stays_or_goes(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), POST)
        left = post.tally - len(post.likers)
        if left not in (0, drift):
            return f"{post.counted()}: the drift was {drift}, and is {left} now."
        return first_raised(outcome)

    exploration = trial.explore({"A": _tallies(table, repair_all), "B": meanwhile}, stays_or_goes)
    started = f"The drift was {drift}" if drift else "Tally and likes agree"
    what = ", then ".join("likes" if change is like else "unlikes" for change, _ in changes)
    trial.hold(
        exploration,
        f"{started}. A audits and repairs, while B {what}",
        "The stored value may be the same as before, but it changed and changed back: A, B, A. "
        "Which attribute of META never returns to an old value?",
    )
    return exploration


def _hold_two(trial: Trial, repair_all: Any) -> Exploration:
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sara", 1)
    put_audited(table, POST, users(4), likeTally=7, rev=4)

    def one_of_them(outcome: Outcome) -> str | None:
        answers = [tuple(row) for report in outcome.returned.values() for row in report]
        if answers.count((POST, "likeTally", True)) > 1:
            return "both repairs reported that they repaired it, but there was only one drift."
        left = drifts(outcome.items(TABLE))
        return f"{left[0]}." if left else first_raised(outcome)

    exploration = trial.explore({name: _tallies(table, repair_all) for name in "AB"}, one_of_them)
    trial.hold(
        exploration,
        "Two audits find the same drift, and both repair it",
        "The first repair is a change too. By what does the second repair see it?",
    )
    return exploration


def _hold_edit(trial: Trial, repair_all: Any) -> Exploration:
    """An edit raises neither rev nor a version: no condition on these tells of it."""
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sara", 2)
    put_audited(table, POST, users(2), copy=("Sarah", 1), likeTally=5)

    def kept(outcome: Outcome) -> str | None:
        meta = Post.of(outcome.items(TABLE), POST).meta or {}
        if meta.get("body") != "Good evening":
            return f"the body is {meta.get('body')} again: the edit is lost."
        return _settled(outcome)

    clients = {"A": _both(table, repair_all), "B": lambda: edit(table, POST, "Good evening")}
    exploration = trial.explore(clients, kept)
    trial.hold(
        exploration,
        "B edits the body while A audits and repairs, and an edit raises no rev",
        "META was read, and put back whole. Which operation writes only the attributes of your "
        "repair, and leaves the others as they are then?",
    )
    return exploration


def _hold_rename(trial: Trial, repair_all: Any) -> Exploration:
    """The copy is stale already when Sara is renamed once more."""
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sarah", 2)
    put_audited(table, POST, copy=("Sara", 1))
    clients = {
        "A": _copies(table, repair_all),
        "B": lambda: rename(table, SARA, "Zara", 3, POST),
    }
    exploration = trial.explore(clients, _settled)
    trial.hold(
        exploration,
        "A audits and repairs a copy, while B renames its author again: the profile, then the copy",
        _MOVED,
    )
    return exploration


def _hold_comeback(trial: Trial, repair_all: Any) -> Exploration:
    """An author who was gone comes back, with a newer name."""
    table = trial.table(TABLE)
    put_audited(table, POST, author=NOBODY, copy=("Nora", 4))

    clients = {
        "A": _copies(table, repair_all),
        "B": lambda: rename(table, NOBODY, "Nora B.", 5, POST),  # which makes the profile, too
    }
    exploration = trial.explore(clients, _settled)
    trial.hold(
        exploration,
        "A audits and removes an orphaned copy, while its author comes back as version 5",
        "The copy that you remove is not the one that the audit saw. By which column of the "
        "report can you recognise it?",
    )
    return exploration


def _hold_deletion(trial: Trial, repair_all: Any) -> Exploration:
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sara", 2)
    put_audited(table, POST, users(2), copy=None, likeTally=5)

    def no_ghost(outcome: Outcome) -> str | None:
        if Post.of(outcome.items(TABLE), POST).is_ghost:
            return drifts(outcome.items(TABLE))[0] + "."
        return first_raised(outcome)

    clients = {"A": _both(table, repair_all), "B": lambda: delete_post(table, POST)}
    exploration = trial.explore(clients, no_ghost)
    trial.hold(
        exploration,
        "B deletes the post while A audits and repairs it",
        "An update creates the item if it does not find it. Which condition fails if there is no "
        "item?",
    )
    return exploration


def _hold_all(trial: Trial, repair_all: Any) -> Exploration:
    """Both drifts, a rename, and a death; then the audits and a repair once more."""
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sarah", 2)
    put_audited(table, POST, users(2), copy=("Sara", 1), likeTally=5, rev=2)
    again = _both(table, repair_all)
    clients = {"A": again, "B": lambda: rename(table, SARA, "Zara", 3, POST)}
    exploration = trial.explore(clients, _settled, again)
    trial.hold(
        exploration,
        "A audits a post with two drifts and repairs it, while B renames its author; one of them "
        "may die; then the audits and the repair run again, alone",
        "What is left half done that the next audit cannot see, or the next repair cannot correct?",
    )
    return exploration


def _both(table: Any, repair_all: Any) -> Callable[[], Any]:
    return lambda: repair_all(table, *both_of(table, POST))


def _settled(outcome: Outcome) -> str | None:
    left = drifts(outcome.items(TABLE))
    return f"{left[0]}." if left else first_raised(outcome)
