"""Friends by score, best first, as a table: the rank of each, and who shares one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dynalab.views.page import html_table, page, paragraph, text_table
from dynalab.views.values import count, number, plain

MOST_ROWS = 50
NOBODY = "No friend has a score yet."

BoardRow = tuple[str, str, Any]  # friend, name, score


class Leaderboard:
    """A leaderboard as it is now.

    rows: (friend, name, score), best first. ranks: one for each row; None leaves them out.
    you: name, score and rank of the player whose board it is, shown below the friends.
    Raises ValueError where there is not one rank for each row.
    """

    def __init__(
        self,
        rows: Sequence[BoardRow],
        ranks: Sequence[int] | None = None,
        *,
        title: str = "Leaderboard",
        you: tuple[str, Any, int] | None = None,
    ) -> None:
        if ranks is not None and len(ranks) != len(rows):
            raise ValueError(
                f"Give one rank for each row: {len(ranks)} ranks came for {len(rows)} rows."
            )
        self.rows = [(str(friend), str(name), score) for friend, name, score in rows]
        self.ranks = None if ranks is None else list(ranks)
        self.title = title
        self.you = you

    def __repr__(self) -> str:
        if not self.rows and self.you is None:
            return f"{self.title}\n{NOBODY}"
        header, cells, foot, numeric = self._table()
        lines = text_table(header, [*cells, *([foot] if foot else [])], numeric)
        if foot:
            lines.insert(-1, "-" * max(len(line) for line in lines))
        return "\n".join([self.title, *lines, *self._after()])

    def _repr_html_(self) -> str:
        if not self.rows and self.you is None:
            return page(paragraph(self.title), paragraph(NOBODY))
        header, cells, foot, numeric = self._table()
        after = "".join(paragraph(line) for line in self._after())
        return page(html_table(self.title, header, [cells], numeric, foot=foot), after)

    def _table(self) -> tuple[list[str], list[list[str]], list[str] | None, set[int]]:
        ranked = self.ranks is not None or self.you is not None
        ranks: list[int | None] = [None] * len(self.rows) if self.ranks is None else [*self.ranks]
        times = Counter(self.ranks or ())
        marks = ["shared" if rank is not None and times[rank] > 1 else "" for rank in ranks]
        columns = [
            *([("rank", ["" if r is None else str(r) for r in ranks])] if ranked else []),
            ("name", [plain(name) for _, name, _ in self.rows]),
            ("friend", [plain(friend) for friend, _, _ in self.rows]),
            ("score", [_score(score) for _, _, score in self.rows]),
            *([("", marks)] if any(marks) else []),
        ]
        header = [name for name, _ in columns]
        cells = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
        numeric = {header.index(name) for name in ("rank", "score") if name in header}
        return header, cells[:MOST_ROWS], self._foot(len(header)), numeric

    def _foot(self, columns: int) -> list[str] | None:
        if self.you is None:
            return None
        name, score, rank = self.you
        foot = [str(rank), plain(name), "you", _score(score)]
        return foot + [""] * (columns - len(foot))

    def _after(self) -> list[str]:
        hidden = len(self.rows) - MOST_ROWS
        return [f"and {count(hidden, 'more friend')}"] if hidden > 0 else []


def _score(score: Any) -> str:
    try:
        return number(score)
    except (TypeError, ValueError, ArithmeticError):
        return plain(score)
