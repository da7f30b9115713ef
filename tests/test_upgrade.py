"""A learner's work comes over to a newer course: their cells win, and nothing old is touched."""

from pathlib import Path

import pytest
from nbformat import NotebookNode

from dynalab import authoring, cli
from dynalab.authoring.notebook_files import read
from dynalab.progress import Progress
from tests.tiny_notebook import FUNCTION, code, notebook, solution, write

NAME = "01_count_on_read.ipynb"
MINE = "def double(n):\n    return 2 * n"
OTHER = FUNCTION.replace("Twice n.", "Twice n, in one line.")


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DYNALAB_PROGRESS", raising=False)
    return course_in(tmp_path / "old", solution())


@pytest.fixture
def new(old: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same course, one cell later: its text before the check is another one."""
    changed = solution()
    changed.cells.insert(1, code("news = 1", "news"))
    root = course_in(old.parent / "new", changed)
    monkeypatch.chdir(root)
    return root


def course_in(root: Path, lab: NotebookNode) -> Path:
    (root / "solutions").mkdir(parents=True)
    write(root / "solutions" / NAME, lab)
    authoring.build(root)
    return root


def rewrite(root: Path, sources: dict[str, str], *added: NotebookNode) -> None:
    lab = read(root / "labs" / NAME)
    for cell in lab.cells:
        cell.source = sources.get(cell.id, cell.source)
    lab.cells[1:1] = added
    write(root / "labs" / NAME, lab)


def sources(root: Path) -> dict[str, str]:
    return {cell.id: cell.source for cell in read(root / "labs" / NAME).cells}


def told(old: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert cli.main(["upgrade", str(old)]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_learners_cells_come_into_the_new_lab(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(old, {"double": MINE}, code("mine = 1", "mine"))
    before = (old / "labs" / NAME).read_bytes()
    assert told(old, capsys) == [f"labs/{NAME}: 2 cells are yours, the rest is new."]
    assert list(sources(new)) == ["title", "mine", "news", "double", "check", "units"]
    assert sources(new)["double"] == MINE
    assert (old / "labs" / NAME).read_bytes() == before


def test_a_lab_that_nobody_edited_stays_the_new_one(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (new / "labs" / NAME).read_bytes()
    assert told(old, capsys) == [f"There is no work of yours in {old}."]
    assert (new / "labs" / NAME).read_bytes() == before


def test_a_cell_that_both_changed_is_the_learners_and_is_named(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = course_in(tmp_path / "new", notebook(code(OTHER, "double", "exercise:1.1")))
    monkeypatch.chdir(root)
    rewrite(old, {"double": MINE, "units": "print(1)"})
    said = f"labs/{NAME}: 2 cells are yours, the rest is new. The new version changed double too."
    assert told(old, capsys) == [said]
    assert sources(root) == {"title": "# Title\n\nProse.", "double": MINE, "units": "print(1)"}


def test_a_lab_that_was_edited_here_as_well_stays(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(old, {"double": MINE})
    rewrite(new, {"double": "here = 1"})
    path = old / "labs" / NAME
    said = f"labs/{NAME} was edited here too and stays; yours is still in {path}."
    assert told(old, capsys) == [said]
    assert sources(new)["double"] == "here = 1"


@pytest.mark.parametrize("name", ["02_transactional_tally.ipynb", "77_dropped.ipynb"])
def test_a_lab_that_the_new_course_has_not_is_named_and_the_rest_comes(
    name: str, old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, book in (("solutions", solution()), ("labs", notebook(code("mine = 1", "mine")))):
        write(old / folder / name, book)
    (old / ".dynalab").mkdir()
    (old / ".dynalab" / "progress.json").write_text('{"solved": {"1.1": true}}', encoding="utf-8")
    path = old / "labs" / name
    assert told(old, capsys) == [
        f"This course has no lab {path.stem}; yours is still in {path}.",
        "Your progress is here.",
    ]
    assert not (new / "labs" / name).exists()


def test_a_notebook_that_is_broken_stays_where_it_is(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (old / "labs" / NAME).write_text("{half", encoding="utf-8")
    (line,) = told(old, capsys)
    assert line.startswith(f"{old / 'labs' / NAME} stays where it is: ")


def test_other_files_of_the_learner_are_copied_unless_they_are_here(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for root, text in ((old, "old"), (new, "new")):
        (root / "labs" / "both.txt").write_text(text, encoding="utf-8")
    (old / "labs" / "kept").mkdir()
    (old / "labs" / "kept" / NAME).write_text("mine", encoding="utf-8")
    (old / "labs" / ".ipynb_checkpoints").mkdir()
    (old / "labs" / ".ipynb_checkpoints" / NAME).write_text("no", encoding="utf-8")
    lines = told(old, capsys)
    assert lines == [
        f"labs/both.txt is here already; yours is still in {old / 'labs' / 'both.txt'}.",
        f"labs/kept/{NAME} was copied.",
    ]
    assert (new / "labs" / "both.txt").read_text(encoding="utf-8") == "new"
    assert not (new / "labs" / ".ipynb_checkpoints").exists()


def test_progress_of_both_is_here_afterwards(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Progress(old / ".dynalab" / "progress.json").record("1.1", True)
    Progress(new / ".dynalab" / "progress.json").record("0.1", True)
    assert told(old, capsys) == ["Your progress is here."]
    here = Progress()
    assert here.path == new / ".dynalab" / "progress.json"
    assert here.solved("1.1") and here.solved("0.1")


def test_a_folder_without_a_course_and_this_course_are_one_sentence(
    new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["upgrade", str(new / "labs")]) == 1
    assert "has no labs/ and solutions/" in capsys.readouterr().err
    assert cli.main(["upgrade", "."]) == 1
    assert "That is this course itself" in capsys.readouterr().err
