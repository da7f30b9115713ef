"""Calls and exceptions in words that a learner recognises as their own."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

# Ours, installed ones, and Python's own.
_NOT_THEIRS = (str(Path(__file__).parent), "site-packages", str(Path(traceback.__file__).parent))


def call_text(function: Callable[..., Any], arguments: Any, options: Any) -> str:
    """The call as a learner would write it: like(table, 'POST#a91f', 'USER#7c20', 1)."""
    shown = [_argument(value) for value in arguments]
    shown += [f"{name}={_argument(value)}" for name, value in options.items()]
    return f"{getattr(function, '__name__', 'your function')}({', '.join(shown)})"


def _argument(value: Any) -> str:
    if hasattr(value, "table_name"):
        return "table"
    if callable(value):
        return getattr(value, "__name__", "function")
    if isinstance(value, datetime):
        return value.isoformat()
    text = repr(value)
    if isinstance(value, list) and len(text) > 40:
        return f"[{_argument(value[0])}, …]"
    if " at 0x" in text:
        return type(value).__name__.lower()
    return text if len(text) <= 40 else f"{text[:39]}…"


def told(error: BaseException) -> str:
    """An exception in a sentence, with the learner's own line that caused it."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not any(part in frame.filename for part in _NOT_THEIRS):
            line = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
            return f"{text}\n    in the line: {line}" if line else text
    return text


def advice(error: BaseException) -> str:
    """A question about an exception that many meet; "" where there is none to ask."""
    if isinstance(error, KeyError):
        return "A reply leaves out what is not there: which part of it can be missing?"
    if "reserved keyword" in str(error):
        return (
            "An expression must use another name for it, such as #s. Which parameter says what #s "
            "means?"
        )
    return "What did DynamoDB refuse, and why?" if hasattr(error, "response") else ""
