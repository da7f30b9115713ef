"""Each notebook keeps the rules, and each solution is correct, also where cells run twice."""

import re
import socket
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode

from dynalab import authoring, course
from dynalab.authoring.notebook_files import read
from dynalab.authoring.notebook_rules import VERDICT, leaks, problems
from tests.notebook_cells import text_of
from tests.notebook_run import run
from tests.tiny_notebook import code, notebook, write

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))

each_solution = pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def nothing_leaves_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every notebook runs with each name but this machine's own refused, and each other address."""
    lookup, connect = socket.getaddrinfo, socket.socket.connect

    def own_names(host: Any, *rest: Any, **options: Any) -> Any:
        assert host in (None, "", "localhost", "127.0.0.1", "::1"), f"looked up {host}"
        return lookup(host, *rest, **options)

    def own_addresses(self: socket.socket, address: Any) -> None:
        own = isinstance(address, str | bytes) or str(address[0]) in ("127.0.0.1", "::1")
        assert own, f"connected to {address}"
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", own_names)
    monkeypatch.setattr(socket.socket, "connect", own_addresses)


def test_the_guard_of_this_file_holds() -> None:
    with pytest.raises(AssertionError, match="looked up dynamodb"):
        socket.create_connection(("dynamodb.us-east-1.amazonaws.com", 443), timeout=1)
    with pytest.raises(AssertionError, match="connected to"):
        socket.socket().connect(("192.0.2.1", 9))


def test_there_are_notebooks() -> None:
    assert SOLUTIONS


def test_labs_are_what_solutions_give() -> None:
    assert authoring.build(ROOT, check=True) == ""


def test_the_readme_lists_the_labs_of_the_course() -> None:
    assert not course.sync_readme(ROOT, check=True)


@each_solution
def test_a_solution_keeps_the_rules(path: Path) -> None:
    assert problems(read(path)) == []


@each_solution
def test_a_solution_has_the_title_of_its_lab(path: Path) -> None:
    lab = course.load().lab(path.stem)
    assert f"# {lab.label} · {lab.title}" in read(path).cells[0].source.split("\n")


@each_solution
def test_a_lab_gives_no_solution_away(path: Path) -> None:
    assert leaks(read(path), read(ROOT / "labs" / path.name)) == []


@each_solution
def test_every_exercise_has_a_solution(path: Path) -> None:
    for entry in course.load().lab(path.stem).exercises:
        assert authoring.solution_of(entry.id, ROOT)


@each_solution
def test_a_lab_checks_every_exercise(path: Path) -> None:
    cells = [(cell.source, "correct") for cell in code_cells(ROOT / "labs" / path.name)]
    assert verdicts(cells, path) == expected(path, "correct")


@each_solution
def test_every_exercise_is_stored_as_correct(path: Path) -> None:
    texts = [(cell.source, plain(cell)) for cell in code_cells(path)]
    assert verdicts(texts, path) == expected(path, "correct")


@each_solution
def test_a_solution_is_correct_also_where_each_cell_is_run_twice(
    path: Path, tmp_path: Path
) -> None:
    """A learner runs a cell again to look again; that is no error."""
    twice = read(path)
    twice.cells = [
        NotebookNode({**cell, "id": f"{cell.id}-{number}"})
        for cell in twice.cells
        for number in range(1 if "lab.check(" in cell.source else 2)
    ]
    write(tmp_path / path.name, twice)
    runs = run(tmp_path / path.name, tmp_path / "progress.json")
    assert verdicts([(cell.source, cell.text) for cell in runs], path) == expected(path, "correct")


def code_cells(path: Path) -> list[NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def plain(cell: NotebookNode) -> str:
    """What a terminal would show of a cell's stored outputs."""
    return "\n".join(map(text_of, cell.outputs))


def expected(path: Path, verdict: str) -> dict[str, str]:
    return {entry.id: verdict for entry in course.load().lab(path.stem).exercises}


def verdicts(cells: list[tuple[str, str]], path: Path) -> dict[str, str]:
    """The verdict of each exercise, from the last cell that checks it; "" where none does."""
    found = dict.fromkeys(expected(path, ""), "")
    for source, text in cells:
        for exercise_id in re.findall(r"""lab\.check\(\s*["']([^"']+)["']""", source):
            verdict = VERDICT.search(text)
            found[exercise_id] = verdict[0] if verdict else ""
    return found


# --- the runner -----------------------------------------------------------------------------------


def test_the_runner_keeps_what_a_cell_prints_displays_and_ends_with(tmp_path: Path) -> None:
    path = tmp_path / "tiny.ipynb"
    source = (
        "import os\nprint('printed')\ndisplay({'shown': 1})\nos.environ['DYNALAB_PROGRESS'][-2:]"
    )
    write(path, notebook(code("n = 1", "one"), code(source, "two"), code("n + 1", "three")))
    runs = run(path, Path("progress.my"))
    assert [(cell.id, cell.text) for cell in runs] == [
        ("one", ""),
        ("two", "printed\n{'shown': 1}\n'my'\n"),
        ("three", "2\n"),
    ]


def test_the_runner_says_which_cell_fails(tmp_path: Path) -> None:
    path = tmp_path / "tiny.ipynb"
    write(path, notebook(code("1 / 0", "fails")))
    with pytest.raises(ZeroDivisionError) as failure:
        run(path, tmp_path / "progress.json")
    assert failure.value.__notes__ == ["in tiny.ipynb, cell 2 (fails)"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1.1 count_likes · correct\n    7 of 7", "correct"),
        ("1.1 count_likes · incorrect\n    It is correct for one page.", "incorrect"),
        ("1.1 count_likes · not attempted", "not attempted"),
        ("nothing", ""),
    ],
)
def test_a_verdict_is_read_from_the_card(text: str, verdict: str) -> None:
    found = verdicts([('lab.check("1.1", count_likes)', text)], Path("01_count_on_read.ipynb"))
    assert found == {"1.1": verdict, "1.2": "", "1.3": "", "1.4": ""}
