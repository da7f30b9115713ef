"""Where a client stands after what it was told: at its next request, or at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from botocore.exceptions import ReadTimeoutError

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply
from dynalab.schedules.state import written

_URL = "https://dynamodb.invalid/"


@dataclass(frozen=True)
class Told:
    """What a client got for one request, and the time on the engine's clock.

    reply: None where it timed out; an exception where the engine raised one.
    """

    reply: Reply | Exception | None
    at: float

    def heard(self) -> Reply:
        """The reply; raises what came in its place."""
        if self.reply is None:
            raise ReadTimeoutError(endpoint_url=_URL)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply

    @property
    def text(self) -> bytes:
        """What tells it from other ones, but for the time."""
        if isinstance(self.reply, Reply):
            return self.reply.body
        return b"timed out" if self.reply is None else repr(self.reply).encode()


@dataclass(eq=False)
class Standing:
    """Where a client stands. What it does is a function of what it was told, so each is known once.

    before, told: the place before this one, and what led from there to here; None at the start.
    at: the time when it went on from there. slept: the seconds by which it then moved the clock.
    asks: its next request: operation, body, and what sends it; None at its end. returned, raised:
    how it ended. after: the places that were found behind this one.
    """

    before: Standing | None
    told: Told | None
    at: float
    asks: tuple[str, Mapping[str, Any], Go] | None
    returned: Any
    raised: BaseException | None
    slept: float
    after: dict[Told, Standing] = field(default_factory=dict)

    @cached_property
    def all_told(self) -> tuple[Told, ...]:
        """Everything that the client was told up to here."""
        if self.before is None or self.told is None:
            return ()
        return (*self.before.all_told, self.told)

    @cached_property
    def history(self) -> tuple[bytes, ...]:
        """The same, as what a state is told by."""
        return tuple(told.text for told in self.all_told)

    @property
    def requests(self) -> int:
        """How many requests the client has made, with the one that it waits with."""
        return len(self.all_told) + (self.asks is not None)

    @cached_property
    def question(self) -> str:
        """Its next request as text."""
        return "" if self.asks is None else written(self.asks[1])

    @cached_property
    def ending(self) -> tuple[str, str]:
        """What it returned and what it raised, as text."""
        return _text(self.returned), _text(self.raised)

    def does_as(self, other: Standing) -> bool:
        """Whether it asks for the same as a client does that stands there."""
        mine, theirs = self.asks, other.asks
        if mine is None or theirs is None:
            return mine is theirs
        return mine[:2] == theirs[:2]


def _text(value: object) -> str:
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text
