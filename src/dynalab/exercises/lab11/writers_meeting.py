"""The writer of exercise 11.5 beside others: two writers and a reader, and the sweep."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab11.files import (
    DUE,
    KEY,
    NEW,
    OLD,
    OTHER,
    TABLE,
    File,
    put_version,
    replace_at_once,
    sweep,
    version_of,
)
from dynalab.exercises.lab11.large_calls import versions
from dynalab.exercises.lab11.large_writers import (
    A_DATA,
    B_DATA,
    LONG_A_DATA,
    O_DATA,
    begun,
    both_kept,
    broken,
    left_over,
    read_whole,
    writer,
)
from dynalab.exercises.lab11.trouble import before_transaction
from dynalab.exercises.words import first_raised, how_it_ended
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Refused, Trial

_MOST = 300  # runs; a writer who does as it was told needs some hundred


def hold_meetings(trial: Trial, large_put: Any, large_get: Any) -> str:
    """How much two writers and a reader were tried; Refused at the first schedule that fails."""
    _expect_false_once(trial, large_put)
    _expect_false_for_a_first(trial, large_put)
    _hold_another(trial, large_put, new=False)
    _hold_sweep(trial, large_put, large_get)
    return _hold_two_writers(trial, large_put, large_get)


def refuse_own_version(trial: Trial, large_put: Any) -> None:
    """Two who make up their own version from the same header, drawn."""
    table = begun(trial)
    data = {"A": LONG_A_DATA, "B": B_DATA}

    def whole(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        value = file.value()
        winners = [data[name] for name, said in outcome.returned.items() if said is True]
        if broken(file):
            return broken(file)
        if value not in (*data.values(), O_DATA) or (winners and value not in winners):
            return f"The file is {value!r}; A wrote {LONG_A_DATA!r}, B {B_DATA!r}."
        return None

    clients = {
        "A": writer(large_put, table, LONG_A_DATA, NEW),
        "B": writer(large_put, table, B_DATA, OTHER),
    }
    trial.hold(
        trial.explore(clients, whole, most=200),
        "Two writers read the same header, and neither uses new_version()",
        "Both make the same version from it, and their chunks have the same keys. Which text does "
        "nobody else have?",
    )


def expect_others_left_alone(trial: Trial, large_put: Any) -> None:
    """B has stored a chunk, and is about to store more."""
    table = begun(trial)
    put_version(table, OTHER, B_DATA, current=False)
    trial.attempt(writer(large_put, table, A_DATA, NEW))
    file = File.of(trial.items(TABLE))
    wanted = [f"CHUNK#{OTHER}#0000", f"UPLOAD#{OTHER}"]
    if not {*wanted} <= {*file.chunks, *file.uploads}:
        raise Refused(
            f"B was uploading: {wanted[0]} and {wanted[1]} were there. Then A replaced {OLD}, and "
            f"there is: {file.said()}.",
            "A may delete only the version that it has replaced. Which ones may belong to another "
            "writer that is still working?",
        )


def _expect_false_once(trial: Trial, large_put: Any) -> None:
    """B stores right before A's commit: A says False, with four chunks of its own to clear up."""
    table = begun(trial)
    given = versions(NEW)
    with before_transaction(lambda: _turn(table)) as commits:
        attempt = trial.attempt(
            large_put, table, KEY, b"a" * 1_600_000, new_version=given, chunk_bytes=400_000
        )
    if len(commits) > 1 and attempt.returned is not False:
        raise Refused(
            f"A has read the header of {OLD}, and B stored right before A's commit. A committed "
            f"{len(commits)} times, {how_it_ended(attempt)}, and B's file is replaced by a writer "
            "that has never seen it.",
            "The first commit that fails by a condition is the answer: False. Who decides what "
            "happens to B's file?",
        )
    file = File.of(trial.items(TABLE))
    left = [key for key in file.chunks if version_of(key) == NEW]
    if attempt.returned is False and 0 < len(left) < 4:
        raise Refused(
            "A's commit failed, with four chunks of 400,000 bytes stored. A returned False, but "
            f"this is left: {', '.join(left)}.",
            "A page of a Query ends at 1 MB. What tells you how many chunks A has written?",
        )


