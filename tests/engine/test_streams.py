"""DynamoDB Streams: which writes leave a record, what is in it, and how a reader goes on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, values

KEY = item(pk="a", sk="1")


def arn(db: Db, table: str = "Things") -> str:
    return db("DescribeTable", TableName=table)["Table"]["LatestStreamArn"]


def shards(db: Db) -> list[dict[str, Any]]:
    return db("DescribeStream", StreamArn=arn(db))["StreamDescription"]["Shards"]


def iterator(db: Db, kind: str = "TRIM_HORIZON", shard: int = 0, **more: Any) -> str:
    return db(
        "GetShardIterator",
        StreamArn=arn(db),
        ShardId=shards(db)[shard]["ShardId"],
        ShardIteratorType=kind,
        **more,
    )["ShardIterator"]


def read(db: Db, start: str, **more: Any) -> Iterator[dict[str, Any]]:
    """Every page until one is empty or the shard ends."""
    position: str | None = start
    while position is not None:
        page = db("GetRecords", ShardIterator=position, **more)
        yield page
        position = page.get("NextShardIterator") if page["Records"] else None


def records(db: Db, shard: int = 0) -> list[dict[str, Any]]:
    return [record for page in read(db, iterator(db, shard=shard)) for record in page["Records"]]


def history(db: Db) -> None:
    """put, the same put, update, delete, delete again: three changes."""
    db.put({**KEY, **item(n=1, s={"x", "y"})})
    db.put({**KEY, "n": {"N": "1.0"}, "s": {"SS": ["y", "x"]}})
    db.update(KEY, "ADD n :one", values=values(one=1))
    db("DeleteItem", TableName="Things", Key=KEY)
    db("DeleteItem", TableName="Things", Key=KEY)


def test_only_changes_leave_a_record(db: Db) -> None:
    db.table(stream="NEW_AND_OLD_IMAGES")
    history(db)
    assert [record["eventName"] for record in records(db)] == ["INSERT", "MODIFY", "REMOVE"]


def test_an_update_that_changes_nothing_leaves_no_record(db: Db) -> None:
    db.table(stream="NEW_AND_OLD_IMAGES")
    db.put({**KEY, **item(n=1)})
    db.update(KEY, "SET n = :n REMOVE gone", values=values(n=1))
    db("UpdateItem", TableName="Things", Key=KEY)
    assert len(records(db)) == 1


def test_a_failed_write_leaves_no_record(db: Db) -> None:
    db.table(stream="NEW_AND_OLD_IMAGES")
    with pytest.raises(Refused):
        db.put(KEY, ConditionExpression="attribute_exists(pk)")
    with pytest.raises(Refused):
        db.update(KEY, "SET n = n + :one", values=values(one=1))
    assert records(db) == []


def test_a_batch_leaves_a_record_for_each_change(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    batch = [{"PutRequest": {"Item": item(pk="a", sk=str(n))}} for n in range(3)]
    db("BatchWriteItem", RequestItems={"Things": batch})
    assert [record["dynamodb"]["Keys"]["sk"]["S"] for record in records(db)] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("view", "images"),
    [
        ("KEYS_ONLY", [set(), set(), set()]),
        ("NEW_IMAGE", [{"NewImage"}, {"NewImage"}, set()]),
        ("OLD_IMAGE", [set(), {"OldImage"}, {"OldImage"}]),
        ("NEW_AND_OLD_IMAGES", [{"NewImage"}, {"NewImage", "OldImage"}, {"OldImage"}]),
    ],
)
def test_a_view_says_which_images_a_record_holds(db: Db, view: str, images: list[set[str]]) -> None:
    db.table(stream=view)
    history(db)
    found = [record["dynamodb"] for record in records(db)]
    assert [{"NewImage", "OldImage"} & set(record) for record in found] == images
    for record in found:
        assert record["Keys"] == KEY
        assert record["StreamViewType"] == view
    if view == "NEW_AND_OLD_IMAGES":
        one, two = {**KEY, **item(n=1, s={"x", "y"})}, {**KEY, **item(n=2, s={"x", "y"})}
        shown = [
            {name: sorted_sets(record[name]) for name in record if name.endswith("Image")}
            for record in found
        ]
        assert shown == [{"NewImage": one}, {"NewImage": two, "OldImage": one}, {"OldImage": two}]


def sorted_sets(wire: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {"SS": sorted(value["SS"])} if "SS" in value else value
        for name, value in wire.items()
    }


def test_a_record_says_what_it_is(db: Db) -> None:
    db.table(stream="NEW_IMAGE")
    db.put(item(pk="a", sk="1", n=12))
    [record] = records(db)
    assert set(record) == {
        "eventID", "eventName", "eventVersion", "eventSource", "awsRegion", "dynamodb",
    }  # fmt: skip
    assert record["eventSource"] == "aws:dynamodb"
    # Keys 3 + 3 bytes, the image the same and n: 1 + 2.
    assert record["dynamodb"]["SizeBytes"] == 6 + 9
    assert record["dynamodb"]["ApproximateCreationDateTime"] == 1_750_000_000
    assert 21 <= len(record["dynamodb"]["SequenceNumber"]) <= 40


def test_sequence_numbers_rise_in_the_order_of_the_writes(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for number in range(12):
        db.put(item(pk="a", sk=str(number)))
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records(db)]
    assert numbers == sorted(set(numbers))
    assert len({record["eventID"] for record in records(db)}) == 12


# --- iterators --------------------------------------------------------------------------------


def keys_read(page: dict[str, Any]) -> list[str]:
    return [record["dynamodb"]["Keys"]["sk"]["S"] for record in page["Records"]]


def test_iterators_start_at_the_ends_or_at_a_sequence_number(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for number in range(3):
        db.put(item(pk="a", sk=str(number)))
    latest = iterator(db, "LATEST")
    middle = records(db)[1]["dynamodb"]["SequenceNumber"]
    db.put(item(pk="a", sk="3"))

    def first(start: str) -> list[str]:
        return keys_read(db("GetRecords", ShardIterator=start))

    assert first(iterator(db, "TRIM_HORIZON")) == ["0", "1", "2", "3"]
    assert first(latest) == ["3"]
    assert first(iterator(db, "AT_SEQUENCE_NUMBER", SequenceNumber=middle)) == ["1", "2", "3"]
    assert first(iterator(db, "AFTER_SEQUENCE_NUMBER", SequenceNumber=middle)) == ["2", "3"]


def test_reading_on_gives_nothing_twice_and_what_comes_later(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    db.put(item(pk="a", sk="0"))
    page = db("GetRecords", ShardIterator=iterator(db))
    again = db("GetRecords", ShardIterator=page["NextShardIterator"])
    assert again["Records"] == []
    db.put(item(pk="a", sk="1"))
    assert keys_read(db("GetRecords", ShardIterator=again["NextShardIterator"])) == ["1"]


def test_a_limit_cuts_pages_and_1000_is_the_most(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for number in range(1005):
        db.put(item(pk="a", sk=f"{number:04}"))
    pages = list(read(db, iterator(db), Limit=400))
    assert [len(page["Records"]) for page in pages] == [400, 400, 205, 0]
    assert [len(page["Records"]) for page in read(db, iterator(db))] == [1000, 5, 0]
    for limit in (0, 1001):
        with pytest.raises(Refused, match="ValidationException"):
            db("GetRecords", ShardIterator=iterator(db), Limit=limit)


@pytest.mark.parametrize("given", ["x", "bm9uc2Vuc2U=", "e30=", ""])
def test_an_iterator_that_is_none_is_refused(db: Db, given: str) -> None:
    db.table(stream="KEYS_ONLY")
    with pytest.raises(Refused, match="Invalid ShardIterator"):
        db("GetRecords", ShardIterator=given)


def test_an_iterator_of_an_unknown_kind_or_shard_is_refused(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    with pytest.raises(Refused, match="ValidationException"):
        iterator(db, "SOMEWHERE")
    with pytest.raises(Refused, match="ValidationException"):
        iterator(db, "AT_SEQUENCE_NUMBER")
    with pytest.raises(Refused, match="ResourceNotFoundException"):
        db("GetShardIterator", StreamArn=arn(db), ShardId="shardId-none",
           ShardIteratorType="LATEST")  # fmt: skip


# --- shards -----------------------------------------------------------------------------------


def split(db: Db, into: int = 1) -> None:
    found = db.engine.store.backend.table("Things").shards
    assert found is not None
    found.split(into)


def test_a_split_shard_ends_and_its_child_goes_on(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    db.put(item(pk="a", sk="0"))
    before = iterator(db)
    split(db)
    db.put(item(pk="a", sk="1"))
    parent, child = shards(db)
    assert "ParentShardId" not in parent
    assert child["ParentShardId"] == parent["ShardId"]
    assert "EndingSequenceNumber" in parent["SequenceNumberRange"]
    assert "EndingSequenceNumber" not in child["SequenceNumberRange"]

    page = db("GetRecords", ShardIterator=before)
    assert keys_read(page) == ["0"]
    assert "NextShardIterator" not in page
    assert [r["dynamodb"]["Keys"]["sk"]["S"] for r in records(db, shard=1)] == ["1"]
    assert "NextShardIterator" in db("GetRecords", ShardIterator=iterator(db, shard=1))


def test_a_closed_shard_is_read_in_pages_to_its_end(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for number in range(4):
        db.put(item(pk="a", sk=str(number)))
    split(db)
    pages = list(read(db, iterator(db), Limit=2))
    assert [keys_read(page) for page in pages] == [["0", "1"], ["2", "3"]]
    assert "NextShardIterator" not in pages[-1]


def test_an_empty_closed_shard_ends_at_once(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    split(db)
    page = db("GetRecords", ShardIterator=iterator(db))
    assert page == {"Records": []}


def test_every_record_is_in_one_shard_parents_first(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for number in range(9):
        db.put(item(pk="a", sk=str(number)))
        if number % 3 == 2:
            split(db)
    found = [record for number in range(4) for record in records(db, shard=number)]
    assert [record["dynamodb"]["Keys"]["sk"]["S"] for record in found] == list("012345678")


def test_a_shard_that_splits_in_two_leaves_each_key_to_one_of_its_children(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for change in range(3):
        for key in range(20):
            db.put(item(pk=f"p{key}", sk="1", n=change))
        split(db, into=2)
    found = shards(db)
    assert [shard.get("ParentShardId") for shard in found] == [
        None, *(found[parent]["ShardId"] for parent in (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6))
    ]  # fmt: skip
    held = [[r["dynamodb"]["Keys"]["pk"]["S"] for r in records(db, shard=n)] for n in range(15)]
    whole = [sorted(itertools.chain(*part)) for part in (held[:1], held[1:3], held[3:7])]
    assert whole[0] == whole[1] == whole[2]
    assert all(held[:7])
    assert set(held[1]).isdisjoint(held[2])
    assert set(held[3]) | set(held[4]) == set(held[1])
    assert set(held[5]) | set(held[6]) == set(held[2])


def test_shards_are_described_in_pages(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for _ in range(4):
        split(db)
    whole = [shard["ShardId"] for shard in shards(db)]
    found: list[list[str]] = []
    start: dict[str, str] = {}
    while True:
        page = db("DescribeStream", StreamArn=arn(db), Limit=2, **start)["StreamDescription"]
        found.append([shard["ShardId"] for shard in page["Shards"]])
        if "LastEvaluatedShardId" not in page:
            break
        start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}
    assert found == [whole[:2], whole[2:4], whole[4:]]
    with pytest.raises(Refused, match="ValidationException"):
        db("DescribeStream", StreamArn=arn(db), Limit=0)


def test_a_page_of_shards_holds_100_at_most(db: Db) -> None:
    db.table(stream="KEYS_ONLY")
    for _ in range(100):
        split(db)
    page = db("DescribeStream", StreamArn=arn(db), Limit=1000)["StreamDescription"]
    assert len(page["Shards"]) == 100
    assert page["LastEvaluatedShardId"] == page["Shards"][-1]["ShardId"]


# --- streams ----------------------------------------------------------------------------------


def test_a_table_without_a_stream_has_none(db: Db) -> None:
    db.table()
    db.put(KEY)
    assert "LatestStreamArn" not in db("DescribeTable", TableName="Things")["Table"]
    assert db("ListStreams") == {"Streams": []}
    with pytest.raises(Refused, match="ResourceNotFoundException"):
        db("DescribeStream", StreamArn="arn:aws:dynamodb:us-east-1:1:table/Things/stream/x")


def test_streams_are_listed_by_table(db: Db) -> None:
    db.table("Things", stream="KEYS_ONLY")
    db.table("Others", stream="NEW_IMAGE")
    assert len(db("ListStreams")["Streams"]) == 2
    [found] = db("ListStreams", TableName="Others")["Streams"]
    assert (found["TableName"], found["StreamArn"]) == ("Others", arn(db, "Others"))


def test_a_stream_that_is_enabled_later_starts_there(db: Db) -> None:
    db.table()
    db.put(KEY)
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    db("UpdateTable", TableName="Things", StreamSpecification=stream)
    db.put(item(pk="a", sk="2"))
    assert [record["dynamodb"]["Keys"]["sk"]["S"] for record in records(db)] == ["2"]
    db("UpdateTable", TableName="Things", StreamSpecification={"StreamEnabled": False})
    assert db("ListStreams") == {"Streams": []}
    db("UpdateTable", TableName="Things", StreamSpecification=stream)
    assert records(db) == []
