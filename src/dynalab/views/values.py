"""Shows one value of an item the way a learner would write it."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal, InvalidOperation
from typing import Any, SupportsBytes

# boto3 hands out a class of its own, which has __bytes__.
Binary = bytes | bytearray | SupportsBytes

LONGEST_TEXT = 48
LONGEST_BYTES = 24


def plain(value: object) -> str:
    """One line of text for a value: text bare, Decimal("3") as 3, sets and maps sorted, long cut.

    Text that would read as another type ("3", "True", "") keeps its quotes. What is cut says
    how long it is: characters of text, bytes of a binary, entries of a map, list or set.
    """
    if isinstance(value, str):
        shown = value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}…"
        shown = _quoted(shown) if _misleading(value) else visible(shown)
        return shown if len(value) <= LONGEST_TEXT else f"{shown} ({len(value):,} characters)"
    if isinstance(value, Binary):
        return _binary(bytes(value))
    shown = exact(value)
    if isinstance(value, Mapping | list | tuple | AbstractSet) and len(shown) > LONGEST_TEXT:
        entries = "entry" if len(value) == 1 else "entries"
        return f"{shown[:LONGEST_TEXT]}… ({len(value):,} {entries})"
    return shown


def exact(value: object) -> str:
    """The whole value on one line: two values are the same to DynamoDB where this is the same.

    The names of a map are sorted like the members of a set: DynamoDB keeps no order of either.
    """
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Binary):
        return repr(bytes(value))
    if isinstance(value, Mapping):
        pairs = sorted((exact(name), exact(inner)) for name, inner in value.items())
        return "{" + ", ".join(f"{name}: {inner}" for name, inner in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(exact(v) for v in value) + "]"
    if isinstance(value, AbstractSet):
        return "{" + ", ".join(exact(v) for v in _in_order(value)) + "}" if value else "set()"
    shown = visible(repr(value))
    # An address differs from run to run, and stored outputs must not.
    return f"<{type(value).__name__}>" if " at 0x" in shown else shown


def untyped(value: Mapping[str, Any]) -> Any:
    """The Python value of one typed value: {"N": "3"} is Decimal(3), {"S": "x"} is "x".

    A binary may be bytes (boto3's client) or base64 text (the wire).
    """
    ((kind, inner),) = value.items()
    match kind:
        case "N":
            return Decimal(inner)
        case "B":
            return b64decode(inner) if isinstance(inner, str) else inner
        case "NULL":
            return None
        case "L":
            return [untyped(v) for v in inner]
        case "M":
            return {name: untyped(v) for name, v in inner.items()}
        case "SS" | "NS" | "BS":
            return {untyped({kind[0]: member}) for member in inner}
        case _:
            return inner


def number(value: float) -> str:
    """A figure for a table or an axis: 0.5, 6, 7,324.5, 0.00125."""
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def count(how_many: int, noun: str) -> str:
    """A count with its noun: "1 more item", "1,201 more items"."""
    return f"{how_many:,} {noun}" if how_many == 1 else f"{how_many:,} {noun}s"


def visible(text: str) -> str:
    """The text on one line: line ends, control and direction characters written as escapes."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def _misleading(text: str) -> bool:
    if text in ("", "None", "True", "False") or text != text.strip():
        return True
    try:
        Decimal(text)
    except InvalidOperation:
        return False
    return True


def _quoted(text: str) -> str:
    return visible(json.dumps(text, ensure_ascii=False))


def _decimal(value: Decimal) -> str:
    digits = format(value, "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return digits if len(digits) <= LONGEST_TEXT else str(value.normalize())


def _binary(value: bytes) -> str:
    if len(value) <= LONGEST_BYTES:
        return repr(value)
    start = repr(value[:LONGEST_BYTES])
    return f"{start[:-1]}…{start[-1]} ({len(value):,} bytes)"


def _in_order(members: AbstractSet[Any]) -> list[Any]:
    try:
        return sorted(members)
    except TypeError:
        return sorted(members, key=exact)
