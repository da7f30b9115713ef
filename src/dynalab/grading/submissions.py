"""Submissions: the notebooks of a folder, the lab of each, and where each exercise is answered."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynalab import course
from dynalab.authoring.notebook_rules import EXERCISE_TAG
from dynalab.course import CourseError, Lab

CHECKED = re.compile(r"""\bcheck\(\s*["'](\d+\.\d+)["']""")
OPENED = re.compile(r"""\bopen_lab\(\s*["']?(\w+)["']?\s*\)""")
NUMBERED = re.compile(r"(?<!\d)(\d\d)_")


class NoSubmission(Exception):
    """A file that cannot be graded; the message is one sentence that says why."""


@dataclass(frozen=True)
class Cell:
    """One code cell: its place among all cells, from 1, its source and its tags."""

    place: int
    source: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Submission:
    """A notebook of a known lab, with its code cells in order."""

    lab: Lab
    cells: tuple[Cell, ...]

    def answered_in(self) -> dict[int, list[str]]:
        """The exercises that are judged after a cell, by its place.

        An exercise is judged where its learner had it judged: after the last cell that checks it.
        Where no cell does, after the last that is tagged as its answer. Those that are in neither
        are left out; they are judged at the end.
        """
        places: dict[int, list[str]] = {}
        for entry in self.lab.exercises:
            checking = [each for each in self.cells if entry.id in CHECKED.findall(each.source)]
            tagged = [each for each in self.cells if f"exercise:{entry.id}" in each.tags]
            where = checking or tagged
            if where:
                places.setdefault(where[-1].place, []).append(entry.id)
        return places


def found_in(folder: Path) -> list[Path]:
    """Every notebook under a folder, without what editors keep in hidden folders; or the one."""
    if folder.is_file():
        return [folder]
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() == ".ipynb"
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
    )


def name_of(path: Path, folder: Path) -> str:
    """What lists call a submission: its path below the folder, without the ending."""
    below = path.relative_to(folder) if path != folder else Path(path.name)
    return below.with_suffix("").as_posix()


def read(path: Path) -> Submission:
    """The submission in a file. Raises NoSubmission."""
    notebook = _notebook(path)
    try:
        cells = tuple(_code_cells(notebook))
    except (AttributeError, KeyError, TypeError):
        raise NoSubmission("It is no notebook: its cells are malformed.") from None
    if not cells:
        raise NoSubmission("It has no code cells.")
    for candidate in _candidates(path, notebook, cells):
        try:
            return Submission(course.load().lab(candidate), cells)
        except CourseError:
            continue
    raise NoSubmission("Nothing in it says which lab it is: no tag, no open_lab, no file name.")


def _notebook(path: Path) -> Any:
    from nbformat import converter, reader

    try:
        text = path.read_bytes().decode("utf-8-sig")
        if not text.strip():
            raise NoSubmission("It is empty.")
        json.loads(text)
    except OSError as error:
        raise NoSubmission(f"It cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise NoSubmission("It is no notebook: it is not text.") from None
    except (ValueError, RecursionError):
        raise NoSubmission("It is no notebook: it is no JSON, or breaks off.") from None
    try:
        notebook: Any = converter.convert(reader.reads(text), 4)  # type: ignore[no-untyped-call]
        _ = notebook.cells
    except Exception:  # nbformat's converters meet a malformed file with whatever comes
        raise NoSubmission("It is no notebook: it is JSON of another kind.") from None
    return notebook


def _code_cells(notebook: Any) -> Iterator[Cell]:
    for place, cell in enumerate(notebook.cells, 1):
        if cell.cell_type == "code" and cell.source.strip():
            tags = cell.get("metadata", {}).get("tags", [])
            yield Cell(place, cell.source, tuple(str(tag) for tag in tags))


def _candidates(path: Path, notebook: Any, cells: tuple[Cell, ...]) -> Iterator[str]:
    """What names a lab, the surest first: a file is renamed more easily than its cells."""
    yield from _most_common(EXERCISE_TAG.fullmatch(tag) for cell in cells for tag in cell.tags)
    yield from _most_common(m for cell in cells for m in CHECKED.finditer(cell.source))
    for cell in cells:
        yield from OPENED.findall(cell.source)
    metadata = notebook.get("metadata", {})
    if isinstance(metadata, dict) and isinstance(metadata.get("dynalab"), dict):
        yield str(metadata["dynalab"].get("solution", ""))
    yield from NUMBERED.findall(path.name)


def _most_common(matches: Iterator[re.Match[str] | None]) -> Iterator[str]:
    """The labs of the exercise ids that were matched, the most frequent first."""
    counted = Counter(match[1].partition(".")[0] for match in matches if match)
    yield from (number for number, _ in counted.most_common())
