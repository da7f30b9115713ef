"""How many bytes a number, a value and an item are.

An attribute value is in DynamoDB's typed form: {"S": "x"}, {"N": "3"}, {"B": bytes, or their
base64 text}, {"M": {...}}. The rules are CapacityUnitCalculations.html of the Amazon DynamoDB
Developer Guide; where the guide is silent, a comment says that the rule is measured.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.engine.limits import NUMBER_DIGITS, NUMBER_MAX_EXPONENT, NUMBER_MIN_EXPONENT

AttributeValue = Mapping[str, Any]
Item = Mapping[str, AttributeValue]

_NUMBER = re.compile(r"[+-]?(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?0*[0-9]{1,6}))?")


def number_size(text: str) -> int:
    """Return the bytes of a number: 1, 1 for each two digits, 1 for a minus sign.

    The digits before the point and those after it are paired apart. Zeros that lead or trail do
    not count, an exponent neither, and zero is 1 byte. Raises ValueError for text that DynamoDB
    cannot store as a number.
    """
    # Measured: the guide says "approximately". Another reading of the same measurements counts
    # one byte more for numbers such as 150, 120 or 0.015; rest no answer on their size.
    if not isinstance(text, str):
        raise TypeError(f"Write a number as text, {{'N': '3'}}, not as {type(text).__name__}.")
    negative = text[:1] == "-"
    plain = text[1:] if negative else text
    if plain.isascii() and plain.isdigit() and len(plain) <= NUMBER_DIGITS:
        count = len(plain.strip("0"))  # a whole number: by far the most frequent
        return 1 + (count + 1) // 2 + (negative and count > 0)

    match = _NUMBER.fullmatch(text)
    if match:
        whole, fraction, exponent = match.groups(default="")
        significand = (whole + fraction).lstrip("0")
        digits = significand.rstrip("0")
        if not digits:
            return 1
        point = len(significand) - len(fraction) + int(exponent or 0)
        small_enough = NUMBER_MIN_EXPONENT <= point - 1 <= NUMBER_MAX_EXPONENT
        if small_enough and len(digits) <= NUMBER_DIGITS:
            before = min(max(point, 0), len(digits))
            after = len(digits) - before
            return 1 + (before + 1) // 2 + (after + 1) // 2 + negative
    raise ValueError(
        f"Write a number of up to {NUMBER_DIGITS} digits between 1E{NUMBER_MIN_EXPONENT} and "
        f"9.99E+{NUMBER_MAX_EXPONENT}, of either sign, in place of {text[:45]!r}."
    )


def _text_size(text: str) -> int:
    if not isinstance(text, str):
        raise TypeError(f"Give a name or string as str, not as {type(text).__name__}.")
    if text.isascii():
        return len(text)
    try:
        return len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise ValueError("Take the lone surrogates out of the text: UTF-8 has none.") from None


def _binary_size(binary: bytes | str) -> int:
    if isinstance(binary, bytes | bytearray):
        return len(binary)
    if not isinstance(binary, str):
        raise TypeError(f"Give binary as bytes or base64, not as {type(binary).__name__}.")
    if len(binary) % 4:
        raise ValueError("Pad base64 text with '=' to a multiple of four characters.")
    return len(binary) // 4 * 3 - binary[-2:].count("=")


def _members(kind: str, inner: Any) -> Sequence[Any]:
    if not isinstance(inner, list | tuple):
        raise TypeError(f"Give {kind} a list, not {type(inner).__name__}.")
    return inner


def value_size(value: AttributeValue) -> int:
    """Return the bytes of one typed value. Raises TypeError or ValueError where it is not one."""
    try:
        ((kind, inner),) = value.items()
    except AttributeError:
        raise TypeError(f"Give a value its type, {{'S': 'x'}}, in place of {value!r}.") from None
    except ValueError:
        raise ValueError(f"Give a value one type, {{'S': 'x'}}, not {len(value)}.") from None
    if kind == "S":
        return _text_size(inner)
    if kind == "N":
        return number_size(inner)
    if kind in ("BOOL", "NULL"):
        return 1
    if kind == "B":
        return _binary_size(inner)
    if kind == "M":
        return 3 + len(inner) + item_size(inner)
    if kind == "L":
        return 3 + sum(1 + value_size(member) for member in _members(kind, inner))
    # Measured: a set is the sum of its members. The guide gives no rule.
    if kind == "SS":
        return sum(map(_text_size, _members(kind, inner)))
    if kind == "NS":
        return sum(map(number_size, _members(kind, inner)))
    if kind == "BS":
        return sum(map(_binary_size, _members(kind, inner)))
    raise ValueError(f"Use S, N, B, BOOL, NULL, L, M, SS, NS or BS in place of {kind!r}.")


def item_size(item: Item) -> int:
    """Return the bytes of an item: UTF-8 names plus values; 0 for an empty one."""
    try:
        attributes = item.items()
    except AttributeError:
        raise TypeError(f"Give attributes as a dict, not as {type(item).__name__}.") from None
    size = 0
    for name, value in attributes:
        size += _text_size(name) + value_size(value)
    return size
