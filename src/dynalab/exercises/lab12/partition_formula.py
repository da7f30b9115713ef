"""Exercise 12.1: the partitions that a provisioned table once began with."""

from __future__ import annotations

import math
from typing import Any

from dynalab.check import Passed
from dynalab.trial import Refused, Trial

# The order tells the usual mistakes apart. The sums of (600, 2_800) and (1_200, 4_600) are whole,
# and a float that multiplies by 1/3000 goes a little beyond them.
_TABLES: tuple[tuple[int, int, int, int], ...] = (
    (8, 5_000, 2_000, 4),
    (8, 1_000, 500, 1),
    (8, 1_000, 1_000, 2),
    (8, 5_000, 300, 2),
    (0, 3_000, 1_000, 2),
    (8, 1_500, 500, 1),
    (8, 1_501, 500, 2),
    (8, 1_500, 501, 2),
    (0, 600, 2_800, 3),
    (0, 1_200, 4_600, 5),
    (10, 100, 100, 1),
    (11, 100, 100, 2),
    (95, 5_000, 2_000, 10),
    (30, 5_000, 2_000, 4),
    (40, 9_000, 1_000, 4),
    (0, 0, 0, 1),
    (0, 1, 1, 1),
)


def check_partitions(partitions: Any, trial: Trial) -> Passed:
    for gb, rcu, wcu, wanted in _TABLES:
        _expect(trial, partitions, gb, rcu, wcu, wanted)
    return Passed(
        f"{len(_TABLES)} tables agree. A table of 5,000 read and 2,000 write units began with 4 "
        f"partitions, with {5_000 // 4:,} and {2_000 // 4:,} units each. One of 5,000 and 300 "
        f"began with 2, so one key got at most {5_000 // 2:,} reads a second."
    )


def _expect(trial: Trial, partitions: Any, gb: int, rcu: int, wcu: int, wanted: int) -> None:
    found = trial.call(partitions, gb, rcu, wcu)
    text = f"partitions({gb}, {rcu:_}, {wcu:_})"
    if isinstance(found, bool) or not isinstance(found, int):
        raise Refused(f"{text} returned {found!r}.", _about_type(found, wanted))
    if found != wanted:
        raise Refused(
            f"{text} returned {found}; it was {wanted}.", _question(found, gb, rcu, wcu, wanted)
        )


def _about_type(found: Any, wanted: int) -> str:
    if found is None:
        return "The caller gets None. Which statement of your function returns the number?"
    if found == wanted:
        return (
            "The number is right, but a number of partitions is an int. How do you convert it to "
            "one?"
        )
    if isinstance(found, float):
        return "A number of partitions is a whole number: do you round a part of one up or down?"
    return f"A number of partitions is an int, and this is a {type(found).__name__}."


def _question(found: int, gb: int, rcu: int, wcu: int, wanted: int) -> str:
    by_size, units = -(-gb // 10), rcu / 3_000 + wcu / 1_000
    by_units = -(-(rcu + 3 * wcu) // 3_000)
    if wanted == 1 and found < 1:
        return "Where does the first item go? A table has at least one partition."
    if found == by_units + 1 and units == by_units:
        if rcu % 3_000 == 0:
            return f"How many partitions do exactly {rcu:,} read and {wcu:,} write units fill?"
        return (
            "Both parts add up to a whole number here, but your sum is a little larger. How exact "
            "is a third in floating point? Can you compute with whole numbers only?"
        )
    if found < by_units and found in (int(units), round(units)):
        return "A part of a partition needs a whole one: do you round up or down?"
    if found == -(-rcu // 3_000) + -(-wcu // 1_000):
        return "Two halves make one partition. Do you round before you add, or after?"
    if found == by_size + by_units:
        return (
            "Is that the sum of both, or one more than the larger? A partition holds items and "
            "serves requests at the same time."
        )
    if found == by_units < by_size:
        return "How many gigabytes did a partition hold?"
    if found == by_size < by_units:
        return "Size and throughput must both fit: which of the two numbers decides?"
    if found == max(1, math.ceil(max(rcu / 3_000, wcu / 1_000))):
        return "One partition served both its reads and its writes: do you add their shares?"
    if found == max(1, by_size, -(-(3 * rcu + wcu) // 3_000)):
        return "Which of the two limits is 3,000, and which is 1,000?"
    return (
        "Take the sum of rcu / 3,000 and wcu / 1,000, rounded up, and gb / 10, rounded up. The "
        "larger one is the answer."
    )
