"""The commands of a learner: what there is, how far you are, a lab anew, a newer course."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path

from dynalab import course
from dynalab.cli.commands import Command, course_folder
from dynalab.progress import Progress


def add(command: Command) -> None:
    listed = command("list", "list the labs, their minutes, and what you have solved")
    listed.set_defaults(run=_list)

    progress = command("progress", "show each exercise and whether you have solved it")
    progress.set_defaults(run=_progress)

    following = command("next", "name the next exercise that you have not solved")
    following.set_defaults(run=_next)

    reset = command(
        "reset",
        "start labs again from the beginning, after a question; a dated copy of your notebook is "
        "kept",
        "The notebook becomes as it was at first, and its exercises count as not attempted.",
    )
    reset.add_argument("labs", nargs="+", metavar="LAB", help="its number, or its file's name")
    reset.add_argument("--yes", action="store_true", help="do not ask")
    reset.set_defaults(run=_reset)

    upgrade = command(
        "upgrade",
        "bring your work from an older copy of the course into this one",
        "Unpack the new course beside the old one, call this there, and name the old folder. "
        "Your cells and your progress come over; nothing in the old folder changes.",
    )
    upgrade.add_argument("old", type=Path, metavar="OLD", help="the folder of the older course")
    upgrade.set_defaults(run=_upgrade)


def _list(_: argparse.Namespace) -> int:
    progress = _loaded_progress()
    root = course.folder_with("solutions")
    labs = course.load().labs
    width = max(len(lab.title) for lab in labs)
    for lab in labs:
        solved = sum(progress.solved(entry.id) for entry in lab.exercises)
        state = f"{solved} of {len(lab.exercises)} solved"
        if root and not lab.available(root):
            state = "not written yet"
        print(f"{lab.label}  {lab.title:<{width}}  {lab.minutes:>3} min  {lab.part:<7}  {state}")
    return 0


def _progress(_: argparse.Namespace) -> int:
    progress = _loaded_progress()
    for lab in course.load().labs:
        print(f"{lab.label}  {lab.title}")
        for entry in lab.exercises:
            tries = progress.tries(entry.id)
            state = "not attempted"
            if tries:
                state = "solved" if progress.solved(entry.id) else "not solved"
                state += f", {tries} {'try' if tries == 1 else 'tries'}"
            print(f"    {entry.id}  {entry.title:<20}  {state}")
    print(f"Kept in {progress.path}")
    return 0


def _next(_: argparse.Namespace) -> int:
    progress = _loaded_progress()
    for lab in course.load().labs:
        for entry in lab.exercises:
            if not progress.solved(entry.id):
                print(f"{entry.id} {entry.title}, in labs/{lab.notebook} ({lab.title})")
                return 0
    print("Every exercise is solved.")
    return 0


def _reset(arguments: argparse.Namespace) -> int:
    from dynalab.reset import reset

    labs = [course.load().lab(name) for name in arguments.labs]
    root = course_folder()
    for lab in labs:
        if not arguments.yes and not _agreed(lab):
            print(f"Lab {lab.label} stays as it is.")
            continue
        kept = reset(lab, root, datetime.datetime.now())
        progress = _loaded_progress()
        progress.forget(lab.number)
        print(f"labs/{lab.notebook} is as it was at first; reload it if it is open.")
        if kept is not None:
            print(f"Your notebook is kept as {kept.relative_to(root).as_posix()}.")
    return 0


def _agreed(lab: course.Lab) -> bool:
    print(
        f"Lab {lab.label}, {lab.title}, starts again: its {len(lab.exercises)} exercises count as "
        "not attempted. A copy of your notebook is kept."
    )
    try:
        return input("Go on? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _upgrade(arguments: argparse.Namespace) -> int:
    from dynalab.upgrade import upgrade

    told = upgrade(arguments.old, course_folder())
    print("\n".join(told or [f"There is no work of yours in {arguments.old}."]))
    return 0


def _loaded_progress() -> Progress:
    progress = Progress()
    if not os.environ.get("DYNALAB_PROGRESS") and course.folder_with("labs") is None:
        print(
            f"There is no labs/ folder here or above, so this is {progress.path}; "
            "go to the folder that holds the course.",
            file=sys.stderr,
        )
    if progress.notice:
        print(progress.notice, file=sys.stderr)
    return progress
