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
BLOCKS = re.findall(r"^```(toml|python|)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
NAME = "15_last_seen.ipynb"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course with the lab in it, built as the text says."""
    (_, block), (_, check), (_, answers), (_, cells) = BLOCKS
    root = tmp_path_factory.mktemp("course")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=_unneeded)
    shutil.copy(ROOT / "README.md", root)
    with (root / "src/dynalab/course.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{block}")
    (root / "src/dynalab/exercises/lab15").mkdir()
    _write(root / "src/dynalab/exercises/lab15/__init__.py", check)
    _write(root / "tests/wrong_answers/lab15.py", answers)
    (root / "solutions").mkdir()
    (root / "labs").mkdir()
    _write(root / "solutions" / NAME, text_of(assembled(_cells(cells))))
    return root


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
    main = "import sys; from dynalab import cli; sys.exit(cli.main(sys.argv[1:]))"
    said = run(course, "-c", main, "build", "--execute", "15")
    assert "are what solutions/ and course.toml give." in said
    solved = str([cell.get("outputs") for cell in read(course / "solutions" / NAME).cells])
    assert "15.1 seen · correct" in solved
    lab = read(course / "labs" / NAME)
    assert any("raise NotImplementedError" in cell.source for cell in lab.cells)
    assert "[Last seen](labs/15_last_seen.ipynb)" in (course / "README.md").read_text("utf-8")


def test_its_answers_are_told_apart(course: Path) -> None:
    tests = "tests/test_answers.py"
    said = run(course, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, tests)
    assert "6 passed" in said  # three wrong, one right, and two that look at the lab
