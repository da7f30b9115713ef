"""Grading: each submission is a row with its verdicts or its reason, whatever it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, v4

from dynalab import cli, course
from dynalab.authoring.notebook_files import read as read_notebook
from dynalab.authoring.notebook_rules import tags_of
from dynalab.grading import grade, kernels, submissions
from dynalab.grading.rows import Row
from tests.tiny_notebook import code, notebook, write

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60.0  # for one submission; a quarter of it for a cell


# --- submissions ------------------------------------------------------------------------------


def lab_book(folder: str, lab: str) -> NotebookNode:
    """A lab's notebook with what opens it, its exercises and its checks, and no more."""
    full = read_notebook(ROOT / folder / f"{lab}.ipynb")
    kept = [
        cell
        for cell in full.cells
        if cell.cell_type == "code"
        and (
            cell.id in ("open", "no-such-post")
            or cell.id.startswith("check")
            or any(tag.startswith("exercise:") for tag in tags_of(cell))
        )
    ]
    return v4.new_notebook(cells=kept, metadata=full.metadata)


def solved() -> NotebookNode:
    return lab_book("solutions", "01_count_on_read")


def cell_of(book: NotebookNode, cell_id: str) -> NotebookNode:
    return next(cell for cell in book.cells if cell.id == cell_id)


def insert(book: NotebookNode, after: str, *sources: str) -> NotebookNode:
    place = book.cells.index(cell_of(book, after)) + 1
    book.cells[place:place] = [v4.new_code_cell(source) for source in sources]
    return book


FORGED = """
import dynalab.check, dynalab.trial, dynalab.exercises.lab01
from dynalab.check import Verdict

right = lambda *arguments, **options: Verdict("correct", ("1.1 count_likes · correct",))
dynalab.check.judge = dynalab.check._judged = right
dynalab.trial.Trial.call = lambda *arguments, **options: 3
dynalab.trial.Trial.attempt.__code__ = (lambda self, *arguments, **options: None).__code__
dynalab.exercises.lab01.EXERCISES = ()
lab.check = right
len = lambda *arguments: 3
get_ipython().events.register("pre_run_cell", lambda *arguments: print("1.1 · correct"))
print("1.1 count_likes · correct")
"""
SENT = """
try:
    import socket
    socket.create_connection(("192.0.2.1", 80), timeout=1)
except Exception:
    pass
"""
PROGRESS = """
import os, pathlib
from dynalab.progress import Progress
for name in (os.environ.pop("DYNALAB_PROGRESS"), {path!r}):
    try:
        pathlib.Path({path!r}).write_text("broken")
    except OSError:
        pass
os.environ["DYNALAB_PROGRESS"] = {path!r}
Progress().record("1.1", True)
"""
# It sleeps: at full speed it would take a processor from the other tests until it is ended.
HARD_LOOP = """
import time
while True:
    try:
        while True:
            time.sleep(0.01)
    except BaseException:
        pass
"""


