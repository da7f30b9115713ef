"""What some shards serve of a storm, by arithmetic: for storms that are too large to be run.

It says what engine/partitions.py does, on average, where calls come evenly and choose a shard at
random, and nobody sends a refused call again. One's own retries move calls in time; a partition
that is asked for more than it serves stays at its ceiling all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from dynalab.engine import capacity
from dynalab.engine.partitions import CEILING


@dataclass(frozen=True)
class Expected:
    """served, refused: calls. seconds: how long they come. per_shard: write units a second that
    one shard is asked for. total_read_units: eventually consistent, for one sum over the shards.
    """

    served: float
    refused: float
    seconds: float
    per_shard: float
    total_read_units: float


def expected(
    calls: int, per_second: float, shards: int, *, units: float = 1.0, scale: float = 1.0
) -> Expected:
    """A storm of so many calls, so many a second, over shards of one partition each.

    units: write units that a call asks of its shard, 2 in a transaction. scale: as for partitions.
    """
    if shards < 1 or calls < 0 or per_second <= 0:
        raise ValueError("Give at least one shard, no negative calls, and some calls a second.")
    seconds = calls / per_second
    ceiling = CEILING["Write"] / scale
    # Each bucket is full when the storm begins: a second's units more than the ceiling's.
    most = shards * ceiling * (seconds + 1) / units
    served = min(float(calls), most)
    return Expected(
        served,
        calls - served,
        seconds,
        per_second * units / shards,
        shards * capacity.read_units(1),
    )
