"""Lines of figures as a picture, with the same figures as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dynalab.views.drawing import base64_png
from dynalab.views.page import figure, html_table, page, text_table
from dynalab.views.values import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]

# Each line has a colour, a marker and a dash of its own, and its name at its end. Every
# colour has a contrast of at least 4.5 on white.
COLOURS = ("#0b5394", "#a33b00", "#1b6e3c", "#7a1f7a", "#595959", "#8a5a00")
MARKERS = ("o", "s", "^", "D", "v", "X")
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (8, 3)))
LABEL_POINTS = 11.0


class Chart:
    """A picture of some series, and their figures.

    series: name → (x, y) pairs in the order they are joined, one y for an x.
    alt: what the picture shows, for who cannot see it. see: the sentence that says what to see.
    log_x, log_y: a logarithmic axis; it keeps a place for 0.
    """

    def __init__(
        self,
        title: str,
        x_label: str,
        y_label: str,
        series: Mapping[str, Points],
        *,
        alt: str,
        log_x: bool = False,
        log_y: bool = False,
        see: str,
    ) -> None:
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.series = {name: tuple(points) for name, points in series.items()}
        for name, points in self.series.items():
            if len(dict(points)) < len(points):
                raise ValueError(f"Give {name!r} one y for each x: the table has one row an x.")
        self.alt, self.see = alt, see
        self.log_x, self.log_y = log_x, log_y

    def __repr__(self) -> str:
        header, rows, numeric = self._table()
        table = text_table(header, rows, numeric)
        return "\n".join([self.title, self.see, self._caption(), *table])

    def _repr_html_(self) -> str:
        header, rows, numeric = self._table()
        table = html_table(self._caption(), header, [rows], numeric)
        return page(
            figure(self.title, base64_png(self._draw), self.alt, self.see),
            f"<details><summary>The same numbers as a table</summary>{table}</details>",
        )

    def _caption(self) -> str:
        return f"{self.y_label}, by {self.x_label}"

    def _table(self) -> tuple[list[str], list[list[str]], range]:
        columns = [dict(points) for points in self.series.values()]
        rows = [
            [number(x), *(number(column[x]) if x in column else "" for column in columns)]
            for x in sorted({x for column in columns for x in column})
        ]
        return [self.x_label, *self.series], rows, range(len(columns) + 1)

    def _draw(self, drawing: Figure) -> None:
        from matplotlib.ticker import NullLocator

        axes = drawing.add_subplot()
        axes.set_xlabel(self.x_label)
        axes.set_ylabel(self.y_label)
        axes.grid(color="#d9d9d9", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        for place, points in enumerate(self.series.values()):
            xs, ys = zip(*points, strict=True) if points else ((), ())
            axes.plot(
                xs,
                ys,
                color=COLOURS[place % len(COLOURS)],
                marker=MARKERS[place % len(MARKERS)],
                linestyle=DASHES[place % len(DASHES)],
                markersize=5,
                linewidth=1.6,
            )
        self._scale(axes)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: number(value))
            axis.set_minor_locator(NullLocator())  # dozens of ticks, and half the time to draw
        self._name_lines(drawing, axes)

    def _scale(self, axes: Axes) -> None:
        every = [point for points in self.series.values() for point in points]
        for wanted, values, scale in (
            (self.log_x, [x for x, _ in every], axes.set_xscale),
            (self.log_y, [y for _, y in every], axes.set_yscale),
        ):
            positive = [v for v in values if v > 0]
            if wanted and positive and min(values) > 0:
                scale("log")
            elif wanted and positive:
                scale("symlog", linthresh=min(positive))
        if every and not self.log_y and min(y for _, y in every) >= 0:
            axes.autoscale_view()
            axes.set_ylim(bottom=0)  # so that twice as much looks like twice as much

    def _name_lines(self, drawing: Figure, axes: Axes) -> None:
        """Each line's name at its last point, moved up from another name and from the axis."""
        axes.autoscale_view()  # now, so that points have places
        floor = axes.bbox.y0 * 72 / drawing.dpi + LABEL_POINTS / 2
        ends = []
        for place, (name, points) in enumerate(self.series.items()):
            if points:
                at = axes.transData.transform(points[-1])[1] * 72 / drawing.dpi
                ends.append((at, place, name, points[-1]))
        lowest: dict[float, float] = {}  # at each x, where the next name may stand
        for at, place, name, point in sorted(ends):
            height = max(at, lowest.get(point[0], floor))
            lowest[point[0]] = height + LABEL_POINTS
            axes.annotate(
                name,
                point,
                xytext=(8, height - at),
                textcoords="offset points",
                color=COLOURS[place % len(COLOURS)],
                fontsize=9,
                verticalalignment="center",
                annotation_clip=False,
            )
