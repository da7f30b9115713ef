"""Exercise 13.2: ballots from a stream, counted once by candidate."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.lab13.counted_ballots import Counting
from dynalab.exercises.lab13.exact_counts import expect_exact, expect_written, telling_stubs
from dynalab.trial import Trial

BY_CANDIDATE = Counting(
    "aggregate", "CHECKPOINT#VOTES", lambda candidate, at: (f"CANDIDATE#{candidate}", "VOTES")
)


def check_aggregate(aggregate: Any, trial: Trial) -> Passed:
    aggregate = telling_stubs(aggregate)
    expect_written(trial, aggregate, BY_CANDIDATE)
    tried, units, remark = expect_exact(trial, aggregate, BY_CANDIDATE)
    return Passed(
        f"{tried}: every ballot counts once. A batch of 40 ballots for two candidates: {units}.",
        remark,
    )
