"""Exercise 4.4: a repair that leaves a drift as it was, or makes it 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.counted_posts import (
    INES,
    NO_POST,
    POST,
    ZOE,
    Change,
    like,
    put_liked,
    take_back,
    users,
)
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import extent_of, first_raised, how_it_ended, in_words, in_write_units
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Refused, Trial


def check_repair(repair: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_liked(table, POST, users(4), tally=7, rev=9)
    with trial.bill() as charges:
        attempt = trial.attempt(repair, table, POST, 9, 4)
    _expect_repaired(trial, attempt)
    overwrote = _expect_moved_is_false(trial, repair, 11, "META has rev 11 now")
    restored = _expect_moved_is_false(
        trial, repair, 5, "a backup was restored since, and META has rev 5 now"
    )
    explorations = [_hold_repair(trial, repair, drift, changes) for drift, changes in _MEANWHILE]
    explorations.append(_hold_two_repairs(trial, repair))
    if refused := overwrote or restored:
        raise refused
    _expect_no_post_made(trial, repair)
    _expect_other_errors_through(trial, repair)
    units = write_units(charges)
    reads = read_units(charges)
    remark = ""
    if len(charges) > 1 or reads or units > 1:
        remark = "one UpdateItem of 1 write unit compares and sets in the same step."
    return Passed(
        f"Beside likes, unlikes and another repair, {extent_of(explorations)}: a drift stays what "
        f"it was, or becomes 0. {in_write_units(units)} a repair.",
        remark,
    )


def _expect_repaired(trial: Trial, attempt: Attempt) -> None:
    text = f"META had likeTally 7 and rev 9, with 4 likes. {attempt.text} {how_it_ended(attempt)}"
    meta = Post.of(trial.items(TABLE), POST).meta
    if meta is None or "body" not in meta:
        raise Refused(
            f"{text}, and META is now {in_words(meta)}.",
            "Which operation changes two attributes of an item and leaves the others as they are?",
        )
    if attempt.raised is not None:
        raise Refused(f"{text}.", "rev is the one that the call gives. What did DynamoDB refuse?")
    if meta.get("likeTally") != 4:
        raise Refused(
            f"{text}, and likeTally is {meta.get('likeTally')}.",
            "rev had not changed, so the counted number may be set. Which argument is it?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{text}, but likeTally is 4 now: the tally was set.",
            "The caller wants to know whether the tally was set: True or False.",
        )
    if meta.get("rev") == 9:
        raise Refused(
            f"{text}, and rev is still 9. A client that read META before sees no change.",
            "Every like, unlike and repair adds one to rev. Can the same update do it?",
        )
    if meta.get("rev") != 10:
        raise Refused(
            f"{text}, and rev is {meta.get('rev')}.",
            "Every like, unlike and repair adds exactly one to rev.",
        )


def _expect_moved_is_false(trial: Trial, repair: Any, rev: int, since: str) -> Refused | None:
    """META moved since the audit. Where it wrote all the same, a schedule may tell it better."""
    table = trial.table(TABLE)
    put_liked(table, POST, users(5), tally=7, rev=rev)
    before = trial.items(TABLE)
    attempt = trial.attempt(repair, table, POST, 9, 4)
    situation = f"The audit saw rev 9; {since}. {attempt.text}"
    if trial.items(TABLE) != before:
        return Refused(
            f"{situation} {how_it_ended(attempt)} and wrote: "
            f"{Post.of(trial.items(TABLE), POST).counted()}.",
            f"What was counted at rev 9 may be wrong at rev {rev}. Which comparison is true for "
            "one rev, and for no other?",
        )
    if attempt.returned is not False:
        raise Refused(
            f"{situation} wrote nothing, which is right, and {how_it_ended(attempt)}.",
            "It is not an error that META changed: the next audit looks again. What do you return "
            "then?",
        )
    return None


def _expect_no_post_made(trial: Trial, repair: Any) -> None:
    attempt = trial.attempt(repair, trial.table(TABLE), NO_POST, 0, 4)
    if items := trial.items(TABLE):
        raise Refused(
            f"There is no post {NO_POST}. {attempt.text} {how_it_ended(attempt)} and made one: "
            f"{in_words(items[0])}.",
            "Which condition fails if there is no item?",
        )
    if attempt.returned is True:
        raise Refused(
            f"There is no post {NO_POST}. {attempt.text} returned True.",
            "Did the write happen?",
        )


def _expect_other_errors_through(trial: Trial, repair: Any) -> None:
    table = trial.table(TABLE)
    put_liked(table, POST, users(4), tally=7, rev=9)
    with faults.throttle(table, times=None):
        attempt = trial.attempt(repair, table, POST, 9, 4)
    if attempt.returned is False:
        raise Refused(
            f"rev had not changed; DynamoDB answered ThrottlingException. {attempt.text} returned "
            "False, as if rev had changed.",
            "Which one of DynamoDB's refusals says that the condition failed?",
        )


# The drift at the start, and what another client does meanwhile.
_MEANWHILE: tuple[tuple[int, tuple[tuple[Change, str], ...]], ...] = (
    (0, ((take_back, "USER#0001"), (like, "USER#0001"))),
    (0, ((like, ZOE), (take_back, ZOE))),
    (3, ((like, ZOE), (like, INES))),
    (-2, ((take_back, "USER#0001"), (like, ZOE))),
)


def _audit_and_repair(table: Any, repair: Any) -> Any:
    """One post's audit, in the right order, then the repair; None where nothing disagrees."""
    meta = table.get_item(Key={"PK": POST, "SK": "META"}, ConsistentRead=True)["Item"]
    counted = table.query(
        Select="COUNT",
        ConsistentRead=True,
        KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
        ExpressionAttributeValues={":post": POST, ":like": "LIKE#"},
    )["Count"]
    if meta["likeTally"] == counted:
        return None
    return repair(table, POST, int(meta["rev"]), counted)


