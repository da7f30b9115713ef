"""What came of a call, an item or a search, in the words of a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.meter import Charge
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt


def how_it_ended(attempt: Attempt) -> str:
    """ "returned True", or "raised TransactionCanceledException [None, ConditionalCheckFailed]"."""
    error = attempt.raised
    if error is None:
        return f"returned {attempt.returned!r}"
    response = getattr(error, "response", None) or {}  # a time-out's is None
    reasons = ", ".join(reason["Code"] for reason in response.get("CancellationReasons", []))
    if reasons:
        return f"raised TransactionCanceledException [{reasons}]"
    return f"raised {type(error).__name__}{f': {error}' if str(error) else ''}".rstrip(".")


def in_words(item: dict[str, Any] | None) -> str:
    """An item as its attributes: "PK POST#a91f, SK META, likeTally 1"."""
    return ", ".join(f"{name} {value}" for name, value in (item or {}).items()) or "nothing"


def operations(charges: Sequence[Charge]) -> str:
    """ "1 Query and 5 GetItem"."""
    names = list(dict.fromkeys(charge.operation for charge in charges))
    counts = [f"{sum(c.operation == name for c in charges)} {name}" for name in names]
    return " and ".join(counts) or "no request"


def in_read_units(units: float) -> str:
    """ "1 read unit", "0.5 read units"."""
    return f"{units:,g} read unit{'' if units == 1 else 's'}"


def in_write_units(units: float) -> str:
    """ "1 write unit", "1,600 write units"."""
    return f"{units:,g} write unit{'' if units == 1 else 's'}"


def first_raised(outcome: Outcome) -> str | None:
    """Which client let out which exception, as a sentence; None where none did."""
    for client, error in outcome.raised.items():
        return f"{client} raised {type(error).__name__}."
    return None


def extent_of(explorations: Sequence[Exploration]) -> str:
    """How much several searches tried together."""
    schedules = sum(exploration.schedules for exploration in explorations)
    return f"{schedules:,} schedules"
