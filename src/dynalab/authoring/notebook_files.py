"""Notebooks as files that hold nothing of who ran them, when, or with what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbformat import v4 as untyped_v4

from dynalab.authoring.markers import NotebookError
from dynalab.authoring.notebook_rules import tags_of
from dynalab.views.widgets import WIDGET

if TYPE_CHECKING:
    from nbformat import NotebookNode

v4: Any = untyped_v4  # nbformat's functions have no annotations

# Of a notebook's metadata only this is kept: the rest depends on who saved it with what.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(path: Path) -> NotebookNode:
    """The notebook in a file, not repaired. Raises NotebookError where it is none."""
    try:
        notebook: NotebookNode = v4.reads(path.read_text(encoding="utf-8"))
        _ = [cell.source for cell in notebook.cells], notebook.metadata, notebook.nbformat
    except (ValueError, AttributeError, KeyError, TypeError):
        raise NotebookError(
            f"{path.name} is not a notebook of format 4; restore it or save it anew."
        ) from None
    return notebook


def text_of(notebook: NotebookNode) -> str:
    """What a notebook's file holds: the same text for the same notebook."""
    return f"{v4.writes(notebook)}\n"


def assembled(cells: list[NotebookNode], **metadata: object) -> NotebookNode:
    """A notebook of format 4.5 for the kernel python3, with those cells."""
    notebook: NotebookNode = v4.new_notebook(cells=cells, metadata={**METADATA, **metadata})
    notebook.nbformat_minor = 5
    return notebook


def trimmed(cell: NotebookNode, source: str) -> NotebookNode:
    """The cell with that source, its id, its tags, and nothing else. Raises NotebookError."""
    if "id" not in cell:
        raise NotebookError("it has no id; save the notebook as nbformat 4.5")
    metadata = {"tags": tags_of(cell)} if tags_of(cell) else {}
    make = getattr(v4, f"new_{cell.cell_type}_cell")
    new: NotebookNode = make(source, id=cell.id, metadata=metadata)
    return new


def normalised(notebook: NotebookNode) -> NotebookNode:
    """A solution notebook as it is stored: its cells, tags and outputs, counted from 1."""
    cells = []
    count = 0
    for cell in notebook.cells:
        kept = trimmed(cell, cell.source)
        if cell.cell_type == "code" and cell.get("execution_count") is not None:
            count += 1
            kept.execution_count = count
            kept.outputs = _outputs(cell.get("outputs", []), count)
        cells.append(kept)
    return assembled(cells)


def _outputs(outputs: list[NotebookNode], count: int) -> list[NotebookNode]:
    kept: list[NotebookNode] = []
    for output in outputs:
        kind = output.output_type
        if kind == "stream" and kept and kept[-1].get("name") == output.name:
            kept[-1].text += output.text
        elif kind == "stream":
            kept.append(v4.new_output(kind, name=output.name, text=output.text))
        elif kind == "error":
            kept.append(output)
        else:
            # A widget's model is gone with its kernel, and its id is another one each time.
            data = {mime: value for mime, value in output.data.items() if mime != WIDGET}
            counted = {"execution_count": count} if kind == "execute_result" else {}
            kept.append(v4.new_output(kind, data, **counted))
    return kept
