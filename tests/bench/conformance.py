"""Runs a public conformance suite against the embedded engine over HTTP, and prints what passes.

    git clone https://github.com/paritysuite/dynamodb-conformance FOLDER
    npm install --prefix FOLDER
    python -m tests.bench.conformance FOLDER

The suite's expectations were recorded from DynamoDB itself. It is not part of this project.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from dynalab.engine.engine import Engine
from dynalab.engine.server import Server


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not (Path(arguments[0]) / "package.json").is_file():
        print("Name the folder of the suite: python -m tests.bench.conformance FOLDER")
        return 2
    server = Server(Engine(), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        _print(_results(Path(arguments[0]), server.server_port))
    finally:
        server.shutdown()
        server.server_close()
    return 0


def _results(suite: Path, port: int) -> dict[str, Any]:
    npx = shutil.which("npx")
    if npx is None:
        raise SystemExit("The suite needs Node.js: install it, then run this again.")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "results.json"
        subprocess.run(
            [npx, "vitest", "run", "--reporter=json", f"--outputFile={output}"],
            cwd=suite,
            env={**os.environ, "DYNAMODB_ENDPOINT": f"http://127.0.0.1:{port}"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
        return found


def _print(results: dict[str, Any]) -> None:
    passed, total, others = Counter[str](), Counter[str](), []
    for file in results["testResults"]:
        parts = Path(file["name"]).as_posix().rpartition("/tests/")[2].split("/")
        group = "/".join(parts[:2])
        for case in file["assertionResults"]:
            total[group] += 1
            if case["status"] == "passed":
                passed[group] += 1
            else:
                others.append((group, case["status"], case["fullName"]))
    for group in sorted(total):
        print(f"{passed[group]:4} of {total[group]:3}  {group}")
    print(f"{passed.total()} of {total.total()} pass")
    counts = Counter((group, status) for group, status, _ in others)
    for group, status, name in others:
        if status == "failed" or counts[group, status] < 5:
            print(f"  {status}: {group}: {name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
