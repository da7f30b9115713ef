"""The README's example does what the README says it prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_example_prints_what_stands_below_it() -> None:
    match = re.search(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", README, re.DOTALL)
    assert match
    code, wanted = match[1], re.sub("^    ", "", match[2], flags=re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], capture_output=True, encoding="utf-8"
    )
    assert done.stderr == ""
    assert done.stdout == wanted
