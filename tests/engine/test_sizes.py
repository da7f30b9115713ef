"""How many bytes numbers, values and items are, rule by rule, each with the case that proves it."""

import base64
from decimal import Context, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynalab.engine.capacity import write_units
from dynalab.engine.limits import NUMBER_DIGITS
from dynalab.engine.sizes import Item, item_size, number_size, value_size

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
