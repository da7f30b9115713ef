"""A learner's work, brought from an older copy of the course into this one.

Three notebooks meet for each lab: as it came there, as the learner left it there, and as it
comes here. What the learner wrote wins, cell by cell; nothing in the older copy changes.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dynalab import course
from dynalab.authoring import lab_from_solution
from dynalab.authoring.markers import NotebookError
from dynalab.authoring.notebook_files import assembled, read, text_of, trimmed
from dynalab.progress import Progress

if TYPE_CHECKING:
    from nbformat import NotebookNode

_NOT_WORK = (".ipynb_checkpoints", "__pycache__")


@dataclass(frozen=True)
class Merged:
    """A notebook with a learner's cells in it.

    yours: how many cells are the learner's. both: ids of those that the new version changed too.
    """

    notebook: NotebookNode
    yours: int
    both: tuple[str, ...]


def upgrade(old: Path, new: Path) -> list[str]:
    """Brings edited labs, other files of labs/ and the progress from `old` into `new`.

    Returns a sentence for each thing that was brought or left. Raises CourseError where `old`
    holds no course, or is `new`.
    """
    if not all((old / name).is_dir() for name in ("labs", "solutions")):
        raise course.CourseError(
            f"{old} has no labs/ and solutions/; name the folder of the older course."
        )
    if old.resolve() == new.resolve():
        raise course.CourseError(
            "That is this course itself; unpack the new one beside it and call upgrade from there."
        )
    told = [_bring(path, old, new) for path in sorted((old / "labs").glob("*.ipynb"))]
    told += _copy_others(old / "labs", new / "labs")
    progress = old / ".dynalab" / "progress.json"
    if progress.is_file():
        Progress().join(progress)
        told.append("Your progress is here.")
    return [sentence for sentence in told if sentence]


def _bring(path: Path, old: Path, new: Path) -> str:
    """One notebook of the older labs/: what came of it, "" where there was nothing to do."""
    solution = old / "solutions" / path.name
    if not solution.is_file():
        return ""  # a notebook of the learner's own
    lab = next((lab for lab in course.load().labs if path.name.startswith(f"{lab.label}_")), None)
    try:
        shipped = lab_from_solution(read(solution))
        edited = read(path)
        if _sources(edited) == _sources(shipped):
            return ""
        if lab is None or not lab.available(new):
            return f"This course has no lab {path.stem}; yours is still in {path}."
        target = new / "labs" / lab.notebook
        fresh = lab_from_solution(read(new / "solutions" / lab.notebook))
        if target.is_file() and _sources(read(target)) != _sources(fresh):
            return f"labs/{lab.notebook} was edited here too and stays; yours is still in {path}."
        merged = merge(shipped, edited, fresh)
    except NotebookError as error:
        return f"{path} stays where it is: {error}"
    notebook = assembled(merged.notebook.cells, dynalab={"solution": lab.slug})
    target.write_text(text_of(notebook), encoding="utf-8", newline="\n")
    both = f" The new version changed {', '.join(merged.both)} too." if merged.both else ""
    cells = "1 cell is" if merged.yours == 1 else f"{merged.yours} cells are"
    return f"labs/{lab.notebook}: {cells} yours, the rest is new.{both}"


def merge(shipped: NotebookNode, edited: NotebookNode, fresh: NotebookNode) -> Merged:
    """`fresh` with what differs between `shipped` and `edited`; cells are known by their ids."""
    came = {cell.id: cell.source for cell in shipped.cells}
    cells = list(fresh.cells)
    both = []
    yours = 0
    place = 0  # where in `cells` the next cell of the learner's own goes
    for cell in edited.cells:
        cell_id = cell.get("id")
        there = next((at for at, each in enumerate(cells) if each.id == cell_id), None)
        if cell.source == came.get(cell_id):
            place = place if there is None else there + 1
            continue
        yours += 1
        own = trimmed(cell, cell.source)
        if there is None:
            cells.insert(place, own)
            place += 1
            continue
        if cells[there].source not in (came.get(cell_id), cell.source):
            both.append(cell_id)
        own.metadata = cells[there].metadata
        cells[there] = own
        place = there + 1
    return Merged(assembled(cells), yours, tuple(both))


def _sources(notebook: NotebookNode) -> list[tuple[str | None, str]]:
    return [(cell.get("id"), cell.source) for cell in notebook.cells]


def _copy_others(old: Path, new: Path) -> list[str]:
    """Copies what the learner put into labs/, unless there is such a file already."""
    known = {path.name for path in (old.parent / "solutions").glob("*.ipynb")}
    told = []
    for path in sorted(old.rglob("*")):
        inside = path.relative_to(old)
        shipped = path.parent == old and path.name in known
        if not path.is_file() or shipped or set(inside.parts) & set(_NOT_WORK):
            continue
        target = new / inside
        if target.exists():
            told.append(f"labs/{inside.as_posix()} is here already; yours is still in {path}.")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
        told.append(f"labs/{inside.as_posix()} was copied.")
    return told
