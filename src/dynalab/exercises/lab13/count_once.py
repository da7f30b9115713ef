"""Exercises 13.2 and 13.3: every ballot counts once, however its record is delivered."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.bills import write_units
from dynalab.exercises.lab13.ballots import (
    FIRST,
    RESULTS,
    SHARD,
    cast_for,
    inserted,
    modified,
    removed,
)
from dynalab.exercises.lab13.counted_ballots import (
    Counting,
    Records,
    checkpoint_of,
    compared,
    expect_checkpoint_at,
    results,
    told,
)
from dynalab.exercises.lab13.deliveries import deliver, expect_votes, why
from dynalab.exercises.words import in_write_units
from dynalab.telling import told as error_told
from dynalab.trial import Refused, Trial

_TOKEN_FORGETS = 660  # seconds
_WHERE_FROM = "What says how far the count has come, and when do you write that?"


def expect_each_once(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """One batch, the same again, cut anywhere, with other changes among them."""
    batch = cast_for(["ada", "bob", "ada", "ada", "bob"])
    _expect_first(trial, aggregate, counting, batch)
    _expect_again(trial, aggregate, counting, batch)
    _expect_another_process(trial, aggregate, counting, batch)
    _expect_any_cut(trial, aggregate, counting)
    _expect_casts_only(trial, aggregate, counting)
    _expect_nothing_of_nothing(trial, aggregate, counting)


def _expect_first(trial: Trial, aggregate: Any, counting: Counting, batch: Records) -> None:
    table = trial.table(RESULTS)
    attempt = trial.attempt(aggregate, table, SHARD, list(batch))
    if attempt.raised is not None:
        raise Refused(
            f"A batch of five ballots: {counting.call} raised {error_told(attempt.raised)}",
            'A record holds its images in the typed form of the low-level client, {"candidate": '
            '{"S": "ada"}}. As what does your line use it?'
            if isinstance(attempt.raised, KeyError | TypeError | AttributeError)
            else why(attempt.raised),
        )
    found, wanted = results(trial), counting.expected(batch)
    if found != wanted:
        others = sorted(f"{item['PK']} {item['SK']}" for item in trial.items(RESULTS))
        names = "The docstring names the items and the attribute `votes`: what do your writes name?"
        sums = (
            "The items are the right ones. Each ballot of a batch adds 1, and all of them go in "
            "one transaction with the checkpoint: which of the five ballots are not in it?"
        )
        raise Refused(
            f"A batch of five ballots, three for ada and two for bob. {compared(found, wanted)} "
            f"It holds {', '.join(others[:4]) or 'nothing'}.",
            sums if found and found.keys() <= wanted.keys() else names,
        )
    if attempt.returned != len(batch) or isinstance(attempt.returned, bool):
        raise Refused(
            f"A batch of five ballots was counted, and {counting.call} returned "
            f"{attempt.returned!r}.",
            "It returns how many ballots this call has counted.",
        )


def _expect_again(trial: Trial, aggregate: Any, counting: Counting, batch: Records) -> None:
    table = trial.dynamodb.Table(RESULTS)
    wanted = counting.expected(batch)
    situation = "The same five records were delivered a second time."
    with trial.bill() as charges:
        [returned] = deliver(trial, aggregate, counting, table, situation, (SHARD, batch))
    expect_votes(trial, situation, wanted, _WHERE_FROM, "What did the second delivery take away?")
    writes = write_units(charges)
    trial.clock.advance(_TOKEN_FORGETS)
    later = (
        "The same five records came again at once, and counted once. They came again eleven "
        "minutes later."
    )
    deliver(trial, aggregate, counting, table, later, (SHARD, batch))
    expect_votes(
        trial,
        later,
        wanted,
        "DynamoDB keeps a ClientRequestToken for ten minutes. What does it keep for ever?",
        "What did the third delivery take away?",
    )
    if returned != 0 or isinstance(returned, bool):
        raise Refused(
            f"{situation} None of them counted again, and {counting.name} returned {returned!r}.",
            "It returns how many ballots this call has counted.",
        )
    if writes and checkpoint_of(trial.items(RESULTS), counting) is not None:
        raise Refused(
            f"{situation} Nothing was new, but it took {in_write_units(writes)}.",
            "What do you know before you write? If nothing is new, there is nothing to write.",
        )


def _expect_another_process(
    trial: Trial, aggregate: Any, counting: Counting, batch: Records
) -> None:
    """Tables that know nothing are what another process meets: memory cannot stand in for them."""
    table = trial.table(RESULTS)
    situation = "The same records, and an empty Results table: a count from the beginning."
    deliver(trial, aggregate, counting, table, situation, (SHARD, batch))
    expect_votes(
        trial,
        situation,
        counting.expected(batch),
        _WHERE_FROM,
        "It remembers in its process what it has seen. A process may die at any time, and the "
        "next one remembers nothing: where is that memory safe, and always in step with the "
        "counts?",
    )


def _expect_any_cut(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob", "ada", "cyd", "bob", "ada", "cyd", "cyd", "ada"])
    cuts = [(0, 3), (1, 5), (0, 2), (4, 6), (0, 6), (5, 9), (8, 9)]
    for place in range(len(cuts)):
        so_far = [batch[start:end] for start, end in cuts[: place + 1]]
        situation = (
            f"Deliveries may begin and end anywhere: {'; '.join(map(told, so_far[-3:]))} came, "
            "one after the other."
        )
        deliver(trial, aggregate, counting, table, situation, (SHARD, so_far[-1]))
        expect_votes(
            trial,
            situation,
            counting.expected(*so_far),
            "A batch may begin before the checkpoint and end after it. Which of its records count?",
            "A batch may begin before the checkpoint and end after it. Which of its records are "
            "new?",
        )


def _expect_casts_only(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    cast = cast_for(["ada", "bob", "ada"])
    batch = [
        *cast[:2],
        modified(FIRST + 2, "ada"),
        removed(FIRST + 3, "bob"),
        inserted(FIRST + 4, "ada"),
        modified(FIRST + 5, "bob"),
    ]
    situation = (
        "The batch held three INSERT, two MODIFY (a clerk's mark on a ballot) and one REMOVE (a "
        "ballot deleted when its time was over)."
    )
    [returned] = deliver(trial, aggregate, counting, table, situation, (SHARD, batch))
    ask = "A vote is a ballot that was inserted. Which eventName says that?"
    expect_votes(trial, situation, counting.expected(batch), ask, ask)
    if returned != 3:
        raise Refused(
            f"{situation} {counting.name} returned {returned!r}.",
            "It returns how many ballots this call has counted.",
        )
    expect_checkpoint_at(trial, counting, batch[-1], situation)
    nothing = [modified(FIRST + 6, "ada"), removed(FIRST + 7, "ada")]
    for rest, what in ((nothing, "a batch without an INSERT"), ([], "a batch without records")):
        situation = f"Then came {what}."
        deliver(trial, aggregate, counting, table, situation, (SHARD, rest))
        expect_votes(trial, situation, counting.expected(batch), ask, ask)
        expect_checkpoint_at(trial, counting, nothing[-1], situation)


def _expect_nothing_of_nothing(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    situation = "Nothing was read from the shard yet, and the first batch is empty."
    deliver(trial, aggregate, counting, table, situation, (SHARD, []))
    items = trial.items(RESULTS)
    if items:
        raise Refused(
            f"{situation} {counting.call} wrote {items[0]['PK']} {items[0]['SK']}, sequenceNumber "
            f"{items[0].get('sequenceNumber')!r}.",
            "No record is counted yet, so there is nothing to store. What does this checkpoint "
            "say to the next call?",
        )
