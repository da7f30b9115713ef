"""What one partition can serve per second, and the throttles beyond it.

Each partition serves up to 3,000 read units and 1,000 write units a second
(bp-partition-key-design.html), here divided by a scale, so that a storm of some thousands shows
what one of some hundred thousands does. Taken for an on-demand table: every partition key value
has a partition to itself, which is the best that adaptive capacity does for a hot key, and no
more. Taken for a provisioned table: its units in equal shares over a fixed number of partitions.
Left out: limits of a whole table or account, and how long a table takes to split.
"""

from __future__ import annotations

import hashlib
import math
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from dynalab.engine import batches, throttles
from dynalab.engine.engine import Engine, Reply, Store
from dynalab.engine.errors import HTTPException
from dynalab.engine.loads import Kind, Load, loads_of

if TYPE_CHECKING:
    from dynalab.engine.tables import Backend

CEILING: dict[Kind, float] = {"Read": 3_000.0, "Write": 1_000.0}
BURST_SECONDS = 300  # burst-adaptive-capacity.html: up to five minutes of unused capacity
SEED = 7  # of boto3's jitter
_NOISE = 1e-6  # of a unit: sums of floats

Resource: TypeAlias = tuple[str, str | None, Kind]  # table, global index or None, reads or writes
Serve: TypeAlias = Callable[[Mapping[str, Any]], Reply]


@dataclass
class Served:
    """What one partition key value got in one second of the engine's clock."""

    units: float = 0.0
    requests: int = 0
    refused: int = 0


@dataclass
class Bucket:
    """Units that may be used now: filled at `rate` a second, up to `most`."""

    rate: float
    most: float
    left: float
    at: float

    def holds(self, units: float, now: float) -> bool:
        """Whether so many units can be used now; the bucket is filled up to this moment first."""
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        return self.left >= min(units, self.most) - _NOISE  # an item may be larger than a second's


