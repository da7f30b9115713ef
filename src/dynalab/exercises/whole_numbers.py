"""Whether what an answer returned is a whole number, as Python or boto3 has it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any


def is_whole(value: Any) -> bool:
    """Of a bool: no, though Python counts it among the ints."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool) and value == int(value)