def _hold_repair(
    trial: Trial, repair: Any, drift: int, changes: Sequence[tuple[Change, str]]
) -> Exploration:
    table = trial.table(TABLE)
    put_liked(table, POST, users(4), tally=4 + drift, rev=4)

    def meanwhile() -> None:
        for change, user in changes:
            change(table, POST, user)

    clients = {"A": lambda: _audit_and_repair(table, repair), "B": meanwhile}
    exploration = trial.explore(clients, _drift_stays_or_goes(drift))
    started = f"The drift was {drift}" if drift else "Tally and likes agree"
    what = ", then ".join("likes" if change is like else "unlikes" for change, _ in changes)
    trial.hold(
        exploration,
        f"{started}. A audits and repairs, while B {what}",
        _why_not(exploration) if exploration.failure else "",
    )
    return exploration


def _drift_stays_or_goes(start: int) -> Callable[[Outcome], str | None]:
    def invariant(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), POST)
        drift = post.tally - len(post.likers)
        answer = outcome.returned.get("A")
        if drift not in (0, start):
            return f"{post.counted()}: the drift was {start}, and is {drift} now."
        if answer is True and drift:
            return f"repair returned True, and the drift is {drift}."
        if answer is False and start and not drift:
            return f"repair returned False, and the drift of {start} is gone."
        return first_raised(outcome)

    return invariant


def _hold_two_repairs(trial: Trial, repair: Any) -> Exploration:
    table = trial.table(TABLE)
    put_liked(table, POST, users(4), tally=7, rev=4)

    def one_of_them(outcome: Outcome) -> str | None:
        answers = [outcome.returned[client] for client in "AB" if client in outcome.returned]
        if answers.count(True) > 1:
            return "both repairs returned True; there was one drift."
        post = Post.of(outcome.items(TABLE), POST)
        if post.tally != len(post.likers):
            return f"{post.counted()}."
        return first_raised(outcome)

    exploration = trial.explore(
        {name: lambda: _audit_and_repair(table, repair) for name in "AB"}, one_of_them
    )
    trial.hold(
        exploration,
        "Two audits find the same drift, and both repair it",
        "The first repair is a change too. By what does the second repair see it?",
    )
    return exploration


def _why_not(exploration: Exploration) -> str:
    """What to ask: by the condition of the write that did the harm."""
    assert exploration.failure is not None
    condition = ""
    for step in exploration.failure.steps:
        if step.choice.client == "A" and step.operation not in ("GetItem", "Query"):
            names = step.request.get("ExpressionAttributeNames") or {}
            condition = str(step.request.get("ConditionExpression") or "")
            for placeholder, name in names.items():
                condition = condition.replace(placeholder, name)
    if "likeTally" in condition and "rev" not in condition:
        return (
            "The stored value is the same as before, but it changed and changed back: A, B, A. "
            "Which attribute never returns to an old value?"
        )
    return (
        "The counted number was out of date when you wrote it. Which part of an update is "
        "evaluated in the same step as its write, and what could it compare?"
    )
