"""Files of many chunks, and of large ones, for exercise 11.5: stored, read and replaced."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.bills import write_units
from dynalab.exercises.lab11.files import CHUNK, KEY, NEW, OTHER, TABLE, File
from dynalab.exercises.lab11.large_calls import expect_got, put_file, stored, versions
from dynalab.exercises.words import in_write_units
from dynalab.meter import Charge
from dynalab.telling import told
from dynalab.trial import Refused, Trial

_MANY = 101  # chunks: more than a batch of either kind takes, and than a transaction
_LARGE = 4_400_000  # bytes: more than a transaction, four pages of a Query, eleven items
_LIMITS = (
    "How many items can one request take? A BatchWriteItem takes 25, a BatchGetItem 100. A "
    "transaction takes 4 MB and 100 items."
)


def expect_many_chunks(trial: Trial, large_put: Any, large_get: Any) -> None:
    table = trial.table(TABLE)
    data = b"".join(b"%04d" % number for number in range(_MANY))
    text = f"{_MANY} chunks of {CHUNK} bytes."
    attempt = put_file(trial, large_put, table, data, NEW)
    if attempt.raised is not None:
        raise Refused(f"{text} large_put raised {told(attempt.raised)}", _LIMITS)
    file = stored(trial, attempt, text)
    if file.value() != data:
        raise Refused(
            f"{text} After large_put there are {len(file.chunks)} of them.",
            "Which loop over the parts ends early?",
        )
    found = trial.attempt(large_get, table, KEY)
    if found.raised is not None:
        raise Refused(f"{text} large_get raised {told(found.raised)}", _LIMITS)
    expect_got(trial, large_get, table, data, text)
    attempt = put_file(trial, large_put, table, b"short", OTHER)
    text = f"A file of {_MANY} chunks is replaced by one of two."
    if attempt.raised is not None:
        raise Refused(f"{text} large_put raised {told(attempt.raised)}", _LIMITS)
    _refuse_left(stored(trial, attempt, text), text)


def expect_large(trial: Trial, large_put: Any, large_get: Any) -> tuple[list[Charge], list[Charge]]:
    """With the chunk size of the notebook. The charges of storing and of reading it."""
    table = trial.table(TABLE)
    data = b"0123456789abcdef" * (_LARGE // 16)
    with trial.bill() as written:
        attempt = trial.attempt(large_put, table, KEY, data, new_version=versions(NEW))
    if attempt.raised is not None:
        raise Refused(
            f"{len(data):,} bytes, with chunk_bytes left out: large_put raised "
            f"{told(attempt.raised)}",
            "How much does one item hold, its keys included, and how much one request? A "
            "transaction takes 4 MB and 100 items.",
        )
    with trial.bill() as read:
        found = trial.attempt(large_get, table, KEY)
    if found.raised is not None or found.returned != data:
        size = len(found.returned) if isinstance(found.returned, bytes) else None
        ended = f"returned {size:,} bytes" if size is not None else "did not return it"
        if found.raised is not None:
            ended = f"raised {told(found.raised)}"
        raise Refused(
            f"{len(data):,} bytes are stored. large_get {ended}.",
            "A page of a Query ends at 1 MB, and a batch may return keys as unprocessed. How does "
            "a reply say that there is more?",
        )
    units = write_units(written)
    least = -(-len(data) // 1024)
    if units > least * 1.2:
        raise Refused(
            f"{len(data):,} bytes cost {in_write_units(units)}; about {least:,} are enough.",
            "In a transaction you pay twice for each item. Which of your items need one?",
        )
    if any(charge.write_units for charge in read):
        raise Refused("large_get wrote to the table.", "Why does a reader have to change anything?")
    text = f"A file of {len(data):,} bytes is replaced by one of five."
    attempt = put_file(trial, large_put, table, b"short", OTHER)
    _refuse_left(stored(trial, attempt, text), text)
    return written, read


def _refuse_left(file: File, text: str) -> None:
    left = [*file.foreign(), *file.uploads]
    if left:
        raise Refused(
            f"{text} Then {len(left)} items of the replaced one are left, for example {left[0]}.",
            "A page of a Query ends at 1 MB, and a batch may return writes as unprocessed. What "
            "tells you how many chunks the replaced version had?",
        )
