"""What a block of requests was billed: a row a kind of request, the totals, and dollars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from dynalab.views.page import html_table, page, paragraph, text_table
from dynalab.views.values import number

if TYPE_CHECKING:
    from dynalab.meter import Charge

NOTHING = "no requests"
MILLION = 1_000_000
FIGURES: dict[str, Callable[[Charge], float]] = {
    "requests": lambda charge: 1,
    "items read": lambda charge: charge.evaluated,
    "returned": lambda charge: charge.returned,
    "read units": lambda charge: charge.read_units,
    "write units": lambda charge: charge.write_units,
    "retries": lambda charge: charge.retries,
}


class Bill:
    """The bill for some requests, read afresh each time it is shown.

    charges: one Charge a request; a list that still grows is fine.
    dollars: (read units, write units) → what that many cost.
    prices_line: where and when those prices hold.
    per: what the block did, one of it ("page view", "like"); its plural takes an s.
    nothing: what to say where there were no requests.
    """

    def __init__(
        self,
        charges: Sequence[Charge],
        dollars: Callable[[float, float], Decimal],
        prices_line: str,
        *,
        per: str = "page view",
    ) -> None:
        self.charges = charges
        self.dollars = dollars
        self.prices_line = prices_line
        self.per = per
        self.nothing = NOTHING

    @property
    def read_units(self) -> float:
        """Read units of all requests."""
        return sum(charge.read_units for charge in self.charges)

    @property
    def write_units(self) -> float:
        """Write units of all requests, refused ones included."""
        return sum(charge.write_units for charge in self.charges)

    @property
    def requests(self) -> int:
        """How many requests the meter saw."""
        return len(self.charges)

    def __repr__(self) -> str:
        charges = tuple(self.charges)
        if not charges:
            return self.nothing
        header, rows, total, numeric = _table(charges)
        lines = text_table(header, [*rows, total], numeric)
        rule = "-" * max(len(line) for line in lines)
        return "\n".join([*lines[:-1], rule, lines[-1], self._sentence(charges)])

    def _repr_html_(self) -> str:
        charges = tuple(self.charges)
        if not charges:
            return page(paragraph(self.nothing))
        header, rows, total, numeric = _table(charges)
        table = html_table("", header, [rows], numeric, foot=total)
        return page(table, paragraph(self._sentence(charges)))

    def _sentence(self, charges: Sequence[Charge]) -> str:
        reads = sum(charge.read_units for charge in charges)
        writes = sum(charge.write_units for charge in charges)
        cost = self.dollars(reads * MILLION, writes * MILLION)
        cents = cost.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        return (
            f"{_units(reads, writes)}: {cents:,} dollars per million such {self.per}s "
            f"({self.prices_line})"
        )


def _table(charges: Sequence[Charge]) -> tuple[list[str], list[list[str]], list[str], set[int]]:
    """Header, rows, the row of totals, and which columns are numeric."""
    groups: dict[tuple[str, str, str, str], list[Charge]] = {}
    for c in charges:
        kind = (c.operation, c.detail, c.index or "", c.error or "")
        groups.setdefault(kind, []).append(c)
    operations, details, indexes, errors = (list(texts) for texts in zip(*groups, strict=True))

    columns = [("operation", operations, "total")]
    if any(details):
        columns.append(("", details, ""))
    if any(indexes):
        columns.append(("index", indexes, ""))
    first_figure = len(columns)
    for name, figure in FIGURES.items():
        sums = [sum(figure(c) for c in group) for group in groups.values()]
        if name != "retries" or any(sums):
            columns.append((name, [number(n) for n in sums], number(sum(sums))))
    numeric = set(range(first_figure, len(columns)))
    if any(errors):
        columns.append(("refused", errors, ""))

    names, cells, totals = zip(*columns, strict=True)
    return list(names), [list(row) for row in zip(*cells, strict=True)], list(totals), numeric


def _units(reads: float, writes: float) -> str:
    amounts = [(reads, "read"), (writes, "write")]
    used = [pair for pair in amounts if pair[0]] or amounts
    return " and ".join(f"{number(n)} {arm} unit{'' if n == 1 else 's'}" for n, arm in used)
