"""PutItem, DeleteItem and batches: what they leave behind, and what they refuse whole."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, padded, values


def key(number: int) -> dict[str, Any]:
    return item(pk="a", sk=f"{number:03}")


def put(wire: dict[str, Any]) -> dict[str, Any]:
    return {"PutRequest": {"Item": wire}}


def delete(wire: dict[str, Any]) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": wire}}


def refusal(db: Db, operation: str, **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        db(operation, **request)
    assert refused.value.code == "ValidationException"
    return refused.value.message


def count(db: Db, table: str = "Things") -> int:
    return db("Scan", TableName=table, Select="COUNT")["Count"]


# --- puts and deletes -------------------------------------------------------------------------


def test_a_put_replaces_the_whole_item(db: Db) -> None:
    db.table()
    db.put({**key(1), **item(a=1, b=2)})
    db.put({**key(1), **item(b=3)})
    assert db.get("a", "001") == {**key(1), **item(b=3)}


def test_a_delete_of_nothing_succeeds(db: Db) -> None:
    db.table()
    assert db("DeleteItem", TableName="Things", Key=key(1)) == {}
    db.put(key(1))
    assert db("DeleteItem", TableName="Things", Key=key(1)) == {}
    assert db.get("a", "001") is None
    assert count(db) == 0


def test_a_failed_condition_writes_nothing(db: Db) -> None:
    db.table()
    db.put({**key(1), **item(a=1)})
    for operation, request in (
        ("PutItem", {"Item": key(1)}),
        ("DeleteItem", {"Key": key(1)}),
        ("UpdateItem", {"Key": key(1), "UpdateExpression": "REMOVE a"}),
    ):
        with pytest.raises(Refused) as refused:
            db(operation, TableName="Things", ConditionExpression="a > :o",
               ExpressionAttributeValues=values(o=5), **request)  # fmt: skip
        assert refused.value.status == 400
        assert db.get("a", "001") == {**key(1), **item(a=1)}


# --- BatchWriteItem ---------------------------------------------------------------------------


def test_a_batch_puts_and_deletes_in_several_tables(db: Db) -> None:
    db.table()
    db.table("Others")
    db.put(key(9))
    reply = db(
        "BatchWriteItem",
        RequestItems={
            "Things": [put(key(1)), put(key(2)), delete(key(9))],
            "Others": [put(key(1))],
        },
    )
    assert reply == {"UnprocessedItems": {}}
    assert (count(db), count(db, "Others")) == (2, 1)


def test_25_writes_are_a_batch_and_26_are_not(db: Db) -> None:
    db.table()
    db("BatchWriteItem", RequestItems={"Things": [put(key(n)) for n in range(25)]})
    assert count(db) == 25
    message = refusal(
        db, "BatchWriteItem", RequestItems={"Things": [put(key(n)) for n in range(100, 126)]}
    )
    assert "Member must have length less than or equal to 25" in message
    assert count(db) == 25


def test_26_writes_over_two_tables_are_too_many(db: Db) -> None:
    db.table()
    db.table("Others")
    asked = {
        "Things": [put(key(n)) for n in range(13)],
        "Others": [put(key(n)) for n in range(13)],
    }
    assert refusal(db, "BatchWriteItem", RequestItems=asked) == (
        "Too many items requested for the BatchWriteItem call"
    )
    assert count(db) == 0


@pytest.mark.parametrize(
    "twice", [[put(key(1)), put(key(1))], [put(key(1)), delete(key(1))], [delete(key(1))] * 2]
)
def test_a_batch_names_each_item_once(db: Db, twice: list[dict[str, Any]]) -> None:
    db.table()
    assert refusal(db, "BatchWriteItem", RequestItems={"Things": [put(key(2)), *twice]}) == (
        "Provided list of item keys contains duplicates"
    )
    assert count(db) == 0


@pytest.mark.parametrize(
    "bad",
    [
        put(item(pk="a")),
        put(item(pk="a", sk=1)),
        delete(item(pk="a")),
        put(padded(409_601, pk="a", sk="1")),
        put({**key(3), "n": {"N": "x"}}),
        {},
        {**put(key(3)), **delete(key(4))},
    ],
)
def test_one_bad_request_refuses_the_whole_batch(db: Db, bad: dict[str, Any]) -> None:
    db.table()
    refusal(db, "BatchWriteItem", RequestItems={"Things": [put(key(1)), put(key(2)), bad]})
    assert count(db) == 0


def test_a_missing_table_refuses_the_whole_batch(db: Db) -> None:
    db.table()
    with pytest.raises(Refused, match="ResourceNotFoundException"):
        db("BatchWriteItem", RequestItems={"Things": [put(key(1))], "Nowhere": [put(key(1))]})
    assert count(db) == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "The requestItems parameter is required for Batch"),
        ({"Things": []}, "Member must have length greater than or equal to 1"),
    ],
)
def test_an_empty_batch_is_refused(db: Db, asked: dict[str, Any], message: str) -> None:
    db.table()
    assert message in refusal(db, "BatchWriteItem", RequestItems=asked)
    if asked:
        asked = {"Things": {"Keys": []}}
    assert message in refusal(db, "BatchGetItem", RequestItems=asked)


# --- BatchGetItem -----------------------------------------------------------------------------


def test_a_batch_get_leaves_out_what_is_not_there(db: Db) -> None:
    db.table()
    db.put({**key(1), **item(a=1)})
    reply = db(
        "BatchGetItem",
        RequestItems={"Things": {"Keys": [key(1), key(2)], "ProjectionExpression": "a"}},
    )
    assert reply == {"Responses": {"Things": [item(a=1)]}, "UnprocessedKeys": {}}


def test_100_keys_are_a_batch_and_101_are_not(db: Db) -> None:
    db.table()
    db.table("Others")
    keys = [key(number) for number in range(101)]
    db("BatchGetItem", RequestItems={"Things": {"Keys": keys[:100]}})
    assert "less than or equal to 100" in refusal(
        db, "BatchGetItem", RequestItems={"Things": {"Keys": keys}}
    )
    asked = {"Things": {"Keys": keys[:51]}, "Others": {"Keys": keys[:50]}}
    assert refusal(db, "BatchGetItem", RequestItems=asked) == (
        "Too many items requested for the BatchGetItem call"
    )


def test_a_batch_get_names_each_key_once(db: Db) -> None:
    db.table()
    asked = {"Things": {"Keys": [key(1), key(1)]}}
    assert refusal(db, "BatchGetItem", RequestItems=asked) == (
        "Provided list of item keys contains duplicates"
    )


def test_a_batch_get_stops_at_16_mb_and_says_what_is_left(db: Db) -> None:
    # API reference: of 100 items of 300 KB, 52 come back.
    db.table(keys="pk:S")
    for number in range(100):
        db.put(padded(300 * 1024, pk=f"{number:02}"))
    asked = {"Things": {"Keys": [item(pk=f"{n:02}") for n in range(100)], "ConsistentRead": True}}
    reply = db("BatchGetItem", RequestItems=asked, ReturnConsumedCapacity="TOTAL")
    assert len(reply["Responses"]["Things"]) == 52
    left = reply["UnprocessedKeys"]["Things"]
    assert left["ConsistentRead"] is True
    assert left["Keys"] == [item(pk=f"{number:02}") for number in range(52, 100)]
    assert reply["ConsumedCapacity"][0]["CapacityUnits"] == 52 * 75.0
    rest = db("BatchGetItem", RequestItems=reply["UnprocessedKeys"])
    assert rest["UnprocessedKeys"] == {}


def test_a_batch_get_takes_the_key_on_to_the_table_of_its_arn(db: Db) -> None:
    db.table()
    db.put(key(1))
    arn = db("DescribeTable", TableName="Things")["Table"]["TableArn"]
    assert db("GetItem", TableName=arn, Key=key(1))["Item"] == key(1)


# --- the field's mistakes ------------------------------------------------------------------------


def test_a_decrement_without_a_condition_makes_a_tally_of_minus_one(db: Db) -> None:
    db.table()
    one = {"values": values(one=-1)}
    db.update(key(1), "ADD n :one", **one)
    assert db.get("a", "001") == {**key(1), **item(n=-1)}
    guarded = {"ConditionExpression": "n >= :min", "values": values(one=-1, min=1)}
    with pytest.raises(Refused, match="ConditionalCheckFailed"):
        db.update(key(2), "ADD n :one", **guarded)
    assert db.get("a", "002") is None


def test_half_a_key_is_refused(db: Db) -> None:
    db.table()
    for operation in ("GetItem", "UpdateItem", "DeleteItem"):
        assert refusal(db, operation, TableName="Things", Key=item(pk="a")) == (
            "The provided key element does not match the schema"
        )
