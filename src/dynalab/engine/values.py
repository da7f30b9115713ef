"""Attribute values in DynamoDB's wire form: checked, made normal, and compared."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from dynalab.engine.errors import Invalid
from dynalab.engine.numbers import normal

AttributeValue: TypeAlias = Mapping[str, Any]
Wire: TypeAlias = Mapping[str, AttributeValue]

_MAX_DEPTH = 32


def checked_item(item: Mapping[str, Any]) -> dict[str, AttributeValue]:
    """A copy of an item in normal form; raises Invalid for what DynamoDB refuses."""
    return {_text(name): checked(value) for name, value in item.items()}


def checked(value: Any, depth: int = 1) -> AttributeValue:
    """One attribute value in normal form: numbers plain, sets without duplicates, B as base64."""
    if not isinstance(value, dict) or not value:
        raise Invalid(
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
        )
    if len(value) > 1:
        raise Invalid(
            "Supplied AttributeValue has more than one datatypes set, "
            "must contain exactly one of the supported datatypes"
        )
    [(kind, inner)] = value.items()
    if kind == "S" and isinstance(inner, str):
        return {"S": _text(inner)}
    if kind == "N":
        return {"N": normal(inner)}
    if depth > _MAX_DEPTH:
        raise Invalid("Nesting Levels have exceeded supported limits")
    if kind == "M" and isinstance(inner, dict):
        return {"M": {_text(name): checked(child, depth + 1) for name, child in inner.items()}}
    if kind == "L" and isinstance(inner, list):
        return {"L": [checked(element, depth + 1) for element in inner]}
    reader = _READERS.get(kind)
    if reader is None:
        raise Invalid(
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
        )
    return {kind: reader(inner)}


def _null(inner: Any) -> bool:
    if inner is not True:
        raise Invalid(
            "One or more parameter values were invalid: "
            "Null attribute value types must have the value of true"
        )
    return True


def _boolean(inner: Any) -> bool:
    if not isinstance(inner, bool):
        raise Invalid("Unexpected value type in payload")
    return inner


def _binary(inner: Any) -> str:
    try:
        return base64.b64encode(base64.b64decode(inner, validate=True)).decode("ascii")
    except (binascii.Error, TypeError, ValueError):
        raise Invalid("Binary values must be base64 text on the wire.") from None


def _text(text: str) -> str:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Invalid("Text must be Unicode; half a surrogate pair is none.") from None
    return text


def _members(inner: Any) -> list[Any]:
    if not isinstance(inner, list):
        raise Invalid("Unexpected field type")
    return inner


def _strings(inner: Any) -> list[str]:
    if not all(isinstance(text, str) for text in _members(inner)):
        raise Invalid("Unexpected value type in payload")
    if not inner:
        raise Invalid("One or more parameter values were invalid: An string set  may not be empty")
    if len(set(inner)) < len(inner):
        raise Invalid(
            "One or more parameter values were invalid: "
            f"Input collection [{', '.join(inner)}] contains duplicates."
        )
    return [_text(text) for text in inner]


def _numbers(inner: Any) -> list[str]:
    if not _members(inner):
        raise Invalid("One or more parameter values were invalid: An number set  may not be empty")
    numbers = [normal(text) for text in inner]
    if len(set(numbers)) < len(numbers):
        raise Invalid("Input collection contains duplicates")
    return numbers


def _binaries(inner: Any) -> list[str]:
    if not _members(inner):
        raise Invalid("One or more parameter values were invalid: Binary sets should not be empty")
    values = [_binary(text) for text in inner]
    if len(set(values)) < len(values):
        raise Invalid(
            "One or more parameter values were invalid: "
            f"Input collection [{', '.join(values)}]of type BS contains duplicates."
        )
    return values


def _other(inner: Any) -> Any:
    raise Invalid("Unexpected value type in payload")


_READERS: dict[str, Callable[[Any], Any]] = {
    "NULL": _null,
    "BOOL": _boolean,
    "B": _binary,
    "SS": _strings,
    "NS": _numbers,
    "BS": _binaries,
    "S": _other,
    "M": _other,
    "L": _other,
}


def comparable(value: AttributeValue) -> Any:
    """A Python value that is equal, and for S, N and B ordered, as DynamoDB's values are.

    On the wire B is base64 text, whose order is not that of the bytes.
    """
    [(kind, inner)] = value.items()
    if kind == "N":
        return Decimal(inner)
    if kind == "B":
        return base64.b64decode(inner)
    if kind == "NS":
        return frozenset(map(Decimal, inner))
    if kind in ("SS", "BS"):
        return frozenset(inner)
    if kind == "L":
        return [typed(element) for element in inner]
    if kind == "M":
        return {name: typed(element) for name, element in inner.items()}
    return inner


def typed(value: AttributeValue) -> tuple[str, Any]:
    """The type and the comparable value: 1 and "1" and True are three different values."""
    [kind] = value
    return kind, comparable(value)
