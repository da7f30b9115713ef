"""Exercise 8.2: the sum over all shards, which is never silently short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab08.votes import TABLE, put_votes
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

_SHARDS, _MANY = 10, 230
_VOTES = {number: 3 * number + 2 for number in range(_SHARDS) if number not in (4, 9)}
_SUM = sum(_VOTES.values())
_MANY_VOTED = [number for number in range(_MANY) if number != 150]
_VOTES_ABOVE_99 = sum(number > 99 for number in _MANY_VOTED)
_BATCH_KEYS = 100


def check_total(total: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_votes(table, "ada", _VOTES)
    put_votes(table, "bob", {0: 1_000, 4: 1_000})
    put_votes(table, "cyd", dict.fromkeys(_MANY_VOTED, 1))
    with trial.bill() as charges:
        found = trial.call(total, table, "ada", _SHARDS)
    _expect_ten(found)
    _refuse_scan(charges)
    nobody = trial.call(total, table, "eve", 3)
    if nobody != 0 or isinstance(nobody, bool):
        raise Refused(
            f"Nobody has voted for eve yet; total(table, 'eve', 3) returned {nobody!r}.",
            "A shard without votes has no item. As which number does it count?",
        )
    with trial.bill() as many:
        _expect_many(trial.attempt(total, table, "cyd", _MANY))
    _expect_partial_batches(trial, total, table)
    _expect_bound(trial, total, table)
    _expect_error(trial, total, table)
    return Passed(
        f"{_SHARDS} shards: {_bill(charges)}. {_MANY} shards: {_bill(many)}. Unprocessed keys are "
        "asked for again, and a shard that cannot be read is an error.",
        _remark(charges, many),
    )


def _expect_ten(found: Any) -> None:
    if not is_whole(found):
        raise Refused(
            f"total(table, 'ada', {_SHARDS}) returned {found!r}; the sum is a whole number.",
            "Which attribute of the items do you add up?",
        )
    if found == _SUM:
        return
    without = {_SUM - votes: number for number, votes in _VOTES.items()}
    before_gap = sum(votes for number, votes in _VOTES.items() if number < 4)
    ask = "Which keys do you read? The first shard is 00, and shards 04 and 09 have no item."
    if found in without:
        ask = f"It looks as if shard {without[found]:02} is left out: which numbers do you read?"
    elif found == before_gap:
        ask = "It ends before shard 04, which has no votes. Are there shards after a gap?"
    elif found > _SUM:
        ask = "The table holds other candidates' votes too: which keys are ada's?"
    raise Refused(
        f"ada's {_SHARDS} shards hold {_SUM} votes, none of them on 04 and 09; total returned "
        f"{found}.",
        ask,
    )


def _refuse_scan(charges: Sequence[Charge]) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"The sum is right. A Scan read {sum(c.evaluated for c in scans)} items for it: all "
            "candidates, and everything else in the table.",
            "You know the whole key of every shard. Which request takes many whole keys?",
        )


def _expect_many(attempt: Attempt) -> None:
    if attempt.raised is not None:
        limits = ("less than or equal to 100", "Too many items")
        if any(limit in str(attempt.raised) for limit in limits):
            raise Refused(
                f"{attempt.text} sent all {_MANY} keys in one request, and DynamoDB refused it.",
                f"One BatchGetItem takes {_BATCH_KEYS} keys: how do you read {_MANY}?",
            )
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    if attempt.returned == _MANY - 1:
        return
    ask = f"One BatchGetItem takes {_BATCH_KEYS} keys. What becomes of the others?"
    if attempt.returned == _VOTES_ABOVE_99:
        ask = (
            "That is the number on the shards from 100 on, so 00 to 99 seem to be missing. Under "
            f"which key is shard 7 of {_MANY}?"
        )
    raise Refused(
        f"cyd has one vote on each of {_MANY} shards but one, {_MANY - 1} in all; total "
        f"returned {attempt.returned!r}.",
        ask,
    )


class _Naps:
    """The `sleep` that is handed in: it remembers, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.__name__ = "sleep"

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def _patient(trial: Trial, total: Any, table: Any, attempts: int) -> tuple[Attempt, _Naps]:
    naps = _Naps()
    return trial.attempt(total, table, "ada", _SHARDS, attempts=attempts, sleep=naps), naps


