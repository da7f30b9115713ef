"""What a partition serves per second, and what DynamoDB answers beyond it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from dynalab.engine.clock import Clock
from dynalab.engine.engine import Store
from dynalab.engine.partitions import Partitions, partition_of, partitioned
from tests.engine.calls import Db, Refused, item, padded, schema_of, values

HOT = item(pk="hot", sk="a")
COLD = item(pk="cold", sk="a")


@pytest.fixture
def hot(db: Db) -> Iterator[Partitions]:
    """Partitions at 1 : 100: ten write units and thirty read units a second."""
    db.table(global_=[("by_n", "n:N", "ALL")])
    with partitioned(db.engine, 100) as partitions:
        yield partitions


def accepted(db: Db, operation: str, most: int = 60, **request: Any) -> tuple[int, Refused | None]:
    """How many of the same requests are served in one moment, and the first refusal."""
    for number in range(most):
        try:
            db(operation, **request)
        except Refused as refused:
            return number, refused
    return most, None


def test_a_key_takes_its_write_units_a_second_and_no_more(db: Db, hot: Partitions) -> None:
    taken, refused = accepted(db, "PutItem", TableName="Things", Item=HOT)
    assert taken == 10
    assert refused is not None
    assert (refused.status, refused.code) == (400, "ThrottlingException")
    [reason] = refused.body["throttlingReasons"]
    assert reason["reason"] == "TableWriteKeyRangeThroughputExceeded"
    assert reason["resource"].endswith(":table/Things")
    db.advance(0.5)
    assert accepted(db, "PutItem", TableName="Things", Item=HOT)[0] == 5
    db.advance(60)  # on demand, nothing is saved beyond one second
    assert accepted(db, "PutItem", TableName="Things", Item=HOT)[0] == 10


def test_another_key_and_the_other_kind_have_a_partition_of_their_own(
    db: Db, hot: Partitions
) -> None:
    accepted(db, "PutItem", TableName="Things", Item=HOT)
    assert accepted(db, "PutItem", TableName="Things", Item=COLD)[0] == 10
    assert accepted(db, "GetItem", TableName="Things", Key=HOT, ConsistentRead=True)[0] == 30


def test_items_of_one_collection_share_their_partition(db: Db, hot: Partitions) -> None:
    accepted(db, "PutItem", TableName="Things", Item=HOT)
    with pytest.raises(Refused):
        db.put(item(pk="hot", sk="b"))


@pytest.mark.parametrize(
    ("consistent", "size", "reads"), [(True, 100, 30), (False, 100, 60), (True, 4097, 15)]
)
def test_reads_are_taken_by_their_units(
    db: Db, hot: Partitions, consistent: bool, size: int, reads: int
) -> None:
    db.put(padded(size, **{"pk": "hot", "sk": "a"}))
    taken, refused = accepted(
        db, "GetItem", most=100, TableName="Things", Key=HOT, ConsistentRead=consistent
    )
    assert taken == reads
    assert refused is not None
    [reason] = refused.body["throttlingReasons"]
    assert reason["reason"] == "TableReadKeyRangeThroughputExceeded"


def test_a_write_is_taken_by_its_item_before_and_after(db: Db, hot: Partitions) -> None:
    db.put(padded(3000, **{"pk": "hot", "sk": "a"}))
    db.advance(1)
    assert accepted(db, "DeleteItem", TableName="Things", Key=HOT)[0] == 8  # 3, then 1 each


def test_an_item_larger_than_a_second_is_served_by_a_rested_partition(
    db: Db, hot: Partitions
) -> None:
    large = padded(20_000, **{"pk": "hot", "sk": "a"})
    assert accepted(db, "PutItem", TableName="Things", Item=large)[0] == 1
    db.advance(1)
    assert accepted(db, "PutItem", TableName="Things", Item=large)[0] == 0
    db.advance(1)
    assert accepted(db, "PutItem", TableName="Things", Item=large)[0] == 1


def test_a_failed_condition_is_taken_too(db: Db, hot: Partitions) -> None:
    for _ in range(10):
        with pytest.raises(Refused, match="ConditionalCheckFailed"):
            db(
                "DeleteItem",
                TableName="Things",
                Key=HOT,
                ConditionExpression="attribute_exists(pk)",
            )
    with pytest.raises(Refused, match="ThrottlingException"):
        db.put(HOT)


def test_what_is_refused_for_its_form_is_refused_for_that(db: Db, hot: Partitions) -> None:
    accepted(db, "PutItem", TableName="Things", Item=HOT)
    with pytest.raises(Refused, match="ValidationException"):
        db.update(HOT, "ADD n :text", values=values(text="x"))
    with pytest.raises(Refused, match="ValidationException"):
        db("PutItem", TableName="Things", Item={"pk": {"S": "hot"}})


def test_a_query_is_taken_by_its_partition_key_and_its_page(db: Db, hot: Partitions) -> None:
    for number in range(5):
        db.put(padded(4000, **{"pk": "hot", "sk": str(number)}))
        db.advance(1)
    taken, refused = accepted(
        db,
        "Query",
        TableName="Things",
        KeyConditionExpression="pk = :p",
        ExpressionAttributeValues=values(p="hot"),
        ConsistentRead=True,
    )
    assert taken == 6  # 20,000 bytes are 5 units
    assert refused is not None and refused.code == "ThrottlingException"


def test_a_hot_index_key_refuses_the_base_write(db: Db, hot: Partitions) -> None:
    served = 0
    for number in range(20):
        try:
            db.put(item(pk=f"p{number}", sk="a", n=7))
        except Refused as refused:
            [reason] = refused.body["throttlingReasons"]
            assert reason["reason"] == "IndexWriteKeyRangeThroughputExceeded"
            assert reason["resource"].endswith("/index/by_n")
        else:
            served += 1
    assert served == 10
    db.put(item(pk="p99", sk="a", n=8))
    db.put(item(pk="p99", sk="b"))  # not in the index


def test_an_entry_that_moves_loads_both_index_keys(db: Db, hot: Partitions) -> None:
    db.put(item(pk="p", sk="a", n=1))
    db.update(item(pk="p", sk="a"), "SET n = :two", values=values(two=2))
    served = hot.traffic["Things", "by_n", "Write"]
    assert {key: cells[0].units for key, cells in served.items()} == {1: 2.0, 2: 1.0}


def test_an_index_is_read_by_its_own_key(db: Db, hot: Partitions) -> None:
    for number in range(3):
        db.put(item(pk=f"p{number}", sk="a", n=7))
    db.query("n = :n", v={"n": 7}, IndexName="by_n")
    assert hot.traffic["Things", "by_n", "Read"][7][0].units == 0.5


def test_a_batch_is_served_in_part_and_hands_back_the_rest(db: Db, hot: Partitions) -> None:
    puts = [{"PutRequest": {"Item": item(pk="hot", sk=str(n))}} for n in range(12)]
    cold = {"PutRequest": {"Item": COLD}}
    reply = db("BatchWriteItem", RequestItems={"Things": [*puts, cold]})
    assert reply["UnprocessedItems"] == {"Things": puts[10:]}
    assert db.get("cold", "a") is not None
    with pytest.raises(Refused) as refused:
        db("BatchWriteItem", RequestItems=reply["UnprocessedItems"])
    assert refused.value.code == "ThrottlingException"
    db.advance(1)
    again = db("BatchWriteItem", RequestItems=reply["UnprocessedItems"])
    assert again["UnprocessedItems"] == {}


def test_a_batch_of_reads_hands_back_the_keys_with_their_wishes(db: Db, hot: Partitions) -> None:
    keys = [item(pk="hot", sk=str(n)) for n in range(40)]
    asked = {"Keys": keys, "ConsistentRead": True, "ProjectionExpression": "pk"}
    reply = db("BatchGetItem", RequestItems={"Things": asked})
    assert reply["UnprocessedKeys"] == {"Things": {**asked, "Keys": keys[30:]}}


def test_a_hot_key_and_16_mb_together_hand_back_what_each_leaves(db: Db, hot: Partitions) -> None:
    keys = [item(pk=f"p{number:02}", sk="a") for number in range(42)]
    for key in keys:
        db.put(padded(409_600, pk=key["pk"]["S"], sk="a"))
    db("GetItem", TableName="Things", Key=keys[0])
    reply = db("BatchGetItem", RequestItems={"Things": {"Keys": keys}})
    assert len(reply["Responses"]["Things"]) == 39
    assert reply["UnprocessedKeys"] == {"Things": {"Keys": [keys[40], keys[41], keys[0]]}}


def test_a_transaction_is_cancelled_by_the_hot_item_and_takes_nothing(
    db: Db, hot: Partitions
) -> None:
    for _ in range(9):
        db.put(HOT)
    with pytest.raises(Refused) as refused:
        db.transact(("Put", {"Item": COLD}), ("Put", {"Item": HOT}))
    assert refused.value.code == "TransactionCanceledException"
    assert [reason["Code"] for reason in refused.value.reasons] == ["None", "ThrottlingError"]
    assert "[None, ThrottlingError]" in refused.value.message
    assert "hot key" in refused.value.reasons[1]["Message"]
    assert db.get("cold", "a") is None
    assert accepted(db, "PutItem", TableName="Things", Item=COLD)[0] == 10
    assert accepted(db, "PutItem", TableName="Things", Item=HOT)[0] == 1


def test_a_transaction_takes_double_units_of_each_item(db: Db, hot: Partitions) -> None:
    for _ in range(2):
        db.transact(("Put", {"Item": HOT}), ("Put", {"Item": item(pk="hot", sk="b")}))
    with pytest.raises(Refused) as refused:
        db.transact(("Put", {"Item": HOT}), ("Put", {"Item": item(pk="hot", sk="b")}))
    assert [reason["Code"] for reason in refused.value.reasons] == ["None", "ThrottlingError"]


def test_transactional_reads_are_cancelled_likewise(db: Db, hot: Partitions) -> None:
    get = {"Get": {"TableName": "Things", "Key": HOT}}
    taken, refused = accepted(db, "TransactGetItems", TransactItems=[get])
    assert taken == 15
    assert refused is not None and refused.reasons[0]["Code"] == "ThrottlingError"


# --- provisioned tables ---------------------------------------------------------------------------


def provisioned(db: Db, reads: int, writes: int) -> None:
    db(
        "CreateTable",
        TableName="Things",
        KeySchema=schema_of(["pk"]),
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": reads, "WriteCapacityUnits": writes},
    )


def reads_of(db: Db, key: str) -> tuple[int, Refused | None]:
    return accepted(db, "GetItem", TableName="Things", Key=item(pk=key), ConsistentRead=True)


def test_provisioned_units_lie_in_equal_shares_on_the_partitions(db: Db) -> None:
    provisioned(db, 5_000, 10)
    keys = ["a", *"bcdefgh"]
    other = next(key for key in keys if partition_of(key, 2) != partition_of("a", 2))
    same = next(key for key in keys[1:] if partition_of(key, 2) == partition_of("a", 2))
    with partitioned(db.engine, 100, {"Things": 2}) as partitions:
        assert partitions.serves(("Things", None, "Read")) == 25  # of 50; a partition could do 30
        taken, refused = reads_of(db, "a")
        assert taken == 25
        assert refused is not None
        assert refused.code == "ProvisionedThroughputExceededException"
        [reason] = refused.body["ThrottlingReasons"]
        assert reason["reason"] == "TableReadKeyRangeThroughputExceeded"
        assert reads_of(db, same)[0] == 0
        assert reads_of(db, other)[0] == 25


def test_without_a_spread_a_table_has_the_partitions_that_it_would_begin_with(db: Db) -> None:
    provisioned(db, 5_000, 10)
    with partitioned(db.engine, 100) as partitions:
        assert partitions.serves(("Things", None, "Read")) == 25


def test_unused_shares_are_saved_for_five_minutes_up_to_the_partitions_ceiling(db: Db) -> None:
    provisioned(db, 1_000, 10)
    with partitioned(db.engine, 100, {"Things": 1}):
        assert reads_of(db, "a")[0] == 10
        db.advance(3)
        assert reads_of(db, "a")[0] == 30  # what was saved
        db.advance(1)
        assert reads_of(db, "a")[0] == 10  # nothing is left
        db.advance(3_600)
        served = 0
        for _ in range(20):
            served += reads_of(db, "a")[0]
            db.advance(1)
        assert served == 20 * 30  # the ceiling, whatever was saved
        db.advance(3_600)
        served = 0
        for _ in range(200):
            served += reads_of(db, "a")[0]
            db.advance(1)
        assert served == 300 * 10 + 199 * 10


def test_a_transaction_on_a_provisioned_table_names_its_own_reason(db: Db) -> None:
    provisioned(db, 10, 100)
    with partitioned(db.engine, 100), pytest.raises(Refused) as refused:
        db.transact(("Put", {"Item": item(pk="a")}))
        db.transact(("Put", {"Item": item(pk="a")}))
    assert refused.value.reasons[0]["Code"] == "ProvisionedThroughputExceeded"


# --- on and off -----------------------------------------------------------------------------------


def test_partitions_are_off_before_and_after_the_block(db: Db) -> None:
    db.table()
    assert accepted(db, "PutItem", TableName="Things", Item=HOT)[1] is None
    with partitioned(db.engine, 100):
        assert accepted(db, "PutItem", TableName="Things", Item=HOT)[0] == 10
    assert accepted(db, "PutItem", TableName="Things", Item=HOT)[1] is None


def test_partitions_belong_to_their_store(db: Db) -> None:
    with partitioned(db.engine, 100), db.engine.scratch():
        db.table()
        assert accepted(db, "PutItem", TableName="Things", Item=HOT)[1] is None


def test_a_copy_of_a_store_has_no_partitions(db: Db) -> None:
    with partitioned(db.engine, 100):
        assert db.engine.store.copy().partitions is None


def test_randomness_is_drawn_from_one_seed_inside_and_goes_on_after(db: Db) -> None:
    random.seed(1)
    wanted = random.random()
    random.seed(1)
    drawn = []
    for _ in range(2):
        with partitioned(db.engine, 100):
            drawn.append(random.random())
    assert drawn[0] == drawn[1]
    assert random.random() == wanted


def test_the_clock_stands_still_inside_and_goes_on_from_there() -> None:
    clock = Clock()
    before = clock()
    with clock.still():
        assert clock() == clock() == int(clock()) >= before
        clock.advance(100)
        reached = clock()
    assert reached <= clock() < reached + 60


def test_a_scale_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="scale above 0"):
        Partitions(Store(), 0, {})


def test_traffic_is_told_by_second_and_key(db: Db, hot: Partitions) -> None:
    for _ in range(4):
        db.put(HOT)
    db.advance(2)
    for _ in range(10):
        db.put(HOT)
    with pytest.raises(Refused):
        db.put(HOT)
    cells = hot.traffic["Things", None, "Write"]["hot"]
    told = [(second, cell.units, cell.requests, cell.refused) for second, cell in cells.items()]
    assert told == [(0, 4.0, 4, 0), (2, 10.0, 10, 1)]
