"""Sizes and units, rule by rule, each with the case that proves it."""

import base64
from decimal import Context, Decimal
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynalab.engine.capacity import (
    PAGE_BYTES,
    Item,
    index_entry,
    index_write_units,
    item_size,
    number_size,
    page_sizes,
    query_units,
    read_units,
    replay_units,
    same_item,
    value_size,
    write_units,
    write_units_between,
)
from dynalab.engine.limits import ITEM_BYTES, NUMBER_DIGITS

# Text to bytes, as captured on DynamoDB by moving an item across its 400 KB limit.
CAPTURED_NUMBERS = {
    "1": 2, "12": 2, "123": 3, "1234": 3, "12345": 4, "123456": 4, "1234567": 5,
    "12345678": 5, "123456789": 6, "1234567891": 6, "12345678912": 7,
    "1234567890123456789": 11, "12345678901234567890123456789012345678": 20,
    "0042": 2, "100": 2, "1010": 3, "0.0000001": 2, "0": 1, "1E125": 2, "1E-100": 2,
    "1.5": 3, "1.2": 3, "1.200": 3, "1.234": 4, "3.14159": 5, "100.5": 4, "0.15": 2, "15": 2,
    "-42": 3, "-12345": 5, "-1E125": 3, "-0.15": 3, "-0": 1,
}  # fmt: skip


# Numbers


@pytest.mark.parametrize(("text", "size"), CAPTURED_NUMBERS.items())
def test_a_number_has_the_size_captured_on_dynamodb(text: str, size: int) -> None:
    assert number_size(text) == size


@pytest.mark.parametrize("text", ["0", "-0", "+0", "000", "0.000", "-0.0", "0E125", "0e-130"])
def test_zero_is_one_byte_however_it_is_written(text: str) -> None:
    assert number_size(text) == 1


@pytest.mark.parametrize(
    ("text", "same"),
    [("1.5e1", "15"), ("15E-2", "0.15"), ("+42", "42"), ("1000E-3", "1"), ("0.00042e5", "42"),
     ("12.5E0003", "12500"), (".5", "0.5"), ("5.", "5"), ("-1.5E+1", "-15")],
)  # fmt: skip
def test_an_exponent_is_expanded_before_digits_are_counted(text: str, same: str) -> None:
    assert number_size(text) == number_size(same)


def test_zeros_inside_a_number_count() -> None:
    assert number_size("1.05") == 3  # one digit before the point, two after
    assert number_size("1.005") == 4
    assert number_size("10000.1") == 5


def test_the_largest_and_smallest_magnitudes_have_a_size() -> None:
    nines = "9." + "9" * 37
    assert number_size(nines + "E+125") == 20
    assert number_size("-" + nines + "E+125") == 21
    assert number_size("1E-130") == 2
    assert number_size("9" * 38 + "0" * 88) == 20


def test_zeros_around_38_digits_do_not_make_it_39() -> None:
    assert number_size("000" + "1" * 38 + "000") == 20
    assert number_size("0." + "1" * 38 + "0") == 20


@pytest.mark.parametrize(
    "text",
    ["", " ", "-", "+", ".", "E5", "abc", "1 ", " 1", "1\n", "1_000", "1,000", "NaN", "Infinity",
     "-inf", "0x10", "--1", "1.2.3", "1E", "1E1.5", "٣", "²", "1" * 39, "-" + "1" * 39,
     "1." + "1" * 38, "1E126", "-1E126", "1" + "0" * 126, "-1" + "0" * 126, "1E-131",
     "1E999999999999", "1E-" + "9" * 5000],
)  # fmt: skip
def test_text_that_is_no_dynamodb_number_is_refused_by_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"38 digits") as refusal:
        number_size(text)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("value", [3, 3.0, Decimal(3), b"3", None, True])
def test_a_number_that_is_not_text_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="as text"):
        number_size(value)


digits = st.text("0123456789", min_size=1, max_size=NUMBER_DIGITS)


@given(digits, st.integers(0, 20))
def test_leading_zeros_never_change_a_number_s_size(text: str, zeros: int) -> None:
    assert number_size("0" * zeros + text) == number_size(text)


