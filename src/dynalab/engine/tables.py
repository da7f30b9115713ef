"""A table as the engine keeps it: items by key, item collections in order, one door for writes."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from moto.dynamodb.exceptions import ResourceInUseException
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import SecondaryIndex
from moto.dynamodb.models.table import Table as MotoTable
from sortedcontainers import SortedDict

from dynalab.engine import capacity
from dynalab.engine.constraints import refuse_impossible_name
from dynalab.engine.errors import Invalid, ResourceNotFoundException
from dynalab.engine.item_collections import Collections, Key
from dynalab.engine.streams import Shards
from dynalab.engine.values import Wire, comparable


class Item:
    """An item as stored. It is never changed in place, so its size is computed once."""

    __slots__ = ("size", "wire")

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.size = capacity.item_size(wire)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a table or an index holds of an item: the projected attributes, their size in bytes."""

    item: Item
    wire: Wire
    size: int


def size_of(item: Item | None) -> int:
    """Bytes of an item; 0 where there is none."""
    return 0 if item is None else item.size


class Table(MotoTable):
    """moto's table, for its schema and description; the items are kept here.

    moto keeps one dict per partition key and sorts the whole table for each Query. Here
    every item collection, of the table and of each index, is kept in order once it was asked for.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.shards: Shards | None = None
        super().__init__(*arguments, **options)
        self.stored: dict[Key, Item] = {}
        self.touched: set[Key] = set()  # keys written since the table was made or copied
        self._ordered: dict[str | None, Collections[Entry]] = {}
        self._shared = False  # whether a copy holds the same; whoever writes takes its own first

    # --- keys and indexes ---------------------------------------------------------------

    def key_of(self, wire: Mapping[str, Any]) -> Key:
        """The key of an item that is known to hold it."""
        return tuple(comparable(wire[name]) for name in self.table_key_attrs)

    @property
    def key_types(self) -> dict[str, str]:
        """The type of each attribute that is a key of the table or of an index."""
        return {each["AttributeName"]: each["AttributeType"] for each in self.attr}

    def index(self, name: str) -> SecondaryIndex:
        """The index of this name; Invalid, with DynamoDB's message, where there is none."""
        for index in self.all_indexes():
            if index.name == name:
                return index
        raise Invalid(f"The table does not have the specified index: {name}")

    def is_local(self, index: SecondaryIndex) -> bool:
        """Whether it is a local index of this table, and no global one."""
        return index in self.indexes

    def entry(self, index: SecondaryIndex, wire: Wire) -> Wire | None:
        """What this index holds of an item; None where the item lacks an index key (sparse)."""
        return capacity.index_entry(
            wire, self.table_key_attrs, index.schema_key_attrs, index.projection
        )

    # --- items --------------------------------------------------------------------------

    def find(self, key: Key) -> Item | None:
        """The item of this key, or None."""
        return self.stored.get(key)

    def replace(self, key: Key, after: Item | None) -> Item | None:
        """Puts an item in place of what the key holds, or takes it away; returns what was there."""
        self._part()
        before = self.stored.get(key)
        self.touched.add(key)
        if after is not None:
            self.stored[key] = after
        elif before is not None:
            del self.stored[key]
        for name, collections in self._ordered.items():
            index = None if name is None else self.index(name)
            if before is not None:
                self._take_out(collections, index, before)
            if after is not None:
                self._put_in(collections, index, after)
        return before

    def collection(self, index: SecondaryIndex | None, partition: Any) -> SortedDict[Key, Entry]:
        """The item collection of one partition key value, ordered by sort key."""
        return self._collections(index).get(partition)

    def entries(
        self, index: SecondaryIndex | None, after: Key | None
    ) -> Iterator[tuple[Any, Entry]]:
        """Every entry behind a place, with its partition key value, in the order of a Scan."""
        return self._collections(index).entries(after)

    def forget_order(self) -> None:
        """Builds the item collections anew when they are next asked for."""
        self._ordered = {}

    def _part(self) -> None:
        """Takes what is shared with a copy for itself."""
        if self._shared:
            self.stored = dict(self.stored)
            self._ordered = {name: each.copy() for name, each in self._ordered.items()}
            self._shared = False

    def _collections(self, index: SecondaryIndex | None) -> Collections[Entry]:
        name = None if index is None else index.name
        if name not in self._ordered:
            collections: Collections[Entry] = Collections()
            for item in self.stored.values():
                self._put_in(collections, index, item)
            self._ordered[name] = collections
        return self._ordered[name]

    def place(self, index: SecondaryIndex | None, wire: Wire) -> Key:
        """Partition key value, then what orders an entry: index sort key, then the table's key."""
        if index is None:
            return self.key_of(wire)
        return (*(comparable(wire[name]) for name in index.schema_key_attrs), *self.key_of(wire))

    def _put_in(
        self, collections: Collections[Entry], index: SecondaryIndex | None, item: Item
    ) -> None:
        if index is None:
            entry = Entry(item, item.wire, item.size)
        else:
            projected = self.entry(index, item.wire)
            if projected is None:
                return
            entry = Entry(item, projected, capacity.item_size(projected))
        partition, *order = self.place(index, item.wire)
        collections.put(partition, tuple(order), entry)

    def _take_out(
        self, collections: Collections[Entry], index: SecondaryIndex | None, item: Item
    ) -> None:
        if index is not None and any(name not in item.wire for name in index.schema_key_attrs):
            return
        partition, *order = self.place(index, item.wire)
        collections.take_out(partition, tuple(order))

    def copy(self, *, touched: bool = False) -> Table:
        """The same contents, free to go another way; items are shared, since none ever changes.

        touched: whether the keys that were written so far are remembered.
        """
        self._shared = True
        table = copy.copy(self)
        table.touched = set(self.touched) if touched else set()
        table.indexes = [copy.copy(index) for index in self.indexes]
        table.global_indexes = [copy.copy(index) for index in self.global_indexes]
        table.ttl, table.tags = dict(self.ttl), [dict(tag) for tag in self.tags]
        table.shards = None if self.shards is None else self.shards.copy()
        return table

    # --- what moto asks of a table --------------------------------------------------------

    def __len__(self) -> int:
        return len(self.stored)

    def set_stream_specification(self, streams: dict[str, Any] | None) -> None:
        super().set_stream_specification(streams)
        self.stream_shard = None  # moto's shard; ours takes its place
        enabled = bool(self.stream_specification and self.stream_specification["StreamEnabled"])
        self.shards = Shards(self.table_key_attrs, streams or {}) if enabled else None
        if not enabled:
            self.latest_stream_label = None  # moto never lets a stream be enabled again


