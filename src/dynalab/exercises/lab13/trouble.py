"""Exercises 13.2 and 13.3: errors, races that are lost, and more than a transaction holds."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.engine.operations import READS
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.every_client import answering
from dynalab.exercises.lab13.ballots import RESULTS, SHARD, cast_for
from dynalab.exercises.lab13.counted_ballots import Counting, Records, counted, padded
from dynalab.exercises.lab13.deliveries import expect_votes
from dynalab.exercises.lab13.table_answers import denying
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Attempt, Refused, Trial

_MANY = 298  # more than three transactions hold
_RACES = 4
_DONE = "its caller believes that the batch is done"


def expect_many_places(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for([f"c{number % _MANY:03}" for number in range(_MANY + 10)])
    situation = f"A batch of {len(batch)} ballots named {_MANY} candidates."
    attempt = trial.attempt(aggregate, table, SHARD, list(batch))
    refuse_slip(attempt)
    ask = (
        "A transaction takes 100 items, and the checkpoint is one of them. How far into the batch "
        "does each transaction get, what does its checkpoint say, and after which one are you "
        "done?"
    )
    if attempt.raised is not None:
        text = str(attempt.raised)
        raise Refused(
            f"{situation} {counting.call} raised {type(attempt.raised).__name__}: "
            f"{text if len(text) < 200 else '…' + text[-120:]}",
            ask,
        )
    expect_votes(trial, situation, counting.expected(batch), ask, ask)
    if attempt.returned != len(batch):
        raise Refused(
            f"{situation} All of them are counted, but {counting.name} returned "
            f"{attempt.returned!r}.",
            "It returns how many ballots this call has counted, in all of its transactions.",
        )


# --- errors ---------------------------------------------------------------------------------------


def expect_errors_through(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """An error that the caller hears nothing of is a batch that nobody repeats."""
    _expect_conflicts_through(trial, aggregate, counting)
    batch = cast_for(["ada", "bob"])
    table = trial.table(RESULTS)
    trial.call(aggregate, table, SHARD, batch[:1])
    for operations, what in (
        (("TransactWriteItems",), "TransactWriteItems"),
        (READS, "a read of the checkpoint"),
    ):
        situation = f"One record is counted. Then DynamoDB answered {what} with "
        situation += "AccessDeniedException."
        with denying(*operations) as met:
            attempt = _ended(trial, aggregate, counting, table, batch, situation)
        refuse_slip(attempt)
        if met and attempt.raised is None:
            raise Refused(
                f"{situation} {counting.call} {how_it_ended(attempt)}: {_DONE}.",
                "Only a checkpoint that was moved is a reason to start over. What does any other "
                "error mean, and who has to learn of it?",
            )


def _ended(
    trial: Trial, aggregate: Any, counting: Counting, table: Any, batch: Records, situation: str
) -> Attempt:
    try:
        return trial.attempt(aggregate, table, SHARD, list(batch))
    except Refused as refused:
        why = refused.seen.partition(" was stopped: ")[2]
        if not why:
            raise
        raise Refused(
            f"{situation} {counting.call} was stopped: {why}",
            "Which errors does your `except` catch, and which of them pass by themselves?",
        ) from None


def _expect_conflicts_through(trial: Trial, aggregate: Any, counting: Counting) -> None:
    batch = cast_for(["ada", "bob"])
    for codes in (["TransactionConflict"], ["None", "TransactionConflict"]):
        table = trial.table(RESULTS)
        with cancelling(table, *codes) as fault:
            attempt = trial.attempt(aggregate, table, SHARD, list(batch))
        refuse_slip(attempt)
        found = counted(trial.items(RESULTS))
        if fault.hits and attempt.raised is None and found != counting.expected(batch):
            raise Refused(
                "Another transaction was working on one of the items, so this one was cancelled "
                f"with TransactionConflict. {counting.call} {how_it_ended(attempt)}, and counted "
                f"{sum(found.values())} of the two ballots: {_DONE}.",
                "A transaction is cancelled for several reasons. Which one, at which place, means "
                "that another aggregator has moved the checkpoint?",
            )


# --- races ----------------------------------------------------------------------------------------


def expect_lost_races(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """Each time that it wants to write, another aggregator has counted one record more."""
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob"] * 3)
    with _overtaken(counting, batch[:_RACES]):
        attempt = trial.attempt(aggregate, table, SHARD, list(batch))
    refuse_slip(attempt)
    found = counted(trial.items(RESULTS))
    situation = (
        f"A batch of {len(batch)} ballots. Another aggregator was faster {_RACES} times in a row, "
        f"and counted one of them each time. {counting.call} {how_it_ended(attempt)}"
    )
    if attempt.raised is None and found != counting.expected(batch):
        raise Refused(
            f"{situation}, and {sum(found.values())} of {len(batch)} count: {_DONE}.",
            "How often may another aggregator be faster? What ends your loop, and what does the "
            "caller learn if it ends too soon?",
        )
    if attempt.raised is None and attempt.returned != len(batch) - _RACES:
        raise Refused(
            f"{situation}.",
            "It returns how many ballots this call has counted. When is a ballot counted?",
        )


def _overtaken(counting: Counting, records: Records) -> AbstractContextManager[None]:
    engine = connect().engine
    waiting = list(records)

    def answer(operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        if operation == "TransactWriteItems" and waiting:
            engine.answer(operation, _transaction(counting, waiting.pop(0)))
        return go()

    return answering(answer)


def _transaction(counting: Counting, record: Mapping[str, Any]) -> dict[str, Any]:
    """One record, as another aggregator counts it."""
    checkpoint = (f"SHARD#{SHARD}", counting.checkpoint)
    item = {**_key(*checkpoint), "sequenceNumber": {"S": padded(record)}}
    update = {
        "TableName": RESULTS,
        "Key": _key(*counting.place_of(record)),
        "UpdateExpression": "ADD votes :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    return {"TransactItems": [{"Put": {"TableName": RESULTS, "Item": item}}, {"Update": update}]}


def _key(partition_key: str, sort_key: str) -> dict[str, Any]:
    return {"PK": {"S": partition_key}, "SK": {"S": sort_key}}
