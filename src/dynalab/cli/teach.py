"""The commands of an instructor: grade a class, print a lab, look whether a machine is ready."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from dynalab import course
from dynalab.cli.commands import Command, course_folder


def add(command: Command) -> None:
    grade = command(
        "grade",
        "run every notebook of a folder in a fresh kernel, and judge it by the package's checks",
        "The lab is found from the notebook itself, whatever its name. Exits with 0 if every "
        "submission was graded to its end, whatever its verdicts; with 1 if one could not be "
        "graded, if there is none, or if a file could not be written; with 130 after Ctrl-C.",
    )
    grade.add_argument("folder", type=_there, metavar="FOLDER", help="all .ipynb below it")
    grade.add_argument("--csv", type=_new, metavar="FILE", help="write a table for spreadsheets")
    grade.add_argument("--html", type=_new, metavar="FILE", help="write a page for a browser")
    grade.add_argument(
        "--jobs",
        type=_jobs,
        default=os.cpu_count() or 1,
        metavar="N",
        help="the number of kernels at a time (%(default)s, the processors of this machine)",
    )
    grade.add_argument(
        "--timeout",
        type=_seconds,
        default=120.0,
        metavar="S",
        help="seconds for one submission (120); a cell that takes a quarter of it is interrupted",
    )
    grade.set_defaults(run=_grade)

    handout = command(
        "handout",
        "write a lab as one HTML file to print, which loads nothing from the network",
        "There are no slides: nbconvert's slides load reveal.js from the network.",
    )
    handout.add_argument("lab", metavar="LAB", help="its number, or its file's name")
    handout.add_argument(
        "--to",
        type=Path,
        default=Path(),
        metavar="FOLDER",
        help="the folder to write to (this one)",
    )
    handout.add_argument(
        "--solved", action="store_true", help="with the answers and the stored outputs"
    )
    handout.set_defaults(run=_handout)

    doctor = command(
        "doctor",
        "check whether this machine has what the labs need",
        "Each line is ok, or says what to do. Exits with 0 if every line is ok, else with 1.",
    )
    doctor.set_defaults(run=_doctor)


def _there(text: str) -> Path:
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return path


def _new(text: str) -> Path:
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder, not a file")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r}; make it first")
    return path


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"jobs are a number from 1 to 256, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"a time is a number of seconds from 1 on, not {text!r}")
    return seconds


def _grade(arguments: argparse.Namespace) -> int:
    from dynalab.grading.grade import grade

    return grade(arguments.folder, arguments.jobs, arguments.timeout, arguments.csv, arguments.html)


def _handout(arguments: argparse.Namespace) -> int:
    from dynalab import handout

    lab = course.load().lab(arguments.lab)
    print(f"Written: {handout.write(lab, course_folder(), arguments.to, arguments.solved)}")
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from dynalab.doctor import examine

    return examine()
