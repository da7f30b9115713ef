"""The table of a grading: as text, as CSV for a spreadsheet, as a page of HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from dynalab.grading.rows import Row
from dynalab.views.page import escape, html_table, page, text_table

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # a spreadsheet runs what begins so
_TITLE = "DynaLab: submissions"
_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2em auto; max-width: 80em; padding: 0 1em; }}
.dynalab table.dl-table td {{ white-space: pre-wrap; }}
</style></head><body><main class="dynalab"><h1>{title}</h1>"""


def text(rows: Sequence[Row]) -> str:
    """One line a submission, its reasons indented below, and a last line that sums up."""
    header = ("submission", "lab", "solved", "exercises")
    cells = [(row.name, _lab(row), row.score, row.by_state()) for row in rows]
    head, *lines = text_table(header, cells)
    out = [head]
    for row, line in zip(rows, lines, strict=True):
        out += [line, *(f"    {reason}" for reason in row.reasons)]
    return "\n".join([*out, "", summary(rows)])


def summary(rows: Sequence[Row]) -> str:
    """The last line: "3 submissions: 1 solved the whole lab, 1 could not be graded to the end."."""
    many = "1 submission" if len(rows) == 1 else f"{len(rows)} submissions"
    full = sum(row.graded and row.solved == len(row.states) for row in rows)
    failed = sum(not row.graded for row in rows)
    return f"{many}: {full} solved the whole lab, {failed} could not be graded to the end."


def as_csv(rows: Sequence[Row]) -> str:
    """One record a submission, one column an exercise of any lab among them.

    A cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    ids = _ids(rows)
    writer.writerow(["submission", "lab", "solved", "of", *ids, "reasons"])
    for row in rows:
        states = [row.states.get(each, "") for each in ids]
        solved = [str(row.solved), str(len(row.states))] if row.states else ["", ""]
        record = [row.name, _lab(row), *solved, *states, " | ".join(row.reasons)]
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in record])
    return out.getvalue()


def as_html(rows: Sequence[Row]) -> str:
    """A page of its own: a caption, heads with their scope, every state in words."""
    ids = _ids(rows)
    header = ["submission", "lab", "solved", *ids, "reasons"]
    cells = [
        [row.name, _lab(row), row.score, *(row.states.get(each, "–") for each in ids),
         "\n".join(row.reasons) or "–"]
        for row in rows
    ]  # fmt: skip
    table = html_table(summary(rows), header, [cells])
    return f"{_HEAD.format(title=escape(_TITLE))}{page(table)}</main></body></html>\n"


def _lab(row: Row) -> str:
    return row.lab.label if row.lab else "–"


def _ids(rows: Sequence[Row]) -> list[str]:
    """The exercises of all labs among the rows, in the course's order."""
    labs = {row.lab.number: row.lab for row in rows if row.lab}
    return [entry.id for _, lab in sorted(labs.items()) for entry in lab.exercises]