class Partitions:
    """The partitions of one store, from the moment they are made.

    scale: DynamoDB's ceilings and a table's provisioned units are divided by it. spread: table →
    over how many partitions its provisioned units are; without it, as many as DynamoDB once began
    with, reads / 3,000 + writes / 1,000, rounded up. traffic: what each key of each resource got,
    by second. One request of a batch is one entry of it.
    """

    def __init__(self, store: Store, scale: float, spread: Mapping[str, int]) -> None:
        if scale <= 0:
            raise ValueError("Give a scale above 0: 100 for one hundredth of DynamoDB's ceilings.")
        self.scale = scale
        self.spread = spread
        self.traffic: dict[Resource, dict[Any, dict[int, Served]]] = {}
        self._store = store
        self._start = store.clock()
        self._buckets: dict[tuple[Resource, Any], tuple[Bucket, ...]] = {}
        self._lock = threading.Lock()

    def loads(self, operation: str, request: Mapping[str, Any]) -> list[list[Load]] | None:
        """What the request asks of whom; None where the engine will refuse it for its form."""
        try:
            return loads_of(self._store.backend, operation, request)
        except (HTTPException, AttributeError, KeyError, TypeError, ValueError):
            return None

    def answer(
        self,
        operation: str,
        request: Mapping[str, Any],
        loads: list[list[Load]] | None,
        serve: Serve,
    ) -> Reply:
        """Serves what the partitions can, and answers for the rest as DynamoDB does."""
        if loads is None:
            return serve(request)
        throttled = self._admit(loads, all_or_none=operation.startswith("Transact"))
        lacking = [load for entry in throttled for load in entry]
        backend = self._store.backend
        if not lacking:
            return serve(request)
        if operation.startswith("Transact"):
            return throttles.cancelled(
                [is_provisioned(backend, each[0].table) if each else None for each in throttled]
            )
        if all(throttled):
            provisioned = is_provisioned(backend, lacking[0].table)
            return throttles.refused(backend, lacking, provisioned)
        served, left = batches.split(request["RequestItems"], throttled)
        return throttles.partly(operation, serve({**request, "RequestItems": served}), left)

    def _admit(self, loads: list[list[Load]], all_or_none: bool) -> list[list[Load]]:
        """For each entry the loads that a partition cannot serve now; an entry with none is paid.

        all_or_none: entries are paid only where every one can be.
        """
        with self._lock:
            now = self._store.clock()
            throttled: list[list[Load]] = []
            paid: list[tuple[Load, tuple[Bucket, ...]]] = []
            for entry in loads:
                buckets = [self._of(load, now) for load in entry]
                lacking = [
                    load
                    for load, each in zip(entry, buckets, strict=True)
                    if not all(bucket.holds(load.units, now) for bucket in each)
                ]
                throttled.append(lacking)
                if not lacking:
                    pairs = list(zip(entry, buckets, strict=True))
                    _take(pairs, 1)
                    paid += pairs
            if all_or_none and any(throttled):
                _take(paid, -1)
                paid = []
            self._record(now, [load for load, _ in paid], throttled)
        return throttled

    def _record(self, now: float, paid: list[Load], throttled: list[list[Load]]) -> None:
        for load in paid:
            cell = self._cell(load, now)
            cell.units += load.units
            cell.requests += 1
        for entry in throttled:
            for load in entry:
                self._cell(load, now).refused += 1

    def _cell(self, load: Load, now: float) -> Served:
        seconds = self.traffic.setdefault((load.table, load.index, load.kind), {})
        return seconds.setdefault(load.key, {}).setdefault(int(now - self._start), Served())

    def serves(self, resource: Resource) -> float:
        """Units a second of one partition, what it saved for a burst apart."""
        ceiling = CEILING[resource[2]] / self.scale
        share = self._share(resource)
        return ceiling if share is None else min(ceiling, share)

    def _of(self, load: Load, now: float) -> tuple[Bucket, ...]:
        """The partition that has this key: its ceiling, and its share of what is provisioned."""
        resource = (load.table, load.index, load.kind)
        share = self._share(resource)
        partition = load.key if share is None else partition_of(load.key, self._shares(resource))
        if (resource, partition) not in self._buckets:
            ceiling = CEILING[load.kind] / self.scale
            buckets = [Bucket(ceiling, ceiling, ceiling, now)]
            if share is not None:
                # Nothing is unused yet: a share begins with the units of one second.
                buckets.append(Bucket(share, share * BURST_SECONDS, share, now))
            self._buckets[resource, partition] = tuple(buckets)
        return self._buckets[resource, partition]

    def _share(self, resource: Resource) -> float | None:
        """A partition's part of the provisioned units, a second; None for an on-demand table."""
        table, index, kind = resource
        backend = self._store.backend
        if not is_provisioned(backend, table):
            return None
        return _provisioned(backend, table, index)[kind] / self.scale / self._shares(resource)

    def _shares(self, resource: Resource) -> int:
        table, index, _ = resource
        units = _provisioned(self._store.backend, table, index)
        first = math.ceil(sum(units[kind] / CEILING[kind] for kind in CEILING))
        return self.spread.get(table, max(1, first))


def partition_of(key: Any, partitions: int) -> int:
    """Which partition of a provisioned table has a key: by a hash, which spreads keys evenly."""
    digest = hashlib.md5(repr(key).encode("utf-8"), usedforsecurity=False).digest()
    return int.from_bytes(digest, "big") % partitions


def is_provisioned(backend: Backend, table: str) -> bool:
    """Whether a table has units of its own a second, rather than being on demand."""
    return bool(backend.table(table).billing_mode != "PAY_PER_REQUEST")


def _provisioned(backend: Backend, name: str, index: str | None) -> dict[Kind, float]:
    """Units a second that are provisioned for a table or an index."""
    table = backend.table(name)
    of: Any = table if index is None else table.index(index)
    units = of.throughput
    return {"Read": units["ReadCapacityUnits"], "Write": units["WriteCapacityUnits"]}


def _take(paid: list[tuple[Load, tuple[Bucket, ...]]], sign: int) -> None:
    for load, buckets in paid:
        for bucket in buckets:
            bucket.left -= sign * load.units


@contextmanager
def partitioned(
    engine: Engine, scale: float = 1.0, spread: Mapping[str, int] | None = None
) -> Iterator[Partitions]:
    """Gives the engine's store partitions for the length of a block; yields their traffic.

    The engine's clock then moves only by what boto3 sleeps, and boto3's jitter is drawn from one
    seed: the same block gives the same figures.
    """
    store = engine.store
    kept, drawn = store.partitions, random.getstate()
    random.seed(SEED)
    try:
        with store.clock.still():
            store.partitions = Partitions(store, scale, spread or {})
            yield store.partitions
    finally:
        store.partitions = kept
        random.setstate(drawn)
