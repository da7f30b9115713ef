"""A schedule step by step: its lanes so far, and beside them what each table holds then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dynalab.schedules.choices import Choice, Fate
from dynalab.views.items import Items, TableItems
from dynalab.views.lanes import Lanes
from dynalab.views.page import html_of, page, paragraph
from dynalab.views.slider import slider
from dynalab.views.timeline import Timeline

if TYPE_CHECKING:
    from dynalab.schedules.exploration import Schedule
    from dynalab.schedules.trace import Tables

_LONGEST_NAME = 60
_FATES: dict[Fate, str] = {
    "dies": "dies",
    "lost request": "is_lost",
    "lost reply": "reply_is_lost",
    "late": "is_late",
    "lands": "lands",
    "stale": "is_stale",
}


class Stepper:
    """One schedule, with a slider over its steps where Jupyter has widgets.

    Its text and its plain HTML are the whole schedule, as a Timeline draws it. broken: what the
    invariant said at its end, or None. title, expected: as for a Timeline.
    """

    def __init__(
        self, schedule: Schedule, *, title: str | None = None, expected: str | None = None
    ) -> None:
        self.schedule = schedule
        self._whole = Timeline(schedule, title=title, expected=expected)
        steps = [f"{number} {step.choice}" for number, step in enumerate(schedule.steps, 1)]
        self._labels = ["start", *steps]
        self._slider = slider("step", self._labels, self._at)

    @property
    def broken(self) -> str | None:
        return self.schedule.broken

    def _at(self, label: str) -> Moment:
        return Moment(self.schedule, self._labels.index(label))

    def __repr__(self) -> str:
        return repr(self._whole)

    def _repr_html_(self) -> str:
        return self._whole._repr_html_()

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
        bundle = self._slider._repr_mimebundle_()
        return {**bundle, "text/plain": repr(self), "text/html": self._repr_html_()}


class Moment:
    """A schedule after some of its steps: the lanes so far, the items, and what has changed."""

    def __init__(self, schedule: Schedule, steps: int) -> None:
        self._lanes = Lanes(schedule, steps)
        # At the start too, so that the column of marks is there and none moves with the slider.
        before = _items(schedule, schedule.frames[max(0, steps - 1)])
        self._items = _items(schedule, schedule.frames[steps], before)
        last = steps == len(schedule.steps) and schedule.broken is not None
        self._said = f"← {schedule.broken}" if last else ""

    def __repr__(self) -> str:
        parts = ["\n".join(f"  {line}" for line in self._lanes.text()), repr(self._items)]
        return "\n\n".join(filter(None, [*parts, self._said]))

    def _repr_html_(self) -> str:
        said = paragraph(self._said) if self._said else ""
        items = f"<div>{html_of(self._items)}{said}</div>"
        return page(f'<div class="dl-beside"><div>{self._lanes.html()}</div>{items}</div>')


def _items(schedule: Schedule, tables: Tables, before: Items | None = None) -> Items:
    shown = {name: TableItems.of(schedule.keys[name], items) for name, items in tables.items()}
    return Items(shown, before=before)


def as_pytest(
    schedule: Schedule, names: Mapping[str, str], invariant: str, recover: str | None = None
) -> str:
    """The schedule as a pytest test to keep, which fails as long as the schedule breaks something.

    names: for each client, the function of yours that it is, as the test is to write it
    ("like_once", "lambda: like(table, 'POST#a91f')"); invariant and recover: likewise.
    """
    clients = ", ".join(f'"{name}": {function}' for name, function in names.items())
    rule = [invariant] if recover is None else [invariant, recover]
    lines = [
        "import dynalab",
        "",
        "",
        f"def {_test_name(schedule)}() -> None:",
        '    """Where this is no longer possible, the requests have changed: explore anew."""',
        "    schedule = dynalab.replay(",
        f'        "{schedule.text}",',
        f"        {{{clients}}},",
        *(f"        {name}," for name in rule),
        "    )",
        "    assert schedule.broken is None, schedule.broken",
    ]
    return "\n".join([*lines, ""])


def _test_name(schedule: Schedule) -> str:
    """A name that tells the schedule, whose signs a name cannot have."""
    steps = [step.choice for step in schedule.steps][: len(schedule.text.split())]
    name = "_".join(["test", *map(_step_name, steps)])
    return name if len(name) <= _LONGEST_NAME else f"test_a_schedule_of_{len(steps)}_steps"


def _step_name(choice: Choice) -> str:
    number = "" if choice.fate == "dies" else choice.number
    return "_".join(filter(None, [f"{choice.client}{number}", _FATES.get(choice.fate)]))
