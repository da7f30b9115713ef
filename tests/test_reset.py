"""A lab begins anew only when its learner says so, and what they wrote is kept."""

import datetime
from pathlib import Path

import pytest

from dynalab import authoring, cli, course
from dynalab.authoring.notebook_files import read
from dynalab.progress import Progress
from dynalab.reset import reset
from tests.tiny_notebook import code, solution, write

NOON = datetime.datetime(2026, 1, 2, 12, 30, 5)
LAB = course.load().lab(1)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DYNALAB_PROGRESS", raising=False)
    (tmp_path / "solutions").mkdir()
    write(tmp_path / "solutions" / LAB.notebook, solution())
    authoring.build(tmp_path)
    return tmp_path


def edited(root: Path) -> str:
    path = root / "labs" / LAB.notebook
    notebook = read(path)
    notebook.cells.append(code("mine = 1", "mine"))
    write(path, notebook)
    return path.read_text(encoding="utf-8")


def test_the_notebook_is_as_it_came_and_the_old_one_is_kept_with_its_date(root: Path) -> None:
    came = (root / "labs" / LAB.notebook).read_text(encoding="utf-8")
    mine = edited(root)
    kept = reset(LAB, root, NOON)
    assert kept == root / "labs" / "kept" / "01_count_on_read_2026-01-02_12-30-05.ipynb"
    assert kept.read_text(encoding="utf-8") == mine
    assert (root / "labs" / LAB.notebook).read_text(encoding="utf-8") == came


def test_two_copies_of_one_second_are_both_kept(root: Path) -> None:
    edited(root)
    first = reset(LAB, root, NOON)
    edited(root)
    second = reset(LAB, root, NOON)
    assert first is not None and second is not None
    assert first != second and first.exists() and second.exists()


def test_an_untouched_lab_and_a_missing_one_leave_no_copy(root: Path) -> None:
    assert reset(LAB, root, NOON) is None
    (root / "labs" / LAB.notebook).unlink()
    assert reset(LAB, root, NOON) is None
    assert (root / "labs" / LAB.notebook).exists()


def test_a_notebook_that_cannot_be_read_is_kept_too(root: Path) -> None:
    (root / "labs" / LAB.notebook).write_bytes(b"\xff{half a note")
    kept = reset(LAB, root, NOON)
    assert kept is not None and kept.read_bytes() == b"\xff{half a note"


def test_the_kept_copies_are_no_labs_for_build(root: Path) -> None:
    edited(root)
    reset(LAB, root, NOON)
    assert authoring.build(root, check=True) == ""


@pytest.mark.parametrize("answer", ["", "n", "no", "yess"])
def test_the_command_asks_and_no_is_no(
    root: Path, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = edited(root)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    assert cli.main(["reset", "01"]) == 0
    assert "Lab 01 stays as it is." in capsys.readouterr().out
    assert (root / "labs" / LAB.notebook).read_text(encoding="utf-8") == mine


def test_without_anybody_to_ask_nothing_happens(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_: str) -> str:
        raise EOFError

    edited(root)
    monkeypatch.setattr("builtins.input", nobody)
    assert cli.main(["reset", "01"]) == 0
    assert "stays as it is" in capsys.readouterr().out


def test_yes_resets_the_lab_its_exercises_and_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(root)
    progress = Progress()
    for exercise in ("1.1", "1.2", "10.1", "0.1"):
        progress.record(exercise, True)
    progress.hints_seen["1.1"] = 2
    progress.predictions.update({"01.a": "four", "10.a": "five"})
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert cli.main(["reset", "01"]) == 0
    said = capsys.readouterr().out
    assert "labs/01_count_on_read.ipynb is as it was at first" in said
    assert "Your notebook is kept as labs/kept/01_count_on_read_" in said
    after = Progress()
    assert not after.solved("1.1") and after.tries("1.2") == 0
    assert dict(after.hints_seen) == {} and dict(after.predictions) == {"10.a": "five"}
    assert after.solved("10.1") and after.solved("0.1")


def test_a_lab_that_is_not_there_is_one_sentence_and_nothing_changes(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = edited(root)
    assert cli.main(["reset", "01", "99", "--yes"]) == 1
    assert "There is no lab 99" in capsys.readouterr().err
    assert cli.main(["reset", "02", "--yes"]) == 1
    assert "which is not here; get the whole course again." in capsys.readouterr().err
    assert (root / "labs" / LAB.notebook).read_text(encoding="utf-8") == mine


def test_next_names_the_first_exercise_that_is_not_solved(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["next"]) == 0
    first = "0.1 save_profile, in labs/00_start_here.ipynb (Start here)"
    assert capsys.readouterr().out.splitlines() == [first]
    progress = Progress()
    for lab in course.load().labs:
        for entry in lab.exercises:
            progress.record(entry.id, entry.id != "3.2")
    assert cli.main(["next"]) == 0
    assert capsys.readouterr().out.startswith("3.2 ")
    progress.record("3.2", True)
    assert cli.main(["next"]) == 0
    assert capsys.readouterr().out == "Every exercise is solved.\n"
