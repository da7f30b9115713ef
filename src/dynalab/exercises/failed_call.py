"""One call of DynamoDB fails inside a learner's function, whichever client makes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import update_wrapper
from itertools import count
from typing import Any

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply
from dynalab.engine.operations import READS
from dynalab.exercises.every_client import answering, cancellation, refusal
from dynalab.trial import Attempt, Trial

# Each error, why it cancels a transaction, and whether a read meets it.
_ERRORS = {
    "ThrottlingException": ("ThrottlingError", True),
    "TransactionConflictException": ("TransactionConflict", False),
}
_OFTEN = 30  # three times what boto3 tries; then it passes, for who tries again without end


def failures(
    trial: Trial, start: Callable[[], Any], function: Any, *arguments: Any
) -> Iterator[tuple[str, Attempt]]:
    """Calls a function again and again; each time, another of its requests is refused.

    start: puts the items before each call. Yields what DynamoDB did ("answered
    ThrottlingException to request 2, an UpdateItem") and how the call ended, until each request
    had its turn.
    """
    for code in _ERRORS:
        for number in count(1):
            start()
            failing = FailedCall(function, number, code)
            attempt = trial.attempt(failing, *arguments)
            if failing.calls < number:
                break
            if failing.operation:
                article = "an" if failing.operation[0] in "AEIOU" else "a"
                yield (
                    f"answered {code} to request {number}, {article} {failing.operation}",
                    attempt,
                )


def goes_on(attempt: Attempt) -> bool:
    """Whether a call let out an error of DynamoDB's, or one that was raised from it."""
    error = attempt.raised
    return hasattr(error, "response") or hasattr(getattr(error, "__cause__", None), "response")


class FailedCall:
    """A function of which DynamoDB refuses one request, each time that this very request comes.

    number: which request, from 1; what boto3 sends again is the same one. calls: how many
    requests came. operation: what was refused, "" before that.
    """

    def __init__(self, function: Any, number: int, code: str) -> None:
        update_wrapper(self, function)
        self.calls = 0
        self.operation = ""
        self._function = function
        self._number = number
        self._code = code
        self._refused: tuple[str, str] | None = None
        self._times = 0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        with answering(self._answer):
            return self._function(*arguments, **options)

    def _answer(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        asked = operation, json.dumps(request, sort_keys=True)
        cause, reads = _ERRORS[self._code]
        if asked != self._refused:
            self.calls += 1
            if self.calls != self._number or (operation in READS and not reads):
                return go()
            self.operation, self._refused = operation, asked
        self._times += 1
        if self._times > _OFTEN:
            return go()
        in_transaction = operation.startswith("Transact")
        return cancellation(request, cause) if in_transaction else refusal(self._code)
