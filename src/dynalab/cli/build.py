"""The command that makes labs/ and the README's table."""

from __future__ import annotations

import argparse
import sys

from dynalab import course
from dynalab.cli.commands import Command, course_folder


def add(command: Command) -> None:
    build = command(
        "build",
        "write labs/ and the README's table from solutions/ and course.toml",
        "Exits with 1 if a notebook breaks a rule or, with --check, if something differs.",
    )
    mode = build.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; print what differs")
    mode.add_argument(
        "--execute",
        nargs="*",
        metavar="LAB",
        help="first run these solutions (all, if none is named) and store their outputs",
    )
    build.set_defaults(run=_build)


def _build(arguments: argparse.Namespace) -> int:
    from dynalab import authoring

    root = course_folder()
    notebooks = authoring.solutions(root)
    if arguments.execute:
        names = [course.load().lab(name).notebook for name in arguments.execute]
        notebooks = [root / "solutions" / name for name in names]
    for path in notebooks if arguments.execute is not None else []:
        print(f"Running solutions/{path.name}", flush=True)
        authoring.execute(path)
    diff = authoring.build(root, check=arguments.check)
    faults = authoring.report(root)
    if arguments.check and diff:
        print(diff, end="")
        faults.append("labs/ is not what solutions/ gives; run `dynalab build`.")
    try:
        course.sync_readme(root, check=arguments.check)
    except course.CourseError as error:
        faults.append(str(error))
    for fault in faults:
        print(f"dynalab: {fault}", file=sys.stderr)
    for lab in course.load().labs:
        if not lab.available(root):
            print(f"Lab {lab.label} has no notebook yet; write solutions/{lab.notebook}.")
    if not faults:
        print("labs/ and the README's table are what solutions/ and course.toml give.")
    return 1 if faults else 0
