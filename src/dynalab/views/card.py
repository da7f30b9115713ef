"""The card that answers a check: its outcome in a word, the evidence, a next step."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING

from dynalab.views.page import escape, html_of, page, paragraph, text_of

if TYPE_CHECKING:
    from dynalab.check import OutcomeWord

MARKS: dict[OutcomeWord, str] = {"not attempted": "○", "incorrect": "✗", "correct": "✓"}
INDENT = "    "


class Card:
    """What a check has to say.

    lines: paragraphs; one with several lines or an indent keeps its columns.
    picture: a view of the evidence, or None. next_step: what to do now; "" for nothing.
    """

    def __init__(
        self,
        exercise_id: str,
        name: str,
        outcome: OutcomeWord,
        lines: Sequence[str],
        picture: object | None,
        next_step: str,
    ) -> None:
        self.exercise_id = exercise_id
        self.name = name
        self.outcome = outcome
        self.lines = tuple(lines)
        self.picture = picture
        self.next_step = next_step

    def __repr__(self) -> str:
        below = list(self.lines)
        if self.picture is not None:
            below.append(indent(text_of(self.picture), "  "))
        if self.next_step:
            below.append(self.next_step)
        title = f"{self.exercise_id} {self.name} · {self.outcome}"
        return "\n".join([title, *(indent(text, INDENT) for text in below)])

    def _repr_html_(self) -> str:
        # The word is the verdict; the mark and the border only repeat it.
        title = (
            f'<p><span aria-hidden="true">{MARKS[self.outcome]}</span> '
            f"{escape(self.exercise_id)} {escape(self.name)} · "
            f"<strong>{escape(self.outcome)}</strong></p>"
        )
        parts = [title, *map(paragraph, self.lines)]
        if self.picture is not None:
            parts.append(html_of(self.picture))
        parts.extend(map(paragraph, self.next_step.splitlines()))
        kind = self.outcome.replace(" ", "-")
        return page(f'<div class="dl-card dl-{kind}" role="status">{"".join(parts)}</div>')