@given(st.text("0123456789", min_size=1, max_size=19), st.text("0123456789", max_size=19),
       st.integers(0, 20))  # fmt: skip
def test_trailing_zeros_after_the_point_never_change_a_number_s_size(
    whole: str, fraction: str, zeros: int
) -> None:
    assert number_size(f"{whole}.{fraction}{'0' * zeros}") == number_size(f"{whole}.{fraction}")


@given(st.integers(1, 10**19), st.integers(0, 40))
def test_trailing_zeros_before_the_point_never_change_a_number_s_size(n: int, zeros: int) -> None:
    assert number_size(f"{n}{'0' * zeros}") == number_size(str(n))


@given(digits, st.integers(-90, 80))
def test_a_minus_sign_is_one_byte_except_on_zero(text: str, exponent: int) -> None:
    number = f"{text}E{exponent}"
    sign = 0 if Decimal(text) == 0 else 1
    assert number_size("-" + number) == number_size(number) + sign


@given(st.decimals(allow_nan=False, allow_infinity=False, places=8, min_value=-10**20,
                   max_value=10**20))  # fmt: skip
def test_every_spelling_of_a_number_has_one_size(number: Decimal) -> None:
    plain, scientific = f"{number:f}", f"{number.normalize(Context(prec=38)):E}"
    assert number_size(plain) == number_size(scientific)


def byte_count_by_decimal(text: str) -> int:
    """Count bytes the long way round: write the digits out, then pair them from the point."""
    plain = f"{Decimal(text).copy_abs():f}"
    whole, _, fraction = plain.partition(".")
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    whole = whole if fraction else whole.rstrip("0")
    fraction = fraction if whole else fraction.lstrip("0")
    if not whole + fraction:
        return 1
    return 1 + -(-len(whole) // 2) + -(-len(fraction) // 2) + text.startswith("-")


@given(st.sampled_from(["", "-"]), digits, st.integers(-90, 80))
def test_number_size_equals_the_long_way_round(sign: str, text: str, exponent: int) -> None:
    number = f"{sign}{text}E{exponent}"
    assert number_size(number) == byte_count_by_decimal(number)
    assert number_size(sign + text) == byte_count_by_decimal(sign + text)


# Values


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "Hello"}, 5),
        ({"S": "é"}, 2),
        ({"S": "😀"}, 4),  # UTF-16 would say 2 units
        ({"N": "123"}, 3),
        ({"B": b""}, 0),
        ({"B": b"\x00\x01\x02"}, 3),
        ({"B": ""}, 0),
        ({"B": "AAEC"}, 3),
        ({"B": "AAE="}, 2),
        ({"B": "AA=="}, 1),
        ({"BOOL": True}, 1),
        ({"BOOL": False}, 1),
        ({"NULL": True}, 1),
        ({"L": []}, 3),
        ({"L": [{"S": "ab"}, {"N": "1"}]}, 3 + (1 + 2) + (1 + 2)),
        ({"L": [{"L": []}]}, 3 + 1 + 3),
        ({"M": {}}, 3),
        ({"M": {"ab": {"S": "c"}}}, 3 + 1 + 2 + 1),
        ({"M": {"é": {"BOOL": True}}}, 3 + 1 + 2 + 1),
        ({"M": {"a": {"M": {"b": {"NULL": True}}}}}, 3 + (1 + 1 + 3 + (1 + 1 + 1))),
        ({"SS": ["a", "bc", "é"]}, 5),
        ({"NS": ["1", "123", "-42"]}, 2 + 3 + 3),
        ({"BS": [b"a", "AAEC"]}, 1 + 3),
    ],
)
def test_a_value_has_the_size_of_its_type(value: dict[str, Any], size: int) -> None:
    assert value_size(value) == size


def test_a_set_of_100_numbers_of_38_digits_is_two_write_units() -> None:
    """Measured on DynamoDB: sets add no overhead to their members."""
    numbers = [str(10**37 + n * 1000 + 1) for n in range(100)]
    assert value_size({"NS": numbers}) == 2000
    assert write_units(item_size({"pk": {"S": "a"}, "ns": {"NS": numbers}})) == 2


