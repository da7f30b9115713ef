"""A step of a schedule in words: which item, what was read or written, how it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynalab.outcome import plain_item
from dynalab.schedule import Fate, Step

_LONG = 60
_PLACEHOLDER = re.compile(r"[#:][A-Za-z0-9_]+")
_FATES: dict[Fate, str] = {
    "served": "",
    "dies": "† dies here",
    "lost request": "the request is lost",
    "lost reply": "the reply is lost",
    "late": "times out, still on its way",
    "lands": "lands only now",
    "stale": "stale: from before the last write",
}


@dataclass(frozen=True)
class Words:
    """client, operation ("GetItem"), item ("META"), what ("likeTally 0"), end ("" where all went well)."""

    client: str
    operation: str
    item: str
    what: str
    end: str

    def __str__(self) -> str:
        if self.end == _FATES["dies"]:
            return self.end
        return "  ".join(filter(None, [f"{self.operation} {self.item}".strip(), self.what, self.end]))


def words(step: Step, keys: Mapping[str, tuple[str, ...]]) -> Words:
    """One step in words. keys: the key attributes of each table."""
    reply = {} if step.reply is None else json.loads(step.reply.body)
    failed = step.reply is not None and step.reply.status != 200
    item, what = _told(step.operation, step.request, {} if failed else reply, keys)
    ends = [_FATES[step.choice.fate]]
    if failed:
        ends.append(f"refused: {_refusal(reply)}")
    return Words(step.choice.client, step.operation, item, what, ", ".join(filter(None, ends)))


def _refusal(reply: Mapping[str, Any]) -> str:
    if "CancellationReasons" in reply:
        return f"[{', '.join(reason['Code'] for reason in reply['CancellationReasons'])}]"
    return str(reply.get("__type", "")).rpartition("#")[2].removesuffix("Exception")


def _told(
    operation: str,
    request: Mapping[str, Any],
    reply: Mapping[str, Any],
    keys: Mapping[str, tuple[str, ...]],
) -> tuple[str, str]:
    names = keys.get(request.get("TableName", ""), ())
    if operation == "GetItem":
        found = reply.get("Item")
        return _key(request["Key"], names), _attributes(found, names) if found else "no such item"
    if operation in ("Query", "Scan"):
        where = request.get("IndexName", "")
        return where, f"{reply.get('Count', 0)} of {reply.get('ScannedCount', 0)} items"
    if operation == "TransactWriteItems":
        return "", " + ".join(_action(action, keys) for action in request["TransactItems"])
    if operation in ("BatchWriteItem", "BatchGetItem"):
        count = sum(len(_entries(part)) for part in request["RequestItems"].values())
        return "", f"{count} items"
    if operation in ("PutItem", "UpdateItem", "DeleteItem"):
        return _write(request, names)
    return "", ""


def _entries(part: Any) -> Any:
    return part["Keys"] if isinstance(part, dict) else part


def _action(action: Mapping[str, Any], keys: Mapping[str, tuple[str, ...]]) -> str:
    [(kind, request)] = action.items()
    item, what = _write(request, keys.get(request["TableName"], ()))
    return " ".join(filter(None, [kind, item, what]))


def _write(request: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, str]:
    item = request.get("Item")
    if item is not None:
        return _key(item, names), _attributes(item, names, "=")
    return _key(request["Key"], names), _update(request)


def _key(wire: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The sort key where there is one, else the partition key."""
    name = names[-1] if names else next(iter(wire))
    return _shown(plain_item({name: wire[name]})[name]) if name in wire else ""


def _attributes(wire: Mapping[str, Any], names: tuple[str, ...], between: str = " ") -> str:
    plain = plain_item({name: value for name, value in wire.items() if name not in names})
    return _shortened(", ".join(f"{name}{between}{_shown(value)}" for name, value in plain.items()))


def _update(request: Mapping[str, Any]) -> str:
    """The update expression with its names and values put in."""
    known: dict[str, str] = dict(request.get("ExpressionAttributeNames") or {})
    values = plain_item(request.get("ExpressionAttributeValues") or {})
    known.update((name, _shown(value)) for name, value in values.items())
    expression = " ".join(request.get("UpdateExpression", "").split())
    return _shortened(_PLACEHOLDER.sub(lambda match: known.get(match[0], match[0]), expression))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
