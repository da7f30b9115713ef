"""The keys of many ballots: spread over partitions, and on shards that can be computed again."""

from __future__ import annotations

import builtins
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dynalab.exercises.lab08.votes import TABLE, ballot_key, ballots_of, keys_of, votes_by_shard
from dynalab.exercises.whole_numbers import is_whole
from dynalab.trial import Refused, Trial

_BALLOT, _SHARDS = "2026", 10
_VOTERS = [f"7c{number:02x}" for number in range(80)]
_FEW = _VOTERS[:24]
_CALLS, _PER_SECOND = 90, 15  # a storm of transactions, two units each


def expect_spread(trial: Trial, cast: Any) -> dict[str, Any]:
    """Refused where many ballots share a key or a shard; else partition key → stored shard."""
    items = _cast_all(trial, cast, _VOTERS)
    ballots = ballots_of(items)
    if len({ballot["PK"] for ballot in ballots}) == 1:
        _refuse_storm(
            trial,
            cast,
            f"{len(ballots)} ballots are all under one partition key, {ballots[0]['PK']}",
            "The votes are spread, but now the guard is the hot key. What else could be in the "
            "ballot's partition key?",
        )
    _expect_keys(ballots)
    shards = Counter(votes_by_shard(items, "ada"))
    number, most = shards.most_common(1)[0]
    if most > 2.5 * len(_VOTERS) / _SHARDS:
        _refuse_storm(
            trial,
            cast,
            f"Shard {number:02} got {most} of {len(_VOTERS)} ballots, but there are {_SHARDS} "
            "shards",
            "Voters' ids are similar texts. What turns similar texts into numbers that are not "
            "similar?",
        )
    _expect_attributes(ballots, shards)
    return {ballot["PK"]: ballot["shard"] for ballot in ballots}


def _expect_keys(ballots: Sequence[dict[str, Any]]) -> None:
    wanted = [ballot_key(_BALLOT, voter) for voter in _VOTERS]
    found = [{"PK": ballot["PK"], "SK": ballot["SK"]} for ballot in ballots]
    if sorted(map(str, found)) != sorted(map(str, wanted)):
        raise Refused(
            f"{len(_VOTERS)} voters left the ballots {keys_of(ballots)}.",
            f"The ballot of voter {_VOTERS[0]} has the key {wanted[0]['PK']}, BALLOT: what does "
            "yours contain?",
        )


def _expect_attributes(ballots: Sequence[dict[str, Any]], shards: Counter[int]) -> None:
    for ballot in ballots:
        if ballot.get("candidate") != "ada":
            raise Refused(
                f"A ballot for ada is stored as {ballot}.",
                "The docstring names the attributes of a ballot: candidate and shard.",
            )
    stored = Counter(
        int(ballot["shard"]) if is_whole(ballot.get("shard")) else None for ballot in ballots
    )
    if stored != shards:
        raise Refused(
            "The ballots' `shard` and the shards that were added to differ: one ballot is "
            f"{ballots[0]}.",
            "To take a vote back, or to audit it, you need the number of its shard: is it stored?",
        )


def expect_calculated(trial: Trial, cast: Any, shards: dict[str, Any]) -> None:
    """Refused where the same voters go to other shards later, or in another process."""
    again = _shards_of(trial, cast)
    if any(again[key] != shards[key] for key in again):
        raise Refused(
            "The same voters cast the same ballots on two fresh tables, but their votes went to "
            "other shards.",
            "A calculated shard depends on the voter only: what else does yours depend on?",
        )
    if _shards_of(trial, cast, "bob") != again:
        raise Refused(
            "The same voters cast the same ballots for ada, and on a fresh table for bob, but "
            "their votes went to other shards.",
            "A calculated shard depends on the voter only. What in yours depends on the candidate?",
        )
    with _another_process(cast):
        elsewhere = _shards_of(trial, cast)
    if elsewhere != again:
        raise Refused(
            "In another process the same voters went to other shards: Python's hash() of a text "
            "differs from process to process.",
            "Which digest of a text is the same everywhere? The standard library has several.",
        )


def _shards_of(trial: Trial, cast: Any, candidate: str = "ada") -> dict[str, Any]:
    items = _cast_all(trial, cast, _FEW, candidate)
    return {ballot["PK"]: ballot["shard"] for ballot in ballots_of(items)}


def _cast_all(
    trial: Trial, cast: Any, voters: Sequence[str], candidate: str = "ada"
) -> list[dict[str, Any]]:
    table = trial.table(TABLE)
    for voter in voters:
        trial.call(cast, table, _BALLOT, voter, candidate, _SHARDS)
    return trial.items(TABLE)


def _refuse_storm(trial: Trial, cast: Any, seen: str, ask: str) -> None:
    table = trial.table(TABLE)
    voters = iter([f"9d{number:02x}" for number in range(_CALLS)])
    result, traffic = trial.storm(
        lambda: cast(table, _BALLOT, next(voters), "ada", _SHARDS),
        calls=_CALLS,
        per_second=_PER_SECOND,
    )
    raise Refused(
        f"{seen}. A storm of {_CALLS} ballots, {_PER_SECOND} a second: {result.succeeded} counted, "
        f"{result.failed} failed.",
        ask,
        traffic,
    )


@contextmanager
def _another_process(function: Callable[..., Any]) -> Iterator[None]:
    """Python's hash() answers the function's own code as in a process with another salt."""
    kept, theirs = builtins.hash, getattr(function, "__globals__", None)

    def salted(value: Any) -> int:
        own = sys._getframe(1).f_globals is theirs
        return kept(value) ^ 0x5BD1E995 if own else kept(value)

    builtins.hash = salted
    try:
        yield
    finally:
        builtins.hash = kept
