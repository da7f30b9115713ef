"""Seconds to grade a submission of lab 02, beside an empty notebook's, in one run.

    python -m tests.bench.grade [SUBMISSIONS [JOBS]]

An empty notebook has one cell that does nothing: what is left is the start of a kernel with DynaLab
in it, and its end. Both kinds are graded in turn, as many of the one as of the other.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nbformat import v4

from dynalab.grading.grade import graded
from dynalab.grading.submissions import found_in

_LAB = Path(__file__).parents[2] / "solutions" / "02_transactional_tally.ipynb"
_ROUNDS = 2
_SECONDS = 600.0


def _empty(path: Path) -> None:
    notebook = v4.new_notebook(cells=[v4.new_code_cell("pass")])
    path.write_text(v4.writes(notebook), encoding="utf-8")


def _solved(path: Path) -> None:
    shutil.copy(_LAB, path)


def _seconds(write: Callable[[Path], None], submissions: int, jobs: int) -> tuple[float, int]:
    """Seconds for all, and how many exercises were solved."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(submissions):
            write(folder / f"02_{number}.ipynb")
        start = time.perf_counter()
        rows = list(graded(found_in(folder), folder, jobs, _SECONDS))
        return time.perf_counter() - start, sum(row.solved for row in rows)


def main(submissions: int = 40, jobs: int = os.cpu_count() or 1) -> None:
    """Print seconds a submission, of the lab and of the empty notebook, and their ratio."""
    spent = {_empty: 0.0, _solved: 0.0}
    solved = 0
    half = max(1, submissions // _ROUNDS)
    for _ in range(_ROUNDS):
        for write in spent:
            seconds, correct = _seconds(write, half, jobs)
            spent[write] += seconds
            solved += correct
    count = half * _ROUNDS
    empty, full = spent[_empty] / count, spent[_solved] / count
    print(f"{count} submissions of lab 02, {jobs} at a time; {solved} exercises solved")
    print(f"{full:.2f} s a submission, {empty:.2f} s an empty notebook: {full / empty:.2f} times")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
