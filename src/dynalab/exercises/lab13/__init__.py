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
            "last; the next request has it as ExclusiveStartShardId.",
            "Then an order: a shard comes after its parent, if the parent is in the list. "
            "graphlib.TopologicalSorter takes a dict of each shard's parents.",
            "For each shard one iterator of type TRIM_HORIZON; each answer of get_records brings "
            "the next one, page.get('NextShardIterator'), or none at the end of the shard.",
            "A shard with an EndingSequenceNumber in its SequenceNumberRange is closed: go on, "
            "however many answers are empty. Any other is left after max_empty of them in a row.",
        ),
        explanation="A closed shard has an end, and says where: no iterator for a next answer. An "
        "open shard has none, so its reader decides when to go. Parents come first because an "
        "item's changes go on in the child. A reader that lives on would ask for the list again "
        "and wait a moment between empty answers.",
    ),
    Exercise(
        "13.2",
        check_aggregate,
        hints=(
            "Read the checkpoint strongly. A record whose padded number is not above it is done: "
            "record['dynamodb']['SequenceNumber'].zfill(40).",
            "Sum up what is new in memory, collections.Counter by key. Then one transaction: the "
            "checkpoint's new number, and an ADD for each key.",
            "The checkpoint's condition: its number is still the one that you read, or it is not "
            "there, if you found none. Where that condition fails, read it again and begin anew: "
            "error.response['CancellationReasons'] has a Code for each item, in their order.",
            "99 keys fill a transaction. Where a record would need the 100th, stop there: the "
            "checkpoint says how far you got, and the next round goes on.",
        ),
        explanation="The counts and the checkpoint change together, so the checkpoint says at any "
        "moment what the counts hold. A record that comes again is below it. Two aggregators read "
        "the same checkpoint, and the condition lets one of them move it. Whoever dies has "
        "written all of a transaction or nothing.",
    ),
    Exercise(
        "13.3",
        check_aggregate_by_minute,
        hints=(
            "All of it is in 13.2 but two things: the key of the checkpoint, and the key that a "
            "ballot is counted under.",
            "datetime.fromtimestamp(at, UTC).strftime('%Y-%m-%dT%H:%M') is the minute. "
            "at is int(ballot['votedAt']): a number of an image is a Decimal.",
        ),
        explanation="The minute is part of what the ballot says, so it comes out the same however "
        "late the record comes, and whoever counts the Ballots table again finds the same. Each "
        "aggregator has its own checkpoint, since each has its own pace. A minute is never final: "
        "a late ballot still finds its own.",
    ),
    Exercise(
        "13.4",
        check_project_scores,
        hints=(
            "The records first: the best score of each player, as an int. A record without a "
            "NewImage, or whose NewImage has no score, says nothing.",
            "Then for each player the followers, by a strongly consistent Query with all of its "
            "pages, and for each of them the guarded update of lab 07.",
            "ConditionalCheckFailedException means that this copy needs nothing: catch it inside "
            "the loop. Everything else goes on to the caller, who delivers the batch again.",
        ),
        explanation="A maximum may be set as often as you like, so this needs no checkpoint: "
        "records that come twice, late or in part change nothing that is better. The stream is "
        "the flag of lab 07: it keeps what is to be done until somebody has done it.",
    ),
)
