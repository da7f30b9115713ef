"""Read and write units, rule by rule, each with the case that proves it."""

from decimal import Decimal
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynalab.engine.capacity import (
    PAGE_BYTES,
    index_entry,
    index_write_units,
    item_size,
    page_sizes,
    query_units,
    read_units,
    replay_units,
    same_item,
    write_units,
    write_units_between,
)
from dynalab.engine.limits import ITEM_BYTES

# Reads


@pytest.mark.parametrize(
    ("size", "strong"), [(0, 1), (1, 1), (4096, 1), (4097, 2), (8192, 2), (ITEM_BYTES, 100)]
)
def test_a_read_rounds_up_to_4_kb_and_is_at_least_one(size: int, strong: int) -> None:
    assert read_units(size, consistent=True) == strong
    assert read_units(size) == strong * 0.5
    assert read_units(size, transactional=True) == strong * 2


def test_a_transactional_read_is_consistent_already() -> None:
    assert read_units(500, consistent=True, transactional=True) == 2


def test_units_are_floats_as_dynamodb_reports_them() -> None:
    units = [read_units(1, consistent=True), write_units(1), write_units_between(None, 1),
             replay_units(1), query_units(1, 1, consistent=True),
             index_write_units(None, {"a": {"S": "x"}}, ["a"]),
             index_write_units(None, None, ["a"])]  # fmt: skip
    assert [type(u) for u in units] == [float] * 7


def test_a_missing_item_costs_the_minimum_of_its_read_type() -> None:
    assert (read_units(0), read_units(0, consistent=True)) == (0.5, 1)
    assert read_units(0, transactional=True) == 2


def test_a_batch_read_rounds_each_item_before_it_sums() -> None:
    sizes = [1536, 6656]  # AWS: 1.5 KB and 6.5 KB are 12 KB
    assert sum(read_units(size, consistent=True) for size in sizes) == 3


def test_a_query_sums_sizes_before_it_rounds() -> None:
    size = 41_779  # AWS: 10 items of 40.8 KB together are 44 KB
    assert (read_units(size, consistent=True), read_units(size)) == (11, 5.5)
    assert read_units(1500 * 64, consistent=True) == 24  # 96 KB


def test_a_transaction_reads_three_small_items_for_six_units() -> None:
    assert sum(read_units(500, transactional=True) for _ in range(3)) == 6


def test_a_transaction_reads_a_present_and_a_missing_item_for_four_units() -> None:
    assert read_units(100, transactional=True) + read_units(0, transactional=True) == 4


def test_a_local_index_query_that_fetches_adds_each_whole_item() -> None:
    entries = read_units(4 * 200, consistent=True)  # AWS: 4 KB
    fetched = 4 * read_units(300, consistent=True)  # AWS: 16 KB
    assert entries + fetched == 5  # AWS: 20 KB


def test_three_fetched_items_of_9_kb_are_nine_strong_units() -> None:
    assert 3 * read_units(9 * 1024, consistent=True) == 9
    assert 3 * read_units(9 * 1024) == 4.5


def test_a_global_index_query_is_sized_on_entries() -> None:
    assert read_units(8 * 2000) == 2  # AWS: 16 KB


# Writes


@pytest.mark.parametrize(
    ("size", "units"), [(0, 1), (1, 1), (1024, 1), (1025, 2), (3072, 3), (ITEM_BYTES, 400)]
)
def test_a_write_rounds_up_to_1_kb_and_is_at_least_one(size: int, units: int) -> None:
    assert write_units(size) == units
    assert write_units(size, transactional=True) == 2 * units


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (None, 500, 1),
        (3072, 100, 3),  # a small put over a large item
        (100, 3072, 3),
        (3072, None, 3),  # a delete
        (None, None, 1),  # a delete of no item
        (0, 0, 1),
    ],
)
def test_a_write_is_sized_on_the_larger_image(
    before: int | None, after: int | None, units: int
) -> None:
    assert write_units_between(before, after) == units
    assert write_units_between(before, after, transactional=True) == 2 * units


def test_a_batch_write_rounds_each_item_before_it_sums() -> None:
    assert write_units_between(None, 500) + write_units_between(None, 3584) == 5


def test_a_transaction_writes_three_small_items_for_six_units() -> None:
    assert 3 * write_units(500, transactional=True) == 6


def test_a_transaction_rounds_before_it_doubles() -> None:
    assert write_units(1100, transactional=True) == 4  # 2,200 bytes would be 3


