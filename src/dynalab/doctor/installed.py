"""What is installed: Python, the packages against the course's pins, and the widgets' page part."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from dynalab.course import folder_with
from dynalab.doctor import Finding

OLDEST = (3, 11)
_TOLD = 4  # packages named in one line


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """The Python that this command runs on."""
    seen = f"{'.'.join(map(str, version))} at {sys.prefix}"
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return Finding("Python", seen, f"Install Python {oldest} or newer, and run start.py by it.")
    return Finding("Python", seen)


def packages(constraints: Path | None = None) -> Finding:
    """Whatever the labs need, against constraints.txt, or where it is not here the package's own
    requirements."""
    constraints = constraints or _constraints()
    pins = dict(_pins(constraints)) if constraints else {}
    faults = []
    count = 0
    for name, allowed in sorted(_needed().items()):
        count += 1
        wanted = pins.get(name, allowed)
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            faults.append(f"{name} is missing")
            continue
        if not wanted.contains(found, prereleases=True):
            faults.append(f"{name} is {found}, wanted {wanted}")
    if not faults:
        against = "as constraints.txt says" if pins else "as the package asks (no constraints.txt)"
        return Finding("Packages", f"{count} {against}")
    more = f", and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
    command = (
        "python -m pip install -c constraints.txt -e ." if pins else "python -m pip install dynalab"
    )
    return Finding(
        "Packages",
        f"{'; '.join(faults[:_TOLD])}{more}",
        f"In the course's folder run `{command}`, or let start.py do it.",
    )


def _constraints() -> Path | None:
    """The course's constraints.txt: beside the nearest labs/, or where this package is from."""
    beside = folder_with("labs")
    source = Path(__file__).parents[3]
    for folder in filter(None, [beside, source]):
        path = folder / "constraints.txt"
        if path.is_file():
            return path
    return None


def _pins(constraints: Path) -> Iterator[tuple[str, SpecifierSet]]:
    for line in constraints.read_text(encoding="utf-8").splitlines():
        requirement = _requirement(line.partition("#")[0])
        if requirement and (requirement.marker is None or requirement.marker.evaluate()):
            yield _canonical(requirement.name), requirement.specifier


def _needed() -> dict[str, SpecifierSet]:
    """Every package that DynaLab needs, directly or not, with what asks the most direct."""
    needed: dict[str, SpecifierSet] = {}
    todo: list[tuple[str, frozenset[str]]] = [("dynalab", frozenset())]
    seen = set(todo)
    while todo:
        name, extras = todo.pop(0)
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for requirement in filter(None, map(_requirement, lines)):
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": e}) for e in extras | {""}):
                continue
            asked = (_canonical(requirement.name), frozenset(requirement.extras))
            needed.setdefault(asked[0], requirement.specifier)
            if asked not in seen:
                seen.add(asked)
                todo.append(asked)
    return needed


def _requirement(line: str) -> Requirement | None:
    try:
        return Requirement(line.strip())
    except InvalidRequirement:
        return None


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def widgets() -> Finding:
    """Whether the browser gets what draws the sliders: ipywidgets' part in JupyterLab's pages."""
    from jupyter_core.paths import jupyter_path

    try:
        version = metadata.version("ipywidgets")
    except metadata.PackageNotFoundError:
        return Finding(
            "Widgets", "ipywidgets is missing", "Run `python -m pip install ipywidgets`."
        )
    folders = jupyter_path("labextensions", "@jupyter-widgets", "jupyterlab-manager")
    for folder in map(Path, folders):
        package = folder / "package.json"
        if package.is_file():
            found = json.loads(package.read_text(encoding="utf-8")).get("version", "?")
            return Finding("Widgets", f"ipywidgets {version}, in JupyterLab's pages {found}")
    return Finding(
        "Widgets",
        f"ipywidgets {version}, but JupyterLab's pages lack their part",
        "Run `python -m pip install --force-reinstall jupyterlab_widgets`.",
    )
