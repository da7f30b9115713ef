"""Exercise 8.4: the number of shards is stored, only rises, and is read at every total."""

from __future__ import annotations

from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab08.votes import TABLE, put_number, put_votes
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import in_read_units
from dynalab.schedules.outcome import Outcome
from dynalab.telling import told
from dynalab.trial import Refused, Trial

_STORED = {"PK": "CANDIDATE#ada", "SK": "META"}


def check_growth(answer: Any, trial: Trial) -> Passed:
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(callable, answer)):
        raise Refused(
            f"This check needs two functions, and got {type(answer).__name__}.",
            'Call it as lab.check("8.4", (grow, total_now)).',
        )
    grow, total_now = answer
    table = trial.table(TABLE)
    trial.call(grow, table, "ada", 4)
    _expect_stored(trial, 4, "grow(table, 'ada', 4), for a new candidate")
    _expect_rising(trial, grow, table)
    _expect_other_errors_through(trial, grow)
    _expect_total(trial, total_now)
    extent = _hold_two_growers(trial, grow)
    _expect_fresh(trial, grow, total_now)
    table = trial.table(TABLE)
    put_number(table, "ada", 9)
    with trial.bill() as charges:
        trial.call(total_now, table, "ada")
    units = read_units(charges)
    return Passed(
        f"{extent[0].upper()}{extent[1:]} of two that grow, deaths included: the number never "
        f"falls. A total over nine shards costs {in_read_units(units)}, the number's own included."
    )


def _stored(trial: Trial) -> Any:
    return (trial.item(TABLE, **_STORED) or {}).get("shards")


def _expect_stored(trial: Trial, wanted: int, after: str) -> None:
    found = _stored(trial)
    if found != wanted or not is_whole(found):
        what = "there is no such item" if trial.item(TABLE, **_STORED) is None else f"is {found!r}"
        raise Refused(
            f"After {after}, `shards` of CANDIDATE#ada META should be {wanted}; {what}.",
            "The docstring names the item and the attribute: what does your update write?",
        )


def _expect_rising(trial: Trial, grow: Any, table: Any) -> None:
    table.update_item(
        Key=_STORED,
        UpdateExpression="SET #name = :name",
        ExpressionAttributeNames={"#name": "name"},
        ExpressionAttributeValues={":name": "Ada"},
    )
    trial.call(grow, table, "ada", 8)
    _expect_stored(trial, 8, "4 shards and then grow(table, 'ada', 8)")
    if (trial.item(TABLE, **_STORED) or {}).get("name") != "Ada":
        raise Refused(
            "META held the candidate's name too, and grow(table, 'ada', 8) lost it.",
            "Which request changes one attribute and leaves the others as they are?",
        )
    for number in (8, 3):
        attempt = trial.attempt(grow, table, "ada", number)
        refuse_slip(attempt)
        if attempt.raised is not None:
            raise Refused(
                f"ada has 8 shards already, and {attempt.text} raised {told(attempt.raised)}",
                "A number that is high enough already is not a failure: what does a failed "
                "condition mean here?",
            )
        if _stored(trial) != 8:
            raise Refused(
                f"ada had 8 shards; after {attempt.text} it is {_stored(trial)!r}. Nobody counts "
                "the votes on the higher shards now.",
                "Under which condition may you write the number?",
            )


def _expect_other_errors_through(trial: Trial, grow: Any) -> None:
    table = trial.table(TABLE)
    put_number(table, "ada", 4)
    with faults.throttle(table, times=None):
        attempt = trial.attempt(grow, table, "ada", 8)
    if attempt.raised is None and _stored(trial) == 4:
        raise Refused(
            f"ada had 4 shards, and DynamoDB answered ThrottlingException. {attempt.text} "
            f"returned {attempt.returned!r}, but ada still has 4 shards: the caller believes that "
            "the growth is done.",
            "Which one of DynamoDB's refusals says that the number is already that high?",
        )


def _expect_total(trial: Trial, total_now: Any) -> None:
    table = trial.table(TABLE)
    put_number(table, "ada", 6)
    put_votes(table, "ada", {0: 5, 2: 7, 5: 11})
    put_votes(table, "bob", {0: 100})
    with trial.bill() as charges:
        found = trial.call(total_now, table, "ada")
    if found != 23 or not is_whole(found):
        raise Refused(
            "ada has 6 shards with 23 votes in all, and some shards have none; total_now returned "
            f"{found!r}.",
            "How many shards does META name, and which are they?",
        )
    if any(charge.operation == "Scan" for charge in charges):
        raise Refused(
            "The sum is right, but a Scan read every candidate's items for it.",
            "META says how many shards there are: which keys follow from that?",
        )
    attempt = trial.attempt(total_now, table, "bob")
    refuse_slip(attempt)
    if attempt.raised_name() != "NoSuchCandidate":
        ended = f"returned {attempt.returned!r}"
        if attempt.raised is not None:
            ended = f"raised {told(attempt.raised)}"
        raise Refused(
            f"No number of shards is stored for bob, but there are votes for bob. {attempt.text} "
            f"{ended}.",
            "Without the number of shards there is no total: the task names the exception.",
        )


def _hold_two_growers(trial: Trial, grow: Any) -> str:
    table = trial.table(TABLE)
    put_number(table, "ada", 4)
    wanted = {"A": 6, "B": 9}

    def risen(outcome: Outcome) -> str | None:
        for name, error in outcome.raised.items():
            return f"{name} raised {type(error).__name__}."
        found = (outcome.item(TABLE, **_STORED) or {}).get("shards")
        least = max([4, *(wanted[name] for name in outcome.returned)])
        if found is None or found < least:
            return f"{least} shards were stored, but now `shards` is {found}."
        return None

    clients = {
        "A": lambda: grow(table, "ada", wanted["A"]),
        "B": lambda: grow(table, "ada", wanted["B"]),
    }
    return trial.hold(
        trial.explore(clients, risen, crash=True),
        "Two operators add shards to the same candidate, up to 6 and up to 9",
        "Between a read and a write that follows it, the other one writes. "
        "What does DynamoDB test in the same step as the write?",
    )


def _expect_fresh(trial: Trial, grow: Any, total_now: Any) -> None:
    """Another process grows and votes: neither a cached number nor an eventual read sees it."""
    table = trial.table(TABLE)
    put_number(table, "ada", 2)
    put_votes(table, "ada", {0: 5, 1: 7})
    trial.call(total_now, table, "ada")
    put_number(table, "ada", 4)
    put_votes(table, "ada", {3: 11})
    found = trial.call(total_now, table, "ada")
    if found != 23:
        raise Refused(
            "total_now was called, then ada grew from 2 to 4 shards and got 11 votes on shard 03. "
            f"total_now returned {found}, and the shards hold 23.",
            "When did you read the number of shards that you used the second time?",
        )
    put_number(table, "ada", 2)
    put_votes(table, "ada", {0: 5, 1: 7, 3: 0})
    with faults.stale_read(table, times=None) as fault:
        trial.call(total_now, table, "ada")
        trial.call(grow, table, "ada", 4)
        put_votes(table, "ada", {3: 11})
        found = trial.call(total_now, table, "ada")
    if found != 23:
        raise Refused(
            "ada grew from 2 to 4 shards and got 11 votes on shard 03. An eventually consistent "
            f"read may still show the old data, and did so {fault.hits} times here: total_now "
            f"returned {found}, and the shards hold 23.",
            "Votes that are missing now are seen a little later. But an old number of shards "
            "hides whole shards: which read of it is never out of date?",
        )
