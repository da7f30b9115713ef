"""The course's metadata: its labs, their minutes and exercises, read from course.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

TABLE_BEGIN = "<!-- labs -->"
TABLE_END = "<!-- /labs -->"


class CourseError(LookupError):
    """One sentence about a lab, an exercise or a file of the course that is missing or wrong."""


@dataclass(frozen=True)
class ExerciseEntry:
    """One exercise: its id ("2.3"), the function that the learner writes, what lists call it."""

    id: str
    name: str
    title: str

    @property
    def names(self) -> tuple[str, ...]:
        """What the learner writes: two functions where the title is "grow and total_now"."""
        both = tuple(self.title.split(" and "))
        return both if both[0] == self.name else (self.name,)


@dataclass(frozen=True)
class Lab:
    """One lab. `you_will` completes the sentence "You will …"; `part` is "core" or "further"."""

    number: int
    slug: str
    title: str
    minutes: int
    needs: tuple[int, ...]
    part: str
    you_will: str
    exercises: tuple[ExerciseEntry, ...]

    @property
    def label(self) -> str:
        """The number in two digits: "01"."""
        return f"{self.number:02}"

    @property
    def notebook(self) -> str:
        """The notebook's file name, the same in solutions/ and labs/."""
        return f"{self.slug}.ipynb"

    def available(self, root: Path) -> bool:
        """Whether the lab's notebook is in the solutions/ folder of `root`."""
        return (root / "solutions" / self.notebook).is_file()

    def exercise(self, exercise_id: str) -> ExerciseEntry:
        """The exercise of that id. Raises CourseError where this lab has none such."""
        for entry in self.exercises:
            if entry.id == exercise_id:
                return entry
        ids = ", ".join(entry.id for entry in self.exercises)
        raise CourseError(f"There is no exercise {exercise_id}; lab {self.label} has {ids}.")


@dataclass(frozen=True)
class Course:
    """All labs, in the order in which they are taken."""

    labs: tuple[Lab, ...]

    def lab(self, number: int | str) -> Lab:
        """The lab that 1, "1", "01" or "01_count_on_read" names. Raises CourseError for others."""
        wanted = str(number).strip()
        for lab in self.labs:
            if wanted == lab.slug or (wanted.isdecimal() and int(wanted) == lab.number):
                return lab
        raise CourseError(f"There is no lab {wanted}; the labs are {self._labels()}.")

    def lab_of(self, exercise_id: str) -> Lab:
        """The lab that has the exercise of that id. Raises CourseError where none has."""
        number, dot, _ = exercise_id.partition(".")
        for lab in self.labs:
            if dot and number == str(lab.number):
                lab.exercise(exercise_id)
                return lab
        raise CourseError(f"There is no exercise {exercise_id}; the labs are {self._labels()}.")

    def exercise(self, exercise_id: str) -> ExerciseEntry:
        """The exercise of that id ("2.3"). Raises CourseError where there is none."""
        return self.lab_of(exercise_id).exercise(exercise_id)

    def table(self, root: Path | None = None) -> str:
        """The README's Markdown table of labs, without its markers.

        With `root`, a lab whose notebook is not in solutions/ yet has no link.
        """
        rows = [
            "| Lab | Title | Minutes | Needs | Part | You will … |",
            "|---|---|---|---|---|---|",
        ]
        for lab in self.labs:
            linked = root is None or lab.available(root)
            title = f"[{lab.title}](labs/{lab.notebook})" if linked else lab.title
            needs = ", ".join(f"{number:02}" for number in lab.needs) or "–"
            cells = (lab.label, title, str(lab.minutes), needs, lab.part, lab.you_will)
            rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(rows) + "\n"

    def _labels(self) -> str:
        numbers = [lab.number for lab in self.labs]
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{self.labs[0].label}–{self.labs[-1].label}"
        return ", ".join(lab.label for lab in self.labs)


@cache
def load() -> Course:
    """The course in the package's own course.toml, read once."""
    return parse(resources.files("dynalab").joinpath("course.toml").read_text(encoding="utf-8"))


