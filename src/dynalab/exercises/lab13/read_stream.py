"""Exercise 13.1: a reader gets every record once, parents first, and knows when a shard is done."""

from __future__ import annotations

from typing import Any

import boto3

from dynalab.check import Passed
from dynalab.exercises.lab13.ballots import BALLOTS, put_ballot
from dynalab.exercises.lab13.reading import CALL, Reading, StreamShard, expect_each_once
from dynalab.exercises.lab13.stream_answers import BadDay
from dynalab.trial import Refused, Trial


def check_read_stream(read_stream: Any, trial: Trial) -> Passed:
    reading = Reading(trial, read_stream, boto3.client("dynamodbstreams"))
    _expect_one_shard(reading)
    records, shards = _expect_children(reading)
    _expect_any_listing(reading)
    _expect_closed_shards_to_their_end(reading)
    _expect_open_shards(reading)
    _expect_no_trimmed_parent(reading)
    _expect_changes_and_shared_numbers(reading)
    _expect_errors_through(reading)
    _expect_an_end_meanwhile(reading)
    return Passed(
        f"{records} records of {shards} shards, each of them once and parents first: with shards "
        "listed in any order, in pages, with a missing parent, and with empty answers in between."
    )


def _expect_one_shard(reading: Reading) -> None:
    arn = reading.stream()
    situation = "The stream has one open shard, with 6 records."
    found = reading.read(situation, arn)
    if not any(numbers for _, numbers in found):
        raise Refused(f"{situation} {CALL} returned no record.", _why_nothing(reading))
    expect_each_once(
        situation,
        found,
        reading.shards(),
        lambda shard: "Does an iterator start with the oldest record that the shard holds?",
    )


def _why_nothing(reading: Reading) -> str:
    operations = [operation for operation, _ in reading.asked]
    if any(request.get("ShardIteratorType") == "LATEST" for _, request in reading.asked):
        return "Where does an iterator of type LATEST start, and where does TRIM_HORIZON?"
    if "GetRecords" not in operations:
        return "It never asked for records. Which shards does your loop skip, and why?"
    return "It asked for records, and got some. What do you do with an answer that has records?"


def _expect_children(reading: Reading) -> tuple[int, int]:
    arn = reading.stream(2, 1)
    shards = reading.shards()
    situation = (
        f"The stream's shard was split, and split again: {len(shards)} shards, 2 of them open."
    )
    found = reading.read(situation, arn)

    def ask(shard: StreamShard) -> str:
        if shard.closed:
            return "What was written before the split is in closed shards. Where do you read those?"
        return (
            "What comes after a split is in the children. Which shards do you read, and until "
            "when? Of which shard do you count the empty answers?"
        )

    expect_each_once(situation, found, shards, ask)
    return sum(len(shard.numbers) for shard in shards), len(shards)


def _expect_any_listing(reading: Reading) -> None:
    arn = reading.stream(2, 1)
    with BadDay(backwards=True).come():
        situation = "DescribeStream listed children before their parents."
        found = reading.read(situation, arn)
    expect_each_once(situation, found, reading.shards(), lambda shard: "Is every shard read?")
    reading.disguise()
    situation = "The ids of shards do not show their age, and numbers go from 21 digits to 22."
    found = reading.read(situation, arn)
    expect_each_once(situation, found, reading.shards(), lambda shard: "Is every shard read?")
    for page in (2, 1):
        situation = f"DescribeStream listed the 5 shards in answers of {page}."
        with BadDay(backwards=True, page=page).come():
            found = reading.read(situation, arn)
        expect_each_once(
            situation,
            found,
            reading.shards(),
            lambda shard: (
                "One answer lists at most 100 shards. How does it say that there are more, and how "
                "do you ask for them?"
            ),
        )


# --- how far a shard is read ----------------------------------------------------------------------


