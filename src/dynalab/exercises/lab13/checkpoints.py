"""Exercises 13.2 and 13.3: a checkpoint for each shard, which keeps every digit of its numbers."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab13.ballots import OTHER_SHARD, RESULTS, SHARD, cast_for
from dynalab.exercises.lab13.counted_ballots import Counting, checkpoint_of, padded, told
from dynalab.exercises.lab13.deliveries import deliver, expect_votes
from dynalab.exercises.slips import refuse_slip
from dynalab.telling import told as error_told
from dynalab.trial import Refused, Trial


def expect_checkpoints(trial: Trial, aggregate: Any, counting: Counting) -> None:
    """Numbers of any length, two shards, the item itself."""
    _expect_digits(trial, aggregate, counting)
    _expect_shards_apart(trial, aggregate, counting)
    _expect_checkpoint(trial, aggregate, counting)


def _expect_digits(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for(["ada"] * 4, 999_999_998)  # two of 9 digits, two of 10
    ask = (
        'As text, "1000000000" comes before "999999999": text is compared from the left. How can '
        "you make texts compare like their numbers?"
    )
    situation = "The sequence numbers of a batch went from 999999998 to 1000000001. It came twice."
    deliver(trial, aggregate, counting, table, situation, (SHARD, batch), (SHARD, batch))
    expect_votes(trial, situation, counting.expected(batch), ask, ask)
    table = trial.table(RESULTS)
    situation = (
        "The sequence numbers of a shard went from 999999998 to 1000000001; the first two "
        "records came, then the others, then all of them."
    )
    parts = [(SHARD, batch[:2]), (SHARD, batch[2:]), (SHARD, batch)]
    deliver(trial, aggregate, counting, table, situation, *parts)
    expect_votes(trial, situation, counting.expected(batch), ask, ask)
    table = trial.table(RESULTS)
    batch = cast_for(["ada"] * 4, 9 * 10**39 + 1)
    situation = "Sequence numbers of 40 digits, which differ in the last one, came in two parts."
    ask = (
        "A Number keeps 38 digits, a float about 15. A sequence number has up to 40. As which "
        "type does it keep every digit?"
    )
    for part in (batch[:2], batch[1:], batch):
        attempt = trial.attempt(aggregate, table, SHARD, list(part))
        refuse_slip(attempt)
        if attempt.raised is not None:
            raise Refused(f"{situation} {counting.call} raised {error_told(attempt.raised)}", ask)
    expect_votes(trial, situation, counting.expected(batch), ask, ask)


def _expect_shards_apart(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob", "ada", "bob", "ada"])
    one, other = batch[::2], batch[1::2]
    situation = (
        f"Two shards are open, and share the sequence numbers {told(batch)}. All of the first "
        "shard came, then all of the second, then the first again."
    )
    parts = [(SHARD, one), (OTHER_SHARD, other), (SHARD, one)]
    deliver(trial, aggregate, counting, table, situation, *parts)
    expect_votes(
        trial,
        situation,
        counting.expected(batch),
        "The second shard has set the checkpoint of the first one back. To which shard does a "
        "checkpoint belong?",
        "Numbers rise within a shard. Those of the second shard are lower than the last of the "
        "first: with which shard's checkpoint do you compare them?",
    )


def _expect_checkpoint(trial: Trial, aggregate: Any, counting: Counting) -> None:
    table = trial.table(RESULTS)
    batch = cast_for(["ada", "bob"], 999_999_998)
    situation = "A batch was counted, its last sequence number 999999999."
    deliver(trial, aggregate, counting, table, situation, (SHARD, batch))
    item = checkpoint_of(trial.items(RESULTS), counting)
    if item is None:
        others = [f"{each['PK']} {each['SK']}" for each in trial.items(RESULTS)]
        guards = [name for name in others if not name.startswith("CANDIDATE#")]
        raise Refused(
            f"{situation} There is no item SHARD#<shard id> {counting.checkpoint}; the table "
            f"holds {', '.join(sorted(others)[:4])}.",
            "A shard is in order, so one number says what is done. An item for each record says "
            "the same, but costs two write units for every ballot."
            if len(guards) > 1
            else "The docstring names the checkpoint's partition key and its sort key. What are "
            "yours?",
        )
    if item.get("sequenceNumber") != padded(batch[-1]):
        raise Refused(
            f"{situation} sequenceNumber of its checkpoint is {item.get('sequenceNumber')!r}.",
            "The docstring asks for a text of 40 digits, with zeros in front, so that DynamoDB "
            "and every reader can compare it correctly.",
        )
