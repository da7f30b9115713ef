"""Answers to lab 01."""

from __future__ import annotations

import math
from typing import Any

from boto3.dynamodb.conditions import Attr, Key

# --- 1.1 count_likes ------------------------------------------------------------------------


def first_page_only(table: Any, post_id: str) -> Any:
    return table.query(
        Select="COUNT",
        KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#"),
    )["Count"]


def everything_under_the_post(table: Any, post_id: str) -> Any:
    return table.query(Select="COUNT", KeyConditionExpression=Key("PK").eq(post_id))["Count"]


def all_but_one(table: Any, post_id: str) -> Any:
    return len(table.query(KeyConditionExpression=Key("PK").eq(post_id))["Items"]) - 1


def scan_with_filter(table: Any, post_id: str) -> int:
    wanted = Attr("PK").eq(post_id) & Attr("SK").begins_with("LIKE#")
    count, start = 0, {}
    while True:
        page = table.scan(Select="COUNT", FilterExpression=wanted, **start)
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            return count
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def the_list_of_likes(table: Any, post_id: str) -> Any:
    return table.query(
        KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#")
    )["Items"]


def never_moves_on(table: Any, post_id: str) -> int:
    count = 0
    while True:
        page = table.query(
            Select="COUNT",
            KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#"),
        )
        count += page["Count"]
        if "LastEvaluatedKey" not in page and count > 10**6:
            return count


def filter_on_the_sort_key(table: Any, post_id: str) -> Any:
    return table.query(
        Select="COUNT",
        KeyConditionExpression=Key("PK").eq(post_id),
        FilterExpression=Attr("SK").begins_with("LIKE#"),
    )["Count"]


def other_parameters(table: Any) -> int:
    return 0


def by_items(table: Any, post_id: str) -> int:
    condition = Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#")
    page = table.query(KeyConditionExpression=condition)
    items = page["Items"]
    while "LastEvaluatedKey" in page:
        page = table.query(
            KeyConditionExpression=condition, ExclusiveStartKey=page["LastEvaluatedKey"]
        )
        items += page["Items"]
    return len(items)


def by_paginator(table: Any, post_id: str) -> int:
    pages = table.meta.client.get_paginator("query").paginate(
        TableName=table.name,
        Select="COUNT",
        ConsistentRead=True,
        KeyConditionExpression="PK = :p and begins_with(SK, :l)",
        ExpressionAttributeValues={":p": post_id, ":l": "LIKE#"},
    )
    return sum(page["Count"] for page in pages)


def between_prefixes(table: Any, post_id: str) -> int:
    count, start = 0, {}
    while start is not None:
        page = table.query(
            Select="COUNT",
            KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").between("LIKE#", "LIKE$"),
            **start,
        )
        count += page["Count"]
        last = page.get("LastEvaluatedKey")
        start = None if last is None else {"ExclusiveStartKey": last}
    return count


# --- 1.2 count_cost ---------------------------------------------------------------------------


