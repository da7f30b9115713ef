"""The writer of exercise 11.5 alone: it dies at any point, and meets trouble on the way."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab11.files import DUE, KEY, NEW, OLD, TABLE, File, sweep, version_of
from dynalab.exercises.lab11.large_writers import (
    A_DATA,
    LONG_A_DATA,
    LONG_O_DATA,
    O_DATA,
    begun,
    broken,
    read_whole,
    writer,
)
from dynalab.exercises.lab11.trouble import conflicting, handing_writes_back, losing_replies
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import first_raised, how_it_ended
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Refused, Trial


def expect_lone_writer(trial: Trial, large_put: Any, large_get: Any) -> None:
    _hold_crash_points(trial, large_put, large_get)
    _hold_death(trial, large_put)
    _expect_conflict_apart(trial, large_put)
    _hold_lost(trial, large_put)
    _hold_late(trial, large_put)
    _expect_no_part(trial, large_put)
    _expect_unknown_end(trial, large_put)


def _hold_crash_points(trial: Trial, large_put: Any, large_get: Any) -> None:
    """At every moment the file is whole, for a reader too, and what is uploaded says so."""
    table = begun(trial, LONG_O_DATA)

    def kept(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        uploads = [version_of(upload) for upload in file.uploads]
        for chunk in file.foreign():
            if version_of(chunk) not in (*uploads, OLD):
                return f"Nothing says that {chunk} is still being uploaded."
        return broken(file) or read_whole(outcome, (LONG_O_DATA, LONG_A_DATA))

    found = trial.explore(
        {"A": writer(large_put, table, LONG_A_DATA, NEW)},
        kept,
        crash=True,
        readers={"Q": lambda: large_get(table, KEY)},
    )
    trial.hold(
        found,
        f"A replaces {LONG_O_DATA!r} by {LONG_A_DATA!r} and may die at any point, while Q reads",
        _question("" if found.failure is None else str(found.failure.broken)),
    )


def _question(broken: str) -> str:
    if broken.startswith("Nothing says"):
        return (
            f"A sweep that finds these chunks takes them for those of a dead writer. UPLOAD#{NEW} "
            "says that a writer is working: from when to when?"
        )
    if broken.startswith("Q "):
        return (
            "Between Q's requests the header can change, and the chunks of the version that Q has "
            "begun to read can be deleted. How does Q notice, and where does it begin again?"
        )
    return "Which chunks does a reader need before the header changes, and which ones after that?"


def _hold_death(trial: Trial, large_put: Any) -> None:
    table = begun(trial, LONG_O_DATA)

    def clean(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        if broken(file):
            return broken(file)
        if file.value() not in (LONG_O_DATA, LONG_A_DATA):
            return f"The file is {file.value()!r}; it was {LONG_O_DATA!r}, A wrote {LONG_A_DATA!r}."
        return f"Left over: {file.said()}." if file.foreign() or file.uploads else None

    trial.hold(
        trial.explore(
            {"A": writer(large_put, table, LONG_A_DATA, NEW)}, clean, lambda: sweep(table, KEY, DUE)
        ),
        "A writer replaces a file and dies at any point, then the sweep comes",
        "What does the sweep find, and what does it need to know?",
    )


def _expect_conflict_apart(trial: Trial, large_put: Any) -> None:
    table = begun(trial)
    with conflicting() as hits:
        attempt = trial.attempt(writer(large_put, table, A_DATA, NEW))
    refuse_slip(attempt)
    file = File.of(trial.items(TABLE))
    if not hits:
        raise Refused(
            "The header changed without a transaction.",
            "The header may change only if the intent is still there, and the intent may be "
            "deleted only if the header changes. Which request does both, or neither?",
        )
    if attempt.raised is None and (attempt.returned is not True or file.value() != A_DATA):
        raise Refused(
            "Another transaction was working on one of the items, so the commit was cancelled "
            "with TransactionConflict, and the header is still the one that was read. large_put "
            f"returned {attempt.returned!r}, and then there is: {file.said()}.",
            "Which reason means that another writer came first, and who has to learn of any other?",
        )


def _hold_lost(trial: Trial, large_put: Any) -> None:
    table = trial.table(TABLE)

    def stored(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        if file.value() != A_DATA or outcome.returned.get("A") is not True:
            said = outcome.returned.get("A")
            return first_raised(outcome) or f"A returned {said}, but there is: {file.said()}."
        left = [*file.foreign(), *file.uploads]
        return f"Left over: {', '.join(left)}." if left else None

    trial.hold(
        trial.explore({"A": writer(large_put, table, A_DATA, NEW)}, stored, lost=True),
        "One request or reply is lost, and boto3 sends it again by itself",
        "The second attempt finds what the first one wrote. Which of your conditions takes that "
        "for another writer's work?",
    )


def _hold_late(trial: Trial, large_put: Any) -> None:
    table = trial.table(TABLE)

    def clean(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        if file.value() != A_DATA or file.foreign() or file.uploads:
            return f"A wrote {A_DATA!r}, and after the sweep there is: {file.said()}."
        return None

    trial.hold(
        trial.explore(
            {"A": writer(large_put, table, A_DATA, NEW)},
            clean,
            lambda: sweep(table, KEY, DUE),
            crash=False,
            late=True,
        ),
        "One of A's requests arrives late, then the sweep comes",
        "A late request still does its work. Which of yours does harm then?",
    )


def _expect_no_part(trial: Trial, large_put: Any) -> None:
    table = begun(trial)
    with handing_writes_back():
        attempt = trial.attempt(writer(large_put, table, LONG_A_DATA, NEW))
    file = File.of(trial.items(TABLE))
    if file.value() not in (O_DATA, LONG_A_DATA):
        raise Refused(
            "DynamoDB returned writes of a batch in UnprocessedItems. large_put "
            f"{how_it_ended(attempt)}, and then there is: {file.said()}.",
            "A batch may raise nothing and still leave some writes undone. Where does the reply "
            "say so?",
        )


def _expect_unknown_end(trial: Trial, large_put: Any) -> None:
    """All replies to the commit are lost: nobody knows whether it landed, and it did."""
    table = begun(trial)
    with losing_replies(lambda operation, _: operation == "TransactWriteItems"):
        attempt = trial.attempt(writer(large_put, table, A_DATA, NEW))
    refuse_slip(attempt)
    file = File.of(trial.items(TABLE))
    if file.header is None or file.value() is None:
        raise Refused(
            "The commit was carried out, and every reply to it was lost. large_put "
            f"{how_it_ended(attempt).partition(':')[0]}, and then there is: {file.said()}.",
            "A time-out does not mean that nothing happened. After which one answer may you "
            "delete the chunks?",
        )
