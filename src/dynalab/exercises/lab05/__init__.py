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
            "FilterExpression on status. status is a reserved word: name it by "
            "ExpressionAttributeNames.",
            "ScanIndexForward=False reads from the end of the index, the newest first.",
            "Add up the Items of all pages. A reply with a LastEvaluatedKey has more behind it, "
            "also where it has no Items: pass the key on as ExclusiveStartKey.",
        ),
        explanation="The filter runs after a page was read and before it is sent. So it changes "
        "what travels, and neither what a page holds nor what it costs. LastEvaluatedKey alone "
        "says whether there is more.",
    ),
    Exercise(
        "5.2",
        check_status_date,
        hints=(
            "when.utcoffset() is None for a datetime without a zone. when.astimezone(UTC) is the "
            "same instant in UTC.",
            "isoformat has a parameter timespec: with 'milliseconds' it writes three digits, "
            "also where they are zeros, and cuts the rest off. It writes every year in four.",
            "isoformat writes +00:00 for UTC. Take the zone off first, once it is UTC, with "
            "replace(tzinfo=None), and add a Z.",
        ),
        explanation="Texts are compared from the left, byte by byte. With one zone, and each part "
        "as wide in every key and the larger unit first, the first byte that differs belongs to "
        "the largest unit that differs.",
    ),
    Exercise(
        "5.3",
        check_pending,
        hints=(
            "IndexName='byStatusDate', and a key condition of two parts: opponent = :who AND "
            "begins_with(statusDate, :prefix).",
            "The prefix ends with the delimiter: PENDING#. ScanIndexForward=False.",
            "Pass Limit where there is a limit: as many as are still wanted. Stop when you have "
            "them, or when no LastEvaluatedKey is left.",
        ),
        explanation="The pending games of one opponent stand side by side in the index, in order "
        "of time. So the Query reads them and nothing else, from the end that you ask for, and "
        "Limit counts games that you want.",
    ),
    Exercise(
        "5.4",
        check_pending_between,
        hints=(
            "Two keys of your status_date are the bounds: statusDate BETWEEN :first AND :last.",
            "BETWEEN takes both bounds in. The last key before the end is that of the end minus a "
            "millisecond.",
            "Compare the two keys before you ask: reversed is a ValueError, and where both are "
            "the same there is nothing to ask for.",
        ),
        explanation="Keys in order of time make an interval one stretch of the index. Half-open "
        "intervals fit together without gaps and without a game that is in two of them: one "
        "interval's end is the next one's start.",
    ),
    Exercise(
        "5.5",
        check_accept,
        hints=(
            "One update_item sets both: SET #s = :active, statusDate = :key. Its "
            "ConditionExpression compares the status with PENDING.",
            "Where the condition fails, boto3 raises table.meta.client.exceptions."
            "ConditionalCheckFailedException.",
            "ReturnValuesOnConditionCheckFailure='ALL_OLD' puts the stored game into "
            "error.response['Item']. Where there was no game, there is no Item. (A get_item "
            "afterwards tells it as well.)",
        ),
        explanation="Both attributes change in one write, so no reader finds them at odds, and the "
        "condition is evaluated in that same step, so one of two clients comes second and learns "
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
            "Where the first of the CancellationReasons has the Code ConditionalCheckFailed, the "
            "game has changed since you read it: read again. Any other error goes on.",
        ),
        explanation="The put writes back everything that was read, so the delete has to prove that "
        "it is still true. version changes with every update of whatever attribute. The "
        "transaction makes the game vanish from one key and appear at the other in one step.",
    ),
)
