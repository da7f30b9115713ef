"""Taps of exercise 3.3: calls of like_surely under watch, with trouble, and as clients."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

import boto3
from botocore.config import Config

from dynalab import faults
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.lab03.guarded_like import AT, POST, USER, new_post
from dynalab.faults.intercept import client_of, opened
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.lives import NOT_REPEATABLE
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Refused, Trial

ATTEMPTS = 4
Trouble: TypeAlias = Callable[[Any], faults.Block]


def impatient(table: Any) -> Any:
    """The table through a client that sends each request once: what fails reaches the caller."""
    once = Config(retries={"total_max_attempts": 1})
    return boto3.resource("dynamodb", config=once).Table(table.name)


def conflicts(times: int) -> Trouble:
    """So many attempts meet another transaction at work on the like."""
    return lambda table: cancelling(table, "TransactionConflict", times=times)


@dataclass(frozen=True)
class Tap:
    """One call of like_surely: how it ended, the requests that it sent, its pauses in seconds."""

    attempt: Attempt
    sent: int
    pauses: tuple[float, ...]

    @property
    def paused(self) -> str:
        return ", ".join(f"{seconds:.3f}" for seconds in self.pauses) or "no"


@dataclass(frozen=True)
class Case:
    """like_surely, and a table whose client makes no attempts of its own."""

    like_surely: Callable[..., Any]
    trial: Trial
    table: Any

    def fresh(self) -> None:
        """A post that nobody likes, ten minutes later: no token reaches so far."""
        new_post(self.trial)

    def tap(
        self,
        trouble: Trouble | None = None,
        *,
        post: str = POST,
        at: int = AT,
        attempts: int = ATTEMPTS,
        seed: int = 1,
    ) -> Tap:
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
        return Tap(attempt, counter.attempts, tuple(pauses))

    def client(self, at: int, seed: int) -> Callable[[], Any]:
        """A tap of USER's as a client of a schedule; the pauses take no time."""

        def sleep(seconds: float) -> None:
            pass

        return lambda: self.like_surely(
            self.table,
            POST,
            USER,
            at,
            attempts=ATTEMPTS,
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
                "The same schedule was run twice, and like_surely did different things.",
                "Only the token may be random in what a request stores. Take every other random "
                "value from `rng`, and keep nothing outside the function.",
            ) from None
