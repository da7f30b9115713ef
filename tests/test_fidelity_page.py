"""Each test that FIDELITY.md leans on is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "FIDELITY.md").read_text(encoding="utf-8")


def test_every_file_that_the_page_names_exists() -> None:
    files = set(re.findall(r"`(test_\w+\.py)`", PAGE))
    assert len(files) > 10
    assert not [name for name in files if not (ROOT / "tests" / "engine" / name).is_file()]


def test_every_test_that_the_page_names_exists() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/engine").glob("*.py")]
    there = set(re.findall(r"^def (test_\w+)", "\n".join(sources), re.MULTILINE))
    names = set(re.findall(r"`(test_\w+)`", PAGE))
    assert names and names <= there


def test_every_command_of_the_page_is_a_module() -> None:
    for module in re.findall(r"python -m (tests\.bench\.\w+)", PAGE):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
