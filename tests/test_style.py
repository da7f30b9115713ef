"""The code reads as CONTRIBUTING.md says: ruff and mypy find nothing."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def findings(*tool: str) -> str:
    """What a tool prints where it finds something, or nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *tool],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_ruff_finds_nothing() -> None:
    assert findings("ruff", "check", "--output-format=concise", ".") == ""


def test_every_file_is_formatted() -> None:
    assert findings("ruff", "format", "--check", ".") == "", "run `ruff format .`"


def test_types_hold_under_mypy_strict() -> None:
    assert findings("mypy") == ""
