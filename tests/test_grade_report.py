"""The table of a grading, as text, CSV and HTML, and the reasons in it."""

from __future__ import annotations

import csv
import io
import re

import pytest

from dynalab import course
from dynalab.grading import report
from dynalab.grading.rows import Row


def table() -> list[Row]:
    lab = course.load().lab(0)
    return [
        Row("=cmd()", lab, {"0.1": "correct", "0.2": "incorrect"}, ["-1 is <b>wrong</b>"]),
        Row("anna", lab, {"0.1": "correct", "0.2": "correct"}),
        Row("cut", reasons=["It is empty."]),
    ]


def test_the_text_has_a_line_a_submission_its_reasons_and_a_sum() -> None:
    assert report.text(table()).splitlines() == [
        "submission  lab  solved      exercises",
        "=cmd()      00   1 of 2      correct 0.1 · incorrect 0.2",
        "    -1 is <b>wrong</b>",
        "anna        00   2 of 2      correct 0.1 0.2",
        "cut         –    not graded",
        "    It is empty.",
        "",
        "3 submissions: 1 solved the whole lab, 1 could not be graded to the end.",
    ]


def test_the_csv_has_a_column_an_exercise_and_no_formulas() -> None:
    records = list(csv.reader(io.StringIO(report.as_csv(table()))))
    assert records == [
        ["submission", "lab", "solved", "of", "0.1", "0.2", "reasons"],
        ["'=cmd()", "00", "1", "2", "correct", "incorrect", "'-1 is <b>wrong</b>"],
        ["anna", "00", "2", "2", "correct", "correct", ""],
        ["cut", "–", "", "", "", "", "It is empty."],
    ]


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_csv_begins_as_a_formula(begin: str) -> None:
    (_, record) = csv.reader(io.StringIO(report.as_csv([Row(f"{begin}x")])))
    assert record[0] == f"'{begin}x"


def test_the_page_has_a_caption_scoped_heads_and_states_in_words() -> None:
    page = report.as_html(table())
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert page.count("<caption>") == page.count("<h1>") == page.count("<title>") == 1
    assert page.count('<th scope="col">') == 6
    assert '<th scope="row">=cmd()</th>' in page
    assert "<td>incorrect</td><td>-1 is &lt;b&gt;wrong&lt;/b&gt;</td>" in page
    assert not re.search(r"(src|href)=|@import|<script", page)


def test_a_reason_is_one_line_told_once_and_not_for_ever() -> None:
    row = Row("x")
    row.because("a\x1b[0m\n b")
    row.because("a\x1b[0m\n b")
    row.because("y" * 1000)
    assert row.reasons[0] == "a [0m b"
    assert [len(reason) for reason in row.reasons] == [7, 241]


def test_the_first_errors_are_told_and_the_rest_counted() -> None:
    row = Row("x")
    for place in range(9):
        row.stopped(f"Cell {place}", f"NameError: {place}")
    assert (row.errors, len(row.reasons)) == (9, 3)
