"""A progress bar for long work; its text says how much work there is, and never how far it is."""

from __future__ import annotations

from typing import Any

from dynalab.views.page import page, paragraph
from dynalab.views.values import count
from dynalab.views.widgets import mimebundle

STEPS = 50


class ProgressBar:
    """A bar where Jupyter has widgets; elsewhere, and in what is stored, one line of text."""

    def __init__(self, total: int, noun: str) -> None:
        self.text = f"A storm of {count(total, noun)}."
        self._total = total
        self._widget: Any = None

    def move_to(self, done: int) -> None:
        """Shows how much is done. Cheap enough to be told of every call."""
        step = max(1, self._total // STEPS)
        if self._widget is not None and (done % step == 0 or done == self._total):
            self._widget.value = done

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return page(paragraph(self.text))

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        try:
            import ipywidgets
        except ImportError:
            return mimebundle(self, None)
        self._widget = ipywidgets.IntProgress(
            max=self._total, description=self.text, style={"description_width": "initial"}
        )
        return mimebundle(self, self._widget)
