"""What every test can count on: a progress of its own, and peers that CI does not skip."""

import gc
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

# By default, looking for garbage in a process that imported everything takes a tenth of its time.
gc.set_threshold(20_000, 20, 20)

# No test is timed, so a slow machine is not a failure.
settings.register_profile("dynalab", deadline=None)
settings.load_profile("dynalab")


# What takes long, first: else one process works on it at the end while the others are done.
LONG = (
    *("test_answers.py", "backends/test_aws.py", "test_notebooks.py", "test_style.py"),
    *("backends/", "test_contributing.py", "test_grade.py", "browser/", ".ipynb", "test_faults.py"),
    *("test_storm.py", "engine/test_connect.py", "engine/test_dynalite.py", "test_cli.py"),
)


class ByFileAndLab(LoadFileScheduling):
    """Each process takes a file at a time; one whose tests are named after labs, lab by lab.

    A notebook's cells need one kernel, and fixtures are made once a file. The answers to all labs
    are one file, and half of the whole run.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False  # not by the number of tests: by LONG
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        lab = re.search(r"\[(\d+)[._]", test)
        if lab is None or not file.endswith(("test_answers.py", "test_notebooks.py")):
            return file
        return f"{file} {int(lab[1])}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFileAndLab | None:
    """Spread the tests so wherever `--dist loadfile` is asked for."""
    return ByFileAndLab(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Several processes take files in this order; within a file it stays."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    return next((n for n, part in enumerate(LONG) if part in item.nodeid), len(LONG))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for garbage once. After this pytest does so several times, for some seconds each."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def session_progress() -> Iterator[None]:
    """Give the session a progress file of its own, before any fixture asks for it."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("DYNALAB_PROGRESS", str(Path(folder) / "progress.json"))
        for name in ("DYNALAB_AWS", "DYNALAB_ENDPOINT", "DYNALAB_YES"):
            patch.delenv(name, raising=False)  # whatever the developer uses, tests stay here
        yield


@pytest.fixture(autouse=True)
def test_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test with nothing solved, so that their order does not matter."""
    monkeypatch.setenv("DYNALAB_PROGRESS", str(tmp_path / "progress.json"))


@pytest.fixture(autouse=True)
def nothing_in_the_way() -> None:
    """An answer that never came back is refused whatever it asks for; not by the next test."""
    module = sys.modules.get("dynalab.engine.connect")
    if module is not None and module._connection is not None:
        module._connection.middleware.clear()


def missing(reason: str) -> NoReturn:
    """Skip the test for a peer that is not there, or fail it where CI requires the peers.

    Other tests reach it as the fixture `peer_required`, or by `from tests.conftest import missing`.
    """
    if os.environ.get("DYNALAB_REQUIRE_PEERS") == "1":
        pytest.fail(f"{reason} (DYNALAB_REQUIRE_PEERS=1)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture
def peer_required() -> Callable[[str], NoReturn]:
    """The function `missing`: `peer_required("no Chromium on the PATH")` never returns."""
    return missing
