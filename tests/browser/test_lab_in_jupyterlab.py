"""A learner's first minutes in a real browser: Run All, then one answer typed in."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.browser import learner
from tests.browser.learner import PATIENCE, ROOT

PICTURES = ROOT / "artefacts"
ANSWER = """def count_likes(table, post_id):
    count, start = 0, {}
    while True:
        page = table.query(
            Select="COUNT",
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": post_id, ":like": "LIKE#"},
            **start,
        )
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            return count
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
"""


@pytest.fixture
def browser(peer_required: Callable[[str], NoReturn]) -> Iterator[Any]:
    path = learner.browser_path()
    if path is None:
        peer_required("no Chromium on the PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=learner.QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def jupyterlab(tmp_path: Path) -> Iterator[str]:
    """The JupyterLab that start.py starts, on a copy of the labs; yields its address."""
    shutil.copytree(ROOT / "labs", tmp_path / "labs")
    command = [sys.executable, str(ROOT / "start.py")]
    with learner.jupyterlab(command, tmp_path) as address:
        yield address


def test_run_all_reaches_the_end_and_a_typed_answer_turns_its_card(
    browser: Any, jupyterlab: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1600})
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url))
    notebook = learner.open_notebook(page, jupyterlab, "01_count_on_read.ipynb")
    learner.run_all(page)
    assert notebook.locator(learner.ERRORS).count() == 0

    # What is off the screen is drawn late: wait for words, and read them from the document.
    card = notebook.locator(".dl-card", has_text="1.1 count_likes · not attempted")
    card.wait_for(state="attached", timeout=PATIENCE)
    card.scroll_into_view_if_needed()
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / "lab01-unsolved.png")

    stub = page.locator(".jp-CodeCell .cm-content", has_text="def count_likes").first
    learner.replace_source(stub, ANSWER)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")  # the check stands in the next cell
    solved = notebook.locator(".dl-card.dl-correct", has_text="1.1 count_likes · correct")
    solved.wait_for(state="attached", timeout=PATIENCE)
    solved.scroll_into_view_if_needed()
    page.screenshot(path=PICTURES / "lab01-solved.png")

    assert not [url for url in elsewhere if not url.startswith((jupyterlab, "data:", "blob:"))]
