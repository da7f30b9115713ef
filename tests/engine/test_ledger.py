"""What each request costs: every ConsumedCapacity rule, seen from outside the engine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, padded, value, values


def units(reply: dict[str, Any]) -> float:
    return reply["ConsumedCapacity"]["CapacityUnits"]


def listed(reply: dict[str, Any]) -> dict[str, float]:
    return {each["TableName"]: each["CapacityUnits"] for each in reply["ConsumedCapacity"]}


TOTAL: dict[str, Any] = {"ReturnConsumedCapacity": "TOTAL"}
INDEXES: dict[str, Any] = {"ReturnConsumedCapacity": "INDEXES"}
A1 = item(pk="a", sk="1")
A2 = item(pk="a", sk="2")


# --- reading single items ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "eventual"), [(10, 0.5), (4096, 0.5), (4097, 1.0), (8192, 1.0), (30_000, 4.0)]
)
def test_get_rounds_the_item_up_to_4_kb(db: Db, size: int, eventual: float) -> None:
    db.table()
    db.put(padded(size, **{"pk": "a", "sk": "1"}))
    assert units(db("GetItem", TableName="Things", Key=A1, **TOTAL)) == eventual
    strong = db("GetItem", TableName="Things", Key=A1, ConsistentRead=True, **TOTAL)
    assert units(strong) == 2 * eventual


@pytest.mark.parametrize(("consistent", "cost"), [(False, 0.5), (True, 1.0)])
def test_get_of_a_missing_item_costs_the_minimum(db: Db, consistent: bool, cost: float) -> None:
    db.table()
    reply = db("GetItem", TableName="Things", Key=A1, ConsistentRead=consistent, **TOTAL)
    assert "Item" not in reply
    assert units(reply) == cost


def test_a_projection_makes_a_get_no_cheaper(db: Db) -> None:
    db.table()
    db.put(padded(9000, pk="a", sk="1"))
    reply = db("GetItem", TableName="Things", Key=A1, ProjectionExpression="sk", **TOTAL)
    assert reply["Item"] == {"sk": {"S": "1"}}
    assert units(reply) == 1.5


def test_batch_get_rounds_each_item_by_itself(db: Db) -> None:
    # Developer guide: 1.5 KB and 6.5 KB are read as 4 KB and 8 KB.
    db.table()
    db.put(padded(1536, pk="a", sk="1"))
    db.put(padded(6656, pk="a", sk="2"))
    asked = {"Things": {"Keys": [A1, A2], "ConsistentRead": True}}
    assert listed(db("BatchGetItem", RequestItems=asked, **TOTAL)) == {"Things": 3.0}


def test_batch_get_of_missing_items_costs_the_minimum_for_each(db: Db) -> None:
    db.table()
    db.put(A1)
    keys = [A1, A2, item(pk="b", sk="1")]
    assert listed(db("BatchGetItem", RequestItems={"Things": {"Keys": keys}}, **TOTAL)) == {
        "Things": 1.5
    }


def test_batch_get_lists_each_table(db: Db) -> None:
    db.table("Things")
    db.table("Others")
    asked = {"Things": {"Keys": [A1]}, "Others": {"Keys": [A1, A2], "ConsistentRead": True}}
    reply = db("BatchGetItem", RequestItems=asked, **INDEXES)
    assert reply["ConsumedCapacity"] == [
        {"TableName": "Things", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}},
        {"TableName": "Others", "CapacityUnits": 2.0, "Table": {"CapacityUnits": 2.0}},
    ]


def test_transact_get_costs_two_units_for_each_4_kb_and_for_a_missing_item(db: Db) -> None:
    db.table()
    db.put(padded(4097, pk="a", sk="1"))
    gets = [{"Get": {"TableName": "Things", "Key": key}} for key in (A1, A2)]
    reply = db("TransactGetItems", TransactItems=gets, **INDEXES)
    assert len(reply["Responses"]) == 2
    assert reply["Responses"][1] == {}
    assert reply["ConsumedCapacity"] == [
        {
            "TableName": "Things",
            "CapacityUnits": 6.0,
            "ReadCapacityUnits": 6.0,
            "Table": {"CapacityUnits": 6.0, "ReadCapacityUnits": 6.0},
        }
    ]


def test_three_transactional_reads_of_500_bytes_cost_six_units(db: Db) -> None:
    db.table()
    keys = [item(pk="a", sk=str(number)) for number in range(3)]
    for number in range(3):
        db.put(padded(500, pk="a", sk=str(number)))
    gets = [{"Get": {"TableName": "Things", "Key": key}} for key in keys]
    reply = db("TransactGetItems", TransactItems=gets, **TOTAL)
    assert reply["ConsumedCapacity"] == [
        {"TableName": "Things", "CapacityUnits": 6.0, "ReadCapacityUnits": 6.0}
    ]


# --- Query and Scan ---------------------------------------------------------------------------


def test_a_query_sums_sizes_and_rounds_once(db: Db) -> None:
    # Developer guide: 10 items of 4 KB and a bit, 40.8 KB in all, are 44 KB.
    db.table()
    for number in range(10):
        db.put(padded(4178, pk="a", sk=str(number)))
    assert units(db.query("pk = :p", v={"p": "a"}, **TOTAL)) == 5.5
    assert units(db.query("pk = :p", v={"p": "a"}, ConsistentRead=True, **TOTAL)) == 11.0


def test_1500_items_of_64_bytes_are_96_kb(db: Db) -> None:
    db.table()
    for number in range(1500):
        db.put(padded(64, pk="a", sk=f"{number:04}"))
    assert units(db.query("pk = :p", v={"p": "a"}, ConsistentRead=True, **TOTAL)) == 24.0
    assert units(db("Scan", TableName="Things", ConsistentRead=True, **TOTAL)) == 24.0


@pytest.mark.parametrize(("consistent", "cost"), [(False, 0.5), (True, 1.0)])
def test_a_query_that_finds_nothing_costs_the_minimum(
    db: Db, consistent: bool, cost: float
) -> None:
    db.table()
    reply = db.query("pk = :p", v={"p": "a"}, ConsistentRead=consistent, **TOTAL)
    assert reply["Items"] == []
    assert units(reply) == cost
    assert units(db("Scan", TableName="Things", ConsistentRead=consistent, **TOTAL)) == cost


def test_counting_costs_what_getting_costs(db: Db) -> None:
    db.table()
    for number in range(7):
        db.put(padded(3000, pk="a", sk=str(number)))
    reply = db.query("pk = :p", v={"p": "a"}, Select="COUNT", **TOTAL)
    assert (reply["Count"], reply["ScannedCount"], units(reply)) == (7, 7, 3.0)
    assert "Items" not in reply


def test_a_filter_and_a_projection_make_a_query_no_cheaper(db: Db) -> None:
    db.table()
    for number in range(7):
        db.put(padded(3000, pk="a", sk=str(number), n=number))
    reply = db.query(
        "pk = :p",
        v={"p": "a", "n": 100},
        FilterExpression="n > :n",
        ProjectionExpression="sk",
        **TOTAL,
    )
    assert (reply["Count"], reply["ScannedCount"], units(reply)) == (0, 7, 3.0)


def test_a_query_shows_its_table_arm_with_indexes(db: Db) -> None:
    db.table()
    reply = db.query("pk = :p", v={"p": "a"}, **INDEXES)
    assert reply["ConsumedCapacity"] == {
        "TableName": "Things",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.5},
    }


# --- local secondary indexes ------------------------------------------------------------------


def local_table(db: Db, projection: str, count: int, size: int) -> None:
    db.table(local=[("by_n", "n:N", projection)])
    for number in range(count):
        db.put(padded(size, pk="a", sk=f"{number:04}", n=number, name="Ann"))


def by_n(db: Db, **request: Any) -> dict[str, Any]:
    return db.query("pk = :p", v={"p": "a"}, IndexName="by_n", **INDEXES, **request)


def arms(reply: dict[str, Any]) -> tuple[float, float, float]:
    capacity = reply["ConsumedCapacity"]
    [indexes] = [capacity[kind] for kind in capacity if kind.endswith("SecondaryIndexes")]
    [arm] = indexes.values()
    return capacity["CapacityUnits"], capacity["Table"]["CapacityUnits"], arm["CapacityUnits"]


def test_an_lsi_is_sized_on_its_own_entries(db: Db) -> None:
    local_table(db, "KEYS_ONLY", 100, 5000)
    # An entry: pk 3, sk 6, n 1 + 2 bytes (n = 0: 1 + 1): 12 · 100 bytes are 4 KB.
    reply = by_n(db)
    assert reply["Count"] == 100
    assert arms(reply) == (0.5, 0.0, 0.5)
    assert arms(by_n(db, ConsistentRead=True)) == (1.0, 0.0, 1.0)
    assert set(reply["Items"][5]) == {"pk", "sk", "n"}


def test_an_included_attribute_is_in_the_entry_and_not_fetched(db: Db) -> None:
    local_table(db, "INCLUDE name", 10, 5000)
    reply = by_n(db, ProjectionExpression="#n", ExpressionAttributeNames={"#n": "name"})
    assert arms(reply) == (0.5, 0.0, 0.5)
    assert reply["Items"][0] == {"name": {"S": "Ann"}}


def test_an_lsi_that_projects_all_is_sized_on_whole_items(db: Db) -> None:
    local_table(db, "ALL", 10, 5000)
    assert arms(by_n(db, Select="ALL_ATTRIBUTES")) == (6.5, 0.0, 6.5)


def test_each_item_that_an_lsi_fetches_is_rounded_up_by_itself(db: Db) -> None:
    # Developer guide, LSI: 4 entries of 200 bytes and 4 items of 300 bytes: 4 KB and 16 KB.
    db.table(local=[("by_n", "n:N", "INCLUDE filler")])
    for number in range(1, 5):
        entry = item(pk="a", sk="1234", n=number)  # 3 + 6 + 3 bytes
        entry["filler"] = value("x" * (200 - 12 - 6))
        whole = {**entry, "rest": value("x" * (100 - 4))}
        db.put({**whole, "sk": value(f"123{number}")})
    reply = by_n(db, ProjectionExpression="rest", ConsistentRead=True)
    assert arms(reply) == (5.0, 4.0, 1.0)
    assert len(reply["Items"][0]["rest"]["S"]) == 96
    assert arms(by_n(db, ProjectionExpression="rest")) == (2.5, 2.0, 0.5)


@pytest.mark.parametrize(("consistent", "table"), [(False, 4.5), (True, 9.0)])
def test_three_fetched_rows_of_9_kb_cost_three_units_each(
    db: Db, consistent: bool, table: float
) -> None:
    local_table(db, "KEYS_ONLY", 3, 9 * 1024)
    reply = by_n(db, Select="ALL_ATTRIBUTES", ConsistentRead=consistent)
    assert arms(reply)[1] == table
    assert reply["Items"][0]["name"] == {"S": "Ann"}


def test_fetches_are_charged_before_the_filter(db: Db) -> None:
    local_table(db, "KEYS_ONLY", 3, 9 * 1024)
    reply = db.query(
        "pk = :p",
        v={"p": "a", "name": "Bob"},
        IndexName="by_n",
        Select="ALL_ATTRIBUTES",
        FilterExpression="#n = :name",
        ExpressionAttributeNames={"#n": "name"},
        **INDEXES,
    )
    assert (reply["Count"], arms(reply)[1]) == (0, 4.5)


def test_counting_over_an_lsi_fetches_nothing(db: Db) -> None:
    local_table(db, "KEYS_ONLY", 3, 9 * 1024)
    assert arms(by_n(db, Select="COUNT")) == (0.5, 0.0, 0.5)


def test_an_empty_query_of_an_lsi_costs_the_minimum_of_the_index(db: Db) -> None:
    local_table(db, "KEYS_ONLY", 0, 0)
    assert arms(by_n(db, Select="ALL_ATTRIBUTES")) == (0.5, 0.0, 0.5)


# --- global secondary indexes -----------------------------------------------------------------


def test_a_gsi_query_is_eventual_and_sized_on_entries(db: Db) -> None:
    # Developer guide, GSI: 8 entries of 2,000 bytes are 16 KB: 2 units.
    db.table(global_=[("g", "kind:S", "ALL")])
    for number in range(8):
        db.put(padded(2000, pk="a", sk=str(number), kind="k"))
    reply = db.query("kind = :k", v={"k": "k"}, IndexName="g", **INDEXES)
    assert reply["ConsumedCapacity"] == {
        "TableName": "Things",
        "CapacityUnits": 2.0,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"g": {"CapacityUnits": 2.0}},
    }


# --- writing single items ---------------------------------------------------------------------


@pytest.mark.parametrize(("size", "cost"), [(10, 1.0), (1024, 1.0), (1025, 2.0), (50_000, 49.0)])
def test_put_rounds_the_item_up_to_1_kb(db: Db, size: int, cost: float) -> None:
    db.table()
    reply = db.put(padded(size, pk="a", sk="1"), **INDEXES)
    assert reply == {
        "ConsumedCapacity": {
            "TableName": "Things",
            "CapacityUnits": cost,
            "Table": {"CapacityUnits": cost},
        }
    }


@pytest.mark.parametrize(("old", "new"), [(3072, 100), (100, 3072), (3072, 3072)])
def test_put_over_an_item_costs_the_larger_of_the_two(db: Db, old: int, new: int) -> None:
    db.table()
    db.put(padded(old, pk="a", sk="1"))
    assert units(db.put(padded(new, pk="a", sk="1"), **TOTAL)) == 3.0


def test_update_of_one_attribute_costs_the_whole_item(db: Db) -> None:
    db.table()
    db.put(padded(5000, pk="a", sk="1", n=1))
    assert units(db.update(A1, "ADD n :one", values=values(one=1), **TOTAL)) == 5.0


def test_update_costs_the_larger_of_before_and_after(db: Db) -> None:
    db.table()
    db.put(padded(5000, pk="a", sk="1"))
    assert units(db.update(A1, "REMOVE fill", **TOTAL)) == 5.0
    assert units(db.update(A1, "SET p = :p", values=values(p="x" * 2100), **TOTAL)) == 3.0


def test_update_that_creates_the_item_costs_the_new_item(db: Db) -> None:
    db.table()
    assert units(db.update(A1, "ADD n :one", values=values(one=1), **TOTAL)) == 1.0


def test_delete_costs_the_item_that_it_deletes(db: Db) -> None:
    db.table()
    db.put(padded(3000, pk="a", sk="1"))
    assert units(db("DeleteItem", TableName="Things", Key=A1, **TOTAL)) == 3.0
    assert units(db("DeleteItem", TableName="Things", Key=A1, **TOTAL)) == 1.0


def test_a_passing_condition_and_return_values_cost_nothing(db: Db) -> None:
    db.table()
    db.put(padded(3000, pk="a", sk="1"))
    reply = db.put(
        padded(3000, pk="a", sk="1"),
        ConditionExpression="attribute_exists(pk)",
        ReturnValues="ALL_OLD",
        **TOTAL,
    )
    assert "Attributes" in reply
    assert units(reply) == 3.0


def test_total_shows_the_table_and_one_figure(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "ALL")])
    reply = db.put(item(pk="a", sk="1", n=1), **TOTAL)
    assert reply["ConsumedCapacity"] == {"TableName": "Things", "CapacityUnits": 2.0}


@pytest.mark.parametrize("wish", [{}, {"ReturnConsumedCapacity": "NONE"}])
def test_nothing_is_shown_where_nothing_is_asked(db: Db, wish: dict[str, Any]) -> None:
    db.table()
    assert db.put(A1, **wish) == {}
    assert set(db.query("pk = :p", v={"p": "a"}, **wish)) == {"Items", "Count", "ScannedCount"}
    assert db.transact(("Put", {"Item": A1}), **wish) == {}


# --- failed conditions ------------------------------------------------------------------------

NEW: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"}


def failed(db: Db, operation: str, **request: Any) -> float:
    """What a failed condition was billed; the reply must not show it."""
    with pytest.raises(Refused) as refused:
        db(operation, TableName="Things", **request, **TOTAL)
    assert refused.value.code == "ConditionalCheckFailedException"
    assert "ConsumedCapacity" not in refused.value.body
    return db.billed().total


def test_a_failed_condition_on_no_item_is_billed_one_unit(db: Db) -> None:
    db.table()
    there = {"ConditionExpression": "attribute_exists(pk)"}
    assert failed(db, "DeleteItem", Key=A1, **there) == 1.0
    assert failed(db, "UpdateItem", Key=A1, UpdateExpression="REMOVE x", **there) == 1.0


@pytest.mark.parametrize(("stored", "carried"), [(3000, 10), (10, 3000), (2500, 2600)])
def test_a_failed_put_is_billed_the_larger_of_the_two_items(
    db: Db, stored: int, carried: int
) -> None:
    db.table()
    db.put(padded(max(stored, 20), pk="a", sk="1"))
    carried_item = padded(max(carried, 20), pk="a", sk="1")
    assert failed(db, "PutItem", Item=carried_item, **NEW) == 3.0


def test_a_failed_update_or_delete_is_billed_the_stored_item(db: Db) -> None:
    db.table()
    db.put(padded(3000, pk="a", sk="1"))
    assert failed(db, "DeleteItem", Key=A1, **NEW) == 3.0
    assert failed(db, "UpdateItem", Key=A1, UpdateExpression="REMOVE fill", **NEW) == 3.0


def test_an_invalid_request_is_billed_nothing(db: Db) -> None:
    db.table()
    with pytest.raises(Refused):
        db.update(A1, "SET n = n + :one", values=values(one=1), **TOTAL)
    assert db.billed().total == 0


# --- batches ----------------------------------------------------------------------------------


def test_batch_write_rounds_each_item_by_itself(db: Db) -> None:
    # Developer guide: 500 bytes and 3.5 KB cost 1 + 4 units.
    db.table()
    puts = [
        {"PutRequest": {"Item": padded(500, pk="a", sk="1")}},
        {"PutRequest": {"Item": padded(3584, pk="a", sk="2")}},
    ]
    assert listed(db("BatchWriteItem", RequestItems={"Things": puts}, **TOTAL)) == {"Things": 5.0}


def test_batch_delete_of_missing_items_costs_one_unit_each(db: Db) -> None:
    db.table()
    deletes = [{"DeleteRequest": {"Key": key}} for key in (A1, A2)]
    reply = db("BatchWriteItem", RequestItems={"Things": deletes}, **INDEXES)
    assert reply["ConsumedCapacity"] == [
        {"TableName": "Things", "CapacityUnits": 2.0, "Table": {"CapacityUnits": 2.0}}
    ]


def test_batch_write_adds_up_index_arms(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "KEYS_ONLY")], global_=[("g", "kind:S", "ALL")])
    puts = [
        {"PutRequest": {"Item": item(pk="a", sk="1", n=1, kind="k")}},
        {"PutRequest": {"Item": item(pk="a", sk="2", n=1)}},
        {"PutRequest": {"Item": item(pk="a", sk="3")}},
    ]
    reply = db("BatchWriteItem", RequestItems={"Things": puts}, **INDEXES)
    assert reply["ConsumedCapacity"] == [
        {
            "TableName": "Things",
            "CapacityUnits": 6.0,
            "Table": {"CapacityUnits": 3.0},
            "LocalSecondaryIndexes": {"by_n": {"CapacityUnits": 2.0}},
            "GlobalSecondaryIndexes": {"g": {"CapacityUnits": 1.0}},
        }
    ]


# --- index writes: one table for local and for global indexes ------------------------------------


@pytest.fixture(params=["local", "global"])
def indexed(request: pytest.FixtureRequest, db: Db) -> Db:
    """A table with one index that includes `p`, sorted by n."""
    if request.param == "local":
        db.table(local=[("i", "n:N", "INCLUDE p")])
    else:
        db.table(global_=[("i", "kind:S n:N", "INCLUDE p")])
    return db


def entry(size: int, n: int = 1, **others: Any) -> dict[str, Any]:
    """An item whose index entry is of this size, in either index of `indexed`.

    The local index does not hold `kind`: `p` fills up the entry by itself there, so sizes are
    chosen well inside a kilobyte.
    """
    wire = item(pk="a", sk="1", n=n, kind="k", **others)
    wire["p"] = value("x" * (size - 3 - 3 - 3 - 1))
    return wire


def index_arm(reply: dict[str, Any]) -> float | None:
    """The units of the index; None where its arm is absent."""
    capacity = reply["ConsumedCapacity"]
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        if kind in capacity:
            [arm] = capacity[kind].values()
            assert (
                capacity["CapacityUnits"]
                == capacity["Table"]["CapacityUnits"] + arm["CapacityUnits"]
            )
            return arm["CapacityUnits"]
    return None


def test_an_item_outside_the_index_shows_no_arm(indexed: Db) -> None:
    assert index_arm(indexed.put(A1, **INDEXES)) is None
    assert index_arm(indexed.put(item(pk="a", sk="1", extra="x"), **INDEXES)) is None


def test_a_new_entry_costs_its_size(indexed: Db) -> None:
    assert index_arm(indexed.put(entry(2500), **INDEXES)) == 3.0


def test_an_entry_that_goes_costs_its_size(indexed: Db) -> None:
    indexed.put(entry(2500))
    assert index_arm(indexed.update(A1, "REMOVE n", **INDEXES)) == 3.0
    indexed.put(entry(2500))
    assert index_arm(indexed("DeleteItem", TableName="Things", Key=A1, **INDEXES)) == 3.0


def test_an_identical_entry_costs_nothing(indexed: Db) -> None:
    indexed.put(entry(2500, extra="x"))
    assert index_arm(indexed.put(entry(2500, extra="x"), **INDEXES)) is None
    reply = indexed.update(A1, "SET extra = :o", values=values(o="y"), **INDEXES)
    assert index_arm(reply) is None


def test_a_set_in_another_order_is_an_identical_entry(indexed: Db) -> None:
    wire = entry(500) | {"p": {"SS": ["a", "b"]}}
    indexed.put(wire)
    assert index_arm(indexed.put(wire | {"p": {"SS": ["b", "a"]}}, **INDEXES)) is None


@pytest.mark.parametrize(("old", "new"), [(2500, 1500), (1500, 2500)])
def test_a_changed_entry_costs_the_larger_of_the_two(indexed: Db, old: int, new: int) -> None:
    indexed.put(entry(old))
    assert index_arm(indexed.put(entry(new), **INDEXES)) == 3.0


def test_an_entry_that_moves_costs_both_sizes(indexed: Db) -> None:
    indexed.put(entry(1500, n=1))
    assert index_arm(indexed.put(entry(1500, n=2), **INDEXES)) == 4.0
    indexed.put(entry(3000, n=1))
    assert index_arm(indexed.put(entry(200, n=2), **INDEXES)) == 4.0


def test_a_large_item_with_a_small_entry_costs_the_entry_in_the_index(db: Db) -> None:
    db.table(local=[("i", "n:N", "KEYS_ONLY")])
    reply = db.put(padded(3023, pk="a", sk="1", n=1), **INDEXES)
    assert reply["ConsumedCapacity"] == {
        "TableName": "Things",
        "CapacityUnits": 4.0,
        "Table": {"CapacityUnits": 3.0},
        "LocalSecondaryIndexes": {"i": {"CapacityUnits": 1.0}},
    }


def test_an_index_in_a_transaction_costs_the_ordinary_amount(indexed: Db) -> None:
    indexed.put(entry(1500, n=1))
    reply = indexed.transact(("Put", {"Item": entry(1500, n=2)}), **INDEXES)
    [capacity] = reply["ConsumedCapacity"]
    [arms] = [capacity[kind] for kind in capacity if kind.endswith("SecondaryIndexes")]
    assert capacity["Table"] == {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}
    assert arms == {"i": {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}}
    assert (capacity["CapacityUnits"], capacity["WriteCapacityUnits"]) == (8.0, 8.0)


def test_two_indexes_have_an_arm_each(db: Db) -> None:
    db.table(
        local=[("by_n", "n:N", "KEYS_ONLY"), ("by_m", "m:N", "ALL")],
        global_=[("g", "kind:S", "KEYS_ONLY")],
    )
    reply = db.put(padded(2000, pk="a", sk="1", n=1, m=1, kind="k"), **INDEXES)
    assert reply["ConsumedCapacity"] == {
        "TableName": "Things",
        "CapacityUnits": 6.0,
        "Table": {"CapacityUnits": 2.0},
        "LocalSecondaryIndexes": {
            "by_n": {"CapacityUnits": 1.0},
            "by_m": {"CapacityUnits": 2.0},
        },
        "GlobalSecondaryIndexes": {"g": {"CapacityUnits": 1.0}},
    }


# --- transactions -----------------------------------------------------------------------------


def cost(db: Db, *actions: tuple[str, dict[str, Any]], **request: Any) -> float:
    reply = db.transact(*actions, **TOTAL, **request)
    [capacity] = reply["ConsumedCapacity"]
    assert capacity == {
        "TableName": "Things",
        "CapacityUnits": capacity["CapacityUnits"],
        "WriteCapacityUnits": capacity["CapacityUnits"],
    }
    return capacity["CapacityUnits"]


def test_three_transactional_writes_of_500_bytes_cost_six_units(db: Db) -> None:
    db.table()
    puts = [("Put", {"Item": padded(500, pk="a", sk=str(number))}) for number in range(3)]
    assert cost(db, *puts) == 6.0


def test_a_transaction_rounds_first_and_doubles_then(db: Db) -> None:
    db.table()
    assert cost(db, ("Put", {"Item": padded(1127, pk="a", sk="1")})) == 4.0


def test_a_like_costs_two_units_plain_and_four_in_a_transaction(db: Db) -> None:
    db.table()
    like, tally = padded(200, pk="p", sk="LIKE#u1"), item(pk="p", sk="TALLY")
    add = {"UpdateExpression": "ADD likes :one", "ExpressionAttributeValues": values(one=1)}
    plain = units(db.put(like, **TOTAL)) + units(
        db("UpdateItem", TableName="Things", Key=tally, **add, **TOTAL)
    )
    assert plain == 2.0
    assert cost(db, ("Put", {"Item": like}), ("Update", {"Key": tally, **add})) == 4.0


def test_a_transactional_delete_costs_twice_the_deleted_item(db: Db) -> None:
    db.table()
    db.put(padded(3072, pk="a", sk="1"))
    assert cost(db, ("Delete", {"Key": A1})) == 6.0
    assert cost(db, ("Delete", {"Key": A1})) == 2.0


def test_a_condition_check_is_billed_as_a_write_of_what_it_looks_at(db: Db) -> None:
    db.table()
    db.put(padded(3000, pk="a", sk="1"))
    check = ("ConditionCheck", {"Key": A1, "ConditionExpression": "attribute_exists(pk)"})
    assert cost(db, check) == 6.0
    absent = ("ConditionCheck", {"Key": A2, "ConditionExpression": "attribute_not_exists(pk)"})
    assert cost(db, absent) == 2.0


def test_a_condition_check_touches_no_index(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "ALL")])
    db.put(item(pk="a", sk="1", n=1))
    check = ("ConditionCheck", {"Key": A1, "ConditionExpression": "attribute_exists(pk)"})
    [capacity] = db.transact(check, **INDEXES)["ConsumedCapacity"]
    assert capacity == {
        "TableName": "Things",
        "CapacityUnits": 2.0,
        "WriteCapacityUnits": 2.0,
        "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
    }


def test_a_transaction_lists_each_table(db: Db) -> None:
    db.table("Things")
    db.table("Others")
    reply = db.transact(
        ("Put", {"Item": A1}),
        ("Put", {"TableName": "Others", "Item": padded(2000, pk="a", sk="1")}),
        **TOTAL,
    )
    assert listed(reply) == {"Things": 2.0, "Others": 4.0}


def test_a_cancelled_transaction_shows_no_capacity(db: Db) -> None:
    db.table()
    with pytest.raises(Refused) as refused:
        db.transact(("Put", {"Item": A1, "ConditionExpression": "attribute_exists(pk)"}), **INDEXES)
    assert "ConsumedCapacity" not in refused.value.body


def replay_cost(db: Db, *actions: tuple[str, dict[str, Any]]) -> float:
    db.transact(*actions, ClientRequestToken="t", **TOTAL)
    [capacity] = db.transact(*actions, ClientRequestToken="t", **TOTAL)["ConsumedCapacity"]
    assert capacity == {
        "TableName": "Things",
        "CapacityUnits": capacity["CapacityUnits"],
        "ReadCapacityUnits": capacity["CapacityUnits"],
    }
    return capacity["CapacityUnits"]


def test_a_replay_is_billed_in_read_units_of_the_written_images(db: Db) -> None:
    db.table()
    assert replay_cost(db, ("Put", {"Item": padded(1536, pk="a", sk="1")})) == 2.0


def test_a_replayed_delete_is_billed_the_item_that_the_first_call_deleted(db: Db) -> None:
    db.table()
    db.put(padded(9 * 1024, pk="a", sk="1"))
    assert replay_cost(db, ("Delete", {"Key": A1})) == 6.0


def test_a_replayed_condition_check_is_billed_what_it_looked_at(db: Db) -> None:
    db.table()
    db.put(padded(5000, pk="a", sk="1"))
    check = ("ConditionCheck", {"Key": A1, "ConditionExpression": "attribute_exists(pk)"})
    assert replay_cost(db, check, ("Put", {"Item": A2})) == 6.0


# --- what is asked for wrongly, and item collections ---------------------------------------------


def test_an_unknown_wish_is_refused(db: Db) -> None:
    db.table()
    with pytest.raises(Refused, match=r"enum value set: \[INDEXES, TOTAL, NONE\]"):
        db.put(A1, ReturnConsumedCapacity="ALL")


def test_item_collection_metrics_come_with_a_local_index_only(db: Db) -> None:
    size: dict[str, Any] = {"ReturnItemCollectionMetrics": "SIZE"}
    db.table("Things", local=[("by_n", "n:N", "ALL")])
    db.table("Others")
    metrics = {
        "ItemCollectionKey": {"pk": {"S": "a"}},
        "SizeEstimateRangeGB": [0.0, 1.0],
    }
    assert db.put(A1, **size) == {"ItemCollectionMetrics": metrics}
    assert db.put(A1, table="Others", **size) == {}
    reply = db.transact(("Put", {"Item": A1}), ("Put", {"TableName": "Others", "Item": A1}), **size)
    assert reply["ItemCollectionMetrics"] == {"Things": [metrics]}
    batch = {"Things": [{"DeleteRequest": {"Key": A1}}]}
    assert db("BatchWriteItem", RequestItems=batch, **size)["ItemCollectionMetrics"] == {
        "Things": [metrics]
    }


def test_a_listener_sees_each_request_of_data_with_its_error(db: Db) -> None:
    db.table()
    db.put(A1)
    with pytest.raises(Refused):
        db.put(A1, **NEW)
    assert [(ledger.operation, ledger.error) for ledger in db.ledgers] == [
        ("PutItem", None),
        ("PutItem", "ConditionalCheckFailedException"),
    ]
