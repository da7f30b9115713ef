"""Units and refused requests by partition key over time: a heat map, and the same as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynalab.views.drawing import base64_png
from dynalab.views.page import figure, html_table, page, paragraph, text_table
from dynalab.views.values import count, number, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dynalab.engine.partitions import Partitions, Resource, Served

MOST_KEYS = 12
MOST_SPANS = 10
SPANS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600)  # seconds
HOT = 0.1  # a key is hot where a partition refused so many of its requests, or more
NOTHING = "No request met the partitions of the embedded engine."
SEE = "Each row is a partition key. A row that is hot asks for more than its partition serves."


@dataclass(frozen=True)
class Row:
    """One key: units a second in each span, refused requests in each, and the sums."""

    key: str
    units: tuple[float, ...]
    refused: tuple[int, ...]
    requests: tuple[int, ...]
    served: float

    @property
    def hot(self) -> bool:
        return _is_hot(sum(self.refused), sum(self.requests))


class HeatMap:
    """The traffic of some partitions, read afresh each time it is shown.

    Reads and writes of each table and global index have a picture of their own.
    """

    def __init__(self, partitions: Partitions) -> None:
        self._partitions = partitions

    def __repr__(self) -> str:
        parts = []
        for resource, keys in self._partitions.traffic.items():
            span, rows, more = _rows(keys)
            header, cells, numeric = _table(span, rows)
            lines = text_table(header, cells, numeric)
            parts += [self._title(resource), *lines, *([more] if more else [])]
        return "\n".join(parts) or NOTHING

    def _repr_html_(self) -> str:
        parts = []
        for resource, keys in self._partitions.traffic.items():
            span, rows, more = _rows(keys)
            header, cells, numeric = _table(span, rows)
            title, ceiling = self._title(resource), self._partitions.serves(resource)
            picture = _Picture(span, rows, ceiling)
            parts.append(figure(title, base64_png(picture.draw, 6.4, picture.height), *_told(rows)))
            parts.append(html_table("The same numbers as a table", header, [cells], numeric))
            parts += [paragraph(more)] if more else []
        return page(*(parts or [paragraph(NOTHING)]))

    def _title(self, resource: Resource) -> str:
        table, index, kind = resource
        place = table if index is None else f"{table}, index {index}"
        scale = self._partitions.scale
        scaled = "" if scale == 1 else f", scale 1 : {number(scale)}"
        ceiling = number(self._partitions.serves(resource))
        return f"{place}: {kind.lower()} units a second; a partition serves {ceiling}{scaled}"


def _rows(keys: Mapping[Any, Mapping[int, Served]]) -> tuple[int, list[Row], str]:
    """Seconds a span, the hottest keys in order of key, and a line about the others."""
    last = max(second for seconds in keys.values() for second in seconds)
    span = next((s for s in SPANS if (last + 1) / s <= MOST_SPANS), SPANS[-1])
    rows = [_row(key, seconds, span, last // span + 1) for key, seconds in keys.items()]
    hottest = sorted(rows, key=lambda row: (-sum(row.refused), -row.served, row.key))
    others = hottest[MOST_KEYS:]
    more = ""
    if others:
        served = number(sum(row.served for row in others))
        refused = sum(sum(row.refused) for row in others)
        more = (
            f"{count(len(others), 'more key')}: {served} units served, {refused:,} requests refused"
        )
    return span, sorted(hottest[:MOST_KEYS], key=lambda row: row.key), more


def _row(key: Any, seconds: Mapping[int, Served], span: int, spans: int) -> Row:
    units, refused, requests = [0.0] * spans, [0] * spans, [0] * spans
    for second, served in seconds.items():
        units[second // span] += served.units
        refused[second // span] += served.refused
        requests[second // span] += served.requests
    return Row(
        plain(key), tuple(u / span for u in units), tuple(refused), tuple(requests), sum(units)
    )


def _table(span: int, rows: Sequence[Row]) -> tuple[list[str], list[list[str]], range]:
    spans = len(rows[0].units)
    header = [
        "key",
        *(f"{place * span} s" for place in range(spans)),
        "units served",
        "requests refused",
        "",
    ]
    cells = [
        [
            row.key,
            *(number(round(units, 1)) for units in row.units),
            number(row.served),
            number(sum(row.refused)),
            "hot" if row.hot else "",
        ]
        for row in rows
    ]
    return header, cells, range(1, spans + 3)


def _told(rows: Sequence[Row]) -> tuple[str, str]:
    """What the picture shows, for who cannot see it, and the sentence that says what to see."""
    hot = [row.key for row in rows if row.hot]
    named = ", ".join(hot) if hot else "none"
    alt = f"Heat map of {count(len(rows), 'partition key')} over time; hot: {named}."
    return alt, SEE


def _is_hot(refused: int, served: int) -> bool:
    return refused > 0 and refused >= HOT * (refused + served)


@dataclass(frozen=True)
class _Picture:
    """Blue for what was served, up to the ceiling; red, and a number, for what was refused."""

    span: int
    rows: Sequence[Row]
    ceiling: float

    @property
    def height(self) -> float:
        return 1.2 + 0.28 * len(self.rows)

    def draw(self, drawing: Figure) -> None:
        axes = drawing.add_subplot()
        for place, row in enumerate(self.rows):
            for column, units in enumerate(row.units):
                self._cell(axes, place, column, units, row.refused[column], row.requests[column])
        spans = len(self.rows[0].units)
        axes.set_xlim(0, spans)
        axes.set_ylim(len(self.rows), 0)
        axes.set_xticks(range(spans), [str(place * self.span) for place in range(spans)])
        axes.set_xlabel("seconds; in a cell: units a second, × refused requests", fontsize=8)
        labels = [f"{row.key}  hot" if row.hot else row.key for row in self.rows]
        axes.set_yticks([place + 0.5 for place in range(len(self.rows))], labels)
        axes.tick_params(length=0, labelsize=8)
        axes.spines[:].set_visible(False)

    def _cell(
        self, axes: Axes, place: int, column: int, units: float, refused: int, requests: int
    ) -> None:
        from matplotlib.patches import Rectangle

        hot = _is_hot(refused, requests)
        share = min(1.0, units / self.ceiling) if self.ceiling else 1.0
        # Both end light enough for dark text: a contrast of at least 4.5.
        colour = (1.0, 0.62, 0.55) if hot else (1 - 0.42 * share, 1 - 0.22 * share, 1.0)
        axes.add_patch(Rectangle((column, place), 1, 1, facecolor=colour, edgecolor="white"))
        text = number(round(units, 1)) + (f" ×{refused:,}" if refused else "")
        if units or refused:
            axes.text(
                column + 0.5, place + 0.5, text, ha="center", va="center", fontsize=7,
                color="#1f1f1f",
            )  # fmt: skip
