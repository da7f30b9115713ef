"""What nbval holds a cell to: in solutions/ to its stored outputs, in labs/ to run, unsolved.

`start.py test` hands it to pytest, so that one run takes both folders.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbval.plugin import IPyNbCell

from dynalab.authoring.notebook_rules import VERDICT

FOLDER = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FOLDER] = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[FOLDER].cleanup()


def pytest_itemcollected(item: pytest.Item) -> None:
    if of_a_lab(item):
        item.options["check"] = False  # what a lab shows, its learner made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A notebook's first cell starts its kernel: with nothing solved, whatever others do."""
    with pytest.MonkeyPatch.context() as patch:
        if isinstance(item, IPyNbCell):
            name = f"{item.path.parent.name} {item.path.stem}.json"
            patch.setenv("DYNALAB_PROGRESS", str(Path(item.config.stash[FOLDER].name) / name))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield
    if of_a_lab(item) and "lab.check(" in item.cell.source:
        text = "\n".join(map(text_of, item.test_outputs))
        if set(VERDICT.findall(text)) != {"not attempted"}:
            pytest.fail(f"nobody attempted it, but the check says:\n{text}", pytrace=False)


def of_a_lab(item: Any) -> bool:
    return isinstance(item, IPyNbCell) and item.path.parent.name == "labs"


def text_of(output: Any) -> str:
    """What a terminal would show of one output."""
    return str(output.get("text", output.get("data", {}).get("text/plain", "")))
