"""Prints how long the check of each solution takes: python -m tests.bench.checks [LAB ...]

The bar is a second for a check as a rule, three for one that tries every schedule, on two
idle cores. CPU seconds stand beside, which other work on the machine changes less.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from dynalab import course
from dynalab.lab import Lab
from tests import notebook_run

ROOT = Path(__file__).parents[2]
BAR = 3.0


def main(labels: list[str]) -> None:
    for lab in course.load().labs:
        path = ROOT / "solutions" / lab.notebook
        if path.is_file() and (not labels or lab.label in labels):
            _print_checks(path)


def _print_checks(path: Path) -> None:
    check = Lab.check

    def timed(lab: Lab, exercise_id: str, answer: object) -> Any:
        wall, cpu = time.perf_counter(), time.process_time()
        card = check(lab, exercise_id, answer)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        missed = "" if wall <= BAR else "  over 3 s"
        rows.append(f"{exercise_id:5} {wall:5.2f} s  {cpu:5.2f} s of CPU{missed}")
        return card

    rows: list[str] = []
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lab, "check", timed)
        notebook_run.run(path, Path(folder) / "progress.json")
    print("\n".join(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
