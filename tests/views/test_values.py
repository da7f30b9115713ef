"""A value is shown the way a learner would write it."""

from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import Binary

from dynalab.views.values import exact, number, plain, untyped


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Hello", "Hello"),
        (Decimal("3"), "3"),
        (Decimal("2.50"), "2.5"),
        (Decimal("1E+2"), "100"),
        (Decimal("1E+125"), "1E+125"),
        (Decimal("1E-130"), "1E-130"),
        (3, "3"),
        (True, "True"),
        (None, "None"),
        ({"b", "a"}, '{"a", "b"}'),
        ({Decimal(10), Decimal(9)}, "{9, 10}"),
        ({b"b", b"a"}, "{b'a', b'b'}"),
        (b"ab", "b'ab'"),
        (bytearray(b"ab"), "b'ab'"),
        (Binary(b"ab"), "b'ab'"),
        ({Binary(b"b"), Binary(b"a")}, "{b'a', b'b'}"),
        ([Decimal("1"), "x", None], '[1, "x", None]'),
        ({"b": [True], "a": {"c": Decimal("2.0")}}, '{"a": {"c": 2}, "b": [True]}'),
        ({"S": "x"}, '{"S": "x"}'),
    ],
)
def test_a_value_is_written_as_in_python_with_bare_text_and_bare_numbers(
    value: object, text: str
) -> None:
    assert plain(value) == text


@pytest.mark.parametrize("text", ["3", "1e5", "", "True", "None", " padded"])
def test_text_that_reads_as_something_else_keeps_its_quotes(text: str) -> None:
    assert plain(text) == f'"{text}"'


def test_what_is_cut_says_how_long_it_is() -> None:
    assert plain("x" * 1234) == "x" * 48 + "… (1,234 characters)"
    assert plain("7" * 50) == '"' + "7" * 48 + '…" (50 characters)'
    assert plain(b"x" * 1024) == "b'" + "x" * 24 + "…' (1,024 bytes)"
    assert plain(list(range(99))).endswith("… (99 entries)")
    assert plain({"a": "x" * 99}).endswith("… (1 entry)")


def test_a_value_stays_on_one_line_and_cannot_turn_the_text_around() -> None:
    assert plain("a\nb") == "a\\nb"
    assert plain("\u202eabc") == "\\u202eabc"
    assert plain(["a\nb"]) == '["a\\nb"]'


def test_an_object_is_shown_without_its_address() -> None:
    assert plain(object()) == "<object>"


def test_the_exact_form_tells_types_apart_and_maps_in_another_order_not() -> None:
    assert exact("3") != exact(Decimal(3))
    assert exact(True) != exact(Decimal(1))
    assert exact({"a": 1, "b": 2}) == exact({"b": 2, "a": 1})
    assert exact([1, 2]) != exact([2, 1])


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ({"S": "x"}, "x"),
        ({"N": "2.5"}, Decimal("2.5")),
        ({"B": "YWI="}, b"ab"),
        ({"B": b"ab"}, b"ab"),
        ({"BOOL": False}, False),
        ({"NULL": True}, None),
        ({"NS": ["2", "1"]}, {Decimal(1), Decimal(2)}),
        ({"SS": ["b", "a"]}, {"a", "b"}),
        ({"BS": ["YQ=="]}, {b"a"}),
        ({"L": [{"N": "1"}, {"M": {"a": {"S": "x"}}}]}, [Decimal(1), {"a": "x"}]),
    ],
)
def test_a_typed_value_is_unwrapped(typed: dict[str, Any], value: object) -> None:
    assert untyped(typed) == value


def test_figures_have_thousands_apart_and_no_idle_zeros() -> None:
    figures = [0.5, 6, 6.0, 7324.5, 1_000_000, 0, 732.421875, 0.00125, -2.0]
    assert [number(figure) for figure in figures] == (
        ["0.5", "6", "6", "7,324.5", "1,000,000", "0", "732.42", "0.00125", "-2"]
    )
