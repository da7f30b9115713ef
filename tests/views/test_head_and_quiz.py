"""The head of a lab, notes, and predictions: the same text for everybody, escaped, in words."""

from __future__ import annotations

from dynalab.views.head import Head, Note
from dynalab.views.quiz import Quiz
from dynalab.views.widgets import WIDGET

STATES = [("2.1", "bump", "correct"), ("2.2", "like", "tried"), ("2.3", "<b>", "not attempted")]


def test_the_head_tells_each_state_in_a_word() -> None:
    assert repr(Head("02", "The tally", 40, "embedded engine", STATES)).splitlines() == [
        "Lab 02 · The tally    40 minutes · embedded engine",
        "  2.1  bump  ● correct",
        "  2.2  like  ◐ tried",
        "  2.3  <b>   ○ not attempted",
    ]


def test_the_head_shows_a_notice_and_escapes_names() -> None:
    head = Head("02", "The tally", 40, "engine", STATES, "Progress starts anew.")
    assert repr(head).endswith("Progress starts anew.")
    assert "Progress starts anew." in head._repr_html_()
    assert "&lt;b&gt;" in head._repr_html_()
    assert "<th scope=" in head._repr_html_()


def test_the_title_of_a_head_is_not_folded_to_the_width_of_its_table() -> None:
    html = Head("09", "One row, one request: atomic counters", 30, "engine", STATES)._repr_html_()
    assert "<caption>" not in html
    assert '<div class="dl-title">Lab 09 · One row, one request: atomic counters</div>' in html


def test_a_note_keeps_code_apart() -> None:
    note = Note("One way:", code="a < b")
    assert repr(note) == "One way:\na < b"
    assert "<pre><code>a &lt; b</code></pre>" in note._repr_html_()


def quiz(picked: str | None, answers: list[str]) -> Quiz:
    return Quiz("02.a", "How many?", ["3", "4"], answers.append, picked)


def test_a_question_reads_the_same_whatever_was_picked_before() -> None:
    assert repr(quiz(None, [])) == repr(quiz("3", []))
    assert quiz(None, [])._repr_html_() == quiz("4", [])._repr_html_()
    assert repr(quiz(None, [])).splitlines() == [
        "How many?",
        "  · 3",
        "  · 4",
        'Pick one, or answer in the call: lab.predict("02.a", …, answer="…").',
    ]


def test_picking_an_option_answers_it() -> None:
    answers: list[str] = []
    shown = quiz(None, answers)
    assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html", WIDGET}
    shown._widget.children[1].value = "4"
    assert answers == ["4"]


def test_an_earlier_pick_is_set_in_the_widget_and_a_stale_one_is_not() -> None:
    for picked, value in (("4", "4"), ("no longer an option", None)):
        shown = quiz(picked, [])
        shown._repr_mimebundle_()
        assert shown._widget.children[1].value == value
