"""Runs a notebook's code cells in this process, in order, and keeps what each of them showed.

Far quicker than a kernel, and enough to say what a learner reads: without a shell, IPython's
`display` prints the plain form, and so does this with a cell's last value. No magics.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from IPython.display import display

from dynalab.authoring.notebook_files import read
from dynalab.engine.connect import connect
from dynalab.engine.engine import Store


@dataclass(frozen=True)
class CellRun:
    """One code cell: its id, its source, and all that it printed or displayed, as text.

    error: what it raised, where a run goes on after that.
    """

    id: str
    source: str
    text: str
    error: BaseException | None = None


def run(
    path: Path,
    progress: Path,
    *,
    leave_out: Callable[[str], bool] = lambda source: False,
    go_on: bool = False,
) -> list[CellRun]:
    """Run the notebook at `path` in its own folder; its progress goes to the file `progress`.

    An exception of a cell is raised with the cell's place in a note; with `go_on` it is kept, and
    the next cell runs. leave_out: says of a cell's source that it is not run.
    """
    namespace: dict[str, Any] = {"__name__": "__main__", "display": display}
    runs = []
    with _surroundings(path, progress):
        for place, cell in enumerate(read(path).cells, 1):
            if cell.cell_type != "code" or leave_out(cell.source):
                continue
            name = f"<{path.stem} cell {place}>"
            # A traceback and inspect.getsource find a cell's lines here, as they do in IPython.
            lines = [f"{line}\n" for line in cell.source.split("\n")]
            linecache.cache[name] = (len(cell.source), None, lines, name)
            shown = io.StringIO()
            failure = None
            try:
                with contextlib.redirect_stdout(shown):
                    _run_cell(cell.source, name, namespace)
            except BaseException as error:
                error.add_note(f"in {path.name}, cell {place} ({cell.id})")
                if not go_on or isinstance(error, KeyboardInterrupt):
                    raise
                failure = error
            runs.append(CellRun(cell.id, cell.source, shown.getvalue(), failure))
    return runs


def _run_cell(source: str, name: str, namespace: dict[str, Any]) -> None:
    body = ast.parse(source, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), namespace)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        if value is not None:
            print(repr(value))


@contextlib.contextmanager
def _surroundings(path: Path, progress: Path) -> Iterator[None]:
    # Not mock.patch.dict: what dynalab sets in the environment, once a process, has to stay.
    # A store of its own, as in a kernel of its own: what other labs left there costs time.
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(path.parent):
        patch.setattr(connect().engine, "store", Store())
        patch.setenv("DYNALAB_PROGRESS", str(progress))
        patch.setenv("MPLBACKEND", "agg")
        if "matplotlib" in sys.modules:
            sys.modules["matplotlib"].use("agg")
        yield
