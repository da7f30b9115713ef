"""Grading: each submission is a row with its verdicts or its reason, whatever it does."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, v4

import dynalab.check
from dynalab import cli, course
from dynalab.authoring.notebook_files import read as read_notebook
from dynalab.authoring.notebook_rules import tags_of
from dynalab.grading import grade, kernels, report, submissions
from dynalab.grading.guard import Guard, Refusal
from dynalab.grading.rows import Row
from dynalab.grading.seal import Seal
from dynalab.grading.submissions import NoSubmission
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
HARD_LOOP = """
while True:
    try:
        while True:
            pass
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
        "It tried to write into the progress of whoever grades.",
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


# --- reading ------------------------------------------------------------------------------------


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


# --- what a submission may not do ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("example.com", 80)),
        ("socket.getaddrinfo", (b"example.com", 80)),
        ("socket.connect", (None, ("192.0.2.1", 80))),
        ("socket.sendto", (None, ("192.0.2.1", 80))),
        ("subprocess.Popen", ("curl", [], None, None)),
        ("os.system", (b"curl",)),
        ("os.forkpty", ()),
        ("open", ("progress.json", "w", os.O_WRONLY | os.O_CREAT)),
        ("open", ("progress.json.lock", None, os.O_CREAT)),
        ("os.remove", ("progress.json", -1)),
        ("os.remove", ("PROGRESS.JSON", -1)),
        ("os.rename", ("x", "progress.json", -1, -1)),
    ],
)
def test_the_guard_refuses_and_remembers(
    event: str, arguments: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guard = Guard([tmp_path / "progress.json"])
    with pytest.raises(Refusal):
        guard._hear(event, arguments)
    assert len(guard.refused) == 1


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("subprocess.Popen", ("curl", ["curl"], None, None)),
        ("subprocess.Popen", (None, "curl", None, None)),  # as Windows tells it
        ("_winapi.CreateProcess", (None, "curl", None)),
        ("os.system", (b"curl",)),
        ("os.spawn", (1, "curl", [], None)),
    ],
)
def test_the_guard_names_the_program_on_each_system(
    event: str, arguments: tuple[Any, ...], tmp_path: Path
) -> None:
    guard = Guard([tmp_path / "progress.json"])
    with pytest.raises(Refusal):
        guard._hear(event, arguments)
    assert guard.refused == ["It tried to start a program (curl)."]


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.getaddrinfo", ("localhost", 80)),
        ("socket.getaddrinfo", (None, 80)),
        ("socket.connect", (None, ("127.0.0.1", 80))),
        ("socket.connect", (None, ("::1", 80, 0, 0))),
        ("socket.connect", (None, "/run/socket")),
        ("open", ("progress.json", "r", os.O_RDONLY)),
        ("open", ("other.json", "w", os.O_WRONLY | os.O_CREAT)),
        ("open", (3, "w", os.O_WRONLY)),
    ],
)
def test_the_guard_lets_the_rest_pass(
    event: str, arguments: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guard = Guard([tmp_path / "progress.json"])
    guard._hear(event, arguments)
    assert guard.refused == []


def test_the_seal_puts_functions_methods_and_code_back() -> None:
    seal = Seal()
    kept = dynalab.check._judged, dynalab.trial.Trial.item, dynalab.trial.Trial.call.__code__
    dynalab.check._judged = None  # type: ignore[assignment]
    del dynalab.trial.Trial.item
    dynalab.trial.Trial.call.__code__ = (lambda self: None).__code__
    assert sorted(seal.mend()) == [
        "dynalab.check._judged", "dynalab.trial.Trial.call", "dynalab.trial.Trial.item"
    ]  # fmt: skip
    back = dynalab.check._judged, dynalab.trial.Trial.item, dynalab.trial.Trial.call.__code__
    assert back == kept
    assert seal.mend() == []


# --- the report -----------------------------------------------------------------------------------


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
    assert "Exits with 0 where every submission" in " ".join(capsys.readouterr().out.split())
