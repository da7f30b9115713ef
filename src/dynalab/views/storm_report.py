"""What became of the calls of a storm, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dynalab.views.page import page, paragraph
from dynalab.views.values import count, number

if TYPE_CHECKING:
    from dynalab.storm import Storm


class StormReport:
    """The lines about a storm. `result` is the storm itself, with its figures as attributes."""

    def __init__(self, result: Storm) -> None:
        self.result = result

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return page(*map(paragraph, self._lines()))

    def _lines(self) -> list[str]:
        storm = self.result
        lines = [
            f"{count(storm.calls, 'call')}, {number(storm.per_second)} a second: "
            f"{storm.succeeded:,} succeeded, {storm.failed:,} failed."
        ]
        if storm.retried:
            lines.append(
                f"Refused at first: {storm.refused_first:,}. Of these {storm.retried:,} were sent "
                f"again, {count(storm.retries, 'time')} in all, and {storm.absorbed:,} succeeded."
            )
        elif not storm.failed:
            lines.append("None was refused, and none was sent twice.")
        lines += [f"{times:,} × {text}" for text, times in storm.errors.most_common()]
        return lines