@given(st.binary(max_size=200))
def test_binary_counts_its_raw_bytes_in_both_forms(raw: bytes) -> None:
    assert value_size({"B": base64.b64encode(raw).decode("ascii")}) == len(raw)
    assert value_size({"B": raw}) == len(raw)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_string_counts_its_utf8_bytes(text: str) -> None:
    assert value_size({"S": text}) == len(text.encode("utf-8"))


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"S": 3}, TypeError),
        ({"S": b"x"}, TypeError),
        ({"N": 3}, TypeError),
        ({"N": "three"}, ValueError),
        ({"B": 3}, TypeError),
        ({"B": "AAE"}, ValueError),
        ({"S": "\ud800"}, ValueError),
        ({"X": "x"}, ValueError),
        ({}, ValueError),
        ({"S": "x", "N": "1"}, ValueError),
        ("x", TypeError),
        (None, TypeError),
        ({"L": {"a": {"S": "x"}}}, TypeError),
        ({"L": ["x"]}, TypeError),
        ({"M": [{"S": "x"}]}, TypeError),
        ({"SS": "abc"}, TypeError),
        ({"SS": [3]}, TypeError),
        ({"NS": [3]}, TypeError),
        ({"NS": "123"}, TypeError),
        ({"BS": "AAEC"}, TypeError),
    ],
)
def test_a_value_that_is_not_typed_is_refused_by_one_sentence(
    value: Any, error: type[Exception]
) -> None:
    with pytest.raises(error) as refusal:
        value_size(value)
    assert str(refusal.value).endswith(".")


# Items


def test_an_empty_item_is_zero_bytes() -> None:
    assert item_size({}) == 0


def test_the_worked_example_of_the_developer_guide_is_23_bytes() -> None:
    assert item_size({"shirt-color": {"S": "R"}, "shirt-size": {"S": "M"}}) == 23


def test_attribute_names_count_in_utf8() -> None:
    assert item_size({"é": {"S": ""}}) == 2
    assert item_size({"name": {"S": ""}}) == 4


def test_every_type_can_be_an_attribute() -> None:
    item: Item = {"a": {"S": "é"}, "b": {"N": "-42"}, "c": {"B": "AAEC"}, "d": {"BOOL": True},
            "e": {"NULL": True}, "f": {"L": []}, "g": {"M": {}}, "h": {"SS": ["x"]}}  # fmt: skip
    assert item_size(item) == 8 + 2 + 3 + 3 + 1 + 1 + 3 + 3 + 1


@pytest.mark.parametrize(
    "item", [None, "x", 3, ["a"], {"a": "x"}, {3: {"S": "x"}}, {"a": {"S": 3}}]
)
def test_what_is_not_an_item_has_no_size(item: Any) -> None:
    with pytest.raises(TypeError) as refusal:
        item_size(item)
    assert str(refusal.value).endswith(".")


scalars: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(lambda s: {"S": s}, st.text("aé😀", max_size=5)),
    st.builds(lambda n: {"N": str(n)}, st.integers(-(10**38) + 1, 10**38 - 1)),
    st.builds(lambda b: {"B": b}, st.binary(max_size=5)),
    st.just({"BOOL": True}),
    st.just({"NULL": True}),
)
values: st.SearchStrategy[dict[str, Any]] = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.builds(lambda xs: {"L": xs}, st.lists(inner, max_size=3)),
        st.builds(lambda xs: {"M": xs}, st.dictionaries(st.text("abé", max_size=3), inner)),
    ),
    max_leaves=5,
)
items = st.dictionaries(st.text("abcé", min_size=1, max_size=4), values, max_size=5)


@given(items)
def test_an_item_s_size_is_the_sum_of_its_names_and_values(item: dict[str, Any]) -> None:
    assert item_size(item) == sum(len(n.encode()) + value_size(v) for n, v in item.items())


@given(items, items)
def test_item_size_adds_up_over_disjoint_items(one: dict[str, Any], two: dict[str, Any]) -> None:
    other = {"z" + name: value for name, value in two.items()}
    assert item_size(one | other) == item_size(one) + item_size(other)


@given(items)
def test_a_map_costs_three_bytes_and_one_a_key_over_the_same_item(item: dict[str, Any]) -> None:
    assert value_size({"M": item}) == 3 + len(item) + item_size(item)


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