@pytest.fixture(scope="module")
def rows(
    session_progress: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Row]]:
    """One grading of one folder, for all tests that need kernels."""
    folder = tmp_path_factory.mktemp("class")
    kept = folder.parent / "progress_of_the_instructor.json"
    kept.write_text('{"solved": {}}', encoding="utf-8")

    write(folder / "=solved, renamed.ipynb", solved())
    forged = lab_book("labs", "01_count_on_read")
    write(folder / "forged.ipynb", insert(forged, "open", FORGED))
    ends = insert(solved(), "check2", "import os; os._exit(0)")
    write(folder / "ends.ipynb", ends)
    mischief = insert(
        solved(),
        "open",
        SENT,
        "import os; os.system('true')",
        PROGRESS.format(path=str(kept)),
        "exit()",
        "import sys; sys.exit(3)",
        "while True: pass",
    )
    write(folder / "mischief.ipynb", mischief)
    errors = solved()
    cell_of(
        errors, "ex2"
    ).source = "def count_cost(*arguments):\n    raise ValueError('\\x1b[31mred <b>')"
    cell_of(errors, "ex3").source = "def read_tally(: no Python"
    errors.cells.remove(cell_of(errors, "check4"))
    write(folder / "errors.ipynb", errors)
    twice = lab_book("labs", "02_transactional_tally")
    good = lab_book("solutions", "02_transactional_tally")
    cell_of(twice, "ex2").source = cell_of(good, "ex2").source
    write(folder / "twice.ipynb", twice)
    hard = insert(solved(), "check1", HARD_LOOP)
    write(folder / "hard_loop.ipynb", hard)
    (folder / "cut.ipynb").write_text('{"cells": [', encoding="utf-8")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DYNALAB_PROGRESS", str(kept))
        patch.setenv("DYNALAB_ENDPOINT", "http://127.0.0.1:1")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        paths = submissions.found_in(folder)
        found = {row.name: row for row in grade.graded(paths, folder, 2, SECONDS)}
    assert kept.read_text(encoding="utf-8") == '{"solved": {}}'
    assert sorted(path.name for path in kept.parent.glob(f"{kept.name}*")) == [kept.name]
    yield found


def states(row: Row) -> str:
    return " ".join(row.states.values())


def told(row: Row) -> str:
    return "\n".join(row.reasons)


def test_a_right_submission_is_all_correct_whatever_its_file_is_called(
    rows: dict[str, Row],
) -> None:
    row = rows["=solved, renamed"]
    assert row.reasons == []
    assert (row.lab, row.by_state()) == (course.load().lab(1), "correct 1.1 1.2 1.3 1.4")
    assert row.graded


def test_no_verdict_can_be_printed_patched_or_hooked(rows: dict[str, Row]) -> None:
    row = rows["forged"]
    assert states(row) == "not attempted not attempted not attempted not attempted"
    assert "It changed dynalab.check.judge; it was judged without that." in row.reasons


def test_a_kernel_that_ends_keeps_the_verdicts_before_its_end(rows: dict[str, Row]) -> None:
    row = rows["ends"]
    assert row.by_state() == "correct 1.1 1.2 · not graded 1.3 1.4"
    assert re.fullmatch(r"Cell \d+ ended the kernel\.", row.reasons[-1])
    assert not row.graded


def test_mischief_is_refused_and_told_and_the_answers_are_judged(rows: dict[str, Row]) -> None:
    row = rows["mischief"]
    assert row.by_state() == "correct 1.1 1.2 1.3 1.4"
    for reason in (
        "It tried to reach the network (192.0.2.1).",
        "It tried to start a program (true).",
        "It tried to write into the progress of the person who grades.",
        "Cell 5 stops with SystemExit: exit() was called",
        "Cell 6 stops with SystemExit: 3",
        "Cell 7 did not end within 15 seconds.",
    ):
        assert reason in row.reasons


def test_errors_are_told_and_no_value_that_would_be_right(rows: dict[str, Row]) -> None:
    row = rows["errors"]
    assert row.states == {
        "1.1": "correct", "1.2": "incorrect", "1.3": "not attempted", "1.4": "correct"
    }  # fmt: skip
    assert "raised ValueError: [31mred <b>" in told(row)
    assert "stops with SyntaxError" in told(row)
    assert "1.3: nothing is called read_tally." in row.reasons
    assert row.graded and "\x1b" not in told(row)


def test_two_exercises_of_one_name_are_judged_each_where_it_is_checked(
    rows: dict[str, Row],
) -> None:
    assert rows["twice"].states == {
        "2.1": "not attempted", "2.2": "correct", "2.3": "not attempted", "2.4": "not attempted"
    }  # fmt: skip


