"""A small table on an engine of its own, for the tests that run clients against it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dynalab.engine.connect import connect

KEY = {"PK": "POST#a91f", "SK": "META"}


@contextmanager
def social(*items: dict[str, Any], **options: Any) -> Iterator[Any]:
    """A boto3 Table, Social, that holds these items; options: further arguments of CreateTable."""
    connection = connect()
    with connection.engine.scratch():
        dynamodb = connection.resource()
        names = ("PK", "SK")
        table = dynamodb.create_table(
            TableName="Social",
            KeySchema=[
                {"AttributeName": name, "KeyType": kind}
                for name, kind in zip(names, ("HASH", "RANGE"), strict=True)
            ],
            BillingMode="PAY_PER_REQUEST",
            **{
                "AttributeDefinitions": [
                    {"AttributeName": name, "AttributeType": "S"} for name in names
                ],
                **options,
            },
        )
        for item in items:
            table.put_item(Item=item)
        yield table


def keyed(client: Any, name: str, key: str) -> None:
    """Makes a table whose only key is this text."""
    client.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": key, "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )


def read(table: Any, key: dict[str, Any] = KEY, **options: Any) -> Any:
    """The item's tally, or None where there is no item."""
    item = table.get_item(Key=key, **options).get("Item")
    return None if item is None else item.get("likeTally", 0)


def write(table: Any, tally: Any, key: dict[str, Any] = KEY) -> None:
    table.update_item(
        Key=key,
        UpdateExpression="SET likeTally = :tally",
        ExpressionAttributeValues={":tally": tally},
    )


def add(table: Any, key: dict[str, Any] = KEY) -> None:
    table.update_item(
        Key=key, UpdateExpression="ADD likeTally :one", ExpressionAttributeValues={":one": 1}
    )


def read_and_write(table: Any) -> None:
    """The wrong way: it loses what another client adds between its two requests."""
    write(table, read(table) + 1)
