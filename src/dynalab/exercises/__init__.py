"""The labs' exercises: one module a lab, with its tables, checks, hints and explanations."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from dynalab.check import Exercise, TableDefinitions


class LabExercises(Protocol):
    """What the module of a lab holds. TABLES: name → the arguments of CreateTable."""

    TABLES: TableDefinitions
    EXERCISES: tuple[Exercise, ...]


def load(label: str) -> LabExercises:
    """The module of the lab "01"."""
    return cast(LabExercises, import_module(f"dynalab.exercises.lab{label}"))
