"""Lab 05, Composite sort keys: one status in order of time, and how it changes."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab05.accept import check_accept
from dynalab.exercises.lab05.games import TABLES
from dynalab.exercises.lab05.move import check_move
from dynalab.exercises.lab05.pending import check_pending
from dynalab.exercises.lab05.pending_between import check_pending_between
from dynalab.exercises.lab05.pending_filtered import check_pending_filtered
from dynalab.exercises.lab05.status_date import check_status_date

__all__ = ["EXERCISES", "TABLES"]

EXERCISES = (
    Exercise(
        "5.1",
        check_pending_filtered,
        hints=(
            "table.query with IndexName='byDate', a key condition on opponent alone, and a "
            "FilterExpression on status. status is a reserved word: use ExpressionAttributeNames.",
            "ScanIndexForward=False reads from the end of the index, the newest first.",
            "Collect the Items of all pages. If a reply has a LastEvaluatedKey, there is more to "
            "read, also if it has no Items: pass the key on as ExclusiveStartKey.",
        ),
        explanation="The filter runs after a page is read and before it is sent. So it changes "
        "what is sent, but not what a page holds, and not what it costs. Only LastEvaluatedKey "
        "says whether there is more.",
    ),
    Exercise(
        "5.2",
        check_status_date,
        hints=(
            "when.utcoffset() is None for a datetime without a zone. when.astimezone(UTC) is the "
            "same instant in UTC.",
            "isoformat has a parameter timespec: with 'milliseconds' it writes three digits, also "
            "if they are zeros, and cuts the rest off. It writes every year with four digits.",
            "isoformat writes +00:00 for UTC. So convert to UTC, remove the zone with "
            "replace(tzinfo=None), and add a Z to the text.",
        ),
        explanation="Texts are compared from the left, byte by byte. All keys have one zone, each "
        "part has the same width in every key, and the larger unit comes first. So the first byte "
        "that differs belongs to the largest unit that differs.",
    ),
    Exercise(
        "5.3",
        check_pending,
        hints=(
            "IndexName='byStatusDate', and a key condition of two parts: opponent = :who AND "
            "begins_with(statusDate, :prefix).",
            "The prefix ends with the delimiter: PENDING#. ScanIndexForward=False.",
            "If there is a limit, pass Limit: as many games as you still need. Stop when you have "
            "them, or when no LastEvaluatedKey is left.",
        ),
        explanation="The pending games of one opponent are next to each other in the index, in "
        "order of time. So the Query reads them and nothing else, from the end that you ask for, "
        "and Limit counts only games that you want.",
    ),
    Exercise(
        "5.4",
        check_pending_between,
        hints=(
            "Two keys of your status_date are the bounds: statusDate BETWEEN :first AND :last.",
            "BETWEEN includes both bounds. The last key before the end is that of the end minus a "
            "millisecond.",
            "Compare the two keys before you send a request: if they are reversed, raise "
            "ValueError; if they are the same, there is nothing to ask for.",
        ),
        explanation="The keys are in order of time, so an interval is one continuous part of the "
        "index. The end of one interval is the start of the next. So intervals have no gaps "
        "between them, and no game is in two of them.",
    ),
    Exercise(
        "5.5",
        check_accept,
        hints=(
            "One update_item sets both: SET #s = :active, statusDate = :key. Its "
            "ConditionExpression compares the status with PENDING.",
            "If the condition fails, boto3 raises "
            "table.meta.client.exceptions.ConditionalCheckFailedException.",
            "ReturnValuesOnConditionCheckFailure='ALL_OLD' puts the stored game into "
            "error.response['Item']. If there was no game, there is no Item. (A get_item "
            "afterwards also tells you.)",
        ),
        explanation="Both attributes change in one write, so no reader sees them disagree. The "
        "condition is evaluated in the same step, so one of two clients comes second and learns "
        "it. DynamoDB moves the entry in each index whose key has changed.",
    ),
    Exercise(
        "5.6",
        check_move,
        hints=(
            "Read the game by its whole key, strongly consistent; no Item means False. Make the "
            "new item from the one that you read: {**game, ...}.",
            "transact_write_items with a Delete of the old key and a Put of the new item. The "
            "Delete has a condition: version = :seen.",
            "If the first of the CancellationReasons has the Code ConditionalCheckFailed, the "
            "game has changed since you read it: read again. Any other error goes on.",
        ),
        explanation="The put writes back everything that you read, so the condition of the delete "
        "must prove that it is still up to date. Every update changes version. In one step the "
        "transaction removes the game from one key and puts it at the other.",
    ),
)
