"""The parts of a run: its clients, the steps that were taken, and what is still on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply
from dynalab.schedules.choices import Choice
from dynalab.schedules.standing import Standing


@dataclass(frozen=True)
class Step:
    """One choice that was carried out, with what was asked and what was answered."""

    choice: Choice
    operation: str
    request: Mapping[str, Any]
    reply: Reply | None


@dataclass(eq=False)
class Client:
    """One client of a run: where it stands, and whether it died there."""

    name: str
    function: Callable[[], Any]
    place: Standing
    died: bool = False

    @property
    def pending(self) -> tuple[str, Mapping[str, Any], Go] | None:
        """The request that it waits with: operation, body, and what sends it."""
        return None if self.died else self.place.asks

    @property
    def requests(self) -> int:
        """How many it made, with the one that it waits with, or died at."""
        return self.place.requests


@dataclass(frozen=True)
class Floating:
    """A request whose client gave up on it, and which has not landed yet. text: what it asks."""

    client: str
    number: int
    operation: str
    request: Mapping[str, Any]
    text: str
    go: Go
