"""Each step of a schedule in words: the item, what was read or written, how it ended."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from dynalab.schedules.exploration import Schedule, replay
from tests.worlds import KEY, add, keyed, read, read_and_write, social, write

POST = KEY["PK"]


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}) as made:
        yield made


def told(schedule: Schedule) -> list[str]:
    return [str(words) for words in schedule.words()]


def alone(client: Callable[[], Any], schedule: str = "") -> list[str]:
    return told(replay(schedule, {"A": client}))


def test_a_get_tells_what_it_read(table: Any) -> None:
    def look() -> None:
        read(table)
        read(table, {"PK": POST, "SK": "NONE"})
        table.put_item(Item={"PK": POST, "SK": "FLAG"})
        read(table, {"PK": POST, "SK": "FLAG"})

    assert alone(look) == [
        "GetItem META  likeTally 0",
        "GetItem NONE  no such item",
        "PutItem FLAG",
        "GetItem FLAG  is there",
    ]


def test_a_write_tells_what_it_writes_with_its_names_and_values_put_in(table: Any) -> None:
    def change() -> None:
        table.put_item(Item={"PK": POST, "SK": "LIKE#7c20", "likedAt": 1})
        table.update_item(
            Key=KEY,
            UpdateExpression="SET #t=:t, body = :body",
            ConditionExpression="attribute_exists(PK)   AND #t<:t",
            ExpressionAttributeNames={"#t": "likeTally"},
            ExpressionAttributeValues={":t": 5, ":body": "Hi"},
        )
        add(table)
        table.delete_item(Key=KEY, ConditionExpression="attribute_exists(PK)")

    assert alone(change) == [
        "PutItem LIKE#7c20  likedAt = 1",
        "UpdateItem META  likeTally = 5, body = Hi if attribute_exists(PK) AND likeTally < 5",
        "UpdateItem META  ADD likeTally 1",
        "DeleteItem META  if attribute_exists(PK)",
    ]


def test_the_partition_key_is_told_where_there_are_several(table: Any) -> None:
    def two() -> None:
        read(table)
        read(table, {"PK": "POST#b", "SK": "META"})

    assert alone(two) == [
        "GetItem POST#a91f / META  likeTally 0",
        "GetItem POST#b / META  no such item",
    ]


def test_the_table_is_told_where_there_are_several(table: Any) -> None:
    keyed(table.meta.client, "Users", "id")

    def both() -> None:
        read(table)
        table.meta.client.put_item(TableName="Users", Item={"id": "7c20"})
        table.meta.client.scan(TableName="Users")

    assert alone(both) == [
        "GetItem Social META  likeTally 0",
        "PutItem Users 7c20",
        "Scan Users  1 item",
    ]


def test_a_query_tells_its_condition_and_how_many_items_it_returned(table: Any) -> None:
    def ask(**options: Any) -> None:
        table.query(
            KeyConditionExpression="PK=:post",
            ExpressionAttributeValues={":post": POST, **options.pop("values", {})},
            **options,
        )

    def queries() -> None:
        table.put_item(Item={"PK": POST, "SK": "LIKE#a", "likedAt": 1})
        ask()
        ask(FilterExpression="likedAt > :one", values={":one": 0})
        ask(Select="COUNT", Limit=1)

    assert alone(queries)[1:] == [
        "Query  PK = POST#a91f: 2 items",
        "Query  PK = POST#a91f: 1 of 2 items",
        "Query  PK = POST#a91f: 1 item",
    ]


def test_a_transaction_tells_each_of_its_actions_and_why_it_was_refused(table: Any) -> None:
    guard = {"ConditionExpression": "attribute_not_exists(PK)"}
    where = {"TableName": "Social", "Key": KEY}

    def like() -> None:
        with pytest.raises(ClientError):
            table.meta.client.transact_write_items(
                TransactItems=[
                    {"Put": {"TableName": "Social", "Item": {"PK": POST, "SK": "LIKE#a"}}},
                    {"ConditionCheck": {**where, **guard}},
                ]
            )

    assert alone(like) == [
        "TransactWriteItems  Put LIKE#a + ConditionCheck META if attribute_not_exists(PK)  "
        "✗ refused: [None, ConditionalCheckFailed]"
    ]


def test_a_refused_write_says_why(table: Any) -> None:
    def put() -> None:
        with pytest.raises(ClientError):
            table.put_item(Item=KEY, ConditionExpression="attribute_not_exists(PK)")

    assert alone(put) == [
        "PutItem META  if attribute_not_exists(PK)  ✗ refused: ConditionalCheckFailed"
    ]


def test_batches_and_transactional_reads_list_their_items(table: Any) -> None:
    client = table.meta.client

    def batches() -> None:
        with table.batch_writer() as batch:
            for number in range(6):
                batch.put_item(Item={"PK": POST, "SK": f"LIKE#{number}"})
        keys = [KEY, {"PK": POST, "SK": "NONE"}]
        client.batch_get_item(RequestItems={"Social": {"Keys": keys}})
        client.transact_get_items(
            TransactItems=[{"Get": {"TableName": "Social", "Key": key}} for key in keys]
        )

    assert alone(batches) == [
        "BatchWriteItem  Put LIKE#0 + Put LIKE#1 + Put LIKE#2 + Put LIKE#3 + 2 more",
        "BatchGetItem  META + NONE: 1 found",
        "TransactGetItems  META + NONE: 1 found",
    ]


@pytest.mark.parametrize(
    ("schedule", "lines"),
    [
        ("A1 A†", ["GetItem META  likeTally 0", "† dies here"]),
        (
            "A1 A2~",
            [
                "GetItem META  likeTally 0",
                "UpdateItem META  likeTally = 1  ~ the reply is lost",
                "UpdateItem META  sent again",
            ],
        ),
        (
            "A1 A2×",
            [
                "GetItem META  likeTally 0",
                "UpdateItem META  likeTally = 1  × the request is lost",
                "UpdateItem META  sent again",
            ],
        ),
        (
            "A1 A2… A3 …A2",
            [
                "GetItem META  likeTally 0",
                "UpdateItem META  likeTally = 1  … times out, still on its way",
                "UpdateItem META  sent again",
                "UpdateItem META  likeTally = 1  … lands only now",
            ],
        ),
    ],
)
def test_what_went_wrong_is_said_in_words_after_its_mark(
    table: Any, schedule: str, lines: list[str]
) -> None:
    assert alone(lambda: read_and_write(table), schedule) == lines


def test_a_stale_read_is_marked(table: Any) -> None:
    clients = {"A": lambda: add(table), "B": lambda: read(table)}
    assert told(replay("A1 B1°", clients))[1] == (
        "GetItem META  likeTally 0  ° stale: from before the last write"
    )


def test_a_write_that_undoes_what_the_writer_has_not_seen_is_marked(table: Any) -> None:
    clients = {"A": lambda: read_and_write(table), "B": lambda: read_and_write(table)}
    lines = told(replay("A1 B1 A2 B2", clients))
    assert lines[3] == "UpdateItem META  likeTally = 1  ← overwrites A's"
    assert not any("overwrites" in line for line in told(replay("A1 A2 B1 B2", clients)))


def guarded(table: Any) -> None:
    old = read(table)
    table.update_item(
        Key=KEY,
        UpdateExpression="SET likeTally = :new",
        ConditionExpression="likeTally = :old",
        ExpressionAttributeValues={":new": old, ":old": old},
    )


@pytest.mark.parametrize(
    "harmless",
    [lambda table: (read(table), add(table)), guarded, lambda table: write(table, 7)],
    ids=["an ADD", "a condition", "a writer that read nothing"],
)
def test_what_undoes_nothing_unseen_is_not_marked(
    table: Any, harmless: Callable[[Any], Any]
) -> None:
    clients = {"A": lambda: harmless(table), "B": lambda: write(table, 0)}
    assert not any("overwrites" in line for line in told(replay("A1 B1", clients)))


def test_values_of_every_type_are_shown_bare_and_long_ones_cut(table: Any) -> None:
    def put() -> None:
        table.put_item(
            Item={
                **KEY,
                "tags": {"b", "a"},
                "map": {"x": [1, None]},
                "raw": b"ab",
                "yes": True,
            }
        )
        table.put_item(Item={**KEY, "body": "x" * 99})

    assert alone(put) == [
        "PutItem META  tags = {a, b}, map = {x: [1, None]}, raw = b'ab', yes = True",
        f"PutItem META  body = {'x' * 52}…",
    ]


def test_a_request_that_dynamodb_refuses_for_its_form_is_told_too(table: Any) -> None:
    client = table.meta.client

    def malformed() -> None:
        for wrong in ({}, {"PK": POST}, {"PK": POST, "SK": 5}):
            with pytest.raises(ClientError):
                client.get_item(TableName="Social", Key=wrong)
        with pytest.raises(ClientError):
            client.update_item(TableName="Nowhere", Key=KEY, UpdateExpression="SET :x")

    assert all("✗ refused: " in line for line in alone(malformed))
