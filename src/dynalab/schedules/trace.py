"""The steps of a schedule in words: which item, what was read or written, how it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dynalab.schedules.choices import MARKS, Fate
from dynalab.schedules.clients import Step
from dynalab.schedules.entries import Entry, Keys, entries, shown
from dynalab.schedules.overwrites import overwritten

Tables: TypeAlias = Mapping[str, list[dict[str, Any]]]

_LONG = 60
_MOST = 4  # items of one request
_COMPARISON = re.compile(r"\s*(<=|>=|<>|=|<|>)\s*")
_PLACEHOLDER = re.compile(r"[#:][A-Za-z0-9_]+")
_FATES: dict[Fate, str] = {
    "dies": "dies here",
    "lost request": "the request is lost",
    "lost reply": "the reply is lost",
    "late": "times out, still on its way",
    "lands": "lands only now",
    "stale": "stale: from before the last write",
}


@dataclass(frozen=True)
class Words:
    """One step. item: "META"; with its partition key or table where that is needed to tell it.

    what: what was read or written ("likeTally 0"). end: how it ended, after a mark; "" where all
    went well.
    """

    client: str
    operation: str
    item: str
    what: str
    end: str

    def __str__(self) -> str:
        return "  ".join(
            filter(None, [f"{self.operation} {self.item}".strip(), self.what, self.end])
        )


def words(steps: Sequence[Step], keys: Keys) -> list[Words]:
    """Each step in words. keys: the key attributes of each table."""
    teller = _Teller(steps, keys)
    lost = overwritten(steps, keys)
    timed_out: dict[str, tuple[str, Any]] = {}  # what a client may send again
    told = []
    for number, step in enumerate(steps):
        client, fate = step.choice.client, step.choice.fate
        ends = [f"{MARKS[fate]} {_FATES[fate]}"] if fate in _FATES else []
        request = (step.operation, step.request)
        if fate not in ("dies", "lands"):
            if timed_out.pop(client, None) == request:
                ends.append("sent again")
            if fate in ("lost request", "lost reply", "late"):
                timed_out[client] = request
        if fate == "dies":
            told.append(Words(client, "", "", "", ends[0]))
            continue
        if step.reply is not None and step.reply.status != 200:
            ends.append(f"✗ refused: {_refusal(json.loads(step.reply.body))}")
        if number in lost:
            ends.append(f"← overwrites {lost[number]}'s")
        item, what = teller.tell(step)
        if "sent again" in ends:
            what = ""  # it was told a few steps before
        told.append(Words(client, step.operation, item, what, ", ".join(ends)))
    return told


def left(steps: Sequence[Step], keys: Keys, start: Tables, end: Tables) -> dict[str, list[Any]]:
    """The items at the end that a step named, and those that differ from the start, by table."""
    named = {entry.place(keys) for s in steps for entry in entries(s.operation, s.request)}
    found: dict[str, list[Any]] = {}
    for table, items in end.items():
        names = keys.get(table, ())
        # With get: a client may have made the table anew, with other keys.
        before = {tuple(str(i.get(name)) for name in names): i for i in start.get(table, [])}
        for item in items:
            key = tuple(str(item[name]) for name in names)
            if (table, key) in named or item != before.get(key):
                found.setdefault(table, []).append(item)
    return found


def _refusal(reply: Mapping[str, Any]) -> str:
    if "CancellationReasons" in reply:
        return f"[{', '.join(reason['Code'] for reason in reply['CancellationReasons'])}]"
    return str(reply.get("__type", "")).rpartition("#")[2].removesuffix("Exception")


class _Teller:
    """Names the items of one schedule, each as shortly as it can be told from the others."""

    def __init__(self, steps: Sequence[Step], keys: Keys) -> None:
        self._keys = keys
        places = [e.place(keys) for s in steps for e in entries(s.operation, s.request)]
        tables = {str(s.request["TableName"]) for s in steps if "TableName" in s.request}
        self._one_table = len(tables | {table for table, _ in places}) <= 1
        partitions = {(table, key[:1]) for table, key in places}
        self._one_partition = len(partitions) == len({table for table, _ in partitions})

    def tell(self, step: Step) -> tuple[str, str]:
        """The item, and what was read or written."""
        served = step.reply is not None and step.reply.status == 200
        reply = json.loads(step.reply.body) if step.reply is not None and served else None
        if step.operation in ("Query", "Scan"):
            return self._queried(step.request, reply)
        named = entries(step.operation, step.request)
        if step.operation in ("TransactGetItems", "BatchGetItem"):
            return "", self._listed([self._item(entry) for entry in named]) + _got(reply)
        if step.operation in ("TransactWriteItems", "BatchWriteItem"):
            return "", self._listed([f"{e.kind} {self._item(e)} {self._asked(e)}" for e in named])
        if not named:
            return "", _streamed(step.operation, reply)
        [entry] = named
        if entry.kind != "Get":
            return self._item(entry), self._asked(entry)
        if reply is None:
            return self._item(entry), ""
        if "Item" not in reply:
            return self._item(entry), "no such item"
        return self._item(entry), self._attributes(entry.table, reply["Item"], " ") or "is there"

    def _item(self, entry: Entry) -> str:
        """The sort key where all items have one partition key, else both; the table before it."""
        key = entry.key(self._keys)
        short = key[-1:] if self._one_partition else key
        return self._in_table(entry.table, " / ".join(short))

    def _in_table(self, table: str, text: str) -> str:
        return text if self._one_table else f"{table} {text}".strip()

    def _listed(self, parts: Sequence[str]) -> str:
        more = [f"{len(parts) - _MOST} more"] if len(parts) > _MOST else []
        return " + ".join([*(part.strip() for part in parts[:_MOST]), *more])

    def _queried(self, request: Mapping[str, Any], reply: Any) -> tuple[str, str]:
        where = self._in_table(str(request.get("TableName", "")), str(request.get("IndexName", "")))
        condition = _filled(request, "KeyConditionExpression")
        return where, ": ".join(filter(None, [condition, _got(reply).removeprefix(": ")]))

    def _asked(self, entry: Entry) -> str:
        """What a write changes, and under which condition."""
        change = _filled(entry.request, "UpdateExpression").removeprefix("SET ")
        if entry.kind == "Put":
            change = self._attributes(entry.table, entry.named, " = ")
        condition = _filled(entry.request, "ConditionExpression")
        return " ".join(filter(None, [change, condition and f"if {condition}"]))

    def _attributes(self, table: str, item: Mapping[str, Any], between: str) -> str:
        names = self._keys.get(table, ())
        others = {name: value for name, value in item.items() if name not in names}
        return _shortened(", ".join(f"{n}{between}{shown(v)}" for n, v in others.items()))


def _got(reply: Any) -> str:
    """How many items a read of several found; of a page, how many the filter left of them."""
    if reply is None:
        return ""
    if "Count" in reply:
        count, scanned = reply["Count"], reply["ScannedCount"]
        of = "" if count == scanned else f" of {scanned}"
        return f": {count}{of} item{'' if (count, of) == (1, '') else 's'}"
    found = reply["Responses"]
    lists = found.values() if isinstance(found, dict) else [[r for r in found if r]]
    return f": {sum(map(len, lists))} found"


def _streamed(operation: str, reply: Any) -> str:
    """How many records a read of a stream found; nothing of other requests without an item."""
    if operation != "GetRecords" or reply is None:
        return ""
    count = len(reply["Records"])
    return f"{count} record{'' if count == 1 else 's'}"


def _filled(request: Mapping[str, Any], field: str) -> str:
    """An expression with its names and values put in."""
    known: dict[str, str] = dict(request.get("ExpressionAttributeNames") or {})
    values = request.get("ExpressionAttributeValues") or {}
    known.update((name, shown(value)) for name, value in values.items())
    expression = " ".join(_COMPARISON.sub(r" \1 ", str(request.get(field) or "")).split())
    return _shortened(_PLACEHOLDER.sub(lambda match: known.get(match[0], match[0]), expression))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
