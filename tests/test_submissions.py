"""Submissions: which file is one, of which lab, and where each exercise is judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from dynalab import course
from dynalab.authoring.notebook_files import read as read_notebook
from dynalab.grading import submissions
from dynalab.grading.submissions import NoSubmission
from tests.tiny_notebook import code, notebook, write

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "It is empty."),
        (b"\xff\xfe\x00\x81", "It is no notebook: it is not text."),
        (b"{", "It is no notebook: it is no JSON, or breaks off."),
        (b"[" * 100_000, "It is no notebook: it is no JSON, or breaks off."),
        (b"[1, 2]", "It is no notebook: it is JSON of another kind."),
        (b'{"a": 1}', "It is no notebook: it is JSON of another kind."),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}', "It has no code"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [3]}', "It is no note"),
        (b'{"nbformat": 9, "nbformat_minor": 5, "metadata": {}, "cells": []}', "It is no note"),
    ],
)
def test_what_is_no_submission_has_a_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(NoSubmission) as raised:
        submissions.read(path)
    assert str(raised.value).startswith(reason)


@pytest.mark.parametrize(
    ("name", "book"),
    [
        ("renamed", notebook(code("def f(): pass", "a", "exercise:3.1"))),
        ("renamed", notebook(code('lab.check( "3.2", classify)', "a"))),
        ("renamed", notebook(code('lab = open_lab("03")', "a"))),
        ("renamed", notebook(code("lab = open_lab(3)", "a"))),
        ("renamed", notebook(code('lab = open_lab("03_double_count_guards")', "a"))),
        ("Anna 03_double_count_guards (1)", notebook(code("pass", "a"))),
        ("01_count_on_read", notebook(code("def f(): pass", "a", "exercise:3.1"))),
        ("07_x", v4.new_notebook(
            cells=[code("pass", "a")], metadata={"dynalab": {"solution": "03_double_count_guards"}}
        )),
    ],
)  # fmt: skip
def test_the_lab_is_found_from_the_notebook_first_and_from_the_name_last(
    name: str, book: NotebookNode, tmp_path: Path
) -> None:
    write(tmp_path / f"{name}.ipynb", book)
    assert submissions.read(tmp_path / f"{name}.ipynb").lab.number == 3


def test_a_notebook_of_no_lab_has_a_reason(tmp_path: Path) -> None:
    write(tmp_path / "x.ipynb", notebook(code("print(1)", "a")))
    with pytest.raises(NoSubmission, match="Nothing in it says which lab it is"):
        submissions.read(tmp_path / "x.ipynb")


def test_checkpoints_and_hidden_folders_are_no_submissions(tmp_path: Path) -> None:
    for name in ("a.ipynb", "b/c.IPYNB", ".ipynb_checkpoints/a.ipynb", "b/.x/y/d.ipynb", "e.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    found = submissions.found_in(tmp_path)
    assert [submissions.name_of(path, tmp_path) for path in found] == ["a", "b/c"]


def test_an_exercise_is_judged_after_its_last_check_or_its_tagged_cell_or_at_the_end(
    tmp_path: Path,
) -> None:
    book = notebook(  # the title is cell 1
        code("def bump(): pass", "a", "exercise:2.1"),
        code('lab.check("2.1", bump)', "b"),
        code("lab.check('2.1', bump)", "c"),
        code("def like(): pass", "d", "exercise:2.2"),
    )
    write(tmp_path / "x.ipynb", book)
    assert submissions.read(tmp_path / "x.ipynb").answered_in() == {4: ["2.1"], 5: ["2.2"]}


def test_an_exercise_of_two_functions_has_two_names() -> None:
    entry = course.ExerciseEntry
    assert entry("8.4", "grow", "grow and total_now").names == ("grow", "total_now")
    assert entry("2.3", "like", "no such post").names == ("like",)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "solutions").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_a_lab_checks_what_the_course_says_that_its_learner_writes(path: Path) -> None:
    """The grader takes the answers by these names, whatever the cells that check them say."""
    call = re.compile(r"lab\.check\(\s*[\"'](\d+\.\d+)[\"'],\s*\(?([\w, ]+)\)?\s*\)")
    source = "\n".join(cell.source for cell in read_notebook(path).cells)
    checked = {
        found[1]: tuple(found[2].replace(" ", "").split(",")) for found in call.finditer(source)
    }
    assert checked == {entry.id: entry.names for entry in course.load().lab(path.stem).exercises}
