"""Lab 11, Split what is large: headers apart from bodies, and data beyond one item."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab11.deliver_message import check_deliver
from dynalab.exercises.lab11.inbox_bill import check_inbox_cost
from dynalab.exercises.lab11.inbox_pages import check_list_inbox
from dynalab.exercises.lab11.large_values import check_large
from dynalab.exercises.lab11.open_body import check_open_message
from dynalab.exercises.tables import PK_SK

TABLES = {"Inbox": PK_SK, "Bodies": PK_SK, "Files": PK_SK}

EXERCISES = (
    Exercise(
        "11.1",
        check_inbox_cost,
        hints=(
            "A Query adds up the sizes of what it evaluates, and rounds the sum of a page up to a "
            "multiple of 4,096 bytes.",
            "Each 4,096 bytes cost half a read unit if the read is eventually consistent.",
            "A full page is 1 MB, 256 times 4,096 bytes, so you may take all bytes together. An "
            "empty inbox costs the minimum, half a unit.",
        ),
        explanation="You pay for whole items, whatever part of them the Query returns. So a list "
        "costs as much as all that is stored in the items that it lists.",
    ),
    Exercise(
        "11.2",
        check_deliver,
        hints=(
            "Two put_items, of one item each.",
            "The process may die between them. Nobody sees a body that no header names. What "
            "about a header whose body is missing?",
            'The sort key of the header: f"MSG#{at:010}#{message_id}".',
        ),
        explanation="The header is the commit: before it there is no message, after it there is a "
        "whole one. The right order of two plain writes does as well as a transaction, at half "
        "the price, because a body alone does no harm. A second call writes the same two items "
        "again.",
    ),
    Exercise(
        "11.3",
        check_list_inbox,
        hints=(
            'One Query: the partition key, and begins_with(SK, "MSG#"), so that it does not '
            "evaluate drafts and settings.",
            "ScanIndexForward=False reads from the end, and Limit ends the page.",
            'Pass reply.get("LastEvaluatedKey") as ExclusiveStartKey to get the next page. boto3 '
            "does not accept None there: if there is no key, leave the parameter out.",
        ),
        explanation="Headers are small, so a page of them costs one unit or less. The time in the "
        "sort key does the sorting. The caller gets the key at which a page ends, and passes it "
        "to get the next page.",
    ),
    Exercise(
        "11.4",
        check_open_message,
        hints=(
            "get_item from Bodies, by the message id of the header.",
            "An eventually consistent read may not show the body yet. But the header is there, "
            "and it was written last.",
            "ConsistentRead=True always finds the body. Or read eventually consistent first, and "
            "read strongly consistent only if you found nothing.",
        ),
        explanation="An item that never changes can be read at half the price. If the read finds "
        "it, it is right. If the read does not find it, it may not be there yet. Only then you "
        "need a strongly consistent read.",
    ),
    Exercise(
        "11.5",
        check_large,
        hints=(
            "large_put: get the header, strongly consistent; version = new_version(); put the "
            "intent; put the chunks; commit; delete the chunks of the version in the header that "
            "you have read.",
            "The commit is one transact_write_items: a Put of HEADER whose condition is `version "
            "= :read` (attribute_not_exists(PK) if there was none), and a Delete of the intent "
            "with attribute_exists(PK).",
            "On TransactionCanceledException look at the reasons: if there is a "
            "ConditionalCheckFailed, delete your own chunks and then your intent, and return "
            "False. Raise everything else again, and delete nothing.",
            'large_get: in a loop of five, get HEADER, then Query begins_with(SK, "CHUNK#" + '
            'version + "#"), all pages. If there are as many as the header says, join their data. '
            "If there are fewer, begin again. After the loop raise ChunksMissing.",
        ),
        explanation="Chunks that a reader may be reading never change: new chunks have a version "
        "that nobody else has, and one small write makes them current. If its version is deleted "
        "while it reads, a reader misses a chunk and starts again. Before chunks are deleted, it "
        "must be sure that no header can name them. The writer has changed the header first. The "
        "sweep first deletes the intent that a commit needs.",
        value=True,
    ),
)
