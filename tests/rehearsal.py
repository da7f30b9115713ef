"""Each lab as a learner meets it, in a real browser: python -m tests.rehearsal [LABS…]

Runs all cells unsolved, predicts, types each solution and checks it, and runs all again. With
--pictures FOLDER it keeps pictures of it all. Takes a minute or two a lab.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

from playwright.sync_api import sync_playwright

from dynalab import course
from dynalab.authoring.markers import Block, split
from dynalab.authoring.notebook_files import read
from dynalab.authoring.notebook_rules import tags_of
from tests.browser import learner
from tests.browser.learner import PATIENCE, ROOT

WIDE, NARROW, HEIGHT = 1280, 800, 1000
TALL = 2400  # so that no output is cut off in a picture of its own
COMMAND = [sys.executable, "-m", "jupyterlab", "--LabApp.expose_app_in_browser=True"]
# Cells off the screen are drawn too, so that each is there to be read and pictured.
SETTINGS = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},
}


@dataclass
class Rehearsal:
    """One lab in an open page. pictures: where they go, or None for none."""

    page: Any
    notebook: Any
    lab: course.Lab
    pictures: Path | None
    wrong: list[str] = field(default_factory=list)

    def play(self) -> int:
        """The lab from its first cell to its last; gives how many exercises turned correct."""
        learner.run_all(self.page)
        self.expect_no_error("unsolved")
        for entry in self.lab.exercises:
            said = self.verdict(self.check_cell(entry.id))
            if said != "not attempted":
                self.wrong.append(f"{entry.id} unsolved: {said}")
        self.picture_outputs("unsolved", ".dl-card")
        self.predict()
        correct = sum(self.solve(entry.id) for entry in self.lab.exercises)
        learner.run_all(self.page)
        self.expect_no_error("solved")
        states = self.notebook.locator(".dynalab tbody tr", has_text=re.compile("[○◐●]"))
        said = states.all_inner_texts()[: len(self.lab.exercises)]
        if not (said and all("● correct" in row for row in said)):
            self.wrong.append(f"the head says {said}")
        if self.notebook.get_by_text("You made no prediction").count():
            self.wrong.append("a click on a prediction did not count")
        self.picture_outputs("solved", ".dynalab")
        self.picture_notebook()
        return correct

    def predict(self) -> None:
        """Picks the second option of each quiz with one click; each counts."""
        groups = self.notebook.locator(".widget-radio")
        for place in range(groups.count()):
            option = groups.nth(place).locator("label").filter(has=self.page.locator("input"))
            option.nth(1).click()
        self.picture_outputs("predicted", ".jp-OutputArea-output:has(.widget-radio)")

    def solve(self, exercise_id: str) -> bool:
        """Types the solution, runs it and its check; whether the card turns correct."""
        stub, check = self.stub_cell(exercise_id), self.check_cell(exercise_id)
        learner.replace_source(self.cell(stub).locator(".cm-content"), self.solution(exercise_id))
        self.page.keyboard.press("Shift+Enter")
        self.cell(check).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        card = self.cell(check).locator(".dl-card:not(.dl-not-attempted)")
        card.wait_for(state="attached", timeout=PATIENCE)
        said = self.verdict(check)
        if said != "correct":
            self.wrong.append(f"{exercise_id} solved: {card.inner_text()}")
        return said == "correct"

    def solution(self, exercise_id: str) -> str:
        """The exercise's cell as its author solved it, without the marks."""
        cells = read(ROOT / "solutions" / self.lab.notebook).cells
        (source,) = [c.source for c in cells if f"exercise:{exercise_id}" in tags_of(c)]
        parts = [
            indent(part.code, part.indent) if isinstance(part, Block) else part
            for part in split(source)
        ]
        return "\n".join(parts)

    def stub_cell(self, exercise_id: str) -> int:
        return self.place(lambda cell: f"exercise:{exercise_id}" in tags_of(cell))

    def check_cell(self, exercise_id: str) -> int:
        return self.place(lambda cell: f'lab.check("{exercise_id}"' in cell.source)

    def place(self, wanted: Any) -> int:
        cells = read(ROOT / "labs" / self.lab.notebook).cells
        return next(
            place for place, cell in enumerate(cells) if cell.cell_type == "code" and wanted(cell)
        )

    def cell(self, place: int) -> Any:
        return self.notebook.locator(".jp-Cell").nth(place)

    def verdict(self, place: int) -> str:
        """The word in bold on a card."""
        return str(self.cell(place).locator(".dl-card strong").first.inner_text())

    def expect_no_error(self, when: str) -> None:
        errors = self.notebook.locator(learner.ERRORS).all_inner_texts()
        self.wrong += [f"{when}: {text[-300:]}" for text in errors]

    # --- pictures ---------------------------------------------------------------------------

    def picture_outputs(self, when: str, kind: str) -> None:
        """Each output of that kind by itself; one within another is in its picture."""
        if self.pictures is None:
            return
        self.page.set_viewport_size({"width": WIDE, "height": TALL})
        cells = self.notebook.locator(".jp-Cell")
        for place in range(cells.count()):
            shown = cells.nth(place).locator(f".jp-OutputArea-child:has({kind})")
            for number in range(shown.count()):
                self.shoot(f"{when}-{place:02}-{number}", shown.nth(number))
        self.page.set_viewport_size({"width": WIDE, "height": HEIGHT})

    def picture_notebook(self) -> None:
        """The whole notebook in pieces: light, dark, and on a narrow page."""
        if self.pictures is None:
            return
        self.pieces("light")
        self.page.set_viewport_size({"width": NARROW, "height": HEIGHT})
        self.pieces("narrow")
        self.page.set_viewport_size({"width": WIDE, "height": HEIGHT})
        self.page.evaluate(
            "jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
        )
        self.page.locator("body[data-jp-theme-light='false']").wait_for(state="attached")
        self.pieces("dark")

    def pieces(self, name: str) -> None:
        panel = self.page.locator(".jp-WindowedPanel-outer").first
        height, step = panel.evaluate("panel => [panel.scrollHeight, panel.clientHeight]")
        for number, top in enumerate(range(0, height, step)):
            panel.evaluate("(panel, top) => panel.scrollTo(0, top)", top)
            self.page.wait_for_timeout(200)  # for what is drawn as it comes into view
            self.shoot(f"{name}-{number:02}", panel)

    def shoot(self, name: str, what: Any) -> None:
        assert self.pictures is not None
        what.screenshot(path=self.pictures / f"{self.lab.label}-{name}.png", animations="disabled")


