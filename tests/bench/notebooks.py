"""Every notebook under nbval beside as many of one empty cell: python -m tests.bench.notebooks

What an empty notebook takes is the start of a kernel and its end. Both suites run one notebook at a
time, in turn, and CPU seconds of everything they start count, which a busy machine changes less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
from nbformat import v4

ROOT = Path(__file__).parents[2]
_ROUNDS = 2


def _suite(notebooks: list[Path], folder: Path) -> list[str]:
    sanitize = ROOT / "tests" / "nbval_sanitize.cfg"
    nbval = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", str(sanitize)]
    plain = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(folder)]
    return [sys.executable, "-m", "pytest", *nbval, *plain, *map(str, notebooks)]


def _busy(command: list[str], folder: Path) -> float:
    """CPU seconds of a command and of all its children."""
    (folder / "progress.json").unlink(missing_ok=True)
    environment = {**os.environ, "DYNALAB_PROGRESS": str(folder / "progress.json")}
    before = psutil.Process().cpu_times()
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    after = psutil.Process().cpu_times()
    if done.returncode:
        raise SystemExit(f"nbval fails, so there is nothing to time:\n{done.stdout[-2000:]}")
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def main() -> None:
    labs = sorted((ROOT / "solutions").glob("*.ipynb"))
    spent = {"labs": 0.0, "empty": 0.0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        empty = [folder / lab.name for lab in labs]
        for path in empty:
            path.write_text(v4.writes(v4.new_notebook(cells=[v4.new_code_cell("pass")])), "utf-8")
        for _ in range(_ROUNDS):
            spent["labs"] += _busy(_suite(labs, folder), folder)
            spent["empty"] += _busy(_suite(empty, folder), folder)
    ratio = spent["labs"] / spent["empty"]
    print(f"{len(labs)} notebooks under nbval / as many of one empty cell: {ratio:.1f} times")


if __name__ == "__main__":
    main()