class Backend(DynamoDBBackend):
    """moto's backend, for creating and describing tables; its tables are ours."""

    def create_table(self, name: str, **options: Any) -> Table:  # type: ignore[override]
        if name in self.tables:
            raise ResourceInUseException(f"Table already exists: {name}")
        # moto left two methods of CloudFormation open; nobody calls them.
        table = Table(  # type: ignore[abstract]
            name, account_id=self.account_id, region=self.region_name, **options
        )
        self.tables[name] = table
        return table

    def list_tables(
        self, limit: int, exclusive_start_table_name: str | None
    ) -> tuple[list[str], str | None]:
        """A page of names, in the alphabet's order, and the last one where more follow."""
        names = [name for name in sorted(self.tables) if name > (exclusive_start_table_name or "")]
        return names[:limit], names[limit - 1] if len(names) > limit else None

    def update_table_global_indexes(self, table: Any, updates: Any) -> None:
        super().update_table_global_indexes(table, updates)
        table.forget_order()

    def table(self, name: str) -> Table:
        """The table of this name or ARN; ResourceNotFoundException where there is none."""
        table = self.tables.get(name.rpartition("/")[2])
        if not isinstance(table, Table):
            refuse_impossible_name(name)  # that of a batch or a transaction was not looked at yet
            raise ResourceNotFoundException()
        return table