@contextmanager
def open_page(browser: Any, folder: Path, lab: course.Lab) -> Iterator[tuple[Any, Any, list[str]]]:
    """A page with the lab's notebook; the page, the notebook, what its console calls errors."""
    command = [*COMMAND, "--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else COMMAND
    with learner.jupyterlab(command, folder, SETTINGS) as address:
        page = browser.new_page(viewport={"width": WIDE, "height": HEIGHT})
        page.set_default_timeout(PATIENCE)
        said: list[str] = []
        page.on("console", lambda each: said.append(each.text) if each.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        yield page, learner.open_notebook(page, address, lab.notebook), said
        page.close()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.rehearsal", description=__doc__)
    parser.add_argument("labs", nargs="*", help="their numbers; all where there is none")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep pictures there")
    asked = parser.parse_args(arguments)
    every = course.load()
    labs = [every.lab(number) for number in asked.labs] or list(every.labs)
    if asked.pictures is not None:
        asked.pictures.mkdir(parents=True, exist_ok=True)

    failures = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, sync_playwright() as own:
        folder = Path(name)
        shutil.copytree(ROOT / "labs", folder / "labs")
        os.environ["DYNALAB_PROGRESS"] = str(folder / "progress.json")  # the kernels inherit it
        browser = own.chromium.launch(executable_path=learner.browser_path(), args=learner.QUIET)
        for lab in labs:
            with open_page(browser, folder, lab) as (page, notebook, console):
                rehearsal = Rehearsal(page, notebook, lab, asked.pictures)
                correct = rehearsal.play()
            print(f"{lab.label}: {correct} of {len(lab.exercises)} correct", flush=True)
            for line in [*rehearsal.wrong, *(f"console: {each}" for each in console)]:
                print(f"    {line}", flush=True)
            failures += bool(rehearsal.wrong or console)
        browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
