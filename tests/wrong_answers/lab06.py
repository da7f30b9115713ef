"""Answers to lab 06."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

KEYS = [
    {"AttributeName": "PK", "KeyType": "HASH"},
    {"AttributeName": "SK", "KeyType": "RANGE"},
]
TYPES = [
    {"AttributeName": "PK", "AttributeType": "S"},
    {"AttributeName": "SK", "AttributeType": "S"},
    {"AttributeName": "highScore", "AttributeType": "N"},
]
NAME_ONLY = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name"]}


# --- 6.1 create_friend_score ----------------------------------------------------------------------


def by_score(projection: Any, *, sort: str = "highScore", name: str = "byHighScore") -> Any:
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": sort, "KeyType": "RANGE"},
        ],
        "Projection": projection,
    }


def created(dynamodb: Any, name: str, *indexes: Any, types: Any = TYPES, **more: Any) -> Any:
    if indexes:
        more["LocalSecondaryIndexes"] = list(indexes)
    table = dynamodb.create_table(
        TableName=name,
        KeySchema=KEYS,
        AttributeDefinitions=types,
        BillingMode="PAY_PER_REQUEST",
        **more,
    )
    table.wait_until_exists()
    return table


def right_table(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, by_score(NAME_ONLY))


def projects_all(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, by_score({"ProjectionType": "ALL"}))


def projects_since_too(dynamodb: Any, name: str) -> Any:
    both = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name", "since"]}
    return created(dynamodb, name, by_score(both))


def projects_keys_only(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, by_score({"ProjectionType": "KEYS_ONLY"}))


def projects_another(dynamodb: Any, name: str) -> Any:
    since = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["since"]}
    return created(dynamodb, name, by_score(since))


def score_is_text(dynamodb: Any, name: str) -> Any:
    types = [*TYPES[:2], {"AttributeName": "highScore", "AttributeType": "S"}]
    return created(dynamodb, name, by_score(NAME_ONLY), types=types)


def sorts_by_name(dynamodb: Any, name: str) -> Any:
    types = [*TYPES[:2], {"AttributeName": "name", "AttributeType": "S"}]
    index = by_score({"ProjectionType": "ALL"}, sort="name")
    return created(dynamodb, name, index, types=types)


def no_index(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, types=TYPES[:2])


def index_afterwards(dynamodb: Any, name: str) -> Any:
    created(dynamodb, name, types=TYPES[:2])
    dynamodb.meta.client.update_table(
        TableName=name, LocalSecondaryIndexUpdates=[{"Create": by_score(NAME_ONLY)}]
    )
    return dynamodb.Table(name)


def global_afterwards(dynamodb: Any, name: str) -> Any:
    table = created(dynamodb, name, types=TYPES[:2])
    return table.update(
        AttributeDefinitions=TYPES,
        GlobalSecondaryIndexUpdates=[{"Create": by_score(NAME_ONLY)}],
    )


def global_index(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, GlobalSecondaryIndexes=[by_score(NAME_ONLY)])


def index_by_friend(dynamodb: Any, name: str) -> Any:
    index = by_score(NAME_ONLY)
    index["KeySchema"][0]["AttributeName"] = "SK"
    return created(dynamodb, name, index)


def another_index_name(dynamodb: Any, name: str) -> Any:
    return created(dynamodb, name, by_score(NAME_ONLY, name="highScore-index"))


def two_indexes(dynamodb: Any, name: str) -> Any:
    types = [*TYPES, {"AttributeName": "since", "AttributeType": "N"}]
    since = by_score(NAME_ONLY, sort="since", name="bySince")
    return created(dynamodb, name, by_score(NAME_ONLY), since, types=types)


def name_is_defined(dynamodb: Any, name: str) -> Any:
    types = [*TYPES, {"AttributeName": "name", "AttributeType": "S"}]
    return created(dynamodb, name, by_score(NAME_ONLY), types=types)


def its_own_name(dynamodb: Any, name: str) -> Any:
    return right_table(dynamodb, "FriendScore2")


def says_nothing_of_it(dynamodb: Any, name: str) -> None:
    right_table(dynamodb, name)


def the_reply(dynamodb: Any, name: str) -> Any:
    right_table(dynamodb, name)
    return dynamodb.meta.client.describe_table(TableName=name)


def other_key_names(dynamodb: Any, name: str) -> Any:
    keys = [
        {"AttributeName": "user", "KeyType": "HASH"},
        {"AttributeName": "friend", "KeyType": "RANGE"},
    ]
    index = by_score(NAME_ONLY)
    index["KeySchema"][0]["AttributeName"] = "user"
    return dynamodb.create_table(
        TableName=name,
        KeySchema=keys,
        AttributeDefinitions=[
            {"AttributeName": "user", "AttributeType": "S"},
            {"AttributeName": "friend", "AttributeType": "S"},
            TYPES[2],
        ],
        LocalSecondaryIndexes=[index],
        BillingMode="PAY_PER_REQUEST",
    )


def provisioned(dynamodb: Any, name: str) -> Any:
    return dynamodb.create_table(
        TableName=name,
        KeySchema=KEYS,
        AttributeDefinitions=list(reversed(TYPES)),
        LocalSecondaryIndexes=[by_score(NAME_ONLY)],
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    )


def by_client(dynamodb: Any, name: str) -> Any:
    client = boto3.client("dynamodb")
    client.create_table(
        TableName=name,
        KeySchema=KEYS,
        AttributeDefinitions=TYPES,
        LocalSecondaryIndexes=[by_score(NAME_ONLY)],
        BillingMode="PAY_PER_REQUEST",
    )
    client.get_waiter("table_exists").wait(TableName=name)
    return dynamodb.Table(name)


def keys_included_too(dynamodb: Any, name: str) -> Any:
    more = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name", "SK", "highScore"]}
    return created(dynamodb, name, by_score(more))


# --- 6.2 leaderboard ------------------------------------------------------------------------------


def of_index(table: Any, user_id: str, **more: Any) -> Any:
    return table.query(
        IndexName="byHighScore",
        KeyConditionExpression=Key("PK").eq(f"USER#{user_id}"),
        **more,
    )["Items"]


def row(item: Any) -> tuple[str, str, int]:
    return item["SK"].removeprefix("FRIEND#"), item["name"], int(item["highScore"])


def rows(items: Any) -> list[tuple[str, str, int]]:
    return [row(item) for item in items]


def right_board(table: Any, user_id: str, top: int = 10) -> Any:
    return rows(of_index(table, user_id, ScanIndexForward=False, Limit=top))


def worst_first(table: Any, user_id: str, top: int = 10) -> Any:
    return rows(of_index(table, user_id, Limit=top))


def ten_worst_turned(table: Any, user_id: str, top: int = 10) -> Any:
    return rows(of_index(table, user_id, Limit=top))[::-1]


def first_ten_friends(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.query(KeyConditionExpression=Key("PK").eq(f"USER#{user_id}"), Limit=top)["Items"]
    played = [item for item in items if "highScore" in item]
    return rows(sorted(played, key=lambda item: -item["highScore"]))


def sorts_the_table(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.query(KeyConditionExpression=Key("PK").eq(f"USER#{user_id}"))["Items"]
    played = [item for item in items if "highScore" in item]
    return rows(sorted(played, key=lambda item: -item["highScore"]))[:top]


def sorts_texts(table: Any, user_id: str, top: int = 10) -> Any:
    items = of_index(table, user_id)
    return rows(sorted(items, key=lambda item: str(item["highScore"]), reverse=True))[:top]


def slices(table: Any, user_id: str, top: int = 10) -> Any:
    return rows(of_index(table, user_id, ScanIndexForward=False))[:top]


def drops_zero(table: Any, user_id: str, top: int = 10) -> Any:
    items = of_index(table, user_id, ScanIndexForward=False, Limit=top)
    return rows(item for item in items if item["highScore"])


def fetches_all(table: Any, user_id: str, top: int = 10) -> Any:
    options = {"Select": "ALL_ATTRIBUTES", "ScanIndexForward": False, "Limit": top}
    return rows(of_index(table, user_id, **options))


def asks_for_since(table: Any, user_id: str, top: int = 10) -> Any:
    return rows(
        of_index(
            table,
            user_id,
            ScanIndexForward=False,
            Limit=top,
            ProjectionExpression="SK, #n, highScore, since",
            ExpressionAttributeNames={"#n": "name"},
        )
    )


def gets_each_name(table: Any, user_id: str, top: int = 10) -> Any:
    found = []
    for item in of_index(table, user_id, ScanIndexForward=False, Limit=top):
        key = {"PK": item["PK"], "SK": item["SK"]}
        found.append(row(table.get_item(Key=key)["Item"]))
    return found


def scans(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.scan(IndexName="byHighScore")["Items"]
    return rows(sorted(items, key=lambda item: -item["highScore"]))[:top]


def scans_and_filters(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.scan(IndexName="byHighScore", FilterExpression=Attr("PK").eq(f"USER#{user_id}"))[
        "Items"
    ]
    return rows(sorted(items, key=lambda item: -item["highScore"]))[:top]


def shows_the_key(table: Any, user_id: str, top: int = 10) -> Any:
    items = of_index(table, user_id, ScanIndexForward=False, Limit=top)
    return [(item["SK"], item["name"], int(item["highScore"])) for item in items]


def decimals(table: Any, user_id: str, top: int = 10) -> Any:
    items = of_index(table, user_id, ScanIndexForward=False, Limit=top)
    return [(*row(item)[:2], item["highScore"]) for item in items]


def items_as_they_are(table: Any, user_id: str, top: int = 10) -> Any:
    return of_index(table, user_id, ScanIndexForward=False, Limit=top)


def everybody_with_none(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.query(KeyConditionExpression=Key("PK").eq(f"USER#{user_id}"))["Items"]
    items.sort(key=lambda item: -item.get("highScore", -1))
    scores = [item.get("highScore") for item in items[:top]]
    return [
        (item["SK"].removeprefix("FRIEND#"), item["name"], None if score is None else int(score))
        for item, score in zip(items, scores, strict=False)
    ]


def always_ten(table: Any, user_id: str, top: int = 10) -> Any:
    return right_board(table, user_id)


def other_order_of_a_row(table: Any, user_id: str, top: int = 10) -> Any:
    return [(name, friend, score) for friend, name, score in right_board(table, user_id, top)]


def a_generator(table: Any, user_id: str, top: int = 10) -> Any:
    yield from right_board(table, user_id, top)


def bare_key(table: Any, user_id: str, top: int = 10) -> Any:
    items = table.query(
        IndexName="byHighScore",
        KeyConditionExpression=Key("PK").eq(user_id),
        ScanIndexForward=False,
        Limit=top,
    )["Items"]
    return rows(items)


def board_strongly(table: Any, user_id: str, top: int = 10) -> Any:
    options = {"ConsistentRead": True, "ScanIndexForward": False, "Limit": top}
    return rows(of_index(table, user_id, **options))


def board_by_expression(table: Any, user_id: str, top: int = 10) -> Any:
    reply = table.query(
        IndexName="byHighScore",
        KeyConditionExpression="PK = :user AND highScore >= :zero",
        ExpressionAttributeValues={":user": f"USER#{user_id}", ":zero": 0},
        ProjectionExpression="SK, #name, highScore",
        ExpressionAttributeNames={"#name": "name"},
        ScanIndexForward=False,
        Limit=top,
    )
    return [
        (item["SK"].partition("#")[2], item["name"], int(item["highScore"]))
        for item in reply["Items"]
    ]


def board_by_client(table: Any, user_id: str, top: int = 10) -> Any:
    reply = boto3.client("dynamodb").query(
        TableName=table.name,
        IndexName="byHighScore",
        KeyConditionExpression="PK = :user",
        ExpressionAttributeValues={":user": {"S": f"USER#{user_id}"}},
        ScanIndexForward=False,
        Limit=top,
    )
    return [
        (item["SK"]["S"][7:], item["name"]["S"], int(item["highScore"]["N"]))
        for item in reply["Items"]
    ]


def board_of_lists(table: Any, user_id: str, top: int = 10) -> Any:
    return [list(each) for each in right_board(table, user_id, top)]


def ties_by_name(table: Any, user_id: str, top: int = 10) -> Any:
    return sorted(right_board(table, user_id, top), key=lambda each: (-each[2], each[1]))


# --- 6.3 ranks ------------------------------------------------------------------------------------


def places(board: Any) -> Any:
    return list(range(1, len(board) + 1))


def dense(board: Any) -> Any:
    distinct = sorted({score for _, _, score in board}, reverse=True)
    return [distinct.index(score) + 1 for _, _, score in board]


def worse_rank(board: Any) -> Any:
    return [sum(other[2] >= each[2] for other in board) for each in board]


def from_zero(board: Any) -> Any:
    return [sum(other[2] > each[2] for other in board) for each in board]


def ranked_rows(board: Any) -> Any:
    return [(rank, *each) for rank, each in zip(ranks_by_counting(board), board, strict=True)]


def by_friend(board: Any) -> Any:
    return {each[0]: rank for rank, each in zip(ranks_by_counting(board), board, strict=True)}


def fails_on_nobody(board: Any) -> Any:
    found = [1]
    previous = board[0]
    for place, each in enumerate(board[1:], 2):
        found.append(found[-1] if each[2] == previous[2] else place)
        previous = each
    return found


def falsy_is_no_tie(board: Any) -> Any:
    found: list[int] = []
    previous = None
    for place, each in enumerate(board, 1):
        found.append(found[-1] if previous and each[2] == previous else place)
        previous = each[2]
    return found


def ranks_by_counting(board: Any) -> Any:
    return [1 + sum(other[2] > each[2] for other in board) for each in board]


def ranks_by_first_place(board: Any) -> Any:
    scores = [score for _, _, score in board]
    return [scores.index(score) + 1 for score in scores]


def ranks_in_a_tuple(board: Any) -> Any:
    return tuple(ranks_by_counting(board))


def ranks_in_a_loop(board: Any) -> Any:
    found: list[int] = []
    for place, (_, _, score) in enumerate(board):
        tied = place > 0 and board[place - 1][2] == score
        found.append(found[-1] if tied else place + 1)
    return found


# --- 6.4 rank_of ----------------------------------------------------------------------------------


def pages(table: Any, **request: Any) -> Any:
    while True:
        page = table.query(**request)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def ahead(user_id: str, score: int, **more: Any) -> dict[str, Any]:
    return {
        "IndexName": "byHighScore",
        "KeyConditionExpression": Key("PK").eq(f"USER#{user_id}") & Key("highScore").gt(score),
        **more,
    }


def counted(table: Any, **request: Any) -> int:
    return sum(page["Count"] for page in pages(table, **request))


def right_rank(table: Any, user_id: str, score: int) -> Any:
    return counted(table, **ahead(user_id, score, Select="COUNT")) + 1


def first_page(table: Any, user_id: str, score: int) -> Any:
    return int(table.query(**ahead(user_id, score, Select="COUNT"))["Count"]) + 1


def how_many_ahead(table: Any, user_id: str, score: int) -> Any:
    return counted(table, **ahead(user_id, score, Select="COUNT"))


def ties_are_ahead(table: Any, user_id: str, score: int) -> Any:
    condition = Key("PK").eq(f"USER#{user_id}") & Key("highScore").gte(score)
    return counted(table, **ahead(user_id, 0) | {"KeyConditionExpression": condition}) + 1


def from_the_other_end(table: Any, user_id: str, score: int) -> Any:
    condition = Key("PK").eq(f"USER#{user_id}") & Key("highScore").lt(score)
    return counted(table, **ahead(user_id, 0) | {"KeyConditionExpression": condition}) + 1


def filters_the_table(table: Any, user_id: str, score: int) -> Any:
    condition = Key("PK").eq(f"USER#{user_id}")
    ahead_of = Attr("highScore").gt(score)
    request = {"KeyConditionExpression": condition, "FilterExpression": ahead_of}
    return counted(table, **request, Select="COUNT") + 1


def counts_in_python(table: Any, user_id: str, score: int) -> Any:
    condition = Key("PK").eq(f"USER#{user_id}")
    found = pages(table, IndexName="byHighScore", KeyConditionExpression=condition)
    return sum(item["highScore"] > score for page in found for item in page["Items"]) + 1


def on_the_board(table: Any, user_id: str, score: int) -> Any:
    """Looks among the ten best only."""
    return sum(each[2] > score for each in right_board(table, user_id)) + 1


def all_friends_less_those_behind(table: Any, user_id: str, score: int) -> Any:
    everybody = counted(table, KeyConditionExpression=Key("PK").eq(f"USER#{user_id}"))
    condition = Key("PK").eq(f"USER#{user_id}") & Key("highScore").lte(score)
    behind = counted(table, IndexName="byHighScore", KeyConditionExpression=condition)
    return everybody - behind + 1


def a_float(table: Any, user_id: str, score: int) -> Any:
    return float(right_rank(table, user_id, score))


def rank_with_items(table: Any, user_id: str, score: int) -> Any:
    return 1 + sum(len(page["Items"]) for page in pages(table, **ahead(user_id, score)))


def rank_strongly(table: Any, user_id: str, score: int) -> Any:
    return 1 + counted(table, **ahead(user_id, score, Select="COUNT", ConsistentRead=True))


def rank_from_the_next_score(table: Any, user_id: str, score: int) -> Any:
    condition = Key("PK").eq(f"USER#{user_id}") & Key("highScore").gte(score + 1)
    request = {"IndexName": "byHighScore", "KeyConditionExpression": condition}
    return 1 + counted(table, **request, Select="COUNT", ScanIndexForward=False)


def rank_by_paginator(table: Any, user_id: str, score: int) -> Any:
    paginator = table.meta.client.get_paginator("query")
    request = {
        "TableName": table.name,
        "IndexName": "byHighScore",
        "Select": "COUNT",
        "KeyConditionExpression": "PK = :user AND highScore > :score",
        "ExpressionAttributeValues": {":user": f"USER#{user_id}", ":score": Decimal(score)},
    }
    return 1 + sum(page["Count"] for page in paginator.paginate(**request))


# --- 6.5 set_score --------------------------------------------------------------------------------

HIGHER = "attribute_exists(PK) AND (attribute_not_exists(highScore) OR highScore < :score)"


def key(user_id: str, friend_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}", "SK": f"FRIEND#{friend_id}"}


def only_int(score: Any) -> None:
    if type(score) is not int:
        raise TypeError(f"a score is an int, not {type(score).__name__}")


def written(table: Any, user_id: str, friend_id: str, score: Any, condition: str = "") -> bool:
    """One update; False where its condition fails."""
    more = {"ConditionExpression": condition} if condition else {}
    try:
        table.update_item(
            Key=key(user_id, friend_id),
            UpdateExpression="SET highScore = :score",
            ExpressionAttributeValues={":score": score},
            **more,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def right_score(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    return written(table, user_id, friend_id, score, HIGHER)


def no_condition(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    return written(table, user_id, friend_id, score)


def only_where_lower(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    return written(table, user_id, friend_id, score, "highScore < :score")


def makes_ghosts(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    lower = "attribute_not_exists(highScore) OR highScore < :score"
    return written(table, user_id, friend_id, score, lower)


def without_parentheses(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    lower = "attribute_not_exists(highScore) OR highScore < :score AND attribute_exists(PK)"
    return written(table, user_id, friend_id, score, lower)


def equal_is_better(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    return written(table, user_id, friend_id, score, HIGHER.replace("<", "<="))


def takes_bools(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    if not isinstance(score, int):
        raise TypeError(score)
    return written(table, user_id, friend_id, score, HIGHER)


def converts(table: Any, user_id: str, friend_id: str, score: Any) -> Any:
    return written(table, user_id, friend_id, int(score), HIGHER)


def trusts_the_caller(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    return written(table, user_id, friend_id, score, HIGHER)


def value_error(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    if type(score) is not int:
        raise ValueError(score)
    return written(table, user_id, friend_id, score, HIGHER)


def false_for_no_int(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    return type(score) is int and written(table, user_id, friend_id, score, HIGHER)


def reads_and_compares(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    item = table.get_item(Key=key(user_id, friend_id), ConsistentRead=True).get("Item")
    if item is None or item.get("highScore", -1) >= score:
        return False
    return written(table, user_id, friend_id, score, "attribute_exists(PK)")


def reads_and_puts(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    item = table.get_item(Key=key(user_id, friend_id), ConsistentRead=True).get("Item")
    if item is None or item.get("highScore", -1) >= score:
        return False
    table.put_item(Item={**item, "highScore": score})
    return True


def looks_for_the_friend_first(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    if "Item" not in table.get_item(Key=key(user_id, friend_id), ConsistentRead=True):
        return False
    lower = "attribute_not_exists(highScore) OR highScore < :score"
    return written(table, user_id, friend_id, score, lower)


def zero_is_none(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    item = table.get_item(Key=key(user_id, friend_id)).get("Item", {})
    if score <= item.get("highScore", 0):
        return False
    return written(table, user_id, friend_id, score, HIGHER)


def puts_a_new_item(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    try:
        table.put_item(
            Item={**key(user_id, friend_id), "highScore": score},
            ConditionExpression=HIGHER,
            ExpressionAttributeValues={":score": score},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def lets_it_out(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    table.update_item(
        Key=key(user_id, friend_id),
        UpdateExpression="SET highScore = :score",
        ConditionExpression=HIGHER,
        ExpressionAttributeValues={":score": score},
    )
    return True


def every_error_is_false(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    try:
        return lets_it_out(table, user_id, friend_id, score)
    except ClientError:
        return False


def says_nothing(table: Any, user_id: str, friend_id: str, score: int) -> None:
    right_score(table, user_id, friend_id, score)


def always_true(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    right_score(table, user_id, friend_id, score)
    return True


def adds(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    table.update_item(
        Key=key(user_id, friend_id),
        UpdateExpression="ADD highScore :score",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":score": score},
    )
    return True


def the_other_list(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    return right_score(table, friend_id, user_id, score)


def compares_and_gives_up(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    """Writes only where nothing has changed since it read."""
    only_int(score)
    item = table.get_item(Key=key(user_id, friend_id), ConsistentRead=True).get("Item")
    if item is None or item.get("highScore", -1) >= score:
        return False
    old = item.get("highScore")
    unchanged = Attr("highScore").not_exists() if old is None else Attr("highScore").eq(old)
    try:
        table.update_item(
            Key=key(user_id, friend_id),
            UpdateExpression="SET highScore = :score",
            ConditionExpression=Attr("PK").exists() & unchanged,
            ExpressionAttributeValues={":score": score},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def by_builder(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    if isinstance(score, bool) or not isinstance(score, int):
        raise TypeError("an int, please")
    better = Attr("highScore").not_exists() | Attr("highScore").lt(score)
    try:
        table.update_item(
            Key=key(user_id, friend_id),
            UpdateExpression="SET #score = :score",
            ConditionExpression=Attr("SK").exists() & better,
            ExpressionAttributeNames={"#score": "highScore"},
            ExpressionAttributeValues={":score": score},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise
    return True


def not_at_least(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    """A comparison with an attribute that is not there is false, and its opposite true."""
    only_int(score)
    condition = "attribute_exists(SK) AND NOT highScore >= :score"
    return written(table, user_id, friend_id, score, condition)


def by_low_level_client(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    client = boto3.client("dynamodb")
    try:
        client.update_item(
            TableName=table.name,
            Key={name: {"S": value} for name, value in key(user_id, friend_id).items()},
            UpdateExpression="SET highScore = :score",
            ConditionExpression=HIGHER,
            ExpressionAttributeValues={":score": {"N": str(score)}},
        )
    except client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def in_a_transaction(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    update = {
        "TableName": table.name,
        "Key": key(user_id, friend_id),
        "UpdateExpression": "SET highScore = :score",
        "ConditionExpression": HIGHER,
        "ExpressionAttributeValues": {":score": score},
    }
    try:
        table.meta.client.transact_write_items(TransactItems=[{"Update": update}])
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed":
            return False
        raise
    return True


def looks_before_the_guard(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    item = table.get_item(Key=key(user_id, friend_id)).get("Item")
    if item is None or item.get("highScore", score - 1) >= score:
        return False
    return written(table, user_id, friend_id, score, HIGHER)


def compares_and_tries_again(table: Any, user_id: str, friend_id: str, score: int) -> Any:
    only_int(score)
    while True:
        item = table.get_item(Key=key(user_id, friend_id), ConsistentRead=True).get("Item")
        if item is None or item.get("highScore", score - 1) >= score:
            return False
        if compares_and_gives_up(table, user_id, friend_id, score):
            return True


WRONG: dict[str, list[Any]] = {
    "6.1": [
        (projects_all, "A change of `since`, which the leaderboard does not show"),
        (projects_since_too, "Which other attribute does a row need?"),
        (projects_keys_only, "ten rows cost 5.5"),
        (projects_another, "without the names"),
        (score_is_text, "three scores have this order: 100, 30, 9"),
        (sorts_by_name, "sorts by name"),
        (no_index, "no local one can be added later"),
        (index_afterwards, "No request adds a local index"),
        (global_afterwards, "global secondary index"),
        (global_index, "it has no strongly consistent reads"),
        (index_by_friend, "Which of its two keys is its own?"),
        (another_index_name, "highScore-index"),
        (two_indexes, "Which of them does the leaderboard need?"),
        (name_is_defined, "Which of these is no key?"),
        (its_own_name, "the tables are: FriendScore2"),
        (says_nothing_of_it, "returned NoneType"),
        (the_reply, "returned dict"),
        (other_key_names, "The key of the new table is user (a String)"),
    ],
    "6.2": [
        (worst_first, "Which end do you need here?"),
        (ten_worst_turned, "Which friends did your request read first"),
        (first_ten_friends, "Which friends did your request read first"),
        (sorts_the_table, "in the order of their scores already?"),
        (sorts_texts, "That is the order of texts"),
        (slices, "Which parameter ends a Query early?"),
        (drops_zero, "A score of 0 is a score"),
        (fetches_all, "each friend's whole item was fetched"),
        (asks_for_since, "each friend's whole item was fetched"),
        (gets_each_name, "1 Query and 10 GetItem"),
        (scans, "alice has no such friend"),
        (scans_and_filters, "Which request reads the entries of one partition key"),
        (shows_the_key, "'FRIEND#chuck'"),
        (decimals, "which is not an int"),
        (items_as_they_are, "Each row is a tuple of three"),
        (everybody_with_none, "but never played"),
        (always_ten, "How many rows does `top` ask for?"),
        (other_order_of_a_row, "in this order"),
        (a_generator, "returned generator"),
        (bare_key, "which partition key do you query?"),
    ],
    "6.3": [
        (places, "How do you tell a tie?"),
        (dense, "Two are ahead of the third"),
        (worse_rank, "Friends who tie share the better rank"),
        (from_zero, "the best has rank 1"),
        (ranked_rows, "One int for each row"),
        (by_friend, "returned dict"),
        (fails_on_nobody, "What are the ranks of an empty list?"),
        (falsy_is_no_tie, "How do you tell a tie?"),
    ],
    "6.4": [
        (first_page, "A page ends at 1 MB"),
        (how_many_ahead, "What do you add to the number of those ahead?"),
        (ties_are_ahead, "Is a friend with the same score ahead?"),
        (from_the_other_end, "counts from the other end"),
        (filters_the_table, "paid for everything that a filter"),
        (counts_in_python, "Which condition makes the Query begin"),
        (on_the_board, "Is each of them counted once?"),
        (all_friends_less_those_behind, "A friend who never played is not ahead"),
        (a_float, "A rank is an int"),
    ],
    "6.5": [
        (no_condition, "It keeps the best"),
        (only_where_lower, "How does your condition let a first score pass?"),
        (makes_ghosts, "a row without a name on her leaderboard"),
        (without_parentheses, "a row without a name on her leaderboard"),
        (equal_is_better, "The same score again is not a better one"),
        (takes_bools, "For isinstance, True is one"),
        (converts, "The score given is a float"),
        (trusts_the_caller, "The score is a bool"),
        (value_error, "raised ValueError"),
        (false_for_no_int, "Report it before you send anything"),
        (reads_and_compares, "What is compared in the same step"),
        (reads_and_puts, "What is compared in the same step"),
        (looks_for_the_friend_first, "Which condition makes the write need the copy?"),
        (zero_is_none, "Is a missing score the same as a score of 0?"),
        (puts_a_new_item, "leaves the others as they are"),
        (lets_it_out, "A score that is not better is not an error"),
        (every_error_is_false, "and 30 is lost"),
        (says_nothing, "True if it rose, else False"),
        (always_true, "Did it rise?"),
        (adds, "his highScore is 80"),
        (the_other_list, "another item changed"),
        (compares_and_gives_up, "What is compared in the same step"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "6.1": [right_table, provisioned, by_client, keys_included_too],
    "6.2": [
        right_board,
        board_strongly,
        board_by_expression,
        board_by_client,
        board_of_lists,
        ties_by_name,
    ],
    "6.3": [ranks_by_counting, ranks_by_first_place, ranks_in_a_tuple, ranks_in_a_loop],
    "6.4": [
        right_rank,
        rank_with_items,
        rank_strongly,
        rank_from_the_next_score,
        rank_by_paginator,
    ],
    "6.5": [
        right_score,
        by_builder,
        not_at_least,
        by_low_level_client,
        in_a_transaction,
        looks_before_the_guard,
        compares_and_tries_again,
    ],
}
