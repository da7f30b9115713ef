"""One call of DynamoDB fails inside a learner's function, whichever client makes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import update_wrapper
from itertools import count
from typing import Any

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.engine.operations import READS
from dynalab.trial import Attempt, Trial

_TYPE = "com.amazonaws.dynamodb.v20120810#"
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
        middleware = connect().middleware
        middleware.append(self._answer)  # the innermost: who bounds the call counts all the same
        try:
            return self._function(*arguments, **options)
        finally:
            middleware.remove(self._answer)

    def _answer(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        asked = operation, json.dumps(request, sort_keys=True)
        cause, reads = _ERRORS[self._code]
        if asked != self._refused:
            self.calls += 1
            if self.calls != self._number or (operation in READS and not reads):
                return go()
            self.operation, self._refused = operation, asked
        self._times += 1
        return go() if self._times > _OFTEN else _refusal(operation, request, self._code, cause)


def _refusal(operation: str, request: Mapping[str, Any], code: str, cause: str) -> Reply:
    body: dict[str, Any] = {"__type": _TYPE + code, "message": "This is what DynamoDB says."}
    if operation.startswith("Transact"):
        others = [{"Code": "None"}] * (len(request["TransactItems"]) - 1)
        reasons = [{"Code": cause, "Message": body["message"]}, *others]
        codes = ", ".join(reason["Code"] for reason in reasons)
        message = f"Transaction cancelled, please refer cancellation reasons [{codes}]"
        body = {
            "__type": f"{_TYPE}TransactionCanceledException",
            "Message": message,
            "CancellationReasons": reasons,
        }
    return Reply(400, json.dumps(body).encode("utf-8"))
