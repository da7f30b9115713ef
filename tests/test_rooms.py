"""Imports of the package go one way: a room knows those above it in this list, and no other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "dynalab"
ROOMS = [
    "engine",  # where requests go
    "meter",  # what they cost
    "schedules",  # every order of them
    "faults",  # trouble on the way
    "storm",
    "bounded_call",
    "telling",
    "trial",
    "check",
    "exercises",
    "backends",  # a server that others use too
    "views",  # what a learner looks at
    "course",
    "progress",
    "authoring",
    "reset",
    "upgrade",
    "drawn",
    "lab_tables",
    "tutor",
    "lab",
    "grading",
    "handout",
    "doctor",
    "cli",
    "__main__",
]


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports(path: Path) -> set[str]:
    """The rooms that a module imports from, wherever in the file it does so."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "dynalab":
            found.update(f"dynalab.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {room_of(module) for module in found if module.startswith("dynalab.")}


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_rooms_above_its_own(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert own in ROOMS, f"give {own} its place in the list"
    below = ROOMS[ROOMS.index(own) + 1 :]
    assert not imports(path) & set(below)


def test_every_room_of_the_list_is_there() -> None:
    there = {path.name.removesuffix(".py") for path in PACKAGE.iterdir()}
    assert set(ROOMS) <= there