def test_a_transaction_deletes_3_kb_for_six_units() -> None:
    assert write_units_between(3072, None, transactional=True) == 6


def test_a_condition_check_on_no_item_is_two_write_units() -> None:
    assert write_units(0, transactional=True) == 2


@given(st.none() | st.integers(0, ITEM_BYTES), st.none() | st.integers(0, ITEM_BYTES))
def test_a_write_and_its_undo_cost_the_same(before: int | None, after: int | None) -> None:
    assert write_units_between(before, after) == write_units_between(after, before)


def test_a_replay_costs_reads() -> None:
    assert write_units(1536, transactional=True) == 4  # the first call
    assert replay_units(1536) == 2  # the second, with the same token
    assert replay_units(9 * 1024) == 6
    assert replay_units(0) == 2


SIZED = [read_units, write_units, replay_units, lambda n: write_units_between(n, 2),
         lambda n: write_units_between(2, n), lambda n: query_units(n, 1),
         lambda n: query_units(1, n), lambda n: page_sizes(n, 1),
         lambda n: page_sizes(1, n)]  # fmt: skip


@pytest.mark.parametrize("function", SIZED)
@pytest.mark.parametrize("size", [1.0, 1.5, float("nan"), "1", True, Decimal(1)])
def test_a_size_that_is_not_an_int_is_refused(function: Any, size: Any) -> None:
    with pytest.raises(TypeError, match=r"^Pass .* as an int.*\.$"):
        function(size)


@pytest.mark.parametrize("function", SIZED)
def test_a_negative_size_is_refused(function: Any) -> None:
    with pytest.raises(ValueError, match=r"^Pass .* 0 or more.*\.$"):
        function(-1)


@pytest.mark.parametrize("function", [read_units, write_units, replay_units])
def test_no_size_at_all_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="as an int"):
        function(None)


# Index entries

POST = {
    "PK": {"S": "POST#a91f"},
    "SK": {"S": "META"},
    "author": {"S": "USER#7c20"},
    "at": {"N": "1750636811"},
    "body": {"S": "Hello"},
}
TABLE_KEYS, INDEX_KEYS = ["PK", "SK"], ["author", "at"]
KEYS_ONLY = {"ProjectionType": "KEYS_ONLY"}


def test_a_keys_only_entry_holds_both_keys() -> None:
    entry = index_entry(POST, TABLE_KEYS, INDEX_KEYS, KEYS_ONLY)
    assert entry is not None
    assert set(entry) == {"PK", "SK", "author", "at"}


def test_an_include_entry_adds_the_named_attributes_that_exist() -> None:
    include = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["body", "absent"]}
    assert index_entry(POST, TABLE_KEYS, INDEX_KEYS, include) == POST


def test_non_key_attributes_count_only_under_include() -> None:
    projection = {"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["body"]}
    entry = index_entry(POST, TABLE_KEYS, INDEX_KEYS, projection)
    assert entry is not None
    assert "body" not in entry


def test_an_all_entry_is_a_copy_of_the_item() -> None:
    entry = index_entry(POST, TABLE_KEYS, INDEX_KEYS, {"ProjectionType": "ALL"})
    assert entry == POST
    assert entry is not POST


def test_a_key_shared_by_table_and_index_counts_once() -> None:
    entry = index_entry(POST, TABLE_KEYS, ["PK", "at"], KEYS_ONLY)
    assert entry is not None
    assert item_size(entry) == (2 + 9) + (2 + 4) + (2 + 6)


@pytest.mark.parametrize("missing", INDEX_KEYS)
@pytest.mark.parametrize("kind", ["ALL", "KEYS_ONLY"])
def test_an_item_without_an_index_key_has_no_entry(missing: str, kind: str) -> None:
    item = {name: value for name, value in POST.items() if name != missing}
    assert index_entry(item, TABLE_KEYS, INDEX_KEYS, {"ProjectionType": kind}) is None


def test_no_item_has_no_entry() -> None:
    assert index_entry(None, TABLE_KEYS, INDEX_KEYS, KEYS_ONLY) is None


@pytest.mark.parametrize("projection", [{}, {"ProjectionType": "SOME"}])
def test_an_unknown_projection_is_refused(projection: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ALL, KEYS_ONLY or INCLUDE"):
        index_entry(POST, TABLE_KEYS, INDEX_KEYS, projection)


# Index writes


def entry_of(size: int, key: str = "k", letter: str = "x") -> dict[str, Any]:
    """Return an entry of exactly `size` bytes whose index key is `key`."""
    entry = {"key": {"S": key}, "v": {"S": ""}}
    return entry | {"v": {"S": letter * (size - item_size(entry))}}


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (None, None, 0),
        (None, entry_of(18), 1),
        (None, entry_of(1025), 2),
        (entry_of(18), None, 1),
        (entry_of(3017), None, 3),
        (entry_of(3017), entry_of(3017), 0),  # the same again
        (entry_of(18), entry_of(18, letter="y"), 1),
        (entry_of(3017), entry_of(18), 3),  # the larger of the two
        (entry_of(18), entry_of(3017), 3),
        (entry_of(1517), entry_of(1517, key="j"), 4),  # rounded apart, then summed
        (entry_of(3017), entry_of(18, key="j"), 4),
        (entry_of(18), entry_of(18, key="j"), 2),
    ],
)
def test_an_index_write_follows_the_measured_table(
    before: dict[str, Any] | None, after: dict[str, Any] | None, units: int
) -> None:
    assert index_write_units(before, after, ["key"]) == units


