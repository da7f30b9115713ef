"""dynalite, the independent implementation that the engine is compared with, on a free port."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

PEERS = Path(__file__).resolve().parent.parent / "peers"

# It ends with its standard input, so it never outlives the tests, however they end. Without the
# time-out, a slow machine may think for longer than five seconds between two requests.
_SERVER = """
const server = require("dynalite")({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume();
process.stdin.on("end", () => process.exit());
"""
# dynalite wants a signature and does not look at it.
_SIGNATURE = "AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request, SignedHeaders=host, Signature=a"


class Dynalite:
    """A running dynalite: one request in, status and JSON out, as `Engine.answer` has it."""

    def __init__(self, port: int, pid: int) -> None:
        self.pid = pid
        self.url = f"http://127.0.0.1:{port}"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def answer(self, operation: str, request: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20250101T000000Z",
            "Authorization": _SIGNATURE,
        }
        self._connection.request("POST", "/", json.dumps(request).encode("utf-8"), headers)
        reply = self._connection.getresponse()
        return reply.status, json.loads(reply.read())

    def close(self) -> None:
        self._connection.close()


def absent() -> str | None:
    """Why dynalite cannot be started here, or None where it can."""
    if shutil.which("node") is None:
        return "no node on the PATH"
    if not (PEERS / "node_modules" / "dynalite").is_dir():
        return "no dynalite: npm install --prefix tests/peers --no-package-lock"
    return None


@contextmanager
def running() -> Iterator[Dynalite]:
    """Start dynalite, with no tables, for the length of a block."""
    node = shutil.which("node")
    assert node is not None
    process = subprocess.Popen(
        [node, "-e", _SERVER],
        cwd=PEERS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with closing(Dynalite(int(process.stdout.readline()), process.pid)) as peer:
            yield peer
    finally:
        process.stdin.close()
        process.wait(timeout=30)
        process.stdout.close()
