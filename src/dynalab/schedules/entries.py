"""The items that a request names, one entry each, whatever the operation wraps them in."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Keys: TypeAlias = Mapping[str, tuple[str, ...]]
Place: TypeAlias = tuple[str, tuple[str, ...]]

_SINGLE = {"GetItem": "Get", "PutItem": "Put", "UpdateItem": "Update", "DeleteItem": "Delete"}


@dataclass(frozen=True)
class Entry:
    """One item of a request. kind: Get, Put, Update, Delete or ConditionCheck.

    named: the key, or for a Put the whole item. request: the part with the expressions.
    """

    kind: str
    table: str
    named: Mapping[str, Any]
    request: Mapping[str, Any]

    def key(self, keys: Keys) -> tuple[str, ...]:
        """The values of its key attributes as text; keys: the key attributes of each table."""
        names = keys.get(self.table, tuple(self.named))
        return tuple(shown(self.named[name]) if name in self.named else "" for name in names)

    def place(self, keys: Keys) -> Place:
        """Where the item is: its table and its key."""
        return self.table, self.key(keys)


def entries(operation: str, request: Mapping[str, Any]) -> list[Entry]:
    """The items that a request names; none for a Query or a Scan."""
    if operation in _SINGLE:
        return [_entry(_SINGLE[operation], str(request.get("TableName", "")), request)]
    if operation in ("TransactWriteItems", "TransactGetItems"):
        return [
            _entry(kind, str(part.get("TableName", "")), part)
            for action in request.get("TransactItems", ())
            for kind, part in action.items()
        ]
    if operation == "BatchWriteItem":
        return [
            _entry(kind.removesuffix("Request"), table, part)
            for table, actions in request.get("RequestItems", {}).items()
            for action in actions
            for kind, part in action.items()
        ]
    if operation == "BatchGetItem":
        return [
            Entry("Get", table, key, {})
            for table, part in request.get("RequestItems", {}).items()
            for key in part.get("Keys", ())
        ]
    return []


def _entry(kind: str, table: str, request: Mapping[str, Any]) -> Entry:
    return Entry(kind, table, request.get("Item") or request.get("Key") or {}, request)


def shown(value: Any) -> str:
    """A typed value as text, bare: {"N": "3"} is 3, {"S": "x"} is x; bytes as Python has them."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return "?"
    [(kind, inner)] = value.items()
    match kind:
        case "NULL":
            return "None"
        case "B":
            return repr(b64decode(inner))
        case "SS" | "NS" | "BS":
            return "{" + ", ".join(sorted(map(str, inner))) + "}"
        case "L":
            return "[" + ", ".join(map(shown, inner)) + "]"
        case "M":
            return "{" + ", ".join(f"{name}: {shown(each)}" for name, each in inner.items()) + "}"
        case _:
            return str(inner)
