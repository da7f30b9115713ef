"""Aggregators of exercises 13.2 and 13.3 in every schedule: they die, meet, and come again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynalab.exercises.lab13.ballots import OTHER_SHARD, RESULTS, SHARD, cast_for
from dynalab.exercises.lab13.counted_ballots import Counting, Records, compared, counted
from dynalab.exercises.words import first_raised
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_MANY = 105
_MEETING = (
    "What you read of the checkpoint may be out of date when you write it. Under which condition "
    "are the records of the transaction still new, and what do you do if that condition fails?"
)
_CLAIMED = "the calls returned"
_ASK_CLAIMED = (
    "The counts are right, but one call returned more than it has counted. A failed transaction "
    "has counted nothing: when do you add to the number that you return?"
)
_ONE_STEP = "Which request carries the counts and the checkpoint, both or neither?"


def hold_meetings(trial: Trial, aggregate: Any, counting: Counting) -> str:
    """How much two aggregators at once were tried; Refused at the first schedule that fails."""
    _hold_two_shards(trial, aggregate, counting)
    _hold_a_beginning(trial, aggregate, counting)
    extent = _hold_two(trial, aggregate, counting)
    _hold_late(trial, aggregate, counting)
    return extent


def _exact(counting: Counting, *batches: Records) -> Callable[[Outcome], str | None]:
    """An invariant: every ballot counts once, and nobody says to have counted more of them."""

    def invariant(outcome: Outcome) -> str | None:
        wanted = counting.expected(*batches)
        found = counted(outcome.items(RESULTS))
        if found != wanted:
            return compared(found, wanted)
        claimed = sum(value for value in outcome.returned.values() if isinstance(value, int))
        if claimed > sum(wanted.values()):
            answers = ", ".join(f"{name} {value}" for name, value in outcome.returned.items())
            return f"{sum(wanted.values())} ballots count, but {_CLAIMED} {answers}."
        return first_raised(outcome)

    return invariant


def _hold(trial: Trial, exploration: Exploration, situation: str, ask: str) -> str:
    """As trial.hold; where the counts are right, it asks about what was returned."""
    failure = exploration.failure
    claimed = failure is not None and _CLAIMED in str(failure.broken)
    return trial.hold(exploration, situation, _ASK_CLAIMED if claimed else ask)


def hold_deaths(trial: Trial, aggregate: Any, counting: Counting) -> str:
    """One aggregator, which dies anywhere in a short batch."""
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob", "ada"])

    def deliver() -> Any:
        return aggregate(table, SHARD, batch)

    return _hold(
        trial,
        trial.explore({"A": deliver}, _exact(counting, batch), deliver),
        "The aggregator dies at any point, and the records are delivered again",
        f"What is written if it dies between two requests? {_ONE_STEP}",
    )


def _hold_a_beginning(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """Nobody has counted yet, and nobody dies: what was delivered counts, without a third time."""
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob", "ada"])
    clients = {
        "A": lambda: aggregate(table, SHARD, batch[:2]),
        "B": lambda: aggregate(table, SHARD, batch),
    }
    _hold(
        trial,
        trial.explore(clients, _exact(counting, batch)),
        "There is no checkpoint yet. A got two records and B the same two and a third, at the "
        "same time",
        _MEETING,
    )


def _hold_two(trial: Trial, aggregate: Any, counting: Counting) -> str:
    """Two processes take themselves for the reader of the shard, as at a handover."""
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob", "ada", "ada"])
    trial.call(aggregate, table, SHARD, batch[:1])

    def again() -> Any:
        return aggregate(table, SHARD, batch)

    clients = {
        "A": lambda: aggregate(table, SHARD, batch[:3]),
        "B": lambda: aggregate(table, SHARD, batch),
    }
    return _hold(
        trial,
        trial.explore(clients, _exact(counting, batch), again, crash=False),
        "One record is counted. A got it and two more, B these and a fourth; then all four are "
        "delivered again",
        _MEETING,
    )


def _hold_two_shards(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    one, other = cast_for(["ada", "bob"]), cast_for(["ada"], 7)
    clients = {
        "A": lambda: aggregate(table, SHARD, one),
        "B": lambda: aggregate(table, OTHER_SHARD, other),
    }
    _hold(
        trial,
        trial.explore(clients, _exact(counting, one, other), crash=False),
        "Two shards are counted at the same time, and both have ballots for ada",
        "A checkpoint protects only its own shard. If you read a number and write it back, you "
        "overwrite what the other shard has counted: who else could add for you?",
    )


def _hold_late(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob"])

    def twice() -> Any:
        return aggregate(table, SHARD, batch[:1]), aggregate(table, SHARD, batch)

    _hold(
        trial,
        trial.explore({"A": twice}, _exact(counting, batch), lost=True, late=True),
        "A request or its reply is lost, or arrives late",
        f"boto3 sends it again. {_ONE_STEP}",
    )


def hold_long_batch(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """A death between two transactions of one batch."""
    table = trial.table(RESULTS)
    batch = cast_for([f"c{number % _MANY:03}" for number in range(_MANY + 10)])

    def deliver() -> Any:
        return aggregate(table, SHARD, batch)

    _hold(
        trial,
        trial.explore({"A": deliver}, _exact(counting, batch), deliver),
        f"A batch names {_MANY} candidates, more than a transaction holds; the aggregator dies at "
        "any point, and the batch is delivered again",
        "A process can die between two transactions. Which records are done by then, and does the "
        "first transaction's checkpoint say so?",
    )
