"""A slider shows its first view everywhere, and redraws it where Jupyter has widgets."""

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import dynalab
from dynalab.views.slider import slider
from dynalab.views.widgets import WIDGET

CELL = """from dynalab.views.slider import slider
slider("likes", [10, 1000, 100000], lambda n: f"{n / 2} units", start=1)"""


class Shown:
    """A view with both forms."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"value {self.value}"

    def _repr_html_(self) -> str:
        return f"<b>{self.value}</b>"


def test_the_text_says_where_the_slider_stands_and_shows_that_view() -> None:
    likes = slider("likes", [10, 1000, 100_000], Shown, start=1)
    text = "likes: 1,000 (a slider from 10 to 100,000, 3 steps)\nvalue 1000"
    bundle = likes._repr_mimebundle_(include=None, exclude=None)
    assert repr(likes) == bundle["text/plain"] == text
    assert "<b>1000</b>" in bundle["text/html"]
    assert bundle["text/html"] == likes._repr_html_()


def test_without_ipywidgets_the_cell_still_shows_the_first_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = slider("likes", [10], Shown)._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html"]


def test_moving_the_slider_redraws_the_view() -> None:
    control, view = slider("likes", [10, 1000], Shown)._made().children
    assert view.value == "<b>10</b>"
    control.value = 1
    assert view.value == "<b>1000</b>"
    assert (control.description, control.style.description_width) == ("likes", "initial")
    assert [label for label, _ in control.options] == ["10", "1,000"]


def test_a_view_that_fails_says_so_in_its_place() -> None:
    def show(value: int) -> str:
        return str(1 // value) + "<i>"

    control, view = slider("n", [1, 0], show)._made().children
    assert "1&lt;i&gt;" in view.value
    control.value = 1
    assert "No view for 0: ZeroDivisionError" in view.value


@pytest.mark.parametrize("start", [-1, 2])
def test_a_start_outside_the_values_is_refused(start: int) -> None:
    with pytest.raises(ValueError, match="one of its 2 values"):
        slider("n", [1, 2], str, start)


def test_a_kernel_stores_the_same_forms_as_this_process_beside_the_widget() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    source = str(Path(dynalab.__file__).parents[1])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    NotebookClient(notebook, kernel_name="python3").execute(env={**os.environ, "PYTHONPATH": path})
    stored: dict[str, Any] = notebook.cells[0].outputs[0].data
    # The widget's id is random; nbval does not compare this entry.
    assert set(stored.pop(WIDGET)) == {"version_major", "version_minor", "model_id"}
    here = slider("likes", [10, 1000, 100_000], lambda n: f"{n / 2} units", start=1)
    assert stored == {"text/plain": repr(here), "text/html": here._repr_html_()}
