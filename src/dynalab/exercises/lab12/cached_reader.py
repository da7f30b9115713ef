"""Exercise 12.2: a read-through cache."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.lab12.between_steps import expect_one_read
from dynalab.exercises.lab12.cached_reads import expect_cached_reads
from dynalab.exercises.lab12.looks_and_room import ROOM, expect_looks_and_room
from dynalab.exercises.lab12.one_load import READERS, expect_one_load
from dynalab.exercises.lab12.pauses import every
from dynalab.trial import Trial


def check_cached_reader(cached_reader: Any, trial: Trial) -> Passed:
    remark = expect_cached_reads(trial, cached_reader)
    expect_one_load(trial, cached_reader)
    expect_looks_and_room(trial, cached_reader)
    steps = expect_one_read(trial, cached_reader)
    return Passed(
        f"Hit, miss, expiry, missing post: each made only the requests that it needs, and {ROOM} "
        f"posts were kept at once. {READERS} readers of one expired post made 1 request. Two "
        f"readers made 1 request too, if one came in at {every(steps)} of the other (a line of "
        "yours, or a look at the clock). A failed load left no reader waiting, and no reader "
        "waited for another post.",
        remark,
    )
