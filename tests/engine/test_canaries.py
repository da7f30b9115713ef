"""Each correction is still needed: plain moto does it wrong. A canary that fails is good news."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.canaries import CANARIES

SCRIPT = Path(__file__).with_name("canaries.py")


@pytest.fixture(scope="module")
def plain_moto() -> dict[str, bool]:
    """Whether each canary still sings, from one process that is moto's own."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CANARIES)
def test_moto_is_still_wrong(plain_moto: dict[str, bool], name: str) -> None:
    canary = CANARIES[name]
    assert plain_moto[name], (
        f"moto now {canary.now}: drop our correction in dynalab/engine, {canary.where}."
    )
