"""A schedule as a picture: what each client did and when, and what that left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dynalab.views.items import Items, TableItems
from dynalab.views.lanes import LEFT, WIDEST, Lanes
from dynalab.views.page import html_of, page, paragraph, width
from dynalab.views.values import exact, plain, visible

if TYPE_CHECKING:
    from dynalab.schedules.exploration import Exploration, Schedule

_INDENT = "  "
_GAP = "   "
_ROOM = WIDEST - LEFT
_MOST = 8  # items of one table
_LONG = 60  # attributes of one item


class Timeline:
    """The shortest failing schedule of an exploration, or one schedule as it was replayed.

    searched: the exploration that it draws, with its figures; None where it draws one schedule.
    title: what should hold ("the tally equals the likes"). expected: what should be there at the
    end; the default is what the invariant said.
    """

    def __init__(
        self,
        exploration_or_schedule: Exploration | Schedule,
        *,
        title: str | None = None,
        expected: str | None = None,
    ) -> None:
        from dynalab.schedules.exploration import (
            Exploration,  # whoever has one has paid for the import
        )

        shown = exploration_or_schedule
        self._rule = f' "{visible(title)}"' if title else ""
        self.searched = shown if isinstance(shown, Exploration) else None
        if isinstance(shown, Exploration):
            self._schedule = shown.failure
            self._head = self._of_many(shown)
        else:
            self._schedule = shown
            self._head = self._of_one(shown)
        broken = None if self._schedule is None else self._schedule.broken
        self._should = "" if broken is None else visible(expected or broken)

    def _of_many(self, found: Exploration) -> str:
        if found.failure is None:
            return f"{found.extent()}, none {'breaks' if self._rule else 'fails'}{self._rule}"
        verb = "break" if self._rule else "fail"
        some = f"1 {verb}s" if found.failing == 1 else f"{found.failing:,} {verb}"
        return f"{found.extent()}, {some}{self._rule}{_GAP}shortest: {found.failure.text}"

    def _of_one(self, schedule: Schedule) -> str:
        verdict = ""
        if schedule.broken is not None:
            verdict = f"{_GAP}{'breaks' if self._rule else 'fails'}{self._rule}"
        elif self._rule:
            verdict = f"{_GAP}does not break{self._rule}"
        return f"{schedule.text or 'no requests'}{verdict}"

    def __repr__(self) -> str:
        if self._schedule is None:
            return self._head
        lines = [*Lanes(self._schedule).text(), *_final(self._schedule, self._should)]
        return "\n".join([self._head, *(f"{_INDENT}{line}" for line in lines)])

    def _repr_html_(self) -> str:
        if self._schedule is None:
            return page(paragraph(self._head))
        head = paragraph(" · ".join(self._head.split(_GAP)))
        should = [paragraph(f"← {self._should}")] if self._should else []
        keys = self._schedule.keys
        shown = {
            f"{table}, at the end": TableItems.of(keys[table], items)
            for table, items in self._schedule.left().items()
        }
        lanes = Lanes(self._schedule).html()
        others = [paragraph(f"{table}: {line}") for table, line in _unchanged(self._schedule)]
        return page(head, lanes, html_of(Items(shown)), *others, *should)


def _unchanged(schedule: Schedule) -> list[tuple[str, str]]:
    """For each table, how many items of the same item collections no step has touched."""
    lines = []
    for table, items in schedule.left().items():
        name = schedule.keys[table][0]
        touched = {exact(item[name]) for item in items}
        there = [each for each in schedule.outcome.tables[table] if exact(each[name]) in touched]
        if more := len(there) - len(items):
            lines.append((table, f"and {more:,} more of the collection, unchanged"))
    return lines


def _final(schedule: Schedule, should: str) -> list[str]:
    """A line for each table: its items, then what should be; more lines where they are long."""
    left = schedule.left()
    lines: list[str] = []
    for table, items in left.items():
        names = schedule.keys[table]
        one_partition = len({exact(item[names[0]]) for item in items}) == 1
        shown = [_item(item, names, names[-1:] if one_partition else names) for item in items]
        more = [f"{len(items) - _MOST} more"] if len(items) > _MOST else []
        more += [text for name, text in _unchanged(schedule) if name == table]
        line = f"{table}: " if len(left) > 1 else ""
        for place, text in enumerate([*shown[:_MOST], *more]):
            longer = f"{line} · {text}" if place else f"{line}{text}"
            if place and width(longer) > _ROOM:
                lines.append(f"{line} ·")
                longer = text
            line = longer
        lines.append(line)
    if not lines:
        lines.append("no items")
    if should and width(f"{lines[-1]}{_GAP}← {should}") <= _ROOM:
        lines[-1] += f"{_GAP}← {should}"
    elif should:
        lines.append(f"← {should}")
    return [f"{'final' if not place else '':{LEFT}}{line}" for place, line in enumerate(lines)]


def _item(item: Mapping[str, Any], names: Sequence[str], told: Sequence[str]) -> str:
    key = " / ".join(plain(item[name]) for name in told)
    others = [f"{name} {plain(value)}" for name, value in item.items() if name not in names]
    attributes = ", ".join(others)
    if width(attributes) > _LONG:
        attributes = f"{attributes[: _LONG - 1]}…"
    return f"{key} {attributes}".strip()
