"""A verdict is a word; the mark and the colour only repeat it."""

import re

import pytest

from dynalab.check import OutcomeWord
from dynalab.views.card import Card
from dynalab.views.items import Items, TableItems

SCHEDULE = """The first of 4:
  time  A            B
   1    GetItem
   2                 GetItem"""


def test_a_verdict_in_text() -> None:
    card = Card("2.2", "like", "incorrect", [SCHEDULE, "Who else could add?"], None, "Step: x")
    assert repr(card) == (
        "2.2 like · incorrect\n"
        "    The first of 4:\n"
        "      time  A            B\n"
        "       1    GetItem\n"
        "       2                 GetItem\n"
        "    Who else could add?\n"
        "    Step: x"
    )


def test_a_picture_stands_below_the_lines_in_its_own_form() -> None:
    items = Items({"T": TableItems("id", None, [{"id": "x"}])})
    card = Card("2.2", "like", "correct", ["4 write units a like."], items, "")
    assert repr(card) == (
        "2.2 like · correct\n    4 write units a like.\n      T\n      id\n      x"
    )
    assert items._repr_html_() in card._repr_html_()


def test_a_picture_without_html_is_shown_by_its_text() -> None:
    html = Card("1", "a", "incorrect", [], "A1 <B1>\n  A†", "")._repr_html_()
    assert '<pre class="dl-text">A1 &lt;B1&gt;\n  A†</pre>' in html


@pytest.mark.parametrize("outcome", ["not attempted", "incorrect", "correct"])
def test_the_verdict_is_read_without_colour_and_without_the_mark(outcome: OutcomeWord) -> None:
    html = Card("2.2", "like", outcome, ["A line."], None, "Next.")._repr_html_()
    body = html.split("</style>")[1]
    spoken = re.sub(r'<span aria-hidden="true">[^<]*</span>', "", body)
    words = re.sub(r"<[^>]+>", " ", spoken).split()
    assert " ".join(words) == f"2.2 like · {outcome} A line. Next."
    assert 'role="status"' in body
    assert len(re.findall(r'aria-hidden="true">[○✗✓]</span>', body)) == 1


def test_columns_are_kept_where_a_line_has_them() -> None:
    html = Card("2.2", "like", "incorrect", [SCHEDULE, "A line."], None, "")._repr_html_()
    assert f'<pre class="dl-text">{SCHEDULE}</pre><p>A line.</p>' in html
