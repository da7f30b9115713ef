"""A widget beside a view's text and HTML: Jupyter shows the best of them that it can."""

from __future__ import annotations

from typing import Any, Protocol

WIDGET = "application/vnd.jupyter.widget-view+json"


class _View(Protocol):
    def _repr_html_(self) -> str: ...


def mimebundle(view: _View, widget: Any) -> dict[str, Any]:
    """What `_repr_mimebundle_` returns. widget: one of ipywidgets, or None where there is none."""
    bundle: dict[str, Any] = {"text/plain": repr(view), "text/html": view._repr_html_()}
    if widget is not None:
        bundle[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return bundle
