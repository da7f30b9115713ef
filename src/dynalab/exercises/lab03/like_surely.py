"""Exercise 3.3: a like that tries again, in bounds, and is one request to DynamoDB all the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

import boto3
from botocore.config import Config

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.lab03.guarded_like import (
    AT,
    NO_POST,
    POST,
    USER,
    ended,
    expect_first,
    expect_guarded,
    expect_key,
    expect_no_such_post,
    found,
    found_in,
    hold_two_devices,
    new_post,
    one_like,
    unlike,
)
from dynalab.exercises.social import TABLE, first_raised
from dynalab.faults.intercept import client_of, opened
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.search import NOT_REPEATABLE
from dynalab.trial import Attempt, NotAttempted, Refused, Trial

_BASE = 0.05  # seconds: the cap of the first pause; that of each further one is twice as high
_ATTEMPTS = 4
_NO_END = 40  # so often trouble comes; who gets past it does not count
_MISMATCH = "IdempotentParameterMismatchException"
_Trouble: TypeAlias = Callable[[Any], faults.Block]


def impatient(table: Any) -> Any:
    """The table through a client that sends each request once: what fails reaches the caller."""
    once = Config(retries={"total_max_attempts": 1})
    return boto3.resource("dynamodb", config=once).Table(table.name)


@dataclass(frozen=True)
class _Tap:
    """One call of like_surely: how it ended, the requests that it sent, its pauses in seconds."""

    attempt: Attempt
    sent: int
    pauses: tuple[float, ...]

    @property
    def paused(self) -> str:
        return ", ".join(f"{seconds:.3f}" for seconds in self.pauses) or "no"


@dataclass(frozen=True)
class _Case:
    """like_surely, and a table whose client makes no attempts of its own."""

    like_surely: Callable[..., Any]
    trial: Trial
    table: Any

    def fresh(self) -> None:
        """A post that nobody likes, ten minutes later: no token reaches so far."""
        new_post(self.trial)

    def tap(
        self,
        trouble: _Trouble | None = None,
        *,
        post: str = POST,
        at: int = AT,
        attempts: int = _ATTEMPTS,
        seed: int = 1,
    ) -> _Tap:
        pauses: list[float] = []

        def sleep(seconds: float) -> None:
            pauses.append(float(seconds))

        with ExitStack() as stack:
            counter = stack.enter_context(
                opened(
                    client_of(self.table),
                    lambda call, fault: None,
                    operations=frozenset({"TransactWriteItems"}),
                )
            )
            if trouble is not None:
                stack.enter_context(trouble(self.table))
            attempt = self.trial.attempt(
                self.like_surely,
                self.table,
                post,
                USER,
                at,
                attempts=attempts,
                sleep=sleep,
                rng=random.Random(seed),
            )
        return _Tap(attempt, counter.attempts, tuple(pauses))

    def client(self, at: int, seed: int) -> Callable[[], Any]:
        """A tap of USER's as a client of a schedule; the pauses take no time."""

        def sleep(seconds: float) -> None:
            pass

        return lambda: self.like_surely(
            self.table,
            POST,
            USER,
            at,
            attempts=_ATTEMPTS,
            sleep=sleep,
            rng=random.Random(seed),
        )

    def explore(
        self, clients: Mapping[str, Callable[[], Any]], invariant: Callable[[Outcome], str | None]
    ) -> Exploration:
        try:
            return self.trial.explore(clients, invariant, lost=True, late=True)
        except Refused as refused:
            if refused.seen != NOT_REPEATABLE:
                raise
            raise Refused(
                "The same schedule was run twice, and like_surely did not do the same.",
                "What a request stores must not be drawn by chance anew, only the token may: "
                "take other chance from `rng`, and keep nothing outside the function.",
            ) from None


def check_like_surely(like_surely: Any, trial: Trial) -> Passed:
    case = _Case(like_surely, trial, impatient(new_post(trial)))
    expect_first(trial, trial.attempt(like_surely, case.table, POST, USER, AT))
    try:
        _expect_answers_to_end_it(case)
        _expect_intents_apart(case)
        _expect_trouble_outlived(case)
        _expect_bounds(case)
        pauses = _expect_backoff(case)
        alone = _hold_alone(case)
        likers, against = _hold_against_others(case)
    except NotAttempted:
        raise Refused(
            "like_surely works as long as all goes well. Then it met something that raised "
            "NotImplementedError.",
            "It uses another function of this lab: is that one written, and its cell run?",
        ) from None
    return Passed(
        f"Requests and replies lost, and requests late. Alone: {alone}. Beside a second device "
        f"that likes: {likers}. Beside one that unlikes: {against}. One like, tally 1. "
        f"The longest pauses: {', '.join(f'{seconds:.3f}' for seconds in pauses)} seconds."
    )


