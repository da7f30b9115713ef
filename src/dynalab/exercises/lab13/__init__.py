"""Lab 13, Votes as a stream: counts and copies from records that may come twice."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab13.aggregate import check_aggregate
from dynalab.exercises.lab13.aggregate_by_minute import check_aggregate_by_minute
from dynalab.exercises.lab13.ballots import TABLES
from dynalab.exercises.lab13.project_scores import check_project_scores
from dynalab.exercises.lab13.read_stream import check_read_stream

__all__ = ["EXERCISES", "TABLES"]

EXERCISES = (
    Exercise(
        "13.1",
        check_read_stream,
        hints=(
            "First all pages of DescribeStream: an answer with a LastEvaluatedShardId is not the "
            "last; pass it to the next request as ExclusiveStartShardId.",
            "Then an order: a shard comes after its parent, if the parent is in the list. "
            "graphlib.TopologicalSorter takes a dict of each shard's parents.",
            "For each shard one iterator of type TRIM_HORIZON; each answer of get_records brings "
            "the next one, page.get('NextShardIterator'), or none at the end of the shard.",
            "A shard with an EndingSequenceNumber in its SequenceNumberRange is closed: go on, "
            "however many answers are empty. Leave any other shard after max_empty empty answers "
            "in a row.",
        ),
        explanation="A closed shard has an end, and shows it: the last answer has no next "
        "iterator. An open shard has no end, so its reader decides when to stop. Read parents "
        "first, because later changes of an item are in the child. A reader that runs all the "
        "time asks for the list again and again, and waits a moment after an empty answer.",
    ),
    Exercise(
        "13.2",
        check_aggregate,
        hints=(
            "Read the checkpoint strongly. A record whose padded number is not above it is done: "
            "record['dynamodb']['SequenceNumber'].zfill(40).",
            "Count the new records in memory, with a collections.Counter by key. Then one "
            "transaction: the checkpoint's new number, and an ADD for each key.",
            "The checkpoint's condition: its number is still the one that you read, or there is "
            "no checkpoint, if you found none. If that condition fails, read the checkpoint again "
            "and start over: error.response['CancellationReasons'] has a Code for each item, in "
            "their order.",
            "99 keys and the checkpoint fill a transaction. If a record needs the 100th key, stop "
            "before it: the checkpoint says how far you are, and the next round goes on from "
            "there.",
        ),
        explanation="The counts and the checkpoint change together, so the checkpoint always says "
        "which records are in the counts. A record that comes again is not above it. If two "
        "aggregators read the same checkpoint, the condition lets only one of them move it. An "
        "aggregator that dies has written a whole transaction or nothing of it.",
    ),
    Exercise(
        "13.3",
        check_aggregate_by_minute,
        hints=(
            "Only two things differ from 13.2: the key of the checkpoint, and the key under which "
            "a ballot is counted.",
            "datetime.fromtimestamp(at, UTC).strftime('%Y-%m-%dT%H:%M') is the minute. "
            "at is int(ballot['votedAt']): a number of an image is a Decimal.",
        ),
        explanation="The minute comes from the ballot itself, so it is the same however late the "
        "record comes, and a new count of the Ballots table finds the same. Each aggregator has "
        "its own checkpoint, because each has its own pace. A minute is never final: a late "
        "ballot is still added to it.",
    ),
    Exercise(
        "13.4",
        check_project_scores,
        hints=(
            "First the records: find the best score of each player, as an int. Ignore a record "
            "without a NewImage, or with a NewImage without a score.",
            "Then for each player the followers, by a strongly consistent Query with all its "
            "pages, and for each of them the guarded update of lab 07.",
            "ConditionalCheckFailedException means that this copy needs no change: catch it "
            "inside the loop. Everything else goes on to the caller, who delivers the batch again.",
        ),
        explanation="You may set a maximum as often as you like, so this needs no checkpoint: "
        "records that come twice, or late, or only in part, never change a better score. The "
        "stream does the work of the flag of lab 07: it keeps a change until all copies have it.",
    ),
)
