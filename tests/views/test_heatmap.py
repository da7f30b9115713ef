"""A heat map tells units and refused requests by key and time, and never by colour alone."""

from __future__ import annotations

import base64
import re
import struct

import pytest

from dynalab.engine.partitions import Partitions, Resource, Served
from dynalab.views.heatmap import MOST_KEYS, NOTHING, HeatMap
from tests.engine.calls import Db

WRITES: Resource = ("Things", None, "Write")


@pytest.fixture
def partitions() -> Partitions:
    db = Db()
    db.table(global_=[("by_n", "n:N", "ALL")])
    return Partitions(db.engine.store, 100, {})


@pytest.fixture
def storm(partitions: Partitions) -> HeatMap:
    """One key at its ceiling, refusing, and one that gets a little, for four seconds."""
    partitions.traffic[WRITES] = {
        "POST#a91f": {second: Served(10.0, 10, 15) for second in range(4)},
        "POST#77b0": {0: Served(2.0, 2), 3: Served(1.0, 1, 0)},
    }
    return HeatMap(partitions)


def test_the_text_is_a_table_by_key_and_second(storm: HeatMap) -> None:
    assert repr(storm) == (
        "Things: write units a second; a partition serves 10, scale 1 : 100\n"
        "key        0 s  1 s  2 s  3 s  units served  requests refused\n"
        "POST#77b0    2    0    0    1             3                 0\n"
        "POST#a91f   10   10   10   10            40                60  hot"
    )


def test_a_hot_row_is_named_in_the_table_the_picture_and_its_alt_text(storm: HeatMap) -> None:
    page = storm._repr_html_()
    assert 'alt="Heat map of 2 partition keys over time; hot: POST#a91f."' in page
    assert ">hot</td>" in page
    assert "<caption>The same numbers as a table</caption>" in page


def test_a_few_refusals_do_not_make_a_key_hot(partitions: Partitions) -> None:
    partitions.traffic[WRITES] = {"a": {0: Served(10.0, 10, 1)}, "b": {0: Served(9.0, 9, 1)}}
    rows = repr(HeatMap(partitions)).splitlines()[2:]
    assert [row.endswith("hot") for row in rows] == [False, True]


def test_the_hottest_keys_are_shown_and_the_others_are_counted(partitions: Partitions) -> None:
    partitions.traffic[WRITES] = {
        f"k{number:02}": {0: Served(float(number), number)} for number in range(20)
    }
    lines = repr(HeatMap(partitions)).splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == [f"k{n:02}" for n in range(8, 20)]
    assert len(lines) == MOST_KEYS + 3
    assert lines[-1] == "8 more keys: 28 units served, 0 requests refused"


def test_a_long_storm_is_told_in_spans(partitions: Partitions) -> None:
    partitions.traffic[WRITES] = {"a": {second: Served(6.0, 6) for second in range(90)}}
    header, row = repr(HeatMap(partitions)).splitlines()[1:]
    assert header.split("  ")[1].strip() == "0 s"
    assert " 80 s " in header
    assert row.split() == ["a", *["6"] * 9, "540", "0"]


def test_reads_and_indexes_have_pictures_of_their_own(partitions: Partitions) -> None:
    partitions.traffic[WRITES] = {"a": {0: Served(1.0, 1)}}
    partitions.traffic["Things", "by_n", "Read"] = {7: {0: Served(0.5, 1)}}
    told = repr(HeatMap(partitions))
    assert "Things, index by_n: read units a second; a partition serves 30" in told
    assert HeatMap(partitions)._repr_html_().count("<figure>") == 2


def test_the_picture_is_a_png_of_the_same_bytes_each_time(storm: HeatMap) -> None:
    pictures = set()
    for _ in range(2):
        found = re.search(r'src="data:image/png;base64,([^"]+)"', storm._repr_html_())
        assert found
        pictures.add(base64.b64decode(found[1]))
    [png] = pictures
    width, height = struct.unpack(">II", png[16:24])
    assert width > height > 100


def test_no_traffic_is_said(partitions: Partitions) -> None:
    assert repr(HeatMap(partitions)) == NOTHING
    assert NOTHING in HeatMap(partitions)._repr_html_()
