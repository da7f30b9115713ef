"""Exercise 11.5: data beyond one item, whole for every reader, whoever writes, dies or sweeps."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.given import given
from dynalab.exercises.lab11.files import CHUNK, NEW, OLD, OTHER, TABLE, version_of
from dynalab.exercises.lab11.large_calls import expect_got, put_file, stored
from dynalab.exercises.lab11.large_files import expect_large, expect_many_chunks
from dynalab.exercises.lab11.large_readers import expect_readers, hold_read_after_put
from dynalab.exercises.lab11.lone_writer import expect_lone_writer
from dynalab.exercises.lab11.trouble import out_of_order
from dynalab.exercises.lab11.writers_meeting import (
    expect_others_left_alone,
    hold_meetings,
    refuse_own_version,
)
from dynalab.exercises.words import in_read_units, in_write_units
from dynalab.trial import Refused, Trial


def check_large(answer: Any, trial: Trial) -> Passed:
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(callable, answer)):
        raise Refused(
            f"This check needs two functions, and got {type(answer).__name__}.",
            'Call it as lab.check("11.5", (large_put, large_get)).',
        )
    large_put, large_get = answer
    with out_of_order():  # for whoever reads by batches
        return _checked(trial, large_put, large_get)


def _checked(trial: Trial, large_put: Any, large_get: Any) -> Passed:
    _expect_first(trial, large_put)
    _expect_sizes(trial, large_put, large_get)
    _expect_replaced(trial, large_put, large_get)
    expect_others_left_alone(trial, large_put)
    expect_many_chunks(trial, large_put, large_get)
    written, read = expect_large(trial, large_put, large_get)
    expect_readers(trial, large_get)
    expect_lone_writer(trial, large_put, large_get)
    hold_read_after_put(trial, large_put, large_get)
    extent = hold_meetings(trial, large_put, large_get)
    remark = ""
    if read_units(read) > 600:
        remark = (
            "chunks never change, so if an eventually consistent read finds them, it is right, at "
            "half the price."
        )
    return Passed(
        f"Two writers and a reader, {extent}; then deaths anywhere, and the sweep: no reader sees "
        "a mixture or a part, and only the current version is left. 4,400,000 bytes: "
        f"{in_write_units(write_units(written))} to store, {in_read_units(read_units(read))} to "
        "read.",
        remark,
    )


def _expect_first(trial: Trial, large_put: Any) -> None:
    """Twelve chunks: from ten on, numbers that are not padded lose their order."""
    table = trial.table(TABLE)
    data = bytes(range(97, 97 + 12)) * CHUNK
    attempt = put_file(trial, large_put, table, data, NEW)
    file = stored(trial, attempt, f"{len(data)} bytes in chunks of {CHUNK}.")
    text = f"After {attempt.text}, {len(data)} bytes in chunks of {CHUNK}:"
    assert file.header is not None
    if any(not version_of(chunk) or chunk.count("#") < 2 for chunk in file.chunks):
        raise Refused(
            f"{text} {file.said()}. The version is not in the keys of the chunks, so the next put "
            "overwrites what a reader is reading.",
            "What must stand between CHUNK# and the number?",
        )
    if file.version != NEW:
        refuse_own_version(trial, large_put)
        raise Refused(
            f"{text} the header's version is {file.header.get('version')!r}. new_version() gave "
            f"{NEW!r}.",
            "Which text does nobody else have, even if two writers have read the same header?",
        )
    wanted = [f"CHUNK#{NEW}#{number:04}" for number in range(12)]
    if list(file.chunks) != wanted or file.others:
        raise Refused(
            f"{text} {file.said()}.",
            f"Chunks are {wanted[0]}, {wanted[1]}, … {wanted[-1]}, and there is nothing else. "
            "Which of yours differ?",
        )
    if file.header.get("chunks") != 12 or isinstance(file.header.get("chunks"), str):
        raise Refused(
            f"{text} 12 chunks, but the header says {file.header.get('chunks')!r}.",
            "How does a reader know that it has all of them? `chunks` is their number.",
        )
    if file.value() != data:
        raise Refused(
            f"{text} the chunks put together are {file.value()!r}.",
            f"Chunk 0 is the first {CHUNK} bytes, in the attribute `data`. What are the others?",
        )
    if file.uploads:
        raise Refused(
            f"{text} the data is stored, but {file.uploads[0]} is still there.",
            "The intent says that an upload is not done. Which request completes it?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{text} all is stored, but it returned {attempt.returned!r}.",
            "The caller wants to know that its data is the current one: True.",
        )


def _expect_sizes(trial: Trial, large_put: Any, large_get: Any) -> None:
    table = trial.table(TABLE)
    expect_got(trial, large_get, table, None, "Nothing was stored under this key.")
    for size in (1, CHUNK, CHUNK + 1, 2 * CHUNK, 12 * CHUNK + 3, 0):
        table = trial.table(TABLE)
        data = bytes(97 + number // CHUNK for number in range(size))
        situation = f"{size} bytes, in chunks of {CHUNK}."
        attempt = put_file(trial, large_put, table, data, NEW)
        file = stored(trial, attempt, situation)
        if file.value() != data or any(len(part) > CHUNK for part in file.chunks.values()):
            raise Refused(
                f"{situation} After {attempt.text}: {file.said()}, which is {file.value()!r}.",
                "How many chunks is that, and what does the header count?",
            )
        expect_got(trial, large_get, table, data, f"{situation} Right after large_put,")


def _expect_replaced(trial: Trial, large_put: Any, large_get: Any) -> None:
    table = trial.table(TABLE)
    given(table, {"PK": "FILE#else", "SK": f"CHUNK#{OLD}#0000", "data": b"else"})
    for version, data in ((OLD, b"oooooooo-o"), (NEW, b"aaaa-a"), (OTHER, b"bbbbbbbb-b")):
        attempt = put_file(trial, large_put, table, data, version)
        file = stored(trial, attempt, "One file after another under one key.")
        if attempt.returned is not True or file.value() != data:
            raise Refused(
                "Nobody else wrote, and a second file was stored under the same key. "
                f"{attempt.text} returned {attempt.returned!r}, and then there is: {file.said()}.",
                "The header that you have read is still there. Is your condition true then?",
            )
        if file.foreign() or file.uploads:
            raise Refused(
                f"A file replaced another one, and {[*file.foreign(), *file.uploads][0]} is left: "
                f"{file.said()}.",
                "Nobody reads the replaced version any more, but you pay for it. How many chunks "
                "did it have, and what tells you?",
            )
        expect_got(trial, large_get, table, data, "One file replaced another one.")
    if trial.item(TABLE, PK="FILE#else") is None:
        raise Refused("The chunk of another key is gone.", "Whose chunks does large_put delete?")
