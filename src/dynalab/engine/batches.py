"""The entries of a batch: taken apart where only some are served, and put together again.

Of one table a batch of writes has a list, a batch of reads a dict with a list of Keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

RequestItems: TypeAlias = Mapping[str, Any]  # table → its part of the batch

# The member of a reply that hands back what was not served.
UNPROCESSED = {"BatchWriteItem": "UnprocessedItems", "BatchGetItem": "UnprocessedKeys"}


def split(items: RequestItems, left: Iterable[object]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The RequestItems that are served, and those that are left.

    left: for each entry, in the order of the request, whether it is left.
    """
    flags = iter(left)
    served: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for table, part in items.items():
        sides: tuple[list[Any], list[Any]] = ([], [])
        for entry in _entries(part):
            sides[bool(next(flags))].append(entry)
        for side, entries in zip((served, rest), sides, strict=True):
            if entries:
                side[table] = _holding(part, entries)
    return served, rest


def joined(first: RequestItems, then: RequestItems) -> dict[str, Any]:
    """The entries of both, table by table."""
    items = dict(first)
    for table, part in then.items():
        already = _entries(first[table]) if table in first else []
        items[table] = _holding(part, [*already, *_entries(part)])
    return items


def _entries(part: Any) -> list[Any]:
    return list(part if isinstance(part, list) else part["Keys"])


def _holding(part: Any, entries: list[Any]) -> Any:
    return entries if isinstance(part, list) else {**part, "Keys": entries}
