"""Exercise 13.3: the same by candidate and minute; the minute is the ballot's own, in UTC."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.given import given
from dynalab.exercises.lab13.aggregate import BY_CANDIDATE
from dynalab.exercises.lab13.ballots import FIRST, RESULTS, SHARD, cast_for, inserted
from dynalab.exercises.lab13.counted_ballots import (
    Counting,
    checkpoint_of,
    compared,
    padded,
    results,
)
from dynalab.exercises.lab13.deliveries import deliver
from dynalab.exercises.lab13.exact_counts import expect_exact, expect_written, telling_stubs
from dynalab.trial import Refused, Trial

_MINUTE = 1750636860  # a whole one
_HOURS = 7_200


def _place(candidate: str, at: int) -> tuple[str, str]:
    minute = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M")
    return f"CANDIDATE#{candidate}", f"MINUTE#{minute}"


BY_MINUTE = Counting("aggregate_by_minute", "CHECKPOINT#MINUTE", _place)


def check_aggregate_by_minute(aggregate_by_minute: Any, trial: Trial) -> Passed:
    aggregate_by_minute = telling_stubs(aggregate_by_minute)
    expect_written(trial, aggregate_by_minute, BY_MINUTE)
    _expect_the_ballots_minute(trial, aggregate_by_minute)
    _expect_own_checkpoint(trial, aggregate_by_minute)
    tried, units, remark = expect_exact(trial, aggregate_by_minute, BY_MINUTE)
    return Passed(
        f"{tried}: every ballot counts once, in its own minute, whenever its record comes. A batch "
        f"of 40 ballots in two items: {units}.",
        remark,
    )


def _expect_the_ballots_minute(trial: Trial, aggregate_by_minute: Any) -> None:
    """Ballots at the edges of a minute, then one that reached DynamoDB two hours late."""
    table = trial.table(RESULTS)
    edges = (_MINUTE - 1, _MINUTE, _MINUTE + 31, _MINUTE + 59, _MINUTE + 60)
    batch = [inserted(FIRST + place, "ada", at=at) for place, at in enumerate(edges)]
    situation = (
        "Five ballots for ada: a second before a minute, at its seconds 0, 31 and 59, and a "
        "second after it."
    )
    with _another_time_zone() as zone:
        deliver(trial, aggregate_by_minute, BY_MINUTE, table, situation + zone, (SHARD, batch))
    found, wanted = results(trial), BY_MINUTE.expected(batch)
    if found != wanted:
        named = found and all(
            key == "CANDIDATE#ada" and sort_key.startswith("MINUTE#") for key, sort_key in found
        )
        raise Refused(
            f"{situation}{zone} {compared(found, wanted)}",
            "votedAt is in seconds since 1970. Which minute is that in UTC, in the form that the "
            "docstring shows?"
            if named
            else "The docstring names the items. Which partition key and which sort key do yours "
            "have?",
        )
    late = [inserted(FIRST + 9, "bob", at=_MINUTE, created=_MINUTE + _HOURS)]
    trial.call(aggregate_by_minute, table, SHARD, late)
    found, wanted = results(trial), BY_MINUTE.expected(batch, late)
    if found != wanted:
        created = BY_MINUTE.expected(batch, [inserted(FIRST + 9, "bob", at=_MINUTE + _HOURS)])
        whose = "when DynamoDB wrote the record" if found == created else "another clock's"
        raise Refused(
            f"A ballot came late: votedAt is two hours before its record was written. "
            f"{compared(found, wanted)} That minute is {whose}.",
            "A new count of the Ballots table sees only votedAt. When did the voter vote?",
        )


@contextmanager
def _another_time_zone() -> Iterator[str]:
    """The machine is 5:45 ahead of UTC, as in Nepal; a sentence that says so.

    Where Python cannot set that (Windows), the machine stays where it is.
    """
    if not hasattr(time, "tzset"):
        yield ""
        return
    kept = os.environ.get("TZ")
    os.environ["TZ"] = "NPT-05:45"
    time.tzset()
    try:
        yield " The machine's own time is 5 hours 45 minutes ahead of UTC."
    finally:
        if kept is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = kept
        time.tzset()


def _expect_own_checkpoint(trial: Trial, aggregate_by_minute: Any) -> None:
    """Both aggregators read every shard; neither may take the other's work for its own."""
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob"])
    key = {"PK": f"SHARD#{SHARD}", "SK": BY_CANDIDATE.checkpoint}
    given(table, {**key, "sequenceNumber": padded(batch[0])})
    trial.call(aggregate_by_minute, table, SHARD, batch)
    found, wanted = results(trial), BY_MINUTE.expected(batch)
    if found != wanted:
        raise Refused(
            "`aggregate` has counted the first of two records; aggregate_by_minute got both. "
            f"{compared(found, wanted)}",
            "Both read the same shard, each at its own pace. Whose checkpoint do you read?",
        )
    other = checkpoint_of(trial.items(RESULTS), BY_CANDIDATE)
    if other is None or other.get("sequenceNumber") != padded(batch[0]):
        raise Refused(
            "`aggregate` has counted the first of two records. aggregate_by_minute got both, and "
            "moved the checkpoint of `aggregate`, which will never count the second.",
            "Both read the same shard, each at its own pace. Whose checkpoint do you write?",
        )
