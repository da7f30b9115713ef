"""The head of an open lab, and short notes: a hint, a solution, a sentence about a mistake."""

from __future__ import annotations

from collections.abc import Sequence

from dynalab.views.page import escape, html_table, page, paragraph, text_table

_MARKS = {"not attempted": "○", "tried": "◐", "correct": "●"}


class Head:
    """The lab, its minutes, its exercises with their state in a word, and where requests go."""

    def __init__(
        self,
        label: str,
        title: str,
        minutes: int,
        engine: str,
        states: Sequence[tuple[str, str, str]],
        notice: str | None = None,
    ) -> None:
        self.title = f"Lab {label} · {title}"
        self.about = f"{minutes} minutes · {engine}"
        self.rows = [[number, name, f"{_MARKS[state]} {state}"] for number, name, state in states]
        self.notice = notice

    def __repr__(self) -> str:
        lines = text_table(["", "", ""], self.rows)[1:] if self.rows else []
        parts = [f"{self.title}    {self.about}", *(f"  {line}" for line in lines)]
        return "\n".join([*parts, *([self.notice] if self.notice else [])])

    def _repr_html_(self) -> str:
        # Not a caption, which is no wider than its table: a long title would be folded.
        title = f'<div class="dl-title">{escape(self.title)}</div>'
        table = html_table("", ["exercise", "name", "state"], [self.rows])
        notice = paragraph(self.notice) if self.notice else ""
        return page(title, table, paragraph(self.about), notice)


class Note:
    """A sentence or two, and code where there is any."""

    def __init__(self, text: str, code: str = "") -> None:
        self.text = text
        self.code = code

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.text, self.code]))

    def _repr_html_(self) -> str:
        code = f"<pre><code>{escape(self.code)}</code></pre>" if self.code else ""
        return page(paragraph(self.text), code)
