"""What reading and writing items costs: pure functions from sizes to read and write units.

Sizes are bytes. Units are floats, as DynamoDB reports them. The rules are those of the Amazon
DynamoDB Developer Guide, read-write-operations.html, LSI.html and GSI.html; where the guide is
silent, a comment says that the rule is measured.
"""

import base64
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from itertools import chain, repeat
from typing import Any

from dynalab.engine.sizes import AttributeValue, Item, item_size, number_size, value_size

__all__ = [
    "PAGE_BYTES",
    "READ_UNIT_BYTES",
    "WRITE_UNIT_BYTES",
    "AttributeValue",
    "Item",
    "index_entry",
    "index_write_units",
    "item_size",
    "number_size",
    "page_sizes",
    "query_units",
    "read_units",
    "replay_units",
    "same_item",
    "value_size",
    "write_units",
    "write_units_between",
]

READ_UNIT_BYTES = 4096
WRITE_UNIT_BYTES = 1024
PAGE_BYTES = 1024 * 1024  # API reference, Query: evaluated before any filter or projection


def _check_count(what: str, count: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool):
        raise TypeError(f"Pass {what} as an int, not as {type(count).__name__}.")
    if count < 0:
        raise ValueError(f"Pass {what} of 0 or more, not {count}.")


def read_units(size: int, *, consistent: bool = False, transactional: bool = False) -> float:
    """Return the read units of one item, or of the summed items of one Query or Scan page.

    Each 4 KB begun is 0.5 eventually consistent, 1 strongly consistent, 2 transactional (which
    is consistent either way). Size 0, an absent item or an empty page, costs the minimum.
    """
    _check_count("a size", size)
    factor = 2.0 if transactional else 1.0 if consistent else 0.5
    return max(1, -(-size // READ_UNIT_BYTES)) * factor


def write_units(size: int, *, transactional: bool = False) -> float:
    """Return the write units of one item: 1 each 1 KB begun, at least 1, twice in a transaction.

    A ConditionCheck costs the transactional units of the item that it looks at, 0 for none.
    """
    _check_count("a size", size)
    return max(1, -(-size // WRITE_UNIT_BYTES)) * (2.0 if transactional else 1.0)


def write_units_between(
    before: int | None, after: int | None, *, transactional: bool = False
) -> float:
    """Return the write units of a put, update or delete, by the larger of the item's two sizes.

    None is no item; a delete of no item costs the minimum. For a failed condition pass the
    size that would have been written as `after`.
    """
    sizes = [size for size in (before, after) if size is not None]
    for size in sizes:
        _check_count("a size", size)
    return write_units(max(sizes, default=0), transactional=transactional)


def replay_units(size: int) -> float:
    """Return the read units of one item when a transaction's ClientRequestToken comes again.

    size: the image that the first call wrote, or the one that it deleted.
    """
    return read_units(size, transactional=True)  # measured; the API says only "read units"


# Pages


def _full_pages(count: int, item_bytes: int) -> tuple[int, int, int]:
    """Return the items on a full page, the number of full pages, the items left over."""
    _check_count("a number of items", count)
    _check_count("an item size", item_bytes)
    if count and not item_bytes:
        raise ValueError("Pass an item size of 1 or more: every item has a key.")
    on_page = max(1, PAGE_BYTES // max(1, item_bytes))
    return on_page, *divmod(count, on_page)


def page_sizes(count: int, item_bytes: int) -> Iterator[tuple[int, int]]:
    """Return the (items, bytes) of each page of a Query over `count` items of `item_bytes`.

    AWS does not say whether the item that crosses 1 MB is on the page. Here an item that
    would make a page larger than 1 MiB starts the next one, unless the page is empty, and no
    empty page follows a last one that is full. No items are one empty page.
    """
    on_page, full, left = _full_pages(count, item_bytes)
    last = [(left, left * item_bytes)] if left or not full else []
    return chain(repeat((on_page, on_page * item_bytes), full), last)


def query_units(count: int, item_bytes: int, *, consistent: bool = False) -> float:
    """Return the read units of a Query over `count` items of `item_bytes`, all its pages.

    Each page is one request, rounded up on its own. Takes the same time for any count.
    """
    on_page, full, left = _full_pages(count, item_bytes)
    units = full * read_units(on_page * item_bytes, consistent=consistent)
    if left or not full:
        units += read_units(left * item_bytes, consistent=consistent)
    return units


# Secondary indexes


def index_entry(
    item: Item | None,
    table_keys: Collection[str],
    index_keys: Collection[str],
    projection: Mapping[str, Any],
) -> dict[str, AttributeValue] | None:
    """Return what an index stores of an item: both keys and the projected attributes.

    projection is the index's own: {"ProjectionType": ..., "NonKeyAttributes": [...]}. Returns
    None where there is no item, or where it lacks an index key and so is not in the index.
    """
    if item is None or any(name not in item for name in index_keys):
        return None
    kind = projection.get("ProjectionType")
    if kind == "ALL":
        return dict(item)
    if kind not in ("KEYS_ONLY", "INCLUDE"):
        raise ValueError(f"Set ProjectionType to ALL, KEYS_ONLY or INCLUDE, not {kind!r}.")
    included = projection.get("NonKeyAttributes", ()) if kind == "INCLUDE" else ()
    stored = {*table_keys, *index_keys, *included}
    return {name: value for name, value in item.items() if name in stored}


def index_write_units(
    before: Item | None, after: Item | None, index_keys: Collection[str]
) -> float:
    """Return the write units that one index adds to a write, from its entry before and after.

    None is no entry. An index that the write leaves as it was costs 0, an entry whose index key
    changes a delete and a put. The same for local and global indexes, and not doubled in a
    transaction. Raises ValueError for an entry without its index key.
    """
    # Measured, sizes and all; the guide gives the cases for entries of up to 1 KB.
    for entry in (before, after):
        if entry is not None and any(name not in entry for name in index_keys):
            raise ValueError("Pass what index_entry returned: an entry holds its index keys.")
    if before is None or after is None:
        present = after if before is None else before
        return 0.0 if present is None else write_units(item_size(present))
    if any(not _same_value(before[name], after[name]) for name in index_keys):
        return write_units(item_size(before)) + write_units(item_size(after))
    if same_item(before, after):
        return 0.0
    return write_units(max(item_size(before), item_size(after)))


def same_item(before: Item, after: Item) -> bool:
    """Return whether two items are equal to DynamoDB: 1 is 1.0, and a set has no order."""
    return before.keys() == after.keys() and all(
        _same_value(value, after[name]) for name, value in before.items()
    )


def _same_value(one: AttributeValue, two: AttributeValue) -> bool:
    return one == two or _comparable(one) == _comparable(two)


def _comparable(value: AttributeValue) -> tuple[str, Any]:
    ((kind, inner),) = value.items()
    if kind == "N":
        return kind, Decimal(inner)
    if kind == "NS":
        return kind, set(map(Decimal, inner))
    if kind == "SS":
        return kind, set(inner)
    if kind == "B":
        return kind, _raw(inner)
    if kind == "BS":
        return kind, set(map(_raw, inner))
    if kind == "L":
        return kind, [_comparable(member) for member in inner]
    if kind == "M":
        return kind, {name: _comparable(member) for name, member in inner.items()}
    return kind, inner


def _raw(binary: bytes | str) -> bytes:
    return base64.b64decode(binary) if isinstance(binary, str) else bytes(binary)
