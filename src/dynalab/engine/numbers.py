"""DynamoDB's Number: what it refuses, and the one text it gives back for a value."""

from __future__ import annotations

from decimal import Context, Decimal, InvalidOperation
from typing import Any

from dynalab.engine.errors import Invalid
from dynalab.engine.limits import NUMBER_DIGITS, NUMBER_MAX_EXPONENT, NUMBER_MIN_EXPONENT

# moto computes in Python's default context, which rounds a sum to 28 digits; DynamoDB keeps 38.
CONTEXT = Context(prec=NUMBER_DIGITS, Emin=-200, Emax=200)


def normal(text: Any) -> str:
    """The number as DynamoDB stores and returns it: no exponent, no needless zeros.

    Raises Invalid with DynamoDB's message for what is no number, has more than 38
    significant digits, or lies outside 1E-130 … 9.99E+125 (Naming rules and data types).
    """
    if not isinstance(text, str):
        raise Invalid("The parameter cannot be converted to a numeric value")
    if (
        text.isascii()
        and text.isdigit()
        and len(text) <= NUMBER_DIGITS
        and (text[0] != "0" or text == "0")
    ):
        return text
    return plain(_parsed(text))


def _parsed(text: str) -> Decimal:
    if not text:
        raise Invalid("The parameter cannot be converted to a numeric value")
    bad = Invalid(f"The parameter cannot be converted to a numeric value: {text}")
    if not text.isascii() or text != text.strip() or "_" in text:
        raise bad
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise bad from None
    if not number.is_finite():
        raise bad
    if not number:
        return Decimal(0)
    if number.adjusted() > NUMBER_MAX_EXPONENT:
        raise Invalid(
            "Number overflow. Attempting to store a number with magnitude larger than "
            "supported range"
        )
    if number.adjusted() < NUMBER_MIN_EXPONENT:
        raise Invalid(
            "Number underflow. Attempting to store a number with magnitude smaller than "
            "supported range"
        )
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if len(digits) > NUMBER_DIGITS:
        raise Invalid("Attempting to store more than 38 significant digits in a Number")
    return number


def plain(number: Decimal) -> str:
    """The value without exponent and without needless zeros: 1E+2 is "100", 1.50 is "1.5"."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
