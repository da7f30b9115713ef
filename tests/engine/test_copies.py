"""Copies of a table share what they hold, and what one of them writes no other sees."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynalab.engine.tables import Item, Table

SCHEMA: Any = [
    {"AttributeName": "p", "KeyType": "HASH"},
    {"AttributeName": "s", "KeyType": "RANGE"},
]
INDEX: Any = {
    "IndexName": "byN",
    "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}


def table_of(items: dict[tuple[str, str], str | None]) -> Table:
    attr = [{"AttributeName": name, "AttributeType": "S"} for name in ("p", "s", "n")]
    table = Table(
        "T", "123456789012", "us-east-1", schema=SCHEMA, attr=attr, global_indexes=[INDEX],
        throughput=None,
    )  # fmt: skip
    for key, n in items.items():
        write(table, key, n)
    return table


def write(table: Table, key: tuple[str, str], n: str | None) -> None:
    """Puts an item; takes it away where n is ""."""
    wire = {"p": {"S": key[0]}, "s": {"S": key[1]}, **({"n": {"S": n}} if n else {})}
    table.replace(table.key_of(wire), None if n == "" else Item(wire))


def seen(table: Table) -> Any:
    """All that a read could show, in each order that the table keeps."""
    orders = []
    for index in (None, table.index("byN")):
        entries = [(partition, entry.wire) for partition, entry in table.entries(index, None)]
        by_partition = [
            (partition, [entry.wire for entry in table.collection(index, partition).values()])
            for partition in dict.fromkeys(partition for partition, _ in entries)
        ]
        orders.append((entries, by_partition))
    return {key: item.wire for key, item in table.stored.items()}, orders


keys = st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"))
contents = st.dictionaries(keys, st.sampled_from([None, "1", "2"]), max_size=5)
writes = st.lists(
    st.tuples(st.sampled_from([0, 1, 2]), keys, st.sampled_from([None, "1", "2", ""])), max_size=9
)


@pytest.mark.parametrize("read_before", [False, True])
@given(first=contents, later=writes)
def test_copies_go_their_own_ways(
    read_before: bool, first: dict[tuple[str, str], str | None], later: Any
) -> None:
    one = table_of(first)
    if read_before:
        seen(one)
    two = one.copy()
    tables, models = [one, two, two.copy()], [dict(first) for _ in range(3)]
    for number, key, n in later:
        write(tables[number], key, n)
        models[number].pop(key, None)
        if n != "":
            models[number][key] = n
        if number == 1:
            seen(tables[2])  # a read that builds an order, between the writes
    for table, model in zip(tables, models, strict=True):
        assert seen(table) == seen(table_of(model))


def test_a_copy_knows_the_keys_written_so_far_where_that_is_asked_for() -> None:
    one = table_of({("a", "x"): None})
    assert one.copy().touched == set()
    two = one.copy(touched=True)
    assert two.touched == one.touched != set()
    write(two, ("b", "y"), None)
    assert len(one.touched) == 1


def test_what_is_set_on_an_index_of_a_copy_stays_there() -> None:
    first = table_of({})
    before = dict(first.index("byN").throughput)
    first.copy().index("byN").throughput = {"ReadCapacityUnits": 9, "WriteCapacityUnits": 9}
    assert first.index("byN").throughput == before
