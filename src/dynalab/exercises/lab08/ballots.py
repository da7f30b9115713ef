"""Exercise 8.5: one ballot a voter, one vote a ballot, on a shard that can be computed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.lab08.ballot_keys import expect_calculated, expect_spread
from dynalab.exercises.lab08.votes import TABLE, ballots_of, keys_of, votes_by_shard
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import in_read_units, in_write_units
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

_SHARDS = 10
_BALLOT = "2026"
_VOTER = "7c20"
_CANDIDATES = ("ada", "bob")


def check_cast(cast: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    with trial.bill() as charges:
        first = trial.attempt(cast, table, _BALLOT, _VOTER, "ada", _SHARDS)
    _expect_first(trial, first)
    _expect_second(trial, cast, table)
    _expect_conflict_apart(trial, cast, table)
    expect_calculated(trial, cast, expect_spread(trial, cast))
    extent = _hold_two_devices(trial, cast)
    _hold_two_voters(trial, cast)
    _hold_lost(trial, cast)
    _expect_four_units(charges)
    units = write_units(charges)
    reads = read_units(charges)
    remark = f"looking first costs {in_read_units(reads)}, and decides nothing." if reads else ""
    return Passed(
        f"{extent[0].upper()}{extent[1:]} of one voter on two devices, deaths included: one "
        f"ballot, one vote. A ballot costs {in_write_units(units)}, half of them on its shard: a "
        "shard takes half as many ballots as plain votes.",
        remark,
    )


# --- what is stored -------------------------------------------------------------------------------


def _votes(items: Sequence[dict[str, Any]]) -> dict[str, int]:
    found = {name: sum(votes_by_shard(items, name).values()) for name in _CANDIDATES}
    return {name: votes for name, votes in found.items() if votes}


def _state(items: Sequence[dict[str, Any]]) -> str:
    count = len(ballots_of(items))
    counted = ", ".join(f"{name} {votes}" for name, votes in _votes(items).items()) or "none"
    return f"{count} ballot{'' if count == 1 else 's'}, votes: {counted}"


def _expect_first(trial: Trial, attempt: Attempt) -> None:
    if attempt.raised is not None:
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    items = trial.items(TABLE)
    if not items:
        raise Refused(f"{attempt.text} wrote nothing.", "Which request carries both writes?")
    if _votes(items) != {"ada": 1}:
        raise Refused(
            f"After {attempt.text}: {_state(items)}. The table holds {keys_of(items)}.",
            "The vote goes to one of the shards CANDIDATE#ada#00 to #09, sort key VOTES, and adds "
            "to `votes`: what does your update do?",
        )
    ballots = ballots_of(items)
    if not ballots:
        raise Refused(
            f"After {attempt.text} the vote is counted, and there is no ballot: {keys_of(items)}.",
            "How will you know, a second later, that this voter has voted?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{attempt.text} counted the vote, but returned {attempt.returned!r}.",
            "The caller wants to know that this call cast it: True.",
        )


def _expect_second(trial: Trial, cast: Any, table: Any) -> None:
    before = trial.items(TABLE)
    again = trial.attempt(cast, table, _BALLOT, _VOTER, "bob", _SHARDS)
    if trial.items(TABLE) != before:
        raise Refused(
            f"The voter had voted for ada, and then {again.text} came. {_state(trial.items(TABLE))}"
            f"; the ballots are {keys_of(ballots_of(trial.items(TABLE)))}.",
            "One ballot for each voter: which condition, on which item, is true only for the "
            "first one?",
        )
    refuse_slip(again)
    if again.raised is not None:
        raise Refused(
            f"The voter had voted before, and {again.text} raised {told(again.raised)}",
            "That is an answer, not a failure: which reason, at which place, says so?",
        )
    if again.returned is not False:
        raise Refused(
            f"The voter had voted before. {again.text} changed nothing, but returned "
            f"{again.returned!r}.",
            "The caller wants to know that this call did not count: False.",
        )
    other = trial.attempt(cast, table, "2027", _VOTER, "ada", _SHARDS)
    if other.returned is not True:
        raise Refused(
            f"The same voter in another ballot: {other.text} "
            f"{'returned ' + repr(other.returned) if other.raised is None else 'raised'}.",
            "Is the ballot in the key of the guard?",
        )


def _expect_conflict_apart(trial: Trial, cast: Any, table: Any) -> None:
    for place, codes in enumerate((["TransactionConflict"], ["None", "TransactionConflict"])):
        before = trial.items(TABLE)
        with cancelling(table, *codes) as fault:
            attempt = trial.attempt(cast, table, _BALLOT, f"c{place}", "ada", _SHARDS)
        if fault.hits and attempt.raised is None and trial.items(TABLE) == before:
            raise Refused(
                "Another transaction was working on one of the items, so this one was cancelled "
                f"with TransactionConflict. {attempt.text} returned {attempt.returned!r}, and "
                "nothing was written: a vote is lost, and nobody knows.",
                "A transaction is cancelled for several reasons. Which one means that the voter "
                "has voted?",
            )


# --- schedules ------------------------------------------------------------------------------------


def _one_each(outcome: Outcome) -> str | None:
    items = outcome.items(TABLE)
    for name, error in outcome.raised.items():
        return f"{name} raised {type(error).__name__}."
    ballots = len(ballots_of(items))
    if sum(_votes(items).values()) != ballots:
        return f"{_state(items)}."
    answers = ", ".join(f"{name} {value}" for name, value in outcome.returned.items())
    if sum(value is True for value in outcome.returned.values()) > ballots:
        return f"{_state(items)}, but the calls returned {answers}."
    if not outcome.died and ballots != sum(value is True for value in outcome.returned.values()):
        return f"{_state(items)}, but the calls returned {answers}."
    return None


def _hold_two_devices(trial: Trial, cast: Any) -> str:
    table = trial.table(TABLE)

    def once(outcome: Outcome) -> str | None:
        ballots = len(ballots_of(outcome.items(TABLE)))
        return f"{_state(outcome.items(TABLE))}." if ballots > 1 else _one_each(outcome)

    clients = {
        "A": lambda: cast(table, _BALLOT, _VOTER, "ada", _SHARDS),
        "B": lambda: cast(table, _BALLOT, _VOTER, "bob", _SHARDS),
    }
    return trial.hold(
        trial.explore(clients, once, crash=True),
        "One voter votes on two devices, for ada and for bob, and either may die",
        "Which one request makes the ballot and counts the vote, under which condition?",
    )


def _hold_two_voters(trial: Trial, cast: Any) -> None:
    table = trial.table(TABLE)

    def both(outcome: Outcome) -> str | None:
        items = outcome.items(TABLE)
        return _one_each(outcome) or (None if len(ballots_of(items)) == 2 else f"{_state(items)}.")

    clients = {
        "A": lambda: cast(table, _BALLOT, "7c20", "ada", 1),
        "B": lambda: cast(table, _BALLOT, "2d11", "ada", 1),
    }
    trial.hold(
        trial.explore(clients, both),
        "Two voters write to one shard",
        "Between your read and your write the other voter can write, also if you write by a "
        "transaction. Who else could add for you?",
    )


def _hold_lost(trial: Trial, cast: Any) -> None:
    table = trial.table(TABLE)
    clients = {"A": lambda: cast(table, _BALLOT, _VOTER, "ada", _SHARDS)}

    def once(outcome: Outcome) -> str | None:
        items = outcome.items(TABLE)
        return _one_each(outcome) or (None if _votes(items) == {"ada": 1} else f"{_state(items)}.")

    trial.hold(
        trial.explore(clients, once, lost=True),
        "A request or its reply is lost, and boto3 sends it again",
        "Which one request makes the ballot and counts the vote, whatever is sent twice?",
    )


def _expect_four_units(charges: Sequence[Charge]) -> None:
    units = write_units(charges)
    if units != 4:
        raise Refused(
            f"It is right in every schedule, but costs {in_write_units(units)}; 4 are enough.",
            "You pay twice for each item that a transaction names, also for one that it only "
            "checks. Which of yours is not needed?",
        )