def _expect_closed_shards_to_their_end(reading: Reading) -> None:
    arn = reading.stream(1)
    closed, _ = reading.shards()
    situation = (
        "The first shard is closed, and 7 empty answers came before its first records, 5 before "
        "the next."
    )
    with BadDay(records=2, waits={closed.id: [7, 5]}).come():
        found = reading.read(situation, arn)
    expect_each_once(
        situation,
        found,
        reading.shards(),
        lambda shard: (
            "An empty answer says nothing about the next one. A closed shard has an end: how do "
            "you see that it is closed, and that you have read all of it?"
        ),
    )
    arn = reading.stream()
    reading.disable()
    [closed] = reading.shards()
    situation = (
        "The stream was switched off: its only shard is closed and has no child. 7 empty answers "
        "came before its first records."
    )
    with BadDay(records=2, waits={closed.id: [7]}).come():
        found = reading.read(situation, arn)
    expect_each_once(
        situation,
        found,
        [closed],
        lambda shard: "Which field of a shard shows that it is closed, also if it has no child?",
    )


def _expect_open_shards(reading: Reading) -> None:
    for most, waits in ((3, (2, 2)), (5, (4, 3)), (1, (0, 0))):
        arn = reading.stream(2)
        _, *open_ones = reading.shards()
        situation = f"max_empty is {most}."
        if any(waits):
            situation += (
                f" Each open shard gave {waits[0]} empty answers before its first records, and "
                f"{waits[1]} before the next."
            )
        day = BadDay(records=2, waits={shard.id: waits for shard in open_ones})
        with day.come():
            found = reading.read(situation, arn, max_empty=most)
        expect_each_once(
            situation,
            found,
            reading.shards(),
            lambda shard: (
                "Leave an open shard after max_empty empty answers in a row. What does an answer "
                "with records do to the count, and does each shard have its own count?"
            ),
        )
        for shard in open_ones:
            if day.idle[shard.id] != most:
                raise Refused(
                    f"{situation} At the end of an open shard it asked {day.idle[shard.id]} times "
                    "in vain.",
                    f"How many empty answers in a row are {most}?",
                )


def _expect_no_trimmed_parent(reading: Reading) -> None:
    arn = reading.stream(1, 1)
    first, *others = reading.shards()
    situation = (
        "The oldest shard is older than 24 hours: it is not listed any more, but its child still "
        "names it as its parent."
    )
    with BadDay(trimmed=(first.id,)).come():
        found = reading.read(situation, arn)
    expect_each_once(
        situation, found, others, lambda shard: "What does a child wait for if its parent is gone?"
    )


def _expect_changes_and_shared_numbers(reading: Reading) -> None:
    arn = reading.stream(2)
    table = reading.trial.dynamodb.Table(BALLOTS)
    for candidate in ("cyd", "dee"):
        put_ballot(table, "00", candidate)
    reading.share_numbers()
    situation = "A ballot changed twice after the split, and the two children use the same numbers."
    found = reading.read(situation, arn)
    expect_each_once(
        situation,
        found,
        reading.shards(),
        lambda shard: (
            "An item has a record for each change, and numbers of two shards have nothing to do "
            "with each other. Which records do you take for the same, and why do you leave any "
            "out?"
        ),
    )


def _expect_errors_through(reading: Reading) -> None:
    """A shard that is cut off in silence looks like one that is read."""
    arn = reading.stream()
    situation = "An iterator was too old: GetRecords answered ExpiredIteratorException."
    with BadDay(records=2, expires=True).come():
        found = reading.read_or_raise(situation, arn)
    if isinstance(found, BaseException):
        return
    expect_each_once(
        situation,
        found,
        reading.shards(),
        lambda shard: (
            f"{CALL} ended as if the shard were read. Which errors can your reader handle, and "
            "who has to learn of the others?"
        ),
    )


def _expect_an_end_meanwhile(reading: Reading) -> None:
    arn = reading.stream()
    [shard] = reading.shards()
    situation = "The only shard was open when it was listed, and was split before it was read."
    with BadDay(meanwhile=lambda: reading.trial.split_shard(BALLOTS)).come():
        found = reading.read(situation, arn)
    expect_each_once(situation, found, [shard], lambda shard: "Where does the shard end now?")
