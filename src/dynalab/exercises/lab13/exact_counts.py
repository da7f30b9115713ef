"""What an aggregator has to do, whatever it counts by: for exercises 13.2 and 13.3."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import wraps
from typing import Any

from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab13.ballots import OTHER_SHARD, RESULTS, SHARD, cast_for
from dynalab.exercises.lab13.checkpoints import expect_checkpoints
from dynalab.exercises.lab13.count_once import expect_each_once
from dynalab.exercises.lab13.count_schedules import hold_deaths, hold_long_batch, hold_meetings
from dynalab.exercises.lab13.counted_ballots import Counting
from dynalab.exercises.lab13.trouble import (
    expect_errors_through,
    expect_lost_races,
    expect_many_places,
)
from dynalab.exercises.words import in_read_units, in_write_units
from dynalab.trial import Refused, Trial


class Unwritten(Exception):
    """The answer calls a function that is a stub; the message is its name."""


def telling_stubs(function: Callable[..., Any]) -> Callable[..., Any]:
    """The answer, which raises Unwritten where it is not itself the stub."""

    @wraps(function)
    def called(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except NotImplementedError as error:
            stub = traceback.extract_tb(error.__traceback__)[-1].name
            if stub == getattr(function, "__name__", stub):
                raise
            raise Unwritten(stub) from error

    return called


def expect_written(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """A plain call; Refused where another function is still to be written."""
    attempt = trial.attempt(aggregate, trial.table(RESULTS), OTHER_SHARD, cast_for(["ada"]))
    if isinstance(attempt.raised, Unwritten):
        raise Refused(
            f"{counting.name} calls {attempt.raised}, but {attempt.raised} is not written yet.",
            f"Write the body of {attempt.raised}, run its cell, and check again.",
        )


def expect_exact(trial: Trial, aggregate: Any, counting: Counting) -> tuple[str, str, str]:
    """How much was tried, what a batch costs, and a remark or ""; Refused where a count is off."""
    expect_each_once(trial, aggregate, counting)
    expect_checkpoints(trial, aggregate, counting)
    expect_errors_through(trial, aggregate, counting)
    deaths = hold_deaths(trial, aggregate, counting)
    units, remark = _units_of_a_batch(trial, aggregate, counting)
    expect_many_places(trial, aggregate, counting)
    extent = hold_meetings(trial, aggregate, counting)
    expect_lost_races(trial, aggregate, counting)
    hold_long_batch(trial, aggregate, counting)
    tried = f"{extent} of two aggregators on one shard, {deaths} of one that dies"
    return f"{tried[0].upper()}{tried[1:]}, and redelivery", units, remark


def _units_of_a_batch(trial: Trial, aggregate: Any, counting: Counting) -> tuple[str, str]:
    """What a batch of 40 ballots in two items costs; Refused where it costs too much."""
    table = trial.table(RESULTS)
    with trial.bill() as charges:
        trial.call(aggregate, table, SHARD, cast_for(["ada", "bob"] * 20))
    writes = write_units(charges)
    if writes > 6:
        raise Refused(
            f"A batch of 40 ballots for two candidates costs {in_write_units(writes)}; 6 are "
            "enough.",
            "Three items change: two counts and a checkpoint. How often do you write each of them?",
        )
    reads = read_units(charges)
    remark = ""
    if any(charge.read_units == 0.5 for charge in charges):
        remark = (
            "the checkpoint was read eventually consistent. An old one fails the condition, so "
            "the counts stay right, but you pay for the refused transaction."
        )
    return f"{in_write_units(writes)} and {in_read_units(reads)}", remark
