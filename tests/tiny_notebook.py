"""Notebooks of a few cells, for the tests of the generator and of its rules."""

from pathlib import Path

from nbformat import NotebookNode, v4

from dynalab.authoring.notebook_files import METADATA, text_of

FUNCTION = '''def double(n):
    """Twice n."""
    # BEGIN SOLUTION add it to itself
    total = n + n  # two of them make the double
    return total
    # END SOLUTION'''

STUB = '''def double(n):
    """Twice n."""
    # TODO: add it to itself
    raise NotImplementedError'''

VALUE = """# BEGIN SOLUTION value: units of one page
page = 1024 * 1024
units = page / 4096 / 2
# END SOLUTION
print(units)"""


WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "x"}}


def code(source: str, cell_id: str, *tags: str, text: str | None = None) -> NotebookNode:
    cell = v4.new_code_cell(source, id=cell_id, execution_count=1)
    if tags:
        cell.metadata.tags = list(tags)
    if text is not None:
        cell.outputs = [v4.new_output("stream", name="stdout", text=text)]
    return cell


def notebook(*cells: NotebookNode) -> NotebookNode:
    title = v4.new_markdown_cell("# Title\n\nProse.", id="title")
    return v4.new_notebook(cells=[title, *cells], metadata=METADATA)


def solution() -> NotebookNode:
    return notebook(
        code(FUNCTION, "double", "exercise:1.1"),
        code('lab.check("1.1", double)', "check", text="1.1 double · correct"),
        code("helper = double(21)", "helper", "solution"),
        code(VALUE, "units", "exercise:1.2", text="128.0\n"),
    )


def write(path: Path, content: NotebookNode) -> None:
    path.write_text(text_of(content), encoding="utf-8")
