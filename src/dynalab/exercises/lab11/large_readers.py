"""The reader of exercise 11.5 alone: exactly the header's chunks, an end where one is missing."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.lab11.files import CHUNK, KEY, NEW, OLD, TABLE, chunk_key, put_version
from dynalab.exercises.lab11.large_calls import versions
from dynalab.exercises.lab11.trouble import handing_keys_back, looks_at
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Refused, Trial

_DATA = b"ooooooo"
_LOOKS = (5, 10)  # at the header; ten where it is looked at again after the chunks
_FEWEST, _MOST = 3, 60  # requests, of a reader that looks five times


def expect_readers(trial: Trial, large_get: Any) -> None:
    _expect_its_own_chunks(trial, large_get)
    _expect_an_end(trial, large_get)
    _expect_no_part(trial, large_get)


def hold_read_after_put(trial: Trial, large_put: Any, large_get: Any) -> None:
    """Who has stored a file reads it at once; an eventually consistent read may be from before."""
    table = trial.table(TABLE)

    def store_and_get() -> Any:
        put_options = {"new_version": versions(NEW), "chunk_bytes": CHUNK}
        said = large_put(table, KEY, b"aaaaa", **put_options)
        return large_get(table, KEY) if said is True else b"aaaaa"

    def got(outcome: Outcome) -> str | None:
        if "A" in outcome.raised:
            return f"A raised {type(outcome.raised['A']).__name__}."
        value = outcome.returned.get("A")
        return None if value == b"aaaaa" else f"large_put returned True, and large_get {value!r}."

    trial.hold(
        trial.explore({"A": store_and_get}, got, stale=True),
        "A stores a file and reads it at once; an eventually consistent read may not show the "
        "last write yet",
        "A header changes, but chunks never change. Which of your reads must see the last write?",
    )


def _expect_its_own_chunks(trial: Trial, large_get: Any) -> None:
    table = trial.table(TABLE)
    put_version(table, OLD, _DATA, current=True)
    for version in (NEW, f"{OLD}x"):  # one of them begins with the text of the other
        put_version(table, version, b"zzzzzzzz", current=False)
    given(table, {**chunk_key("1750636781-p", 0), "data": b"pppp"})
    attempt = trial.attempt(large_get, table, KEY)
    if attempt.raised is None and attempt.returned == _DATA:
        return
    refuse_slip(attempt)
    raise Refused(
        f"The current version is {OLD}, {_DATA!r}. Two others are being uploaded, {NEW} and "
        f"{OLD}x, and a chunk of an old one is left. {attempt.text} {how_it_ended(attempt)}.",
        "A prefix must end with its delimiter: which other chunks begin with yours?"
        if attempt.raised_name() == "ChunksMissing" or b"p" not in (attempt.returned or b"p")
        else "The header names one version. Which chunks belong to it?",
    )


def _expect_an_end(trial: Trial, large_get: Any) -> None:
    for missing, count in ((1, 2), (0, 1)):
        table = trial.table(TABLE)
        put_version(table, OLD, b"oooo" * missing, current=True, count=count)
        with trial.bill() as charges, looks_at("HEADER") as looks:
            attempt = trial.attempt(large_get, table, KEY)
        requests = len(charges)
        text = (
            f"The header says {count} chunks, but there are only {missing}, and that does not "
            "change."
        )
        if attempt.raised is None:
            raise Refused(
                f"{text} {attempt.text} {how_it_ended(attempt)}: only a part, and without an "
                "error.",
                "How do you know that you have all chunks?",
            )
        if attempt.raised_name() != "ChunksMissing":
            refuse_slip(attempt)
            raise Refused(
                f"{text} {attempt.text} {how_it_ended(attempt)}.",
                "The task names the exception: ChunksMissing.",
            )
        if requests <= _FEWEST:
            raise Refused(
                f"{text} large_get gave up after {requests} requests.",
                "A chunk is usually missing because there is a newer version. Which item shows "
                "that, and how often do you read it?",
            )
        if len(looks) not in (0, 1, *_LOOKS):
            raise Refused(
                f"{text} large_get asked for the header {len(looks)} times.",
                f"The task asks for {_LOOKS[0]} looks in all, with the first one. Where do you "
                "count yours?",
            )
        if requests > _MOST:
            raise Refused(
                f"{text} large_get made {requests} requests before it gave up.",
                "The task asks for five looks at the header. Where do you count yours?",
            )


def _expect_no_part(trial: Trial, large_get: Any) -> None:
    """A batch that is served in part."""
    table = trial.table(TABLE)
    put_version(table, OLD, b"ooooooooo", current=True)
    with handing_keys_back():
        attempt = trial.attempt(large_get, table, KEY)
    if attempt.raised is not None:
        refuse_slip(attempt)
        raise Refused(
            "DynamoDB returned keys of a batch in UnprocessedKeys, each time, as it does beyond "
            f"16 MB. All chunks are there, but {attempt.text} {how_it_ended(attempt)}.",
            "A key that is returned as unprocessed is not missing. Where do you ask for it again?",
        )
    if attempt.returned != b"ooooooooo":
        raise Refused(
            f"DynamoDB returned keys of a batch in UnprocessedKeys. {attempt.text} "
            f"{how_it_ended(attempt)}, of 9 bytes.",
            "How do you know that you have all chunks?",
        )
