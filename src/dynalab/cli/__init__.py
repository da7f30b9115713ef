"""The command `dynalab`: one module for those who learn, who serve the engine, who build labs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dynalab import course
from dynalab.cli import build, clean, learn, serve, teach

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
        code = int(arguments.run(arguments))
        sys.stdout.flush()
        return code
    except course.CourseError as error:
        print(f"dynalab: {error}", file=sys.stderr)
    except BrokenPipeError:  # its reader has seen enough: `dynalab list | head -3`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        where = error.filename or "A file"
        print(
            f"dynalab: {where}: {error.strerror or error}; see that it can be read and written, "
            "then run the same command again.",
            file=sys.stderr,
        )
    return 1


def _parser() -> _Parser:
    parser = _Parser(prog="dynalab", description="DynaLab: what DynamoDB does with each call.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, about: str, more: str = "") -> argparse.ArgumentParser:
        text = f"{about[0].upper()}{about[1:]}. {more}"
        return commands.add_parser(name, help=about, description=text)

    for group in (learn, teach, serve, clean, build):
        group.add(command)
    return parser
