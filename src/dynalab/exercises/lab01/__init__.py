"""Lab 01, Count on read: what it costs to count likes each time somebody looks."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab01.count_cost import check_count_cost
from dynalab.exercises.lab01.count_likes import check_count_likes
from dynalab.exercises.lab01.post_page import check_post_page
from dynalab.exercises.lab01.read_tally import check_read_tally
from dynalab.exercises.tables import PK_SK

TABLES = {"Social": PK_SK}


EXERCISES = (
    Exercise(
        "1.1",
        check_count_likes,
        hints=(
            "A Query takes one partition key, and a condition on the sort key: begins_with.",
            "Select='COUNT' leaves the items out of the reply; Count is the number on this page.",
            "If a reply has a LastEvaluatedKey, there is more to read: pass that key as "
            "ExclusiveStartKey to the next request.",
        ),
        explanation="A Query evaluates the likes and nothing else. Each page holds up to 1 MB; "
        "the loop ends when a reply has no LastEvaluatedKey, not when a page is short.",
    ),
    Exercise(
        "1.2",
        check_count_cost,
        hints=(
            "A Query adds up the sizes of what it evaluates, and rounds the sum up to 4,096 bytes.",
            "Each 4,096 bytes cost one read unit, or half a unit if the read is eventually "
            "consistent.",
            "A page ends at 1 MB, 256 times 4,096 bytes. An empty result costs the minimum.",
        ),
        explanation="The sum is rounded, not each like. So the cost of counting grows in "
        "proportion to the likes. COUNT costs as much as reading: DynamoDB evaluates every item "
        "in both cases.",
    ),
    Exercise(
        "1.3",
        check_read_tally,
        hints=(
            "table.get_item(Key={...}) with the partition key of the post and the sort key META.",
            'Test for "Item" in the reply first. Only then ask the item for likeTally, and take 0 '
            "if it has none.",
        ),
        explanation="One item of up to 4 KB, read eventually: half a unit, with ten likes or ten "
        "million. What keeps the tally right is the subject of the next labs.",
    ),
    Exercise(
        "1.4",
        check_post_page,
        hints=(
            "One Query on the partition key alone meets META and the likes.",
            "ScanIndexForward=False reads from the end: META stands after LIKE#.",
            "Limit counts the items that are evaluated: one for META, and one for each liker.",
        ),
        explanation="What is shown together shares a partition key, so one Query brings it. "
        "The order of the sort keys decides what Limit cuts off.",
    ),
)
