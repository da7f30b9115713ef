"""Threads of clients: nothing is lost, nothing is half done, nothing of another's is undone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from dynalab.engine.connect import connect

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_THREADS = 8
_TABLE = "Social"
_POST = {"PK": {"S": "POST#1"}, "SK": {"S": "META"}}


@pytest.fixture
def client() -> Iterator[DynamoDBClient]:
    """A boto3 client that all threads share, with one table; threads take turns very often."""
    interval = sys.getswitchinterval()
    with connect().engine.scratch():
        client = connect().client()
        client.create_table(
            TableName=_TABLE,
            KeySchema=[
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        client.put_item(TableName=_TABLE, Item={**_POST, "likes": {"N": "0"}})
        sys.setswitchinterval(1e-5)
        yield client
        sys.setswitchinterval(interval)


def in_threads(work: Callable[[int], Any], threads: int = _THREADS) -> list[Any]:
    """What `work` returned for 0, 1, 2 …, each in a thread of its own; raises what one raised."""
    with ThreadPoolExecutor(threads) as pool:
        return [future.result() for future in [pool.submit(work, n) for n in range(threads)]]


def items(client: DynamoDBClient) -> list[dict[str, Any]]:
    pages = client.get_paginator("scan").paginate(TableName=_TABLE, ConsistentRead=True)
    return [item for page in pages for item in page["Items"]]


def like(client: DynamoDBClient, user: str) -> None:
    """The like and the tally in one transaction."""
    client.transact_write_items(
        TransactItems=[
            {
                "Put": {
                    "TableName": _TABLE,
                    "Item": {"PK": _POST["PK"], "SK": {"S": f"LIKE#{user}"}},
                    "ConditionExpression": "attribute_not_exists(PK)",
                }
            },
            {
                "Update": {
                    "TableName": _TABLE,
                    "Key": _POST,
                    "UpdateExpression": "ADD likes :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            },
        ]
    )


def test_tally_and_likes_agree_after_1600_transactions_in_8_threads(
    client: DynamoDBClient,
) -> None:
    def work(thread: int) -> None:
        for number in range(200):
            like(client, f"{thread}-{number}")

    in_threads(work)
    [post] = [item for item in items(client) if item["SK"] == _POST["SK"]]
    assert len(items(client)) == 1601
    assert post["likes"] == {"N": "1600"}


def test_a_like_that_comes_twice_counts_once_whichever_thread_is_first(
    client: DynamoDBClient,
) -> None:
    def work(thread: int) -> int:
        landed = 0
        for number in range(40):
            try:
                like(client, str(number))
            except client.exceptions.TransactionCanceledException:
                continue
            landed += 1
        return landed

    assert sum(in_threads(work)) == 40
    [post] = [item for item in items(client) if item["SK"] == _POST["SK"]]
    assert post["likes"] == {"N": "40"}


@pytest.mark.parametrize("expression", ["SET n = if_not_exists(n, :zero) + :one", "ADD n :one"])
def test_no_update_is_lost_and_each_returns_a_value_of_its_own(
    client: DynamoDBClient, expression: str
) -> None:
    values = {":one": {"N": "1"}, **({":zero": {"N": "0"}} if ":zero" in expression else {})}

    def work(_thread: int) -> list[int]:
        replies = [
            client.update_item(
                TableName=_TABLE,
                Key=_POST,
                UpdateExpression=expression,
                ExpressionAttributeValues=values,
                ReturnValues="UPDATED_NEW",
            )
            for _ in range(40)
        ]
        return [int(reply["Attributes"]["n"]["N"]) for reply in replies]

    returned = [value for values in in_threads(work) for value in values]
    assert sorted(returned) == list(range(1, _THREADS * 40 + 1))


def test_a_transaction_that_fails_undoes_nothing_of_another_thread(
    client: DynamoDBClient,
) -> None:
    def fail() -> None:
        with pytest.raises(client.exceptions.TransactionCanceledException):
            client.transact_write_items(
                TransactItems=[
                    {"Put": {"TableName": _TABLE, "Item": {**_POST, "SK": {"S": "FAILED"}}}},
                    {
                        "ConditionCheck": {
                            "TableName": _TABLE,
                            "Key": _POST,
                            "ConditionExpression": "attribute_exists(nothing)",
                        }
                    },
                ]
            )

    def work(thread: int) -> None:
        for number in range(60):
            if thread % 2:
                fail()
            else:
                key = {"PK": _POST["PK"], "SK": {"S": f"PUT#{thread}#{number}"}}
                client.put_item(TableName=_TABLE, Item=key)
                assert "Item" in client.get_item(TableName=_TABLE, Key=key, ConsistentRead=True)

    in_threads(work)
    names = {item["SK"]["S"] for item in items(client)}
    assert names == {
        "META",
        *(f"PUT#{thread}#{number}" for thread in (0, 2, 4, 6) for number in range(60)),
    }


def test_readers_see_each_transaction_whole(client: DynamoDBClient) -> None:
    def work(thread: int) -> None:
        for number in range(30):
            if thread % 2:
                like(client, f"{thread}-{number}")
                continue
            page = client.query(
                TableName=_TABLE,
                KeyConditionExpression="PK = :p",
                ExpressionAttributeValues={":p": _POST["PK"]},
                ConsistentRead=True,
            )
            [tally] = [int(item["likes"]["N"]) for item in page["Items"] if "likes" in item]
            assert tally == page["Count"] - 1

    in_threads(work)
