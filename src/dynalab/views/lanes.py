"""The steps of a schedule in lanes: one column a client, time downwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dynalab.views.page import escape, width
from dynalab.views.values import plain, visible

if TYPE_CHECKING:
    from dynalab.schedules.exploration import Schedule

WIDEST = 92  # columns in all, so that what indents them, a card for one, stays below 100
NARROWEST = 20  # of one lane
LEFT = 7  # what stands before them: the time, and a gap
_BETWEEN = "   "
_NAMES = {"R": "R (recovery)"}

Parts = list[str]  # of one step: operation and item, what was read or written, how it ended


class Lanes:
    """The lanes of one schedule.

    steps: how many of its steps are shown, None for all; then the last one is marked as now.
    """

    def __init__(self, schedule: Schedule, steps: int | None = None) -> None:
        self._clients = schedule.clients
        self._steps: list[tuple[int, Parts, bool]] = []
        for words in schedule.words():
            parts = [f"{words.operation} {words.item}".strip(), words.what, words.end]
            lane = self._clients.index(words.client)
            shown = [visible(part) for part in parts if part]
            self._steps.append((lane, shown, bool(words.end)))
        ends = [_end(schedule, name) for name in self._clients]
        self._ends = ends if any(ends) and steps is None else []
        self._now = steps

    def text(self) -> list[str]:
        """The lines. The columns stay where they are, however many steps are shown."""
        widths = self._widths()
        lines = [_line("time", self._heads(), widths)]
        for number, (lane, parts, _) in self._shown():
            for place, part in enumerate(_wrapped(parts, widths[lane])):
                cells = ["" if at != lane else part for at in range(len(widths))]
                lines.append(_line("" if place else self._label(number).rjust(4), cells, widths))
        if self._ends:
            lines.append(_line(" end", self._ends, widths))
        return lines

    def html(self) -> str:
        """A table with a head for each lane and each step."""
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in ["time", *self._heads()])
        rows = []
        for number, (lane, parts, marked) in self._shown():
            cells = ["<td></td>"] * len(self._clients)
            cells[lane] = _cell(parts, marked)
            rows.append(_row(self._label(number), cells))
        if self._ends:
            rows.append(_row("end", [f"<td>{escape(end)}</td>" for end in self._ends]))
        return (
            f'<table class="dl-table dl-lanes"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
        )

    def _shown(self) -> list[tuple[int, tuple[int, Parts, bool]]]:
        return list(enumerate(self._steps, 1))[: self._now]

    def _label(self, number: int) -> str:
        return f"▸ {number}" if number == self._now else str(number)

    def _heads(self) -> list[str]:
        return [_NAMES.get(name, name) for name in self._clients]

    def _widths(self) -> list[int]:
        """What each lane needs; less, its steps on several lines, where that would not fit."""
        room = WIDEST - LEFT - len(_BETWEEN) * (len(self._clients) - 1)
        widths = self._needed(self._steps)
        if sum(widths) > room:
            halves = [
                (lane, part, False)
                for lane, parts, marked in self._steps
                for part in ([parts[:-1], parts[-1:]] if marked else [parts])
            ]
            widths = self._needed(halves)
        while sum(widths) > room and max(widths) > NARROWEST:
            widths[widths.index(max(widths))] -= 1
        return widths

    def _needed(self, steps: Sequence[tuple[int, Parts, bool]]) -> list[int]:
        ends = self._ends or self._heads()
        widths = [max(map(width, pair)) for pair in zip(self._heads(), ends, strict=True)]
        for lane, parts, _ in steps:
            widths[lane] = max(widths[lane], width("  ".join(parts)))
        return widths


def _end(schedule: Schedule, client: str) -> str:
    outcome = schedule.outcome
    if client in outcome.raised:
        return f"raises {type(outcome.raised[client]).__name__}"
    returned = outcome.returned.get(client)
    return "" if returned is None else f"returns {plain(returned)}"


def _line(label: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (room - width(cell)) for cell, room in zip(cells, widths, strict=True)]
    return f"{label:{LEFT}}{_BETWEEN.join(padded)}".rstrip()


def _wrapped(parts: Parts, room: int) -> list[str]:
    """A step's lines: its parts side by side as far as they fit, then below, indented."""
    lines: list[str] = []
    for part in parts:
        if lines and width(f"{lines[-1]}  {part}") <= room:
            lines[-1] += f"  {part}"
            continue
        indent = "  " if lines else ""
        line = indent
        for word in part.split(" "):
            longer = f"{line} {word}" if line.strip() else f"{line}{word}"
            if width(longer) > room and line.strip():
                lines.append(line)
                longer = f"    {word}"
            while width(longer) > room:
                lines.append(longer[:room])
                longer = f"    {longer[room:]}"
            line = longer
        lines.append(line)
    return lines


def _row(label: str, cells: Sequence[str]) -> str:
    return f'<tr><th scope="row">{escape(label)}</th>{"".join(cells)}</tr>'


def _cell(parts: Parts, marked: bool) -> str:
    """A step; where it ended in its own way, the words for that stand out, and a line beside it."""
    if not marked:
        return f"<td>{escape('  '.join(parts))}</td>"
    *before, end = parts
    text = escape("  ".join([*before, ""]))
    return f'<td class="dl-marked">{text}<strong>{escape(end)}</strong></td>'
