"""The building blocks of every view: one scoped stylesheet, tables, figures, and their text."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

Row = Sequence[str]

# JupyterLab's variables follow its theme; the fall-backs are for pages that have none of them.
# Text is always ink on paper or on band; the other colours only ever draw borders.
STYLE = """
.dynalab {
  --dl-ink: var(--jp-content-font-color1, #1f1f1f);
  --dl-paper: var(--jp-layout-color0, #ffffff);
  --dl-band: var(--jp-rendermime-table-row-background, #f5f5f5);
  --dl-line: var(--jp-border-color1, #bdbdbd);
  --dl-correct: var(--jp-success-color0, #1b5e20);
  --dl-incorrect: var(--jp-error-color1, #b71c1c);
  --dl-not-attempted: var(--jp-ui-font-color2, #5f5f5f);
  --dl-code: var(--jp-code-font-family, ui-monospace, monospace);
  color: var(--dl-ink); background: var(--dl-paper);
  font-family: var(--jp-content-font-family, system-ui, sans-serif);
  font-size: var(--jp-content-font-size1, 14px); line-height: 1.45;
  overflow-x: auto; padding: 2px 0;
}
.dynalab p { margin: 4px 0; }
.dynalab pre.dl-text {
  color: var(--dl-ink); background: transparent; font-family: var(--dl-code);
  font-size: 13px; line-height: 1.45; margin: 4px 0; padding: 0; white-space: pre-wrap;
}
.dynalab table.dl-table {
  border-collapse: collapse; color: var(--dl-ink); font-size: 13px; table-layout: auto;
  margin: 0 0 6px 0; width: auto;
}
.dynalab table.dl-table caption { font-weight: 600; padding: 4px 0; text-align: left; }
.dynalab table.dl-table th, .dynalab table.dl-table td {
  font-weight: 400; max-width: none; padding: 3px 14px 3px 0; text-align: left;
  vertical-align: top; white-space: pre;
}
.dynalab table.dl-table tbody th, .dynalab table.dl-table tbody td,
.dynalab table.dl-table tfoot th, .dynalab table.dl-table tfoot td {
  font-family: var(--dl-code); font-variant-numeric: tabular-nums;
}
.dynalab table.dl-table thead th {
  border-bottom: 1px solid var(--dl-line); font-weight: 600; vertical-align: bottom;
  white-space: normal;
}
.dynalab table.dl-table thead td { border-bottom: 1px solid var(--dl-line); }
.dynalab table.dl-table tbody + tbody, .dynalab table.dl-table tfoot {
  border-top: 1px solid var(--dl-line);
}
.dynalab table.dl-table tr, .dynalab table.dl-table tbody tr:nth-child(n) {
  background: transparent;
}
.dynalab table.dl-table tbody tr:hover { background: var(--dl-band); }
.dynalab table.dl-table .dl-number { text-align: right; }
.dynalab table.dl-lanes td {
  border-left: 1px solid var(--dl-line); max-width: 32em; padding-left: 10px;
  white-space: pre-wrap;
}
.dynalab table.dl-lanes td.dl-marked { border-left: 3px solid var(--dl-incorrect); }
.dynalab table.dl-lanes td strong { display: inline-block; }
.dynalab table.dl-lanes thead th + th { padding-left: 10px; }
.dynalab .dl-beside { display: flex; flex-wrap: wrap; gap: 4px 32px; }
.dynalab figure { margin: 4px 0; }
.dynalab figure img { background: #ffffff; height: auto; max-width: 100%; }
.dynalab .dl-title { font-weight: 600; }
.dynalab summary { cursor: pointer; }
.dynalab .dl-card {
  border-left: 4px solid var(--dl-not-attempted); margin: 2px 0; padding: 2px 0 2px 12px;
}
.dynalab .dl-card.dl-correct { border-color: var(--dl-correct); }
.dynalab .dl-card.dl-incorrect { border-color: var(--dl-incorrect); }
""".strip()


def escape(text: str) -> str:
    """The text as HTML shows it, safe in an element and in a quoted attribute."""
    return html.escape(text, quote=True)


def page(*parts: str) -> str:
    """One view's HTML: its parts in a division of their own, with the stylesheet."""
    return f'<div class="dynalab"><style>{STYLE}</style>{"".join(parts)}</div>'


def prose(text: str) -> str:
    """A sentence as HTML; what stands between backticks is code, as in the notebook's text."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def paragraph(text: str) -> str:
    """Text as HTML: a paragraph, or, where it has lines or an indent, its columns kept."""
    if "\n" in text or text.startswith(" "):
        return f'<pre class="dl-text">{escape(text)}</pre>'
    return f"<p>{prose(text)}</p>"


def text_table(header: Row, rows: Iterable[Row], numeric: Collection[int] = ()) -> list[str]:
    """The lines of a table in text: two spaces between columns, numeric columns to the right."""
    cells = [header, *rows]
    widths = [max(width(row[i]) for row in cells) for i in range(len(header))]
    return ["  ".join(_pad(row, widths, numeric)).rstrip() for row in cells]


def html_table(
    caption: str,
    header: Row,
    groups: Sequence[Sequence[Row]],
    numeric: Collection[int] = (),
    *,
    spanned: bool = False,
    foot: Row | None = None,
) -> str:
    """A table in HTML, one body a group; the first column heads its row.

    spanned: the first column is written once and heads its whole group, the second its row.
    """
    parts = ['<table class="dl-table">']
    if caption:
        parts.append(f"<caption>{escape(caption)}</caption>")
    parts.append(f"<thead><tr>{_heads(header, numeric)}</tr></thead>")
    for rows in groups:
        parts.append("<tbody>")
        for place, row in enumerate(rows):
            parts.append(f"<tr>{_cells(row, numeric, len(rows), place, spanned)}</tr>")
        parts.append("</tbody>")
    if foot is not None:
        parts.append(f"<tfoot><tr>{_cells(foot, numeric, 1, 0, False)}</tr></tfoot>")
    return "".join([*parts, "</table>"])


def figure(title: str, png_base64: str, alt: str, see: str) -> str:
    """A picture with its title above, the sentence that says what to see below, and alt text."""
    return (
        f'<figure><div class="dl-title">{escape(title)}</div>'
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{png_base64}">'
        f"<figcaption>{escape(see)}</figcaption></figure>"
    )


def html_of(view: object) -> str:
    """A view's own HTML; the text of anything else, escaped."""
    own = getattr(view, "_repr_html_", None)
    return str(own()) if callable(own) else f'<pre class="dl-text">{escape(text_of(view))}</pre>'


def text_of(view: object) -> str:
    """A view's text; text itself as it is."""
    return view if isinstance(view, str) else repr(view)


def width(text: str) -> int:
    """The columns that a text takes in a terminal: East Asian wide 2, combining marks 0."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _pad(row: Row, widths: Sequence[int], numeric: Collection[int]) -> list[str]:
    padded = []
    for column, text in enumerate(row):
        room = " " * (widths[column] - width(text))
        padded.append(room + text if column in numeric else text + room)
    return padded


def _heads(header: Row, numeric: Collection[int]) -> str:
    return "".join(
        f'<th scope="col"{_side(column, numeric)}>{escape(name)}</th>' if name else "<td></td>"
        for column, name in enumerate(header)
    )


def _cells(row: Row, numeric: Collection[int], height: int, place: int, spanned: bool) -> str:
    cells = []
    for column, text in enumerate(row):
        if spanned and column == 0:
            if place == 0:
                cells.append(f'<th scope="rowgroup" rowspan="{height}">{escape(text)}</th>')
        elif column == (1 if spanned else 0):
            cells.append(f'<th scope="row"{_side(column, numeric)}>{escape(text)}</th>')
        else:
            cells.append(f"<td{_side(column, numeric)}>{escape(text)}</td>")
    return "".join(cells)


def _side(column: int, numeric: Collection[int]) -> str:
    return ' class="dl-number"' if column in numeric else ""
