"""The lab in CONTRIBUTING.md is a lab: its check tells its answers apart, its notebook builds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from dynalab.authoring.notebook_files import assembled, read, text_of

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(toml|python|markdown|)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
COURSE = (ROOT / "src/dynalab/course.toml").read_text(encoding="utf-8")
INSTRUCTORS = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
NAME = "15_last_seen.ipynb"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull)
MAIN = ("-c", "import sys; from dynalab import cli; sys.exit(cli.main(sys.argv[1:]))")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course with the lab in it, built as the text says."""
    (_, block), (_, check), (_, answers), (_, cells), (_, part) = BLOCKS
    root = tmp_path_factory.mktemp("course")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=_unneeded)
    shutil.copy(ROOT / "README.md", root)
    _write(root / "INSTRUCTORS.md", f"{INSTRUCTORS}\n{part}")
    _write(root / "src/dynalab/course.toml", f"{_labs_before(15)}\n{block}")
    shutil.rmtree(root / "src/dynalab/exercises/lab15", ignore_errors=True)
    (root / "src/dynalab/exercises/lab15").mkdir()
    _write(root / "src/dynalab/exercises/lab15/__init__.py", check)
    _write(root / "tests/wrong_answers/lab15.py", answers)
    (root / "solutions").mkdir()
    (root / "labs").mkdir()
    _write(root / "solutions" / NAME, text_of(assembled(_cells(cells))))
    return root


def _labs_before(number: int) -> str:
    """The course as the page knows it: no later lab stands in the way of its example."""
    head, *labs = re.split(r"^(?=\[\[lab\]\])", COURSE, flags=re.MULTILINE)
    numbers = [int(re.findall(r"^number = (\d+)$", lab, re.MULTILINE)[0]) for lab in labs]
    return "".join([head, *(lab for lab, own in zip(labs, numbers, strict=True) if own < number)])


def _unneeded(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in ("__pycache__", "node_modules")]


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _cells(text: str) -> list[NotebookNode]:
    cells = []
    for number, part in enumerate(re.split(r"^# %% ", text, flags=re.MULTILINE)[1:]):
        head, _, source = part.partition("\n")
        kind, *tags = head.split()
        make = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
        cell = make(source.rstrip("\n"), id=f"cell-{number}", metadata={"tags": tags})
        cells.append(cell)
    return cells


def run(course: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{course / 'src'}{os.pathsep}{course}"}
    done = subprocess.run(
        [sys.executable, "-X", "utf8", *command],
        cwd=course,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_builds_and_its_check_accepts_its_solution(course: Path) -> None:
    said = run(course, *MAIN, "build", "--execute", "15")
    assert "are what solutions/ and course.toml give." in said
    solved = str([cell.get("outputs") for cell in read(course / "solutions" / NAME).cells])
    assert "15.1 seen · correct" in solved
    lab = read(course / "labs" / NAME)
    assert any("raise NotImplementedError" in cell.source for cell in lab.cells)
    assert "[Last seen](labs/15_last_seen.ipynb)" in (course / "README.md").read_text("utf-8")


def test_its_answers_are_told_apart(course: Path) -> None:
    said = run(course, *PYTEST, "tests/test_answers.py")
    assert "5 passed" in said  # three wrong, one right, and one that looks at the lab


def test_its_part_for_instructors_is_one(course: Path) -> None:
    said = run(course, *PYTEST, "tests/test_instructors.py", "-k", "15_last_seen")
    assert "1 passed" in said


def test_the_tests_that_the_page_chooses_are_those_of_its_lab(course: Path) -> None:
    (chosen,) = re.findall(r'start\.py test -k "([^"]+)"', TEXT)
    (course / "labs").mkdir(exist_ok=True)
    _write(course / "labs" / NAME, text_of(assembled(_cells(BLOCKS[3][1]))))
    other = course / "labs" / "02_transactional_tally.ipynb"
    shutil.copy(ROOT / "labs" / other.name, other)
    files = ("tests/test_answers.py", "tests/test_notebooks.py", "tests/test_instructors.py")
    asked = ("--collect-only", "--nbval", "--nbval-current-env", "-k", chosen)
    said = run(course, *PYTEST, *asked, *files, "solutions", "labs")
    found = [line for line in said.splitlines() if "::" in line]
    for name in (*files, f"solutions/{NAME}", f"labs/{NAME}"):
        assert any(f"{name}::" in line for line in found), name
    assert [line for line in found if other.name in line] == []
    other.unlink()


def test_a_lab_is_taken_out_as_the_page_says(course: Path, tmp_path: Path) -> None:
    root = tmp_path / "course"
    shutil.copytree(course, root)
    _write(root / "src/dynalab/course.toml", _labs_before(15))
    shutil.rmtree(root / "src/dynalab/exercises/lab15")
    (root / "tests/wrong_answers/lab15.py").unlink()
    for folder in ("solutions", "labs"):
        (root / folder / NAME).unlink(missing_ok=True)
    run(root, *MAIN, "build")
    assert "last_seen" not in (root / "README.md").read_text("utf-8")
    assert not list((root / "labs").iterdir())
