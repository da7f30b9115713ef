"""Scripts in a process of their own, with every road off this machine closed before they start.

Where it can, a process forks from one that has imported LIBRARIES, no module of dynalab's, and
has made no client: that is most of a start. On Windows each begins at zero.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dynalab

SOURCES = str(Path(dynalab.__file__).resolve().parent.parent)
TABLE: dict[str, Any] = {
    "TableName": "Things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}

LIBRARIES = ["boto3", "moto.dynamodb.models", "IPython.display"]
PROCESSES: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)
if PROCESSES.get_start_method() == "forkserver":
    PROCESSES.set_forkserver_preload(LIBRARIES)

GUARD = """
import socket, sys, json, os

def _guarded(name):
    original = getattr(socket.socket, name)
    def guard(self, address, *rest):
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1"):
            raise SystemExit(f"a socket was opened to {address}")
        return original(self, address, *rest)
    setattr(socket.socket, name, guard)

for name in ("connect", "connect_ex", "sendto"):
    _guarded(name)
_lookup = socket.getaddrinfo

def getaddrinfo(host, *rest, **options):
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise SystemExit(f"a name was looked up: {host}")
    return _lookup(host, *rest, **options)

socket.getaddrinfo = getaddrinfo
KEY = {"pk": {"S": "a"}}
"""
SECONDS = 120.0


def environment_with(given: Mapping[str, str], drop: Iterable[str] = ()) -> dict[str, str]:
    """This process's environment, with nothing of AWS and of DynaLab in it but what is given."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "DYNALAB_")) and not name.lower().endswith("_proxy")
    }
    kept |= {"PYTHONPATH": SOURCES, "PYTHONUTF8": "1", **given}
    return {name: value for name, value in kept.items() if name not in drop}


@dataclass(frozen=True)
class Ended:
    """How a script ended: its exit code, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Script:
    """A script that runs; `folder` holds its three streams."""

    def __init__(
        self, source: str, environment: Mapping[str, str], arguments: list[str], folder: Path
    ) -> None:
        self._folder = folder
        given = (source, dict(environment), arguments, folder)
        self._process = PROCESSES.Process(target=_behind_the_guard, args=given, daemon=True)
        self._process.start()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """Ends it, where it still runs."""
        self._process.kill()
        self._process.join()

    def ended(self) -> Ended:
        """Waits for the end."""
        self._process.join(SECONDS)
        printed, errors = (
            (self._folder / name).read_text(encoding="utf-8") for name in ("stdout", "stderr")
        )
        assert self._process.exitcode is not None, f"It did not end: {printed}{errors}"
        return Ended(self._process.exitcode, printed, errors)


def _behind_the_guard(
    source: str, environment: dict[str, str], arguments: list[str], folder: Path
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = (folder / "stdin").open(encoding="utf-8")
    for name in ("stdout", "stderr"):
        setattr(sys, name, (folder / name).open("w", encoding="utf-8"))
    sys.argv[1:] = arguments
    exec(GUARD + source, {"__name__": "__main__", "TABLE": TABLE})


@contextmanager
def started(
    source: str,
    environment: Mapping[str, str] | None = None,
    drop: Iterable[str] = (),
    *,
    typed: str = "",
    arguments: Iterable[str] = (),
) -> Iterator[Script]:
    """A script behind the guard. typed: what it reads from the terminal, then an end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "stdin").write_text(typed, encoding="utf-8")
        for stream in ("stdout", "stderr"):
            (folder / stream).touch()
        given = environment_with(environment or {}, drop)
        script = Script(source, given, list(arguments), folder)
        try:
            yield script
        finally:
            script.close()


def ended(source: str, environment: Mapping[str, str] | None = None, **options: Any) -> Ended:
    """How a script ends; the options are those of `started`."""
    with started(source, environment, **options) as script:
        return script.ended()


def run(source: str, environment: Mapping[str, str] | None = None, drop: Iterable[str] = ()) -> Any:
    """What a script prints in its last line, as JSON."""
    done = ended(source, environment, drop=drop)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