def each_like_rounded(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return likes * math.ceil(like_bytes / 4096) * (1 if consistent else 0.5)


def nothing_rounded(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return likes * like_bytes / 4096 * (1 if consistent else 0.5)


def no_minimum(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return math.ceil(likes * like_bytes / 4096) * (1 if consistent else 0.5)


def the_wrong_half(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return max(1, math.ceil(likes * like_bytes / 4096)) * (0.5 if consistent else 1)


def count_is_free(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return 1.0 if consistent else 0.5


def kilobytes_of_a_thousand(likes: int, like_bytes: int, consistent: bool = False) -> float:
    return max(1, math.ceil(likes * like_bytes / 4000)) * (1 if consistent else 0.5)


def page_by_page(likes: int, like_bytes: int, consistent: bool = False) -> float:
    per_page = 1_048_576 // like_bytes
    units = 0
    while likes > 0:
        units += math.ceil(min(likes, per_page) * like_bytes / 4096)
        likes -= per_page
    return max(units, 1) * (1.0 if consistent else 0.5)


# --- 1.3 read_tally ----------------------------------------------------------------------------


def no_post_is_zero(table: Any, post_id: str) -> Any:
    return table.get_item(Key={"PK": post_id, "SK": "META"}).get("Item", {}).get("likeTally", 0)


def no_tally_raises(table: Any, post_id: str) -> Any:
    return table.get_item(Key={"PK": post_id, "SK": "META"})["Item"]["likeTally"]


def no_tally_is_none(table: Any, post_id: str) -> Any:
    item = table.get_item(Key={"PK": post_id, "SK": "META"}).get("Item")
    return item and item.get("likeTally")


def counted_instead(table: Any, post_id: str) -> int:
    return by_items(table, post_id)


def tally_by_client(table: Any, post_id: str) -> Any:
    reply = table.meta.client.get_item(
        TableName=table.name,
        Key={"PK": post_id, "SK": "META"},
        ProjectionExpression="PK, likeTally",
    )
    return reply["Item"].get("likeTally", 0) if "Item" in reply else None


def tally_strongly(table: Any, post_id: str) -> Any:
    reply = table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True)
    return int(reply["Item"].get("likeTally", 0)) if "Item" in reply else None


# --- 1.4 post_page ----------------------------------------------------------------------------


def two_requests(table: Any, post_id: str, likers: int) -> Any:
    post = table.get_item(Key={"PK": post_id, "SK": "META"}).get("Item")
    page = table.query(
        KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#"), Limit=likers
    )
    return post, [item["SK"].removeprefix("LIKE#") for item in page["Items"]]


def read_from_the_front(table: Any, post_id: str, likers: int) -> Any:
    items = table.query(KeyConditionExpression=Key("PK").eq(post_id), Limit=likers + 1)["Items"]
    post = next((item for item in items if item["SK"] == "META"), None)
    return post, [item["SK"][5:] for item in items if item["SK"] != "META"]


def sliced(table: Any, post_id: str, likers: int) -> Any:
    items = table.query(KeyConditionExpression=Key("PK").eq(post_id))["Items"]
    post = next((item for item in items if item["SK"] == "META"), None)
    return post, [item["SK"][5:] for item in items if item["SK"] != "META"][:likers]


def whole_sort_keys(table: Any, post_id: str, likers: int) -> Any:
    items = table.query(
        KeyConditionExpression=Key("PK").eq(post_id), ScanIndexForward=False, Limit=likers + 1
    )["Items"]
    return (items[0] if items else None), [item["SK"] for item in items[1:]]


def one_liker_short(table: Any, post_id: str, likers: int) -> Any:
    items = table.query(
        KeyConditionExpression=Key("PK").eq(post_id), ScanIndexForward=False, Limit=likers
    )["Items"]
    return (items[0] if items else None), [item["SK"][5:] for item in items[1:]]


def a_dict(table: Any, post_id: str, likers: int) -> Any:
    return {"post": None, "likers": []}


def first_is_the_post(table: Any, post_id: str, likers: int) -> Any:
    items = table.query(
        KeyConditionExpression=Key("PK").eq(post_id), ScanIndexForward=False, Limit=1 + likers
    )["Items"]
    return (items[0] if items else None), [item["SK"].split("#", 1)[1] for item in items[1:]]


WRONG = {
    "1.1": [
        (first_page_only, "That is the first page"),
        (everything_under_the_post, "META and a comment were counted"),
        (all_but_one, "META was counted too"),
        (scan_with_filter, "A Scan read all"),
        (the_list_of_likes, "returned list"),
        (never_moves_on, "where to go on"),
        (filter_on_the_sort_key, "non-primary key attributes"),
        (other_parameters, "your function takes (table)"),
        (3, "takes the function itself"),
    ],
    "1.2": [
        (each_like_rounded, "rounds up each like"),
        (nothing_rounded, "Can a part of 4 KB be billed"),
        (no_minimum, "a Query that finds nothing cost"),
        (the_wrong_half, "Which of the two reads costs half"),
        (count_is_free, "DynamoDB bills"),
        (kilobytes_of_a_thousand, "1,000 or 1,024"),
    ],
    "1.3": [
        (no_post_is_zero, "does not exist"),
        (no_tally_raises, "KeyError: 'likeTally'"),
        (no_tally_is_none, "was never liked"),
        (counted_instead, "0.5"),
    ],
    "1.4": [
        (two_requests, "2 requests: GetItem and Query"),
        (read_from_the_front, "From which end"),
        (sliced, "read 61 items for it"),
        (whole_sort_keys, "three different users"),
        (a_dict, "returned dict"),
        (one_liker_short, "is META one of them"),
    ],
}
RIGHT = {
    "1.1": [by_items, by_paginator, between_prefixes],
    "1.2": [page_by_page],
    "1.3": [tally_by_client, tally_strongly],
    "1.4": [first_is_the_post],
}
