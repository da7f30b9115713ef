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
            "A Query adds up what it evaluates, and rounds the sum of a page up to 4,096 bytes.",
            "Each 4,096 bytes are half a read unit, eventually consistent.",
            "A full page is 1 MB, 256 times 4,096 bytes, so you may take all bytes together. An "
            "empty inbox costs the minimum, half a unit.",
        ),
        explanation="A Query pays for whole items, whatever it shows of them. So a list costs as "
        "much as everything that is stored beside what it lists.",
    ),
    Exercise(
        "11.2",
        check_deliver,
        hints=(
            "Two put_items, of one item each.",
            "The process may die between them. A body that no header names is never seen; what "
            "about a header whose body is not there?",
            'The sort key of the header: f"MSG#{at:010}#{message_id}".',
        ),
        explanation="The header is the commit: before it there is no message, after it there is a "
        "whole one. The order of two plain writes does what a transaction would, at half the "
        "price, because one of the two half-done states harms nobody. A second call writes the "
        "same two items again.",
    ),
    Exercise(
        "11.3",
        check_list_inbox,
        hints=(
            'One Query: the partition key, and begins_with(SK, "MSG#"), so that drafts and '
            "settings are not even evaluated.",
            "ScanIndexForward=False reads from the end, and Limit ends the page.",
            'reply.get("LastEvaluatedKey") is where the next page starts, as its '
            "ExclusiveStartKey. DynamoDB refuses None there: leave the parameter out.",
        ),
        explanation="Headers are small, so a page of them is a unit or less. The time in the sort "
        "key does the sorting, and where a page ends is handed to whoever asks for the next one.",
    ),
    Exercise(
        "11.4",
        check_open_message,
        hints=(
            "get_item from Bodies, by the message id of the header.",
            "An eventually consistent read may be from before the body was stored. Yet the header "
            "is there, and it came last.",
            "ConsistentRead=True sees the body for sure. Or read eventually first, and strongly "
            "only where nothing was found.",
        ),
        explanation="What never changes can be read at half the price: either it is found, and "
        "then it is right, or it is not there yet. Only the second case is worth a strongly "
        "consistent read.",
    ),
    Exercise(
        "11.5",
        check_large,
        hints=(
            "large_put: get the header, strongly consistent; version = new_version(); put the "
            "intent; put the chunks; commit; delete the chunks of the version in the header that "
            "you have read.",
            "The commit is one transact_write_items: a Put of HEADER whose condition is "
            "`version = :read` (attribute_not_exists(PK) where there was none), and a Delete of "
            "the intent with attribute_exists(PK).",
            "On TransactionCanceledException look at the reasons: if there is a "
            "ConditionalCheckFailed, delete your own chunks and then your intent, and return "
            "False. Everything else is raised again, with nothing deleted.",
            'large_get: in a loop of five, get HEADER, then Query begins_with(SK, "CHUNK#" + '
            'version + "#"), all pages. As many as the header says: join their data. Fewer: '
            "begin again. After the loop raise ChunksMissing.",
        ),
        explanation="Nothing that a reader may be reading is ever changed: chunks are written "
        "under a version that nobody else has, and one small write makes them current. A reader "
        "whose version goes away while it reads misses a chunk, and starts again. Whoever wants to "
        "delete chunks first makes sure that no header can name them: the writer by having turned "
        "it, the sweep by taking the intent that a commit needs.",
        value=True,
    ),
)
