"""JupyterLab on a copy of the labs, and a learner's hands in it: what browser tests share."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
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
PATIENCE = 120_000  # milliseconds: a loaded machine starts kernels slowly, and nothing is timed
ERRORS = "[data-mime-type='application/vnd.jupyter.error']"
_COUNTS = r"""[...document.querySelectorAll('.jp-Notebook .jp-Cell')]
  .filter(cell => cell.classList.contains('jp-CodeCell'))
  .map(cell => cell.querySelector('.jp-InputPrompt')?.textContent ?? '')
  .map(text => Number(text.match(/\[(\d+)\]/)?.[1] ?? 0))"""


def browser_path() -> str | None:
    """Where Chromium is, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def jupyterlab(
    command: Sequence[str], folder: Path, settings: Mapping[str, object] | None = None
) -> Iterator[str]:
    """JupyterLab as `command` starts it, on the notebooks in `folder`; gives its address.

    settings: the learner's own, by plugin; nobody else's play a part. Raises RuntimeError where
    it does not start.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = Path(tempfile.mkdtemp(dir=folder))  # open tabs and a theme last as long as this server
    for plugin, value in (settings or {}).items():
        path = own / f"{plugin.replace(':', '/')}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
    options = [
        "--no-browser",
        f"--port={port}",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder}",
    ]
    names = ("JUPYTER_CONFIG_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTERLAB_SETTINGS_DIR")
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as said:
        server = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            stdout=said,
            stderr=said,
            env={**os.environ, **dict.fromkeys(names, str(own))},
        )
    try:
        address = f"http://localhost:{port}"
        _wait_for(address, server, log)
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
    said = log.read_text(encoding="utf-8")[-2000:]
    raise RuntimeError(f"JupyterLab did not start:\n{said}")


def open_notebook(page: Any, address: str, name: str) -> Any:
    """Opens labs/<name> and waits for its kernel; gives the notebook."""
    page.goto(f"{address}/lab/tree/labs/{name}")
    notebook = page.locator(".jp-Notebook")
    notebook.wait_for(timeout=PATIENCE)
    # Before the kernel answers, JupyterLab asks which kernel to use instead.
    page.get_by_text(re.compile(r"Python 3.* \| Idle")).first.wait_for(timeout=PATIENCE)
    return notebook


def run_all(page: Any) -> None:
    """Runs all cells from the menu, and waits until each of them has run anew."""
    before = max(page.evaluate(_COUNTS))
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Run All Cells")).first.click()
    page.wait_for_function(
        f"before => {{ const counts = {_COUNTS};"
        " return counts.length > 5 && counts.every(count => count > before); }",
        arg=before,
        timeout=PATIENCE,
    )


def replace_source(editor: Any, text: str) -> None:
    """Puts other text into a cell's editor, as a learner would: select all, paste."""
    editor.scroll_into_view_if_needed()
    editor.click()
    editor.page.keyboard.press("ControlOrMeta+A")
    editor.page.keyboard.insert_text(text)
