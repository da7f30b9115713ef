"""Dollars from units, by one dated table."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynalab.engine.prices import ON_DEMAND, dollars

units = st.integers(0, 10**12).map(lambda halves: halves / 2)


def test_the_table_says_where_and_since_when() -> None:
    assert ON_DEMAND.region == "us-east-1"
    assert ON_DEMAND.table_class == "Standard"
    assert ON_DEMAND.since == date(2024, 11, 1)


def test_a_million_of_each_unit_costs_the_listed_price() -> None:
    assert dollars(1_000_000, 0) == Decimal("0.125")
    assert dollars(0, 1_000_000) == Decimal("0.625")


def test_a_million_page_views_of_six_and_a_half_read_units() -> None:
    assert dollars(6_500_000.0, 0.0) == Decimal("0.8125")


def test_nothing_costs_nothing() -> None:
    assert dollars(0, 0) == 0


def test_half_a_read_unit_is_priced_to_the_last_digit() -> None:
    assert dollars(0.5, 0) == Decimal("0.0000000625")


@given(units, units)
def test_reads_and_writes_are_priced_apart(reads: float, writes: float) -> None:
    assert dollars(reads, writes) == dollars(reads, 0) + dollars(0, writes)


@given(units)
def test_a_write_unit_costs_five_read_units(n: float) -> None:
    assert dollars(0, n) == 5 * dollars(n, 0)


@pytest.mark.parametrize("bad", [-1, -0.5, float("nan"), float("inf")])
def test_units_that_cannot_be_billed_are_refused(bad: Any) -> None:
    for pair in ((bad, 0), (0, bad)):
        with pytest.raises(ValueError, match=r"0 or more.*\.$"):
            dollars(*pair)


@pytest.mark.parametrize("bad", ["1", None, True, [1], Decimal("NaN")])
def test_units_that_are_no_number_are_refused(bad: Any) -> None:
    for pair in ((bad, 0), (0, bad)):
        with pytest.raises(TypeError, match=r"as a number.*\.$"):
            dollars(*pair)
