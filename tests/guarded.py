"""Scripts in a process of their own, with every road off this machine closed before they start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
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
TABLE = json.loads(sys.argv[1])
KEY = {"pk": {"S": "a"}}
"""


def environment_with(given: Mapping[str, str], drop: Iterable[str] = ()) -> dict[str, str]:
    """This process's environment, with nothing of AWS and of DynaLab in it but what is given."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "DYNALAB_")) and not name.lower().endswith("_proxy")
    }
    kept |= {"PYTHONPATH": SOURCES, "PYTHONUTF8": "1", **given}
    return {name: value for name, value in kept.items() if name not in drop}


def started(
    script: str, environment: Mapping[str, str] | None = None, drop: Iterable[str] = ()
) -> subprocess.Popen[str]:
    """A script behind the guard; its three streams are pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", GUARD + script, json.dumps(TABLE)],
        env=environment_with(environment or {}, drop),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def run(script: str, environment: Mapping[str, str] | None = None, drop: Iterable[str] = ()) -> Any:
    """What a script prints in its last line, as JSON."""
    with started(script, environment, drop) as process:
        printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return json.loads(printed.splitlines()[-1])
