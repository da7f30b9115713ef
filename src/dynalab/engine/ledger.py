"""What one request touched: the images it wrote, the sizes it read, and the capacity it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moto.dynamodb.models.table import SecondaryIndex

from dynalab.engine import capacity
from dynalab.engine.tables import Item, Table, size_of
from dynalab.engine.values import Wire


@dataclass(frozen=True)
class Write:
    """One item before and after; None where there was none, or is none any more."""

    table: Table
    before: Item | None
    after: Item | None

    @property
    def size(self) -> int:
        return max(size_of(self.before), size_of(self.after))


@dataclass(frozen=True)
class Read:
    """One item that was got, or one page of a Query or Scan: bytes, and how they are read."""

    table: Table
    size: int
    consistent: bool = False
    transactional: bool = False
    index: SecondaryIndex | None = None
    evaluated: int = 1
    returned: int = 1
    fetched: tuple[int, ...] = ()  # whole items that a local index had to fetch from the table

    @property
    def units(self) -> float:
        return capacity.read_units(
            self.size, consistent=self.consistent, transactional=self.transactional
        )

    @property
    def fetched_units(self) -> float:
        return sum(capacity.read_units(size, consistent=self.consistent) for size in self.fetched)


@dataclass
class TableUnits:
    """The capacity that one request used of one table and its indexes."""

    table: float = 0.0
    local: dict[str, float] = field(default_factory=dict)
    global_: dict[str, float] = field(default_factory=dict)
    reads: bool = False

    @property
    def total(self) -> float:
        return self.table + sum(self.local.values()) + sum(self.global_.values())


@dataclass
class Ledger:
    """Everything that the meter, the replies and a rollback need to know of one request."""

    operation: str
    request: Mapping[str, Any]
    writes: list[Write] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    checked: list[Write] = field(default_factory=list)  # ConditionChecks: nothing changes
    refused: list[Write] = field(default_factory=list)  # a failed condition is billed all the same
    replayed: bool = False  # the same ClientRequestToken came again
    error: str | None = None
    attempt: int = 1  # 2 and more: the SDK sends the same call again

    def units(self) -> dict[str, TableUnits]:
        """Capacity by table, in the order in which the request touched them."""
        tables: dict[str, TableUnits] = {}
        for read in self.reads:
            _add_read(tables.setdefault(read.table.name, TableUnits(reads=True)), read)
        for write in self.writes + self.checked:
            _add_write(tables, write, self.operation == "TransactWriteItems", self.replayed)
        for write in self.refused:
            tables.setdefault(write.table.name, TableUnits()).table += capacity.write_units(
                write.size
            )
        return tables


def _add_read(units: TableUnits, read: Read) -> None:
    units.table += read.fetched_units
    if read.index is None:
        units.table += read.units
    else:
        arms = units.local if read.table.is_local(read.index) else units.global_
        arms[read.index.name] = arms.get(read.index.name, 0.0) + read.units


def _add_write(
    tables: dict[str, TableUnits], write: Write, transactional: bool, replayed: bool
) -> None:
    units = tables.setdefault(write.table.name, TableUnits(reads=replayed))
    if replayed:
        units.table += capacity.replay_units(size_of(write.after) or size_of(write.before))
        return
    units.table += capacity.write_units(write.size, transactional=transactional)
    # An index entry inside a transaction costs the ordinary amount, not double.
    for local in write.table.indexes:
        _add_entry(units.local, write, local)
    for index in write.table.global_indexes:
        _add_entry(units.global_, write, index)


def _add_entry(arms: dict[str, float], write: Write, index: SecondaryIndex) -> None:
    used = capacity.index_write_units(
        _entry(write.table, index, write.before),
        _entry(write.table, index, write.after),
        index.schema_key_attrs,
    )
    if used:
        arms[index.name] = arms.get(index.name, 0.0) + used


def _entry(table: Table, index: SecondaryIndex, item: Item | None) -> Wire | None:
    return None if item is None else table.entry(index, item.wire)


# --- what a reply shows ---------------------------------------------------------------------

_LISTED = ("BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems")


def consumed_capacity(ledger: Ledger) -> Any:
    """The ConsumedCapacity of a reply, in the shape of its operation; None where none is asked for.

    moto reports constants. Batches and transactions list their tables; only transactions
    split reads from writes; INDEXES adds an arm for the table and each index that was touched.
    """
    wanted = ledger.request.get("ReturnConsumedCapacity", "NONE")
    if wanted == "NONE":
        return None
    split = ledger.operation.startswith("Transact")
    listed = [
        _shown(name, units, split, wanted == "INDEXES") for name, units in ledger.units().items()
    ]
    if ledger.operation in _LISTED:
        return listed
    return listed[0] if listed else None


def _shown(name: str, units: TableUnits, split: bool, indexes: bool) -> dict[str, Any]:
    def arm(amount: float) -> dict[str, float]:
        kind = "ReadCapacityUnits" if units.reads else "WriteCapacityUnits"
        return {"CapacityUnits": amount, kind: amount} if split else {"CapacityUnits": amount}

    shown: dict[str, Any] = {"TableName": name, **arm(units.total)}
    if indexes:
        shown["Table"] = arm(units.table)
        for parameter, arms in (
            ("LocalSecondaryIndexes", units.local),
            ("GlobalSecondaryIndexes", units.global_),
        ):
            if arms:
                shown[parameter] = {index: arm(amount) for index, amount in arms.items()}
    return shown


_GIGABYTE = 1024**3


def item_collection_metrics(ledger: Ledger) -> Any:
    """The ItemCollectionMetrics of a reply: sizes of the collections that were written to.

    Only tables with a local index have them (Local secondary indexes, "Item collections").
    """
    if ledger.request.get("ReturnItemCollectionMetrics", "NONE") != "SIZE":
        return None
    by_table: dict[str, list[dict[str, Any]]] = {}
    for write in ledger.writes:
        if write.table.indexes:
            by_table.setdefault(write.table.name, []).append(_metrics(write))
    if ledger.operation in _LISTED:
        return by_table
    return next(iter(by_table.values()))[0] if by_table else None


def _metrics(write: Write) -> dict[str, Any]:
    item = write.after or write.before
    table, name = write.table, write.table.hash_key_attr
    if item is None:
        return {"SizeEstimateRangeGB": [0.0, 1.0]}
    partition = table.key_of(item.wire)[0]
    size = sum(entry.size for entry in table.collection(None, partition).values())
    for index in table.indexes:
        size += sum(entry.size for entry in table.collection(index, partition).values())
    low = float(size // _GIGABYTE)
    return {"ItemCollectionKey": {name: item.wire[name]}, "SizeEstimateRangeGB": [low, low + 1.0]}
