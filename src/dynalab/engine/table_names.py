"""A lab's table names on their way to a server that others use too, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Body: TypeAlias = Mapping[str, Any]

_DESCRIBED = ("Table", "TableDescription", "StreamDescription")
_LISTED = ("ConsumedCapacity", "Streams")
_BY_TABLE = ("Responses", "UnprocessedKeys", "UnprocessedItems", "ItemCollectionMetrics")


@dataclass(frozen=True)
class TableNames:
    """Puts a prefix before each table's name in a request, and takes it off each in a reply.

    So a notebook says Social, and the server's table is dynalab-ana-02-Social. An empty prefix
    leaves every name as it is. tag: the key and value that a table gets as it is made.
    """

    prefix: str = ""
    tag: tuple[str, str] | None = None

    def outward(self, operation: str, request: Body) -> dict[str, Any]:
        """The request with the server's names; one that has them already stays as it is."""
        sent = _renamed(request, self._with_prefix)
        if operation == "CreateTable" and self.tag is not None:
            key, value = self.tag
            others = [tag for tag in sent.get("Tags", []) if tag["Key"] != key]
            sent["Tags"] = [*others, {"Key": key, "Value": value}]
        return sent

    def inward(self, reply: Body) -> dict[str, Any]:
        """The reply with the lab's names. A list of tables keeps only those with the prefix."""
        got = dict(reply)
        if "TableNames" in got:
            names = [name for name in got["TableNames"] if name.startswith(self.prefix)]
            got["TableNames"] = [self._without_prefix(name) for name in names]
        for member in _DESCRIBED:
            if member in got:
                got[member] = _renamed(got[member], self._without_prefix)
        for member in _LISTED:
            part = got.get(member)
            if isinstance(part, list):
                got[member] = [_renamed(each, self._without_prefix) for each in part]
            elif isinstance(part, dict):
                got[member] = _renamed(part, self._without_prefix)
        for member in _BY_TABLE:
            if isinstance(got.get(member), dict):
                got[member] = {self._without_prefix(name): v for name, v in got[member].items()}
        for member in ("message", "Message"):
            if self.prefix and isinstance(got.get(member), str):
                got[member] = got[member].replace(self.prefix, "")
        return got

    def strangers(self, request: Body) -> list[str]:
        """The tables of a request, as the server knows them, that have not the prefix."""
        return [name for name in tables_of(request) if not name.startswith(self.prefix)]

    def _with_prefix(self, name: str) -> str:
        return name if name.startswith((self.prefix, "arn:")) else self.prefix + name

    def _without_prefix(self, name: str) -> str:
        return name.removeprefix(self.prefix)


def tables_of(request: Body) -> list[str]:
    """Every table that a request names, by its name or by an ARN of it or of its stream."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(_in_arn(name) if name.startswith("arn:") else name)
        return name

    _renamed(request, note)
    arns = [v for k, v in request.items() if k.endswith("Arn") and isinstance(v, str)]
    return found + [_in_arn(arn) for arn in arns]


def _in_arn(arn: str) -> str:
    return arn.partition(":table/")[2].partition("/")[0] or arn


def _renamed(part: Body, change: Callable[[str], str]) -> dict[str, Any]:
    """The part with each table's name changed: its own, of its batch, of its transaction."""
    renamed = dict(part)
    if "TableName" in part:
        renamed["TableName"] = change(part["TableName"])
    if "RequestItems" in part:
        renamed["RequestItems"] = {
            change(n): entries for n, entries in part["RequestItems"].items()
        }
    if "TransactItems" in part:
        renamed["TransactItems"] = [
            {action: _renamed(inner, change) for action, inner in item.items()}
            for item in part["TransactItems"]
        ]
    return renamed
