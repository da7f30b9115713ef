"""Shows a view before its cell ends: drawn in a notebook, printed elsewhere."""

from __future__ import annotations


def display(view: object) -> None:
    """Shows what is no cell's value, such as the head of a lab."""
    from IPython import display as in_notebook
    from IPython import get_ipython

    if get_ipython() is None:
        print(view)
    else:
        in_notebook.display(view)
