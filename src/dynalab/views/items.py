"""Tables as item collections: partition keys once, sort keys inside, what changed marked."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dynalab.views.page import html_table, page, paragraph, text_table
from dynalab.views.values import count, exact, plain, untyped

MOST_ROWS = 50
CHANGE = "since the last look"  # heads the marks, which are "new" and "changed"

Item = Mapping[str, Any]
Key = tuple[str, ...]


@dataclass(frozen=True)
class TableItems:
    """What one table or index holds: the names of its keys and its items, in order.

    sort_key: None where it has none. items: plain, as boto3's Table gives them, or typed.
    """

    partition_key: str
    sort_key: str | None
    items: Sequence[Item]

    @classmethod
    def of(cls, keys: Sequence[str], items: Sequence[Item]) -> TableItems:
        """Those of a table with these key attributes: one, or two."""
        partition_key, *sort_keys = keys
        return cls(partition_key, sort_keys[0] if sort_keys else None, items)


class Items:
    """The items of some tables at one moment; with an earlier look, what has changed since.

    tables: name → TableItems. before: the previous Items; a table it did not show has no marks.
    The items are copied, so that a later look compares with this one as it was.
    """

    def __init__(self, tables: Mapping[str, TableItems], *, before: Items | None = None) -> None:
        earlier = before._shown if before is not None else {}
        self._shown: dict[str, _Shown] = {
            name: _Shown(name, t, earlier.get(name)) for name, t in tables.items()
        }

    def __repr__(self) -> str:
        return "\n\n".join(shown.text() for shown in self._shown.values()) or "no tables"

    def _repr_html_(self) -> str:
        parts = [shown.html() for shown in self._shown.values()]
        return page(*(parts or [paragraph("no tables")]))


class _Shown:
    """One table's items, grouped by partition key and compared with the look before."""

    def __init__(self, name: str, table: TableItems, before: _Shown | None) -> None:
        self.name = name
        self.keys = [k for k in (table.partition_key, table.sort_key) if k is not None]
        self.items: dict[Key, list[Item]] = {}
        collections: dict[str, list[Item]] = {}
        for item in map(self._plain_item, copy.deepcopy(list(table.items))):
            key = self._key(item)
            self.items.setdefault(key, []).append(item)
            collections.setdefault(key[0], []).append(item)
        self.before = before.items if before is not None else None
        in_order = [item for items in collections.values() for item in items]
        self.marks = [self._mark(item) for item in in_order]
        self.first = in_order[:MOST_ROWS]
        found = _attributes(self.first, self.keys)
        earlier = [] if before is None else [name for name in before.columns if name in found]
        self.columns: list[str] = [*earlier, *(name for name in found if name not in earlier)]

    def text(self) -> str:
        if not self.first:
            return "\n".join([f"{self.name}: no items", *self._after()])
        header, groups, numeric = self._table()
        rows = [
            ["" if place and self._spanned() else row[0], *row[1:]]
            for group in groups
            for place, row in enumerate(group)
        ]
        return "\n".join([self.name, *text_table(header, rows, numeric), *self._after()])

    def html(self) -> str:
        after = "".join(paragraph(line) for line in self._after())
        if not self.first:
            return paragraph(f"{self.name}: no items") + after
        header, groups, numeric = self._table()
        spanned = self._spanned()
        return html_table(self.name, header, groups, numeric, spanned=spanned) + after

    def _table(self) -> tuple[list[str], list[list[list[str]]], set[int]]:
        # Marks stand beside the keys: at the end of a long row they would be off the screen.
        marked = [] if self.before is None else [CHANGE]
        names = [*self.keys, *marked, *self.columns]
        groups: dict[str, list[list[str]]] = {}
        for item, mark in zip(self.first, self.marks, strict=False):
            keys, others = (
                [plain(item[name]) if name in item else "" for name in some]
                for some in (self.keys, self.columns)
            )
            group = groups.setdefault(self._key(item)[0] if self._spanned() else "", [])
            group.append([*keys, *([mark] if marked else []), *others])
        numeric = {
            names.index(name)
            for name in [*self.keys, *self.columns]
            if all(_is_number(item[name]) for item in self.first if name in item)
        }
        return names, list(groups.values()), numeric

    def _after(self) -> list[str]:
        """What the rows do not show: items beyond the first fifty, and items that are gone."""
        lines = []
        hidden = self.marks[len(self.first) :]
        if hidden:
            kinds = Counter(filter(None, hidden))
            marks = ", ".join(f"{n:,} {kind}" for kind, n in sorted(kinds.items()))
            lines.append(f"and {count(len(hidden), 'more item')}" + (f" ({marks})" * bool(marks)))
        gone = [key for key in self.before or {} if key not in self.items]
        for key in gone[:MOST_ROWS]:
            item = (self.before or {})[key][0]
            lines.append("gone: " + " / ".join(plain(item.get(name, "")) for name in self.keys))
        if gone[MOST_ROWS:]:
            lines.append(f"gone: {len(gone) - MOST_ROWS:,} more")
        return lines

    def _spanned(self) -> bool:
        return len(self.keys) == 2

    def _key(self, item: Item) -> Key:
        return tuple(exact(item.get(name)) for name in self.keys)

    def _mark(self, item: Item) -> str:
        if self.before is None:
            return ""
        same_key = self.before.get(self._key(item))
        if same_key is None:
            return "new"
        unchanged = any(_contents(item) == _contents(old) for old in same_key)
        return "" if unchanged else "changed"

    def _plain_item(self, item: Item) -> Item:
        # A key is never a map, so an item whose partition key is one is in typed form.
        if not isinstance(item.get(self.keys[0]), Mapping):
            return item
        return {name: untyped(value) for name, value in item.items()}


def _attributes(items: Iterable[Item], keys: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for item in items for name in item if name not in keys))


def _contents(item: Item) -> dict[str, str]:
    return {name: exact(value) for name, value in item.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
