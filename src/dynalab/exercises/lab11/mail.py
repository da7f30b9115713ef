"""Inboxes, headers and bodies of messages, as the checks of lab 11 need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge

INBOX, BODIES = "Inbox", "Bodies"
MARA, TOM = "mara", "tom"
AT = 1750636801


def header_key(user_id: str, message_id: str, at: int) -> dict[str, str]:
    """INBOX#mara / MSG#1750636801#m0001: in an inbox messages are ordered by their time."""
    return {"PK": f"INBOX#{user_id}", "SK": f"MSG#{at:010}#{message_id}"}


def body_key(message_id: str) -> dict[str, str]:
    return {"PK": f"MESSAGE#{message_id}", "SK": "BODY"}


def header_of(user_id: str, message_id: str, at: int) -> dict[str, Any]:
    """A header as deliver stores it."""
    return {
        **header_key(user_id, message_id, at),
        "messageId": message_id,
        "sender": TOM,
        "subject": f"About {message_id}",
        "sentAt": at,
    }


def put_headers(inbox: Any, user_id: str, count: int) -> list[str]:
    """So many headers, ten seconds apart, stored in no order; their message ids, newest first."""
    numbers = range(1, count + 1)
    for number in sorted(numbers, key=lambda number: number * 7 % 11):
        message_id = f"m{number * 37 % 1000:04}"  # ids say nothing about the time
        given(inbox, header_of(user_id, message_id, AT + 10 * number))
    return [f"m{number * 37 % 1000:04}" for number in reversed(numbers)]


def keys_of(items: Sequence[dict[str, Any]]) -> str:
    """The keys of a few items, for a sentence; "nothing" where there are none."""
    keys = [f"{item['PK']} / {item['SK']}" for item in items[:3]]
    return (", ".join(keys) + (", …" if len(items) > 3 else "")) or "nothing"


def list_units(charges: Sequence[Charge]) -> str:
    """The read units of some charges: "1.5 read units"."""
    units = read_units(charges)
    return in_read_units(units)