def test_an_attribute_outside_the_projection_costs_the_index_nothing() -> None:
    edited = POST | {"body": {"S": "Hello again"}}
    entries = [index_entry(item, TABLE_KEYS, INDEX_KEYS, KEYS_ONLY) for item in (POST, edited)]
    assert index_write_units(entries[0], entries[1], INDEX_KEYS) == 0


def test_a_large_item_with_a_small_entry_pays_for_each_by_its_own_size() -> None:
    item = {"pk": {"S": "a"}, "gk": {"S": "g" * 13}, "body": {"S": "x" * 3001}}
    entry = index_entry(item, ["pk"], ["gk"], KEYS_ONLY)
    assert entry is not None
    assert (item_size(item), item_size(entry)) == (3023, 18)
    assert write_units_between(None, item_size(item)) == 3
    assert index_write_units(None, entry, ["gk"]) == 1


def test_moving_either_index_key_moves_the_entry() -> None:
    later = POST | {"at": {"N": "1750636812"}}
    assert index_write_units(POST, later, INDEX_KEYS) == 2
    assert index_write_units(POST, later, ["author"]) == 1


def test_a_projected_attribute_that_appears_or_goes_is_one_write() -> None:
    bare = {name: value for name, value in POST.items() if name != "body"}
    assert index_write_units(bare, POST, INDEX_KEYS) == 1
    assert index_write_units(POST, bare, INDEX_KEYS) == 1


def test_another_spelling_of_a_key_does_not_move_the_entry() -> None:
    assert index_write_units({"k": {"N": "1"}}, {"k": {"N": "1.0"}}, ["k"]) == 0
    assert index_write_units({"k": {"N": "1"}}, {"k": {"S": "1"}}, ["k"]) == 2


def test_an_entry_without_its_index_key_is_refused() -> None:
    with pytest.raises(ValueError, match="index_entry"):
        index_write_units({"a": {"S": "x"}}, {"k": {"S": "x"}}, ["k"])
    with pytest.raises(ValueError, match="index_entry"):
        index_write_units(None, {"a": {"S": "x"}}, ["k"])


entries = st.none() | st.builds(
    entry_of, st.integers(6, 3000), st.sampled_from("jk"), st.sampled_from("xy")
)


@given(entries, entries)
def test_an_index_write_and_its_undo_cost_the_same(before: Any, after: Any) -> None:
    assert index_write_units(before, after, ["key"]) == index_write_units(after, before, ["key"])


