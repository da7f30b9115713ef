"""Exercise 8.1: one vote on a random shard, and the shard in the partition key."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab08.votes import SORT_KEY, TABLE, keys_of, shard_key, votes_by_shard
from dynalab.exercises.words import in_write_units
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Refused, Trial

_SHARDS, _VOTES = 10, 120
_MANY, _MANY_VOTES = 230, 60
_CALLS, _PER_SECOND = 150, 30  # a storm: three times what one key serves


def check_vote(vote: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    rng = random.Random(1)
    with trial.bill() as charges:
        trial.call(vote, table, "ada", _SHARDS, rng)
    if not charges:
        raise Refused("vote(table, 'ada', 10, rng) sent no request.", "What adds to a number?")
    for _ in range(_VOTES - 1):
        trial.call(vote, table, "ada", _SHARDS, rng)
    items = trial.items(TABLE)
    if not items:
        raise Refused(
            f"After {_VOTES} votes the table is empty.",
            "Which method of the table adds to a number?",
        )
    if len({item["PK"] for item in items}) == 1:
        _refuse_one_key(trial, vote, items)
    _refuse_other_keys(items)
    _expect_sum(votes_by_shard(items, "ada"), items)
    _refuse_uneven(votes_by_shard(items, "ada"))
    _expect_repeatable(trial, vote)
    _expect_candidates_apart(trial, vote)
    _expect_names_that_stay(trial, vote)
    extent = _hold_two_voters(trial, vote)
    _expect_one_unit(charges)
    storm, _ = _storm_on(trial, vote, 3 * _PER_SECOND)
    remark = ""
    if any(charge.read_units for charge in charges):
        remark = "your vote reads before it adds. ADD needs no read, and starts at 0 by itself."
    return Passed(
        f"{_VOTES} votes lie on {_SHARDS} shards; {extent} of two voters. A storm of {_CALLS} "
        f"votes, {3 * _PER_SECOND} a second, while one key serves 10: {storm.succeeded} counted, "
        f"{storm.refused_first} of them after a retry of boto3's.",
        remark,
    )


def _storm_on(trial: Trial, vote: Any, per_second: int) -> Any:
    table = trial.table(TABLE)
    rng = random.Random(2)
    return trial.storm(
        lambda: vote(table, "ada", _SHARDS, rng), calls=_CALLS, per_second=per_second
    )


def _refuse_one_key(trial: Trial, vote: Any, items: Sequence[dict[str, Any]]) -> None:
    """All votes are under one partition key: a storm shows what comes of it."""
    key = items[0]["PK"]
    storm, traffic = _storm_on(trial, vote, _PER_SECOND)
    if len({item["SK"] for item in items}) > 1:
        ask = (
            "The shard is in the sort key. That orders items within a partition key. Which "
            "attribute decides on which partition an item is?"
        )
    elif key == "CANDIDATE#ada":
        ask = (
            "The shard is in no key, so it does not decide where a vote goes. Which attribute "
            "decides on which partition an item is?"
        )
    else:
        ask = "Every vote chose the same shard. What does your choice depend on?"
    raise Refused(
        f"{_VOTES} votes over {_SHARDS} shards are all under one partition key, {key}. A storm of "
        f"{_CALLS} votes, {_PER_SECOND} a second, while one key serves 10: {storm.succeeded} "
        f"counted, {storm.failed} failed.",
        ask,
        traffic,
    )


def _refuse_other_keys(items: Sequence[dict[str, Any]]) -> None:
    wanted = {shard_key("ada", number) for number in range(_SHARDS)}
    others = [item for item in items if item["PK"] not in wanted]
    if any(item["PK"] == shard_key("ada", _SHARDS) for item in others):
        raise Refused(
            f"A vote of {_SHARDS} shards went to {shard_key('ada', _SHARDS)}. A total of the "
            f"shards from 00 to {_SHARDS - 1:02} never sees it.",
            "Which numbers does your random choice give, and is its upper end one of them?",
        )
    if others:
        raise Refused(
            f"Votes for ada over {_SHARDS} shards have the keys {keys_of(others)}.",
            f"The first shard is {shard_key('ada', 0)}, the last {shard_key('ada', _SHARDS - 1)}: "
            "two digits at least, from 00.",
        )
    if any(item["SK"] != SORT_KEY for item in items):
        raise Refused(
            f"The shards of ada have the keys {keys_of(items)}.",
            f"Every shard has the sort key {SORT_KEY}: what does yours contain?",
        )


def _expect_sum(shards: dict[int, int], items: Sequence[dict[str, Any]]) -> None:
    found = sum(shards.values())
    if found != _VOTES:
        raise Refused(
            f"After {_VOTES} votes the sum of the attribute `votes` over all shards is {found}. "
            f"One of them is {items[0]}.",
            "Each vote adds one to the stored number: which update does that, whether or not the "
            "shard exists yet?",
        )


def _refuse_uneven(shards: dict[int, int]) -> None:
    unused = [number for number in range(_SHARDS) if number not in shards]
    if unused:
        raise Refused(
            f"None of {_VOTES} votes went to shard {unused[0]:02}.",
            f"Which numbers does your random choice give? There are {_SHARDS}, from 0.",
        )
    number, most = Counter(shards).most_common(1)[0]
    if most > 3 * _VOTES / _SHARDS:
        raise Refused(
            f"Shard {number:02} got {most} of {_VOTES} votes, but there are {_SHARDS} shards.",
            "Every shard should be as likely as any other: which method of rng does that?",
        )


def _expect_repeatable(trial: Trial, vote: Any) -> None:
    runs = []
    for _ in range(2):
        table = trial.table(TABLE)
        rng = random.Random(5)
        for _ in range(8):
            trial.call(vote, table, "ada", 50, rng)
        runs.append(votes_by_shard(trial.items(TABLE), "ada"))
    if runs[0] != runs[1]:
        raise Refused(
            "Two runs of eight votes got generators with the same seed, but went to different "
            "shards.",
            "A test can repeat only what you draw from the rng that it passes. Where does your "
            "choice come from?",
        )


def _expect_candidates_apart(trial: Trial, vote: Any) -> None:
    table = trial.table(TABLE)
    for candidate in ("ada", "ada", "bob"):
        trial.call(vote, table, candidate, 1, random.Random(3))
    items = trial.items(TABLE)
    found = {name: votes_by_shard(items, name) for name in ("ada", "bob")}
    if found != {"ada": {0: 2}, "bob": {0: 1}}:
        raise Refused(
            f"Two votes for ada and one for bob, one shard each, left {keys_of(items)} with the "
            f"votes {[item.get('votes') for item in items]}.",
            "Which part of the key is the candidate, and which number does the only shard have?",
        )


def _expect_names_that_stay(trial: Trial, vote: Any) -> None:
    table = trial.table(TABLE)
    rng = random.Random(6)
    for _ in range(_MANY_VOTES):
        trial.call(vote, table, "ada", _MANY, rng)
    wanted = {shard_key("ada", number) for number in range(_MANY)}
    if others := [item for item in trial.items(TABLE) if item["PK"] not in wanted]:
        raise Refused(
            f"Votes for ada over {_MANY} shards have the keys {keys_of(others)}.",
            f"Shard 7 is {shard_key('ada', 7)}, of 10 shards and of {_MANY}: more shards must not "
            "rename a shard. What in your key depends on the number of shards?",
        )


def _hold_two_voters(trial: Trial, vote: Any) -> str:
    table = trial.table(TABLE)

    def both(outcome: Outcome) -> str | None:
        for name, error in outcome.raised.items():
            return f"{name} raised {type(error).__name__}."
        found = sum(votes_by_shard(outcome.items(TABLE), "ada").values())
        return None if found == 2 else f"The shard has {found} of two votes."

    def one_vote() -> None:
        vote(table, "ada", 1, random.Random(4))

    return trial.hold(
        trial.explore({"A": one_vote, "B": one_vote}, both),
        "Two voters write to one shard",
        "Between your read and your write the other voter can write. Who else could add for you?",
    )


def _expect_one_unit(charges: Sequence[Charge]) -> None:
    units = write_units(charges)
    if units != 1:
        raise Refused(
            f"A vote costs {in_write_units(units)}, so a shard takes {10 / units:g} votes a "
            "second, but it could take 10.",
            "One item changes. Which request writes one item, and at what price?",
        )
