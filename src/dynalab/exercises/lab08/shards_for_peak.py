"""Exercise 8.3: how many shards a peak needs."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.engine.throughput import expected
from dynalab.trial import Refused, Trial

# Factors that floats hold exactly: no answer fails for a rounding that nobody asked about.
_PEAKS: tuple[tuple[float, float, float, int], ...] = (
    (4_500, 1, 0.0, 5),
    (4_500, 2, 0.0, 9),
    (1_000, 1, 0.0, 1),
    (1_001, 1, 0.0, 2),
    (250, 4, 0.0, 1),
    (4_000, 1, 0.25, 5),
    (4_100, 1, 0.25, 6),
    (3_000, 2, 0.5, 9),
    (1_000, 1, 1.0, 2),
    (300, 1, 0.0, 1),
    (0, 1, 0.0, 1),
    (0, 2, 0.5, 1),
    (1_000_000, 2, 0.25, 2_500),
)


def check_shards_needed(shards_needed: Any, trial: Trial) -> Passed:
    plain = trial.call(shards_needed, 4_500)
    _expect_needed("shards_needed(4_500)", plain, *_PEAKS[0])
    for peak, units, headroom, wanted in _PEAKS:
        text = f"shards_needed({peak:_}, units_per_vote={units}, headroom={headroom})"
        needed = trial.call(shards_needed, peak, units_per_vote=units, headroom=headroom)
        _expect_needed(text, needed, peak, units, headroom, wanted)
    few, enough = (expected(1_000_000, 4_500, shards) for shards in (4, 5))
    return Passed(
        f"{len(_PEAKS)} peaks agree. A million votes, 4,500 a second: four shards would refuse "
        f"{few.refused:,.0f}, five {enough.refused:,.0f}."
    )


def _expect_needed(
    text: str, needed: Any, peak: float, units: float, headroom: float, wanted: int
) -> None:
    if isinstance(needed, bool) or not isinstance(needed, int):
        raise Refused(
            f"{text} returned {needed!r}.",
            "range() and a key with two digits need an int: how do you convert it to one?"
            if needed == wanted
            else "A number of shards is a whole number: do you round a part of one up or down?",
        )
    if needed == wanted:
        return
    raise Refused(
        f"{text} returned {needed}; {wanted} are needed.",
        _needed_question(needed, peak, units, headroom, wanted),
    )


def _needed_question(needed: int, peak: float, units: float, headroom: float, wanted: int) -> str:
    asked = peak * units
    if peak == 0:
        return "A candidate without votes still needs a shard: how many are the minimum?"
    if needed == wanted - 1 and needed == int(asked * (1 + headroom) / 1000):
        return "The last, half-empty shard is needed too: do you round up or down?"
    if headroom and needed == max(1, -(-asked // 1000)):
        return "That has no headroom: by how much is the peak raised before you divide?"
    if headroom and needed == max(1, -(-asked * headroom // 1000)):
        return "Headroom is added on top of the peak. To what do you add it?"
    if units != 1 and needed == max(1, -(-peak * (1 + headroom) // 1000)):
        return "How many write units does one vote need here?"
    if needed == max(1, -(-asked * (1 + headroom) // 3000)):
        return (
            "3,000 a second is the limit for read units. How many write units does a partition "
            "serve?"
        )
    if needed == wanted + 1:
        return "How many shards do exactly 1,000 write units need?"
    return (
        "Take the write units a second at the peak, with headroom, divide by 1,000 for each "
        "partition, and round up."
    )