def test_a_loop_that_nothing_interrupts_ends_its_submission_alone(rows: dict[str, Row]) -> None:
    row = rows["hard_loop"]
    assert row.by_state() == "correct 1.1 · not graded 1.2 1.3 1.4"
    assert re.fullmatch(r"Cell \d did not end, and could not be interrupted\.", row.reasons[-1])


def test_a_file_that_breaks_off_is_a_row(rows: dict[str, Row]) -> None:
    row = rows["cut"]
    assert row.reasons == ["It is no notebook: it is no JSON, or breaks off."]
    assert (row.lab, row.graded, row.score) == (None, False, "not graded")


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two submissions, and no kernel: each is all correct, but for one called `lost`."""

    def run(submission: Any, row: Row, seconds: float, stop: Any) -> None:
        state: Any = "not graded" if row.name == "lost" else "correct"
        row.states = {entry.id: state for entry in submission.lab.exercises}

    monkeypatch.setattr(kernels, "run", run)
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("anna", "ben"):
        write(folder / f"{name}.ipynb", notebook(code("open_lab(0)", "a")))
    return folder


def test_each_submission_is_a_line_as_it_is_done_and_the_table_comes_last(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["grade", str(folder), "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "Grading 2 notebooks, 1 at a time",
        "[1 of 2] anna: correct 0.1 0.2",
        "[2 of 2] ben: correct 0.1 0.2",
    ]
    assert lines[4].startswith("submission")


def test_files_are_written_where_they_were_asked_for(folder: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"table.{name}" for name in ("csv", "html")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    assert cli.main(["grade", str(folder), *options]) == 0
    assert files["csv"].read_bytes().startswith(b"\xef\xbb\xbfsubmission,lab,")
    assert "</html>" in files["html"].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["lost", "cut"])
def test_a_submission_that_could_not_be_graded_is_exit_code_1(folder: Path, name: str) -> None:
    book = folder / f"{name}.ipynb"
    write(book, notebook(code("open_lab(0)", "a")))
    if name == "cut":
        book.write_text("{", encoding="utf-8")
    assert cli.main(["grade", str(folder)]) == 1


def test_a_folder_without_notebooks_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["grade", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("dynalab: There is no notebook in")


def test_ctrl_c_prints_what_was_graded_so_far(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def graded(*_: object) -> Iterator[Row]:
        yield Row("anna", states={"0.1": "correct"})
        raise KeyboardInterrupt

    monkeypatch.setattr(grade, "graded", graded)
    assert cli.main(["grade", str(folder)]) == 130
    captured = capsys.readouterr()
    assert "1 submission: 1 solved the whole lab" in captured.out
    assert captured.err == "dynalab: Stopped; what follows is what was graded so far.\n"


def test_a_grader_that_breaks_on_one_submission_goes_on_with_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(submission: Any, row: Row, *_: object) -> None:
        row.states = {"0.1": "correct"}
        if row.name == "anna":
            row.states = {}
            raise OSError("no room")

    monkeypatch.setattr(kernels, "run", run)
    assert cli.main(["grade", str(folder), "--jobs", "1"]) == 1
    assert "anna: The grader could not go on with it: OSError: no room" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "the following arguments are required: FOLDER"),
        (["nowhere"], "there is no folder 'nowhere'"),
        ([".", "--jobs", "0"], "jobs are a number from 1 to 256, not '0'"),
        ([".", "--timeout", "soon"], "a time is a number of seconds from 1 on, not 'soon'"),
        ([".", "--timeout", "nan"], "a time is a number of seconds from 1 on, not 'nan'"),
        ([".", "--csv", "nowhere/a.csv"], "there is no folder 'nowhere'; make it first"),
        ([".", "--html", "."], "'.' is a folder, not a file"),
    ],
)
def test_a_bad_argument_is_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["grade", *arguments])
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line


def test_the_command_explains_its_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["grade", "--help"])
    assert end.value.code == 0
    assert "Exits with 0 if every submission" in " ".join(capsys.readouterr().out.split())
