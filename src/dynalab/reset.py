"""A lab as it came: its notebook written anew, a dated copy of the old one kept."""

from __future__ import annotations

import datetime
from pathlib import Path

from dynalab import course
from dynalab.authoring import lab_from_solution
from dynalab.authoring.notebook_files import read, text_of

KEPT = "kept"  # the folder in labs/ for notebooks that make room


def as_it_came(lab: course.Lab, root: Path) -> str:
    """The text of a lab's notebook before anybody works on it, made from solutions/ of `root`.

    Raises CourseError where its solution is not there, NotebookError where that is no notebook.
    """
    solution = root / "solutions" / lab.notebook
    if not solution.is_file():
        raise course.CourseError(
            f"Lab {lab.label} is made from solutions/{lab.notebook}, which is not here; "
            "get the whole course again."
        )
    return text_of(lab_from_solution(read(solution), lab.slug))


def reset(lab: course.Lab, root: Path, now: datetime.datetime) -> Path | None:
    """Writes a lab's notebook as it came. The old one, if it differs, moves to labs/kept/.

    Returns where it moved to. Raises as `as_it_came`; then nothing has changed.
    """
    path = root / "labs" / lab.notebook
    fresh = as_it_came(lab, root)
    differs = path.is_file() and path.read_bytes() != fresh.encode()
    kept = set_aside(path, now) if differs else None
    path.parent.mkdir(exist_ok=True)
    path.write_text(fresh, encoding="utf-8", newline="\n")
    return kept


def set_aside(path: Path, now: datetime.datetime) -> Path:
    """Moves a file of labs/ to labs/kept/, under its name and the time; returns where it is."""
    folder = path.parent / KEPT
    folder.mkdir(exist_ok=True)
    name = f"{path.stem}_{now:%Y-%m-%d_%H-%M-%S}"
    kept, number = folder / f"{name}{path.suffix}", 2
    while kept.exists():
        kept, number = folder / f"{name}_{number}{path.suffix}", number + 1
    return path.rename(kept)
