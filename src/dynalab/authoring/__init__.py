"""labs/ from solutions/: each lab is its solution notebook with the answers taken out."""

from __future__ import annotations

import difflib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from dynalab import course
from dynalab.authoring.markers import NotebookError, blocks, stubbed
from dynalab.authoring.notebook_files import assembled, normalised, read, text_of, trimmed
from dynalab.authoring.notebook_rules import SOLUTION, leaks, problems, tags_of

if TYPE_CHECKING:
    from nbformat import NotebookNode

# What a stored output must not depend on: the engine is the embedded one, whatever the author uses.
ELSEWHERE = ("DYNALAB_ENDPOINT", "DYNALAB_AWS")


def lab_from_solution(notebook: NotebookNode, name: str = "notebook") -> NotebookNode:
    """The notebook that learners open, made of a solution notebook, which stays as it is.

    name: the file's name without .ipynb, for messages and for the lab's metadata, by which
    `build` knows its own files. Raises NotebookError where a solution's marks are not in order.
    """
    cells = []
    for place, cell in enumerate(notebook.cells, 1):
        if SOLUTION in tags_of(cell):
            continue
        try:
            cells.append(trimmed(cell, stubbed(cell.source)))
        except NotebookError as error:
            cell_id = cell.get("id", "no id")
            raise NotebookError(f"{name}.ipynb, cell {place} ({cell_id}): {error}.") from None
    return assembled(cells, dynalab={"solution": name})


def solutions(root: Path) -> list[Path]:
    """The solution notebooks of `root`, in the order of the course.

    Raises CourseError where there is no solutions/ folder, or a notebook is not in course.toml.
    """
    folder = root / "solutions"
    if not folder.is_dir():
        raise course.CourseError(
            f"There is no solutions/ folder in {root}; go to the folder that holds it."
        )
    known = {lab.notebook for lab in course.load().labs}
    found = sorted(folder.glob("*.ipynb"))
    for path in found:
        if path.name not in known:
            raise course.CourseError(f"solutions/{path.name} is not in course.toml; add it there.")
    return found


def build(root: Path, check: bool = False) -> str:
    """Write labs/ of `root` from its solutions/; returns what changed as a unified diff.

    With `check` nothing is written. A lab that was built once and has no solution any more is
    removed; other files in labs/ are left alone. A lab that somebody has run may hold their
    work: instead of overwriting or removing it, build raises NotebookError and writes nothing.
    """
    labs = root / "labs"
    wanted = {
        labs / path.name: text_of(lab_from_solution(read(path), path.stem))
        for path in solutions(root)
    }
    wanted |= {path: "" for path in labs.glob("*.ipynb") if path not in wanted and _is_built(path)}
    found = {path: path.read_text(encoding="utf-8") if path.is_file() else "" for path in wanted}
    changed = [path for path in sorted(wanted) if wanted[path] != found[path]]
    for path in changed if not check else []:
        if found[path] and _was_run(path):
            raise NotebookError(
                f"labs/{path.name} was run since it was built and may hold somebody's work; "
                "move it out of labs/, then build again."
            )
    for path in changed if not check else []:
        labs.mkdir(exist_ok=True)
        if wanted[path]:
            path.write_text(wanted[path], encoding="utf-8", newline="\n")
        else:
            path.unlink()
    return "".join(_diff(path.name, found[path], wanted[path]) for path in changed)


def _diff(name: str, found: str, wanted: str) -> str:
    lines = (found.splitlines(keepends=True), wanted.splitlines(keepends=True))
    return "".join(difflib.unified_diff(*lines, f"labs/{name}", f"labs/{name} as built"))


def _is_built(path: Path) -> bool:
    """Whether `build` wrote it: a learner's copy has another name, a notebook of theirs no mark."""
    try:
        return bool(read(path).metadata.get("dynalab", {}).get("solution") == path.stem)
    except NotebookError:
        return False


def _was_run(path: Path) -> bool:
    try:
        cells = read(path).cells
    except NotebookError:
        return False
    return any(cell.get("execution_count") or cell.get("outputs") for cell in cells)


def report(root: Path) -> list[str]:
    """Every broken rule of every notebook in solutions/, a sentence each, and every leak."""
    found = []
    for path in solutions(root):
        notebook = read(path)
        faults = problems(notebook)
        if not faults:
            faults = leaks(notebook, lab_from_solution(notebook, path.stem))
        found += [f"solutions/{path.name}: {fault}" for fault in faults]
    return found


def solution_of(exercise_id: str, root: Path | None = None) -> str:
    """The code between the marks of an exercise, from the nearest solutions/ folder upwards.

    Its cells carry the tag `exercise:1.1`. Raises CourseError where there is no such exercise or
    no solutions/ folder, NotebookError where the notebook does not have it.
    """
    lab = course.load().lab_of(exercise_id)
    root = root or course.folder_with("solutions")
    path = root / "solutions" / lab.notebook if root else None
    if path is None or not path.is_file():
        raise course.CourseError(
            f"The solution of {exercise_id} is in solutions/{lab.notebook}, which is not here; "
            "get the course with its solutions/ folder."
        )
    tag = f"exercise:{exercise_id}"
    cells = [cell for cell in read(path).cells if tag in tags_of(cell)]
    code = [block.code for cell in cells for block in blocks(cell.source)]
    if not code:
        raise NotebookError(
            f"solutions/{path.name} has no solution of {exercise_id}; tag its cell {tag}."
        )
    return "\n\n".join(code)


def execute(path: Path, timeout: int = 600) -> None:
    """Run a solution notebook in a kernel of its own and store it, normalised, with its outputs.

    timeout: seconds for one cell. Raises NotebookError where a cell fails; the file then stays
    as it was. The learner's progress is not touched.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    if not path.is_file():
        raise NotebookError(f"There is no {path.parent.name}/{path.name}; write it first.")
    notebook = read(path)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        env = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
        env["DYNALAB_PROGRESS"] = str(Path(folder) / "progress.json")
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name="python3",
            extra_arguments=["--log-level=ERROR"],  # ipykernel warns of sockets of this machine
            resources={"metadata": {"path": str(path.parent)}},
        )
        try:
            client.execute(env=env)
        except CellExecutionError as error:
            raise NotebookError(f"{path.name} stops with {error.ename}: {error.evalue}") from None
        except (CellTimeoutError, DeadKernelError) as error:
            reason = str(error).partition("\n")[0]
            raise NotebookError(f"{path.name} does not run to its end: {reason}") from None
    path.write_text(text_of(normalised(notebook)), encoding="utf-8", newline="\n")
