"""The command `dynalab`: list the labs, show progress, serve the engine, build labs/."""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Sequence
from typing import NoReturn

from dynalab import course
from dynalab.progress import Progress

# Whatever only one command needs is imported by that command: `dynalab list` waits for no boto3.


class _Parser(argparse.ArgumentParser):
    """A parser that answers a bad argument with one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: returns 0 where it did what was asked, else 1; a bad argument exits 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a Windows console may lack a character of a title
            stream.reconfigure(errors="replace")
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except course.CourseError as error:
        print(f"dynalab: {error}", file=sys.stderr)
        return 1


def _parser() -> _Parser:
    parser = _Parser(prog="dynalab", description="DynaLab: what DynamoDB does with each call.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, about: str, more: str = "") -> argparse.ArgumentParser:
        text = f"{about[0].upper()}{about[1:]}. {more}"
        return commands.add_parser(name, help=about, description=text)

    listed = command("list", "list the labs, their minutes, and what you have solved")
    listed.set_defaults(run=_list)

    progress = command("progress", "show each exercise and how you stand with it")
    progress.set_defaults(run=_progress)

    serve = command(
        "serve",
        "answer DynamoDB requests over HTTP until you press Ctrl-C",
        "Point a client at it with endpoint_url or DYNALAB_ENDPOINT.",
    )
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    serve.add_argument("--port", type=_port, default=8000, help="port to listen on (%(default)s)")
    serve.set_defaults(run=_serve)

    build = command(
        "build",
        "write labs/ and the README's table from solutions/ and course.toml",
        "Exits with 1 where a notebook breaks a rule or, with --check, where something differs.",
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
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


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


def _loaded_progress() -> Progress:
    progress = Progress()
    if progress.notice:
        print(progress.notice, file=sys.stderr)
    return progress


def _serve(arguments: argparse.Namespace) -> int:
    from dynalab.engine import server

    try:
        server.serve(arguments.host, arguments.port)
    except KeyboardInterrupt:
        pass
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"port {arguments.port} is taken; choose another one with --port."
        else:
            where = f"{arguments.host}:{arguments.port}"
            reason = f"cannot listen on {where} ({error.strerror}); see --host and --port."
        print(f"dynalab: {reason}", file=sys.stderr)
        return 1
    return 0


def _build(arguments: argparse.Namespace) -> int:
    from dynalab import authoring

    root = course.folder_with("solutions")
    if root is None:
        raise course.CourseError(
            "There is no solutions/ folder here or above; go to the folder that holds the course."
        )
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
    if not faults:
        print("labs/ and the README's table are what solutions/ and course.toml give.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
