"""A learner's first minutes in a real browser: Run All, then one answer typed in."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "artefacts"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
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
PATIENCE = 120_000  # milliseconds: a loaded machine starts kernels slowly, and nothing is timed


@pytest.fixture
def browser(peer_required: Callable[[str], NoReturn]) -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        peer_required("no Chromium on the PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def jupyterlab(tmp_path: Path) -> Iterator[str]:
    """The JupyterLab that start.py starts, on a copy of the labs; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shutil.copytree(ROOT / "labs", tmp_path / "labs")
    command = [
        sys.executable,
        str(ROOT / "start.py"),
        "--no-browser",
        f"--port={port}",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    own = str(tmp_path / "jupyter")  # a learner's settings and open tabs play no part
    settings = {"JUPYTER_CONFIG_DIR": own, "JUPYTERLAB_WORKSPACES_DIR": own}
    with (tmp_path / "server.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **settings}
        )
    try:
        address = f"http://localhost:{port}"
        _wait_for(address, server, tmp_path / "server.log")
        yield address
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/api/status", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")


def test_run_all_reaches_the_end_and_a_typed_answer_turns_its_card(
    browser: Any, jupyterlab: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1600})
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url))
    page.goto(f"{jupyterlab}/lab/tree/labs/01_count_on_read.ipynb")
    notebook = page.locator(".jp-Notebook")
    notebook.wait_for(timeout=PATIENCE)
    # Before the kernel answers, JupyterLab asks which kernel to use instead.
    page.get_by_text(re.compile(r"Python 3.* \| Idle")).first.wait_for(timeout=PATIENCE)
    _run_all(page)
    page.wait_for_function(_DONE, timeout=PATIENCE)
    assert notebook.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0

    # What is off the screen is drawn late: wait for words, and read them from the document.
    card = notebook.locator(".dl-card", has_text="1.1 count_likes · not attempted")
    card.wait_for(state="attached", timeout=PATIENCE)
    card.scroll_into_view_if_needed()
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / "lab01-unsolved.png")

    _replace(page, "def count_likes", ANSWER)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")  # the check stands in the next cell
    solved = notebook.locator(".dl-card.dl-correct", has_text="1.1 count_likes · correct")
    solved.wait_for(state="attached", timeout=PATIENCE)
    solved.scroll_into_view_if_needed()
    page.screenshot(path=PICTURES / "lab01-solved.png")

    assert not [url for url in elsewhere if not url.startswith((jupyterlab, "data:", "blob:"))]


_DONE = r"""() => {
  const cells = [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')];
  const counts = cells.map(cell => cell.querySelector('.jp-InputPrompt')?.textContent ?? '');
  return cells.length > 5 && counts.every(text => /\[\d+\]/.test(text));
}"""


def _run_all(page: Any) -> None:
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Run All Cells")).first.click()


def _replace(page: Any, start: str, text: str) -> None:
    """Puts other text into the cell that begins so, as a learner would: select all, paste."""
    editor = page.locator(".jp-CodeCell .cm-content", has_text=start).first
    editor.scroll_into_view_if_needed()
    editor.click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(text)
