"""A chart is a picture with words, and its figures as a table."""

import base64
import itertools
import re
import struct

import matplotlib
import pytest
from matplotlib.figure import Figure

from dynalab.views.chart import COLOURS, DASHES, LABEL_POINTS, MARKERS, Chart


def count_against_tally(*, log: bool = True) -> Chart:
    return Chart(
        "What a count costs",
        "likes",
        "read units",
        {"COUNT": [(10, 0.5), (1000, 7.5), (100_000, 732.5)], "tally": [(10, 0.5), (1000, 0.5)]},
        alt="COUNT rises with the likes; the tally stays at 0.5.",
        log_x=log,
        log_y=log,
        see="The count grows with the likes.",
    )


def png(chart: Chart) -> bytes:
    found = re.search(r'src="data:image/png;base64,([^"]+)"', chart._repr_html_())
    assert found
    return base64.b64decode(found[1])


def test_the_text_is_the_title_what_to_see_and_the_figures() -> None:
    assert repr(count_against_tally()) == (
        "What a count costs\n"
        "The count grows with the likes.\n"
        "read units, by likes\n"
        "  likes  COUNT  tally\n"
        "     10    0.5    0.5\n"
        "  1,000    7.5    0.5\n"
        "100,000  732.5"
    )


def test_the_picture_has_alt_text_a_caption_and_a_table_beside_it() -> None:
    html = count_against_tally()._repr_html_()
    assert '<img alt="COUNT rises with the likes; the tally stays at 0.5." ' in html
    assert "<figcaption>The count grows with the likes.</figcaption>" in html
    assert '<th scope="row" class="dl-number">100,000</th>' in html


def test_the_picture_is_the_same_each_time_and_names_no_software_and_no_time() -> None:
    first, second = png(count_against_tally()), png(count_against_tally())
    assert first == second
    kinds, at = [], 8
    while at < len(first):
        length, kind = struct.unpack(">I4s", first[at : at + 8])
        kinds.append(kind)
        at += length + 12
    assert not {b"tEXt", b"iTXt", b"zTXt", b"tIME"} & set(kinds)


def test_a_style_of_the_learner_does_not_reach_the_picture() -> None:
    ours = png(count_against_tally())
    with matplotlib.rc_context({"axes.facecolor": "black", "lines.linewidth": 9}):
        assert png(count_against_tally()) == ours
        assert matplotlib.rcParams["axes.facecolor"] == "black"


def test_lines_differ_by_more_than_colour() -> None:
    assert len(set(MARKERS)) == len(set(map(str, DASHES))) == len(set(COLOURS)) == len(MARKERS)


@pytest.mark.parametrize("points", [[], [(0, 0)], [(0, 0.0), (10, 5.0)], [(3, 0), (4, 0)]])
def test_a_logarithmic_chart_is_drawn_with_few_points_or_none(
    points: list[tuple[float, float]],
) -> None:
    chart = Chart("t", "x", "y", {"a": points}, alt="a", log_x=True, log_y=True, see="s")
    assert png(chart)


@pytest.mark.parametrize(("lowest", "scale"), [(0, "symlog"), (1, "log")])
def test_a_logarithmic_axis_keeps_a_place_for_zero(lowest: float, scale: str) -> None:
    points = [(lowest, lowest), (1000.0, 1000.0)]
    chart = Chart("t", "x", "y", {"a": points}, alt="a", log_x=True, log_y=True, see="s")
    axes = Figure().add_subplot()
    chart._scale(axes)
    assert (axes.get_xscale(), axes.get_yscale()) == (scale, scale)


def test_no_name_of_a_line_touches_the_axis_or_another_name() -> None:
    series = {"far": [(0, 0), (9, 1000)], "near": [(0, 0), (9, 1)], "nearer": [(0, 0), (9, 0)]}
    chart = Chart("Names", "x", "y", series, alt="Three lines.", see="Two stay on the ground.")
    drawing = Figure()
    chart._draw(drawing)
    (axes,) = drawing.axes
    points = 72 / drawing.dpi
    heights = sorted(
        axes.transData.transform(name.xy)[1] * points + name.xyann[1] for name in axes.texts
    )
    floor = axes.bbox.y0 * points
    assert heights[0] >= floor + LABEL_POINTS / 2
    assert all(b - a > 0.99 * LABEL_POINTS for a, b in itertools.pairwise(heights))


def test_two_figures_for_one_place_are_refused() -> None:
    with pytest.raises(ValueError, match="one y for each x"):
        Chart("t", "x", "y", {"a": [(1, 1), (1, 2)]}, alt="a", see="s")
