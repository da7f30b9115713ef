"""A slider that redraws a view: for questions that moving one value answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab.views.page import html_of, page, paragraph, text_of
from dynalab.views.values import number, plain
from dynalab.views.widgets import mimebundle


class Slider:
    """The view of one value, and, where Jupyter has widgets, a slider over the others.

    Its text and its plain HTML are the view of the first position, in every notebook and on
    every run; nothing that differs between runs is in them.
    """

    def __init__(
        self, label: str, values: Sequence[Any], show: Callable[[Any], object], start: int
    ) -> None:
        self.label = label
        self.values = list(values)
        self.show = show
        self.start = start
        self._widget: Any = None

    def __repr__(self) -> str:
        return f"{self._position()}\n{text_of(self.show(self.values[self.start]))}"

    def _repr_html_(self) -> str:
        return page(paragraph(self._position()), html_of(self.show(self.values[self.start])))

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        return mimebundle(self, self._made())

    def _position(self) -> str:
        first, here, last = (_step(self.values[place]) for place in (0, self.start, -1))
        steps = len(self.values)
        return f"{self.label}: {here} (a slider from {first} to {last}, {steps} steps)"

    def _made(self) -> Any:
        """The slider above its view, made once; None where ipywidgets is not installed."""
        if self._widget is not None:
            return self._widget
        try:
            import ipywidgets
        except ImportError:
            return None
        control = ipywidgets.SelectionSlider(
            options=[(_step(value), place) for place, value in enumerate(self.values)],
            value=self.start,
            description=self.label,
            tooltip=self.label,
            style={"description_width": "initial"},
            layout={"width": "min(100%, 640px)"},
        )
        view = ipywidgets.HTML(html_of(self.show(self.values[self.start])))

        def redraw(change: Any) -> None:
            value = self.values[change["new"]]
            try:
                view.value = html_of(self.show(value))
            except Exception as error:  # raised here, it would reach no one who looks
                sentence = f"No view for {_step(value)}: {type(error).__name__}: {error}"
                view.value = page(paragraph(sentence))

        control.observe(redraw, names="value")
        self._widget = ipywidgets.VBox([control, view])
        return self._widget


def slider(
    label: str, values: Sequence[Any], show: Callable[[Any], object], start: int = 0
) -> Slider:
    """A slider over some values.

    show: value → a view or text; called again at each step, so it is quick and changes nothing.
    start: which of the values it starts at, by its place. ValueError where there is none there.
    """
    if not 0 <= start < len(values):
        raise ValueError(f"Start the slider at one of its {len(values)} values, from 0.")
    return Slider(label, values, show, start)


def _step(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return plain(value)