@given(entries)
def test_writing_the_same_entry_again_costs_nothing(entry: Any) -> None:
    assert index_write_units(entry, entry, ["key"]) == 0


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"N": "100"}, {"N": "1E2"}),
        ({"N": "-0"}, {"N": "0"}),
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}),
        ({"NS": ["1", "2"]}, {"NS": ["2.0", "1"]}),
        ({"BS": ["AA==", "AQ=="]}, {"BS": [b"\x01", b"\x00"]}),
        ({"B": "AAEC"}, {"B": b"\x00\x01\x02"}),
        ({"L": [{"SS": ["a", "b"]}]}, {"L": [{"SS": ["b", "a"]}]}),
        ({"M": {"x": {"N": "1"}, "y": {"N": "2"}}}, {"M": {"y": {"N": "2.0"}, "x": {"N": "1"}}}),
    ],
)
def test_two_spellings_of_a_value_are_the_same_item(one: Any, two: Any) -> None:
    assert same_item({"a": one}, {"a": two})


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"N": "1"}, {"S": "1"}),
        ({"N": "1" * 37 + "1"}, {"N": "1" * 37 + "2"}),
        ({"L": [{"N": "1"}, {"N": "2"}]}, {"L": [{"N": "2"}, {"N": "1"}]}),
        ({"SS": ["a"]}, {"SS": ["a", "b"]}),
        ({"BOOL": True}, {"BOOL": False}),
        ({"M": {"x": {"N": "1"}}}, {"M": {"y": {"N": "1"}}}),
        ({"B": "AAEC"}, {"S": "AAEC"}),
    ],
)
def test_different_values_are_different_items(one: Any, two: Any) -> None:
    assert not same_item({"a": one}, {"a": two})
    assert not same_item({"a": one}, {"a": one, "b": two})
    assert not same_item({"a": one, "b": two}, {"a": one})


# Pages


def test_a_full_page_is_256_strong_units() -> None:
    assert PAGE_BYTES == 1_048_576
    assert (read_units(PAGE_BYTES, consistent=True), read_units(PAGE_BYTES)) == (256, 128)


def test_50_items_of_a_quarter_mib_are_13_pages_and_1600_eventual_units() -> None:
    assert len(list(page_sizes(50, 262_144))) == 13
    assert query_units(50, 262_144) == 1600
    assert query_units(50, 262_144, consistent=True) == 3200


def test_the_item_that_would_cross_1_mib_starts_the_next_page() -> None:
    """Our choice: AWS does not say on which page that item is."""
    assert list(page_sizes(5, 300_000)) == [(3, 900_000), (2, 600_000)]
    assert len(list(page_sizes(50, 262_144 + 40))) == 17
    assert query_units(50, 262_144 + 40) == 1608.5


def test_pages_that_end_exactly_full_are_not_followed_by_an_empty_one() -> None:
    assert list(page_sizes(8, 262_144)) == [(4, PAGE_BYTES), (4, PAGE_BYTES)]


def test_an_item_larger_than_a_page_has_a_page_of_its_own() -> None:
    assert list(page_sizes(2, PAGE_BYTES + 1)) == [(1, PAGE_BYTES + 1)] * 2


@pytest.mark.parametrize("item_bytes", [0, 100, ITEM_BYTES])
def test_a_query_that_finds_nothing_costs_the_minimum(item_bytes: int) -> None:
    assert list(page_sizes(0, item_bytes)) == [(0, 0)]
    assert query_units(0, item_bytes) == 0.5
    assert query_units(0, item_bytes, consistent=True) == 1


def test_counting_1201_likes_of_41_bytes_is_one_page() -> None:
    assert query_units(1201, 41) == 6.5  # 49,241 bytes are 13 times 4 KB


def test_items_of_no_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        query_units(1, 0)
    with pytest.raises(ValueError, match="1 or more"):
        page_sizes(1, 0)


def test_query_units_of_more_items_than_could_be_looped_over() -> None:
    count = 10**12  # 2,621 items of 400 bytes fill a page: 1,048,400 bytes, 256 units
    full, rest = divmod(count, 2621)
    assert query_units(count, 400, consistent=True) == full * 256 + read_units(
        rest * 400, consistent=True
    )
    assert list(islice(page_sizes(count, 400), 2)) == [(2621, 1_048_400)] * 2


def naive_pages(count: int, item_bytes: int) -> list[tuple[int, int]]:
    """Put one item after the other on pages."""
    pages, on_page = [], 0
    for _ in range(count):
        if on_page and (on_page + 1) * item_bytes > PAGE_BYTES:
            pages.append((on_page, on_page * item_bytes))
            on_page = 0
        on_page += 1
    return [*pages, (on_page, on_page * item_bytes)]


@given(st.integers(0, 60), st.integers(1, PAGE_BYTES + 10), st.booleans())
def test_query_units_equal_the_sum_page_by_page(count: int, size: int, consistent: bool) -> None:
    pages = naive_pages(count, size)
    assert list(page_sizes(count, size)) == pages
    assert query_units(count, size, consistent=consistent) == sum(
        read_units(page, consistent=consistent) for _, page in pages
    )