def _expect_answers_to_end_it(case: _Case) -> None:
    """A second tap, and a like of no post: both are answered at the first attempt."""
    again = case.tap(at=AT + 10, seed=2)
    if again.attempt.raised_name() == _MISMATCH:
        raise Refused(
            "A second tap, ten seconds later, was taken for an attempt of the first: it raised "
            f"{_MISMATCH}.",
            "Each call is an intent of its own. When is its token drawn?",
        )
    expect_guarded(case.trial, again.attempt)
    expect_key(case.trial)
    nowhere = case.tap(post=NO_POST, at=AT + 20, seed=3)
    expect_no_such_post(case.trial, nowhere.attempt)
    for tap, what in ((again, "the like was there already"), (nowhere, "there is no post")):
        if tap.sent > 1 or tap.pauses:
            raise Refused(
                f"DynamoDB answered that {what}. like_surely sent {tap.sent} requests and paused "
                f"{len(tap.pauses)} times.",
                "Another attempt gets the same answer. Which answers end the loop?",
            )


def _expect_intents_apart(case: _Case) -> None:
    """Like, unlike, like, all in one second: the second like is no attempt of the first."""
    case.fresh()
    case.tap(seed=4)
    unlike(case.trial.dynamodb.Table(TABLE))
    second = case.tap(seed=5).attempt
    post = found(case.trial)
    if second.returned is not True or not post.likers:
        raise Refused(
            "A user liked, took it back and liked again, all within one second. The second like "
            f"{ended(second)}; now: {post.counted()}.",
            "DynamoDB takes a request for a repetition where its token is the same. "
            "Do two taps have two tokens here, whatever their arguments?",
        )


def _conflicts(times: int) -> _Trouble:
    return lambda table: cancelling(table, "TransactionConflict", times=times)


def _expect_trouble_outlived(case: _Case) -> None:
    troubles: tuple[tuple[str, int, _Trouble], ...] = (
        ("The first attempt met a conflict", 1, _conflicts(1)),
        ("The first attempt timed out, since its request was lost", 1, faults.lost_request),
        ("Three attempts met a conflict", 3, _conflicts(3)),
    )
    for situation, failing, trouble in troubles:
        case.fresh()
        tap = case.tap(trouble)
        if tap.sent == 0:
            raise Refused(
                f"{tap.attempt.text} {ended(tap.attempt)}, and no transaction came through the "
                "table that it was given.",
                "Which client belongs to the table? A caller may have given it other settings.",
            )
        if tap.attempt.returned is not True or not found(case.trial).likers:
            raise Refused(
                f"{situation}, and the next would have gone through. With attempts={_ATTEMPTS}, "
                f"like_surely sent {tap.sent} and {ended(tap.attempt)}; "
                f"{found(case.trial).counted()}.",
                "Which of the four answers of classify is this, and what does the loop do then?",
            )
        if len(tap.pauses) < failing:
            raise Refused(
                f"{situation}. like_surely sent {tap.sent} requests with {len(tap.pauses)} calls "
                "of `sleep` in between.",
                "Whoever was in the way needs a moment. Pause by the sleep that the call brings.",
            )


