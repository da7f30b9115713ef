"""What the groups of commands share: how each adds its own, and where the course is."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Protocol

from dynalab import course


class Command(Protocol):
    """Adds a command: its name, a line about it, and what its help says more."""

    def __call__(self, name: str, about: str, more: str = "") -> argparse.ArgumentParser: ...


def course_folder() -> Path:
    """The folder of the course, here or above. Raises CourseError outside of one."""
    root = course.folder_with("solutions")
    if root is None and course.folder_with("labs"):
        raise course.CourseError(
            "This course has no solutions/ folder, which this command reads; "
            "get the whole course, or ask who gave you this one."
        )
    if root is None:
        raise course.CourseError(
            "There is no solutions/ folder here or above; go to the folder that holds the course."
        )
    return root
