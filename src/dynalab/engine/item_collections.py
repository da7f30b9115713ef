"""Item collections in the order of their sort keys, and the order in which a Scan meets them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Generic, TypeAlias, TypeVar

from sortedcontainers import SortedDict

Key: TypeAlias = tuple[Any, ...]
Entry = TypeVar("Entry")


class Collections(Generic[Entry]):
    """The item collections of one table or index, by partition key value.

    A Scan meets them in the order of a hash of that value. The order stays as it is when
    collections come and go, so a page can start where a collection is no longer.
    """

    def __init__(self) -> None:
        self._collections: dict[Any, SortedDict[Key, Entry]] = {}
        self._scan: SortedDict[tuple[int, str], Any] | None = None  # made by the first Scan
        self._lent: set[Any] = set()  # partition key values whose collection a copy holds too
        self._scan_lent = False

    def copy(self) -> Collections[Entry]:
        """The same, free to go another way, as long as nobody writes to this one any more."""
        other: Collections[Entry] = Collections()
        other._collections, other._lent = dict(self._collections), set(self._collections)
        other._scan, other._scan_lent = self._scan, True
        return other

    def get(self, partition: Any) -> SortedDict[Key, Entry]:
        """One collection; an empty one where there is none."""
        return self._collections.get(partition) or SortedDict()

    def put(self, partition: Any, order: Key, entry: Entry) -> None:
        """Puts an entry at its place in its collection, in place of what is there."""
        if partition not in self._collections:
            self._collections[partition] = SortedDict()
            scan = self._own_scan()
            if scan is not None:
                scan[_place(partition)] = partition
        self._own(partition)[order] = entry

    def take_out(self, partition: Any, order: Key) -> None:
        """Removes the entry of a place, which must be there; a collection goes with its last."""
        collection = self._own(partition)
        del collection[order]
        if not collection:
            del self._collections[partition]
            scan = self._own_scan()
            if scan is not None:
                del scan[_place(partition)]

    def _own(self, partition: Any) -> SortedDict[Key, Entry]:
        if partition in self._lent:
            self._collections[partition] = self._collections[partition].copy()
            self._lent.remove(partition)
        return self._collections[partition]

    def _own_scan(self) -> SortedDict[tuple[int, str], Any] | None:
        if self._scan is not None and self._scan_lent:
            self._scan, self._scan_lent = self._scan.copy(), False
        return self._scan

    def entries(self, after: Key | None) -> Iterator[tuple[Any, Entry]]:
        """Each partition key value and entry behind a place: (partition key value, *order)."""
        if self._scan is None:
            self._scan = SortedDict((_place(each), each) for each in self._collections)
        start = None if after is None else _place(after[0])
        for place in self._scan.irange(start):
            partition = self._scan[place]
            collection = self._collections[partition]
            first = after[1:] if after is not None and place == start else None
            for key in collection.irange(first, inclusive=(first is None, True)):
                yield partition, collection[key]


def segment_of(partition: Any, total: int) -> int:
    """Which of so many segments of a parallel Scan a partition key value falls into."""
    return _place(partition)[0] % total


def _place(partition: Any) -> tuple[int, str]:
    text = repr(partition)
    return zlib.crc32(text.encode("utf-8")), text