def _expect_bounds(case: _Case) -> None:
    """Trouble without end: at most `attempts` requests, no pause at the end, and an error."""
    for attempts in (_ATTEMPTS, 1, 2):
        case.fresh()
        tap = case.tap(_conflicts(_NO_END), attempts=attempts)
        situation = f"Every attempt met a conflict. With attempts={attempts}, like_surely"
        if tap.sent > attempts:
            raise Refused(
                f"{situation} sent {tap.sent if tap.sent <= _NO_END else f'over {_NO_END}'} "
                "requests.",
                "Which count ends the loop, and what does it count: attempts, or retries?",
            )
        if tap.attempt.raised is None:
            raise Refused(
                f"{situation} returned {tap.attempt.returned!r} after {tap.sent}.",
                "Nothing was written, and nobody knows whether the like is there. "
                "What tells a caller that there is no answer?",
            )
        if len(tap.pauses) >= attempts:
            raise Refused(
                f"{situation} sent {tap.sent} and paused {len(tap.pauses)} times.",
                "A pause after the last attempt makes the caller wait for nothing. "
                "Between which attempts does it belong?",
            )
    case.fresh()
    tap = case.tap(lambda table: cancelling(table, "None", "ValidationError", times=_NO_END))
    if tap.sent > 1 or tap.attempt.raised is None:
        raise Refused(
            "The transaction was cancelled with ValidationError, which no attempt changes. "
            f"like_surely sent {tap.sent} and {ended(tap.attempt)}.",
            "Which errors pass by themselves? All others belong to the caller, at once.",
        )


def _expect_backoff(case: _Case) -> list[float]:
    """The longest pause before each attempt, over some seeds, where all keep to the contract."""
    taps: list[_Tap] = []
    for seed in (1, 2, 3, 4, 5, 5):
        case.fresh()
        taps.append(case.tap(_conflicts(_NO_END), seed=seed))
    for tap in taps:
        for number, seconds in enumerate(tap.pauses):
            cap = _BASE * 2**number
            if not 0 <= seconds <= cap * 1.000001:
                raise Refused(
                    f"The pauses between four attempts were {tap.paused} seconds; the cap of "
                    f"pause {number + 1} is {cap:g}.",
                    "The cap begins at 0.05 and doubles; a pause is anything from 0 to its cap.",
                )
    if not any(seconds for tap in taps for seconds in tap.pauses):
        raise Refused("Each pause was 0 seconds long.", "How long is a pause of nothing?")
    *others, last, repeated = taps
    if all(tap.pauses == last.pauses for tap in others):
        raise Refused(
            f"Five callers with five generators paused alike: {last.paused} seconds.",
            "Two callers that met once would meet again at each attempt. What sets them apart?",
        )
    if last.pauses != repeated.pauses:
        raise Refused(
            "Two calls with generators of the same seed paused "
            f"{last.paused} seconds, and {repeated.paused}.",
            "The call brings a generator so that a run can be repeated. Where do yours come from?",
        )
    return [max(seconds) for seconds in zip(*(tap.pauses for tap in taps), strict=True)]


def _hold_alone(case: _Case) -> str:
    case.fresh()

    def made_once(outcome: Outcome) -> str | None:
        post = found_in(outcome)
        if outcome.raised:
            return first_raised(outcome)
        if len(post.likers) != 1 or post.tally != 1:
            return f"{post.counted()}."
        if outcome.returned["A"] is not True:
            return f"A returned {outcome.returned['A']!r}, and the like is its own."
        return None

    return case.trial.hold(
        case.explore({"A": case.client(AT, 1)}, made_once),
        "One request is lost, or its reply is, or it lands late",
        "DynamoDB compares tokens to tell a repetition from a request that is new. "
        "Which token does each attempt carry?",
    )


def _hold_against_others(case: _Case) -> tuple[str, str]:
    """The extents of two searches: beside a device that likes, and beside one that unlikes."""
    case.fresh()
    two = {"A": case.client(AT, 1), "B": case.client(AT + 10, 2)}
    likers = hold_two_devices(case.trial, case.explore(two, one_like))
    case.fresh()
    other = case.trial.dynamodb.Table(TABLE)
    against = case.trial.hold(
        case.explore({"A": case.client(AT, 1), "B": lambda: unlike(other)}, _gone_for_good),
        "A user likes; another device takes the like back",
        "To DynamoDB an attempt with a token of its own is a new wish, however late it comes. "
        "What would the attempts of one tap have to share?",
    )
    return likers, against


def _gone_for_good(outcome: Outcome) -> str | None:
    """A likes, B unlikes: once B says that it took the like back, it stays away."""
    post = found_in(outcome)
    if outcome.raised:
        return first_raised(outcome)
    if outcome.returned["B"] is True and post.likers:
        return f"B took the like back, and it is there again: {post.counted()}."
    # B's own request may come late, after its retry found no like: then the like goes, too.
    if len(post.likers) != post.tally:
        return f"{post.counted()}."
    if outcome.returned["A"] is not True:
        return f"A returned {outcome.returned['A']!r}, and it had made the like."
    return None
