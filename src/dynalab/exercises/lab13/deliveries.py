"""Batches of records that are handed to an aggregator, and what has to be counted afterwards."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab13.counted_ballots import Counted, Counting, Records, compared, results
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial


def deliver(
    trial: Trial,
    aggregate: Any,
    counting: Counting,
    table: Any,
    situation: str,
    *batches: tuple[str, Records],
) -> list[Any]:
    """Delivers batches of shards, one after the other; what each call returned."""
    returned = []
    for shard_id, batch in batches:
        attempt = trial.attempt(aggregate, table, shard_id, list(batch))
        if attempt.raised is not None:
            raise Refused(
                f"{situation} {counting.call} raised {told(attempt.raised)}",
                why(attempt.raised),
            )
        returned.append(attempt.returned)
    return returned


def why(error: BaseException) -> str:
    """What to ask where a call has raised."""
    if "Decimal" in str(error):
        return (
            "A Number comes as a Decimal, which holds every digit. Which type does that line "
            "expect?"
        )
    return advice(error) or "What does that line assume about a batch?"


def expect_votes(trial: Trial, situation: str, wanted: Counted, more: str, less: str) -> None:
    """Refused with the question that fits: for votes that came twice, or for some that are lost."""
    found = results(trial)
    if found != wanted:
        over = any(votes > wanted.get(place, 0) for place, votes in found.items())
        raise Refused(f"{situation} {compared(found, wanted)}", more if over else less)