def _expect_false_for_a_first(trial: Trial, large_put: Any) -> None:
    """There was no header when A read it; all orders are looked at where this one fails."""
    table = trial.table(TABLE)
    with before_transaction(lambda: _turn(table)):
        attempt = trial.attempt(writer(large_put, table, A_DATA, NEW))
    if attempt.returned is not False:
        _hold_another(trial, large_put, new=True)


def _turn(table: Any) -> None:
    put_version(table, OTHER, B_DATA, current=True)


def _hold_another(trial: Trial, large_put: Any, new: bool) -> None:
    """B needs two requests; A, who writes as it was told, five or more. new: no header yet."""
    table = trial.table(TABLE) if new else begun(trial)
    clients = {
        "A": writer(large_put, table, A_DATA, NEW),
        "B": lambda: replace_at_once(table, B_DATA, OTHER),
    }

    def kept(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        return both_kept(outcome) or left_over([*file.foreign(), *file.uploads])

    said = "What was there of a header" if new else "What did the header say"
    first = "as the first file" if new else "in place of another one"
    trial.hold(
        trial.explore(clients, kept),
        f"A stores {A_DATA!r}, and B {B_DATA!r} under the same key, {first}",
        f"{said} when A read it, and does A's commit test that? If it is not true any more, what "
        "does A delete?",
    )


def _hold_sweep(trial: Trial, large_put: Any, large_get: Any) -> None:
    """A slow writer, whose intent is old by now, and a reader."""
    table = trial.table(TABLE)

    def whole(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        if file.header is not None and broken(file):
            return broken(file)
        said = outcome.returned.get("A")
        if first_raised(outcome) or file.value() != (A_DATA if said is True else None):
            return first_raised(outcome) or f"A returned {said}, and the file is {file.value()!r}."
        left = [*file.foreign(), *file.uploads]
        if left:
            return f"A returned {said} and has left {', '.join(left)}."
        return None if outcome.returned.get("Q", b"") is None else read_whole(outcome, (A_DATA,))

    clients = {
        "A": writer(large_put, table, A_DATA, NEW),
        "S": lambda: sweep(table, KEY, DUE),
    }
    trial.hold(
        trial.explore(clients, whole, readers={"Q": lambda: large_get(table, KEY)}, most=400),
        "A is slow, and the sweep S takes it for dead",
        "S deletes the intent and then the chunks. A's commit must not come after that: which "
        "condition tests whether the intent is still there, and what may A leave behind if it is "
        "not?",
    )


def _hold_two_writers(trial: Trial, large_put: Any, large_get: Any) -> str:
    """A file of one chunk, A's of one, and B's of none; every order of them and of a reader."""
    table = begun(trial)
    clients = {
        "A": writer(large_put, table, A_DATA, NEW),
        "B": writer(large_put, table, b"", OTHER),
    }

    def kept(outcome: Outcome) -> str | None:
        file = File.of(outcome.items(TABLE))
        left = left_over([*file.foreign(), *file.uploads])
        return both_kept(outcome, b"") or left or read_whole(outcome, (O_DATA, A_DATA, b""))

    readers = {"Q": lambda: large_get(table, KEY)}
    found = trial.explore(clients, kept, readers=readers, most=_MOST)
    situation = f"A stores {A_DATA!r} and B {b''!r} under the same key, while Q reads"
    return trial.hold(found, situation, _question(found))


def _question(found: Exploration) -> str:
    text = "" if found.failure is None else str(found.failure.broken)
    if text.startswith("Nobody died"):
        return (
            "Whose chunks are these, and which writer should have deleted them? The header may "
            "have changed between your read of it and your commit."
        )
    if text.startswith("Q "):
        return "Which version does Q read, and how does it notice that a chunk of it was deleted?"
    if "which does not exist" in text:
        return (
            "A writer deleted chunks that were not replaced. Which version may you delete, and "
            "which ones may belong to another writer that is still working?"
        )
    return "What did the header say when you read it, and does your commit test that?"
