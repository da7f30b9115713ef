"""Posts and the clock of lab 12: what a check reads through a cache, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from dynalab.exercises.given import given
from dynalab.exercises.tables import PK_SK
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial

TABLE = "Social"
TABLES: dict[str, Any] = {
    TABLE: PK_SK,
    # As tables were before on demand: its units lie in equal shares on two partitions.
    "SocialThen": {
        **PK_SK,
        "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": {"ReadCapacityUnits": 5_000, "WriteCapacityUnits": 300},
    },
}

POST, OTHER, THIRD, MISSING = "POST#a91f", "POST#5e02", "POST#c77d", "POST#0000"
OLD, NEW = "Hello", "Hello, edited"
TTL = 60


def put_post(table: Any, post_id: str, body: str) -> None:
    given(table, {"PK": post_id, "SK": "META", "body": body, "author": "USER#7c20"})


def edit(table: Any, post_id: str, body: str) -> None:
    table.update_item(
        Key={"PK": post_id, "SK": "META"},
        UpdateExpression="SET body = :body",
        ExpressionAttributeValues={":body": body},
    )


@dataclass
class Scene:
    """A table with posts, a clock that the check moves, and the learner's reader of both."""

    trial: Trial
    table: Any
    reader: Any
    clock: Callable[[], float]
    now: list[float]
    looks: list[Callable[[], None]]  # called each time the reader looks at the clock

    def again(self, cached_reader: Any) -> Scene:
        """The same with a fresh reader, and the post as it was; for a cached_reader that works."""
        put_post(self.table, POST, OLD)
        return replace(self, reader=cached_reader(self.table, TTL, self.clock))

    @contextmanager
    def looking(self, look: Callable[[], None]) -> Iterator[None]:
        self.looks.append(look)
        try:
            yield
        finally:
            self.looks.remove(look)

    def wait(self, seconds: float) -> None:
        self.now[0] += seconds

    def get(self, post_id: str) -> tuple[Any, Sequence[Charge]]:
        """What reader.get returns, and what it was billed; Refused where it raises."""
        with self.trial.bill() as charges:
            value = self.trial.call(self.reader.get, post_id)
        return value, charges

    def stored(self, post_id: str) -> dict[str, Any] | None:
        return self.trial.item(TABLE, PK=post_id, SK="META")


def staged(trial: Trial, cached_reader: Any, *methods: str) -> Scene:
    """A fresh table with posts and a fresh reader. Refused where the reader lacks a method."""
    table = trial.table(TABLE)
    for post_id in (POST, OTHER, THIRD):
        put_post(table, post_id, OLD)
    now = [1_000.0]
    looks: list[Callable[[], None]] = []

    def clock() -> float:
        for look in list(looks):
            look()
        return now[0]

    reader = trial.call(cached_reader, table, TTL, clock)
    for method in methods:
        if not callable(getattr(reader, method, None)):
            raise Refused(
                f"cached_reader(table, {TTL}, clock) returned {_what(reader)}; it has no method "
                f"{method}.",
                f"A caller writes reader.{method}({POST!r}): what do you return?",
            )
    return Scene(trial, table, reader, clock, now, looks)


def _what(reader: Any) -> str:
    return "None" if reader is None else f"an object of type {type(reader).__name__}"