def parse(text: str) -> Course:
    """The course that a course.toml describes. Raises CourseError, naming the lab at fault."""
    labs: list[Lab] = []
    try:
        rows = tomllib.loads(text).get("lab", [])
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"course.toml is no TOML: {error}; mend that line.") from None
    for row in rows:
        named = f"course.toml, lab {row.get('number', '?')}"
        try:
            if fault := _unknown_keys(row):
                raise CourseError(f"{named}: {fault}.")
            lab = _lab(row)
        except TypeError:
            fault = "needs is a list of numbers, exercises is a list of tables"
            raise CourseError(f"{named}: {fault}.") from None
        fault = _fault(lab, [earlier.number for earlier in labs])
        if fault:
            raise CourseError(f"course.toml, lab {lab.label}: {fault}.")
        labs.append(lab)
    return Course(tuple(labs))


def _unknown_keys(row: Mapping[str, Any]) -> str | None:
    """Which keys of a [[lab]] or of its exercises are missing, or have no meaning."""
    optional = {"title"}  # of an exercise
    tables: list[tuple[Mapping[str, Any], type, set[str]]] = [(row, Lab, set())]
    tables += [(each, ExerciseEntry, optional) for each in row.get("exercises", ())]
    for table, kind, may_miss in tables:
        known = {each.name for each in fields(kind)}
        missing = sorted(known - may_miss - set(table))
        unknown = sorted(set(table) - known)
        if missing:
            return f"there is no {' and no '.join(missing)}"
        if unknown:
            return f"no key is called {' or '.join(unknown)}"
    return None


def _fault(lab: Lab, earlier: list[int]) -> str | None:
    ids = [f"{lab.number}.{place}" for place in range(1, len(lab.exercises) + 1)]
    if earlier and lab.number <= earlier[-1]:
        return f"it stands after lab {earlier[-1]:02}"
    if not lab.slug.startswith(f"{lab.label}_"):
        return f"the slug {lab.slug} does not begin with {lab.label}_"
    if not set(lab.needs) <= set(earlier):
        return "it needs a lab that does not stand above it"
    if lab.part not in ("core", "further"):
        return f"the part is core or further, not {lab.part}"
    if [entry.id for entry in lab.exercises] != ids:
        return f"the exercise ids are {', '.join(ids)}, in this order"
    return None


def _lab(row: Mapping[str, Any]) -> Lab:
    exercises = tuple(
        ExerciseEntry(**{"title": entry["name"], **entry}) for entry in row["exercises"]
    )
    return Lab(**{**row, "needs": tuple(row["needs"]), "exercises": exercises})


def folder_with(name: str, start: Path | None = None) -> Path | None:
    """The nearest folder, from `start` (the working directory) upwards, that holds a folder `name`.

    "labs" finds a learner's copy of the course, "solutions" an author's.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / name).is_dir():
            return folder
    return None


def readme_with_table(readme: str, table: str) -> str:
    """The README's text with `table` between its markers. Raises CourseError without them."""
    before, begin, rest = readme.partition(TABLE_BEGIN)
    _, end, after = rest.partition(TABLE_END)
    if not begin or not end:
        raise CourseError(
            f"README.md needs the lines {TABLE_BEGIN} and {TABLE_END}, "
            "in this order, where the table of labs belongs."
        )
    return f"{before}{begin}\n\n{table}\n{end}{after}"


def sync_readme(root: Path, check: bool = False) -> bool:
    """Write the table of labs into README.md of `root`; True where that changed the file.

    With `check` nothing is written, and a table that differs raises CourseError.
    """
    path = root / "README.md"
    if not path.is_file():
        raise CourseError(
            f"There is no README.md in {root}; write one with {TABLE_BEGIN} and {TABLE_END} in it."
        )
    readme = path.read_text(encoding="utf-8")
    wanted = readme_with_table(readme, load().table(root))
    if wanted == readme:
        return False
    if check:
        raise CourseError(
            "README.md's table of labs differs from course.toml; run `dynalab build`."
        )
    path.write_text(wanted, encoding="utf-8", newline="\n")
    return True
