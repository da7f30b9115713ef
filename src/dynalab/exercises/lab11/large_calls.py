"""One call of large_put or large_get in exercise 11.5, and what it has to leave or return."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from dynalab.exercises.lab11.files import CHUNK, KEY, TABLE, File
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial


def versions(first: str) -> Callable[[], str]:
    """A new_version that gives this one, and then others: no two calls get the same."""
    numbers = count(2)
    given = iter([first])
    return lambda: next(given, None) or f"{first}{next(numbers)}"


def put_file(trial: Trial, large_put: Any, table: Any, data: bytes, version: str) -> Attempt:
    new_version = versions(version)
    return trial.attempt(large_put, table, KEY, data, new_version=new_version, chunk_bytes=CHUNK)


def stored(trial: Trial, attempt: Attempt, situation: str) -> File:
    """The file that a large_put has left; Refused where it raised, or there is no header."""
    if attempt.raised is not None:
        raise Refused(
            f"{situation} {attempt.text} raised {told(attempt.raised)}",
            advice(attempt.raised),
        )
    file = File.of(trial.items(TABLE))
    if file.header is None:
        raise Refused(
            f"{situation} After {attempt.text} there is no HEADER: {file.said()}.",
            "Which item tells a reader where to begin?",
        )
    return file


def expect_got(
    trial: Trial, large_get: Any, table: Any, wanted: bytes | None, situation: str
) -> None:
    """Refused where large_get does not return this."""
    attempt = trial.attempt(large_get, table, KEY)
    wraps = "boto3 wraps binary values in a Binary. How do you convert it to bytes?"
    if attempt.raised is not None:
        asks = wraps if "Binary found" in str(attempt.raised) else ""
        if hasattr(attempt.raised, "response"):
            asks = "What did DynamoDB refuse, and why?"
        raise Refused(f"{situation} {attempt.text} raised {told(attempt.raised)}", asks)
    returned = attempt.returned
    if returned == wanted and isinstance(returned, bytes | None):
        return
    shown = repr(returned)
    question = "Which chunks does the header name, and in which order?"
    if hasattr(returned, "value"):
        question = wraps
    elif isinstance(returned, bytearray):
        question = "That is a bytearray. How do you convert it to bytes?"
    elif wanted is None or wanted == b"":
        question = (
            "If there is no header, return None; if the file is empty, return b''. How do you "
            "tell them apart?"
        )
    elif isinstance(returned, bytes) and sorted(returned) == sorted(wanted):
        question = (
            "All of it is there, but in another order. A Query returns the order of the sort "
            "keys, a BatchGetItem promises no order: where do you sort the chunks?"
        )
    raise Refused(
        f"{situation} {attempt.text} returned "
        f"{shown if len(shown) < 60 else type(returned).__name__ + ', another value'}.",
        question,
    )
