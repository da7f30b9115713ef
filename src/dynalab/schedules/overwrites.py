"""Lost updates: a write of a value that was worked out before another client wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.schedules.clients import Step
from dynalab.schedules.entries import Entry, Keys, Place, entries

_ADDS = ("+", "-", "if_not_exists", "list_append", "ADD ", "DELETE ", "REMOVE ")


def overwritten(steps: Sequence[Step], keys: Keys) -> dict[int, str]:
    """Step → the client whose write it overwrites unseen: it came after this client's last read."""
    read: dict[tuple[str, Place], int] = {}
    written: dict[Place, tuple[int, str]] = {}
    found: dict[int, str] = {}
    for number, step in enumerate(steps):
        if step.reply is None or step.reply.status != 200:
            continue
        client = step.choice.client
        for entry in entries(step.operation, step.request):
            place = entry.place(keys)
            if entry.kind == "Get":
                read[client, place] = number
                continue
            if entry.kind == "ConditionCheck":
                continue
            when, writer = written.get(place, (-1, client))
            if _is_blind(entry) and writer != client and -1 < read.get((client, place), -1) < when:
                found[number] = writer
            written[place] = number, client
    return found


def _is_blind(entry: Entry) -> bool:
    """Whether it writes a value of its own, without a condition and without looking."""
    request: Mapping[str, Any] = entry.request
    if request.get("ConditionExpression"):
        return False
    expression = str(request.get("UpdateExpression", ""))
    return entry.kind == "Put" or not any(sign in f"{expression} " for sign in _ADDS)
