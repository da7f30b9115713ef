"""Whoever cannot see the page, or has no mouse, gets the same: over every notebook and view."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import ipywidgets
import pytest

from dynalab.authoring.notebook_files import read
from dynalab.check import OutcomeWord
from dynalab.views.card import Card
from dynalab.views.head import Head
from dynalab.views.page import STYLE
from dynalab.views.quiz import Quiz
from dynalab.views.slider import slider

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "solutions").glob("*.ipynb"))
# Of ipywidgets, those that a keyboard reaches and a screen reader names.
CONTROLS = (ipywidgets.RadioButtons, ipywidgets.SelectionSlider)
WORDS: tuple[OutcomeWord, ...] = ("not attempted", "incorrect", "correct")

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


class Page(HTMLParser):
    """What of a page matters here: its tags, and the text that is read aloud."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.heard = ""
        self._hidden: list[bool] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in ("img", "br", "hr", "col"):
            self._hidden.append(tag == "style" or attributes.get("aria-hidden") == "true")

    def handle_endtag(self, tag: str) -> None:
        self._hidden.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._hidden):
            self.heard += data


def pages(path: Path) -> list[tuple[str, Page]]:
    return [
        (cell.id, Page(output.data["text/html"]))
        for cell in read(path).cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]


@each_notebook
def test_each_stored_picture_has_words_and_each_head_a_scope(path: Path) -> None:
    found = pages(path)
    assert found
    for cell, page in found:
        for tag, attributes in page.tags:
            if tag == "img":
                assert len(attributes.get("alt") or "") > 10, cell
            if tag == "th":
                assert attributes.get("scope") in ("col", "row", "rowgroup"), cell
            assert not re.fullmatch("h[1-6]", tag), f"{cell}: a heading between the notebook's"
            assert tag not in ("script", "iframe", "marquee"), cell


@each_notebook
def test_each_output_says_in_text_what_it_shows(path: Path) -> None:
    for cell in read(path).cells:
        for output in cell.get("outputs", []):
            if "data" in output:
                text = output.data.get("text/plain", "")
                assert text.strip() and " object at " not in text, cell.id


@each_notebook
def test_prose_has_one_title_links_with_names_and_pictures_with_words(path: Path) -> None:
    prose = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    assert prose[0].startswith("# ")
    for source in prose:
        for shown, name in re.findall(r"(!?)\[([^\]]*)\]\(", source):
            assert len(name) > 10 if shown else len(name) > 2, source
            assert name.lower() not in ("here", "link", "this", "this page"), source


@pytest.mark.parametrize("outcome", WORDS)
def test_a_verdict_is_a_word_and_not_a_colour(outcome: OutcomeWord) -> None:
    card = Card("1.1", "count_likes", outcome, ["seen"], None, "ask")
    heard = Page(card._repr_html_()).heard
    others = [word for word in WORDS if word != outcome and word not in outcome]
    assert outcome in heard
    assert outcome in repr(card)
    assert not [word for word in others if word in heard]


def test_the_state_of_an_exercise_is_a_word() -> None:
    head = Head("01", "t", 1, "e", [("1.1", "n", "tried")])
    assert "tried" in Page(head._repr_html_()).heard


@pytest.mark.parametrize(
    "widget",
    [
        Quiz("01.a", "How many?", ["3", "4"], lambda _: None, None)._made(),
        slider("Likes", [1, 2], lambda value: value)._made(),
    ],
    ids=["quiz", "slider"],
)
def test_every_widget_is_one_that_a_keyboard_reaches(widget: ipywidgets.VBox) -> None:
    controls = [child for child in widget.children if not isinstance(child, ipywidgets.HTML)]
    (control,) = controls
    assert isinstance(control, CONTROLS)
    assert control.description
    assert not control.disabled and control.tabbable is not False


def test_no_style_of_ours_hides_where_the_focus_is() -> None:
    assert "outline" not in STYLE
