"""A prediction: a question with options, answered before the cell that settles it is run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dynalab.views.page import escape, page, paragraph
from dynalab.views.widgets import mimebundle


class Quiz:
    """A question with options; `answer(option)` is called when the learner picks one.

    given: the option that stands in the call. Else text and HTML are the same for everybody, and
    what was picked before is set in the widget only.
    """

    def __init__(
        self,
        number: str,
        question: str,
        options: Sequence[str],
        answer: Callable[[str], None],
        picked: str | None,
        given: str | None = None,
    ) -> None:
        self.number = number
        self.question = question
        self.options = tuple(options)
        self._answer = answer
        self._picked = picked
        self._given = given
        self._widget: Any = None

    def __repr__(self) -> str:
        return "\n".join([self.question, *(f"  · {each}" for each in self.options), self._how()])

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(each)}</li>" for each in self.options)
        return page(paragraph(self.question), f"<ul>{items}</ul>", paragraph(self._how()))

    def _how(self) -> str:
        if self._given is not None:
            return f"You predict: {self._given}."
        return f'Pick one, or answer in the call: lab.predict("{self.number}", …, answer="…").'

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        return mimebundle(self, self._made())

    def _made(self) -> Any:
        """The question above its options, made once; None where ipywidgets is not installed."""
        if self._widget is not None:
            return self._widget
        try:
            import ipywidgets
        except ImportError:
            return None
        choice = ipywidgets.RadioButtons(
            options=self.options,
            description="You predict:",
            style={"description_width": "initial"},
            value=self._picked if self._picked in self.options else None,
            layout={"width": "max-content"},
        )
        choice.observe(lambda change: self._answer(change["new"]), names="value")
        question = ipywidgets.HTML(page(paragraph(self.question)))
        self._widget = ipywidgets.VBox([question, choice])
        return self._widget