def _expect_partial_batches(trial: Trial, total: Any, table: Any) -> None:
    """Three keys of a batch are served, the others handed back, twice; then all are served."""
    with faults.unprocessed(table, keep=3, times=2) as fault:
        attempt, naps = _patient(trial, total, table, attempts=5)
    if not fault.hits:
        return  # not by BatchGetItem
    situation = (
        f"BatchGetItem answered 3 of {_SHARDS} keys and returned the others in UnprocessedKeys"
    )
    if attempt.raised is not None:
        raise Refused(
            f"{situation}, twice; the third time it would have answered them all. {attempt.text} "
            f"raised {told(attempt.raised)}",
            "Which keys do you ask for again, and in what form does the reply return them?",
        )
    if attempt.returned != _SUM:
        raise Refused(
            f"{situation}. {attempt.text} returned {attempt.returned}, and the shards hold {_SUM}: "
            "a number that is wrong and looks right.",
            "What do you have to do with UnprocessedKeys, and what with the votes that you read "
            "before?",
        )
    if len(naps.seconds) < fault.hits or sum(naps.seconds) <= 0:
        raise Refused(
            f"{situation}, twice. total asked again at once: it called `sleep` "
            f"{len(naps.seconds)} times, for {sum(naps.seconds):g} seconds in all.",
            "If you ask a partition again at once, it is as busy as before. What is the parameter "
            "`sleep` for?",
        )


def _expect_bound(trial: Trial, total: Any, table: Any) -> None:
    situation = "BatchGetItem answered one key and returned the others as unprocessed"
    with faults.unprocessed(table, keep=1, times=3) as fault:
        attempt, _ = _patient(trial, total, table, attempts=4)
    if fault.hits and (attempt.raised is not None or attempt.returned != _SUM):
        came = "returned" if attempt.raised is None else "raised"
        what = attempt.raised_name() or repr(attempt.returned)
        raise Refused(
            f"Three times {situation}; the fourth time it would have answered all. With "
            f"attempts=4 total {came} {what}.",
            "`attempts` counts the requests for each batch, the first one too: how many were made?",
        )
    with faults.unprocessed(table, keep=1, times=None) as fault:
        attempt, naps = _patient(trial, total, table, attempts=4)
    if not fault.hits:
        return
    if attempt.raised is None and attempt.returned != _SUM:
        raise Refused(
            f"{situation}, again and again. {attempt.text} returned {attempt.returned}, and the "
            f"shards hold {_SUM}.",
            "A shard that cannot be read is not a zero. What can total do instead of returning?",
        )
    if fault.attempts > 4:
        raise Refused(
            f"{situation}, again and again. {attempt.text} asked {fault.attempts} times.",
            "`attempts` counts the requests for each batch, the first one too: where do you count?",
        )
    if len(naps.seconds) >= fault.attempts:
        raise Refused(
            f"{attempt.text} asked {fault.attempts} times and paused {len(naps.seconds)} times: "
            "also after the last request, in vain.",
            "How many pauses are there between that many requests?",
        )
    if len(naps.seconds) > 1 and len(set(naps.seconds)) == 1:
        paused = ", ".join(f"{seconds:g}" for seconds in naps.seconds)
        raise Refused(
            f"{situation}, again and again. {attempt.text} paused for {paused} seconds.",
            "If a key stays busy, the pauses must get longer. How much longer is each pause than "
            "the one before?",
        )


def _expect_error(trial: Trial, total: Any, table: Any) -> None:
    with faults.throttle(table, times=None) as fault:
        attempt, _ = _patient(trial, total, table, attempts=2)
    if fault.hits and attempt.raised is None:  # a client of the function's own met none
        raise Refused(
            f"Every read was throttled. {attempt.text} returned {attempt.returned}.",
            "A shard that cannot be read is not a zero. Which exception do you catch, and why?",
        )


def _bill(charges: Sequence[Charge]) -> str:
    count, units = len(charges), read_units(charges)
    return f"{count} request{'' if count == 1 else 's'}, {in_read_units(units)}"


def _remark(charges: Sequence[Charge], many: Sequence[Charge]) -> str:
    units = read_units(charges)
    if units > _SHARDS:
        return (
            "transactional reads cost four times as much as eventually consistent ones, and they "
            f"give no snapshot of more than {_BATCH_KEYS} shards."
        )
    if len(many) >= _MANY:
        return (
            f"it asks shard by shard. BatchGetItem brings {_BATCH_KEYS} at a time, for the same "
            f"read units: {-(-_MANY // _BATCH_KEYS)} requests instead of {len(many)}."
        )
    if units > _SHARDS / 2:
        return (
            "strongly consistent reads cost twice as much, and the sum is still not a snapshot: "
            "votes go on between one shard and the next."
        )
    return ""
