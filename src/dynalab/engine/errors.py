"""The errors that the engine answers with, under DynamoDB's own names and HTTP codes."""

from __future__ import annotations

import json
from typing import Any

from moto.core.exceptions import HTTPException  # type: ignore[attr-defined]
from moto.dynamodb.exceptions import (
    ERROR_TYPE_PREFIX,
    ConditionalCheckFailed,
    DynamodbException,
    MockValidationException,
    ResourceNotFoundException,
    TransactionCanceledException,
)

__all__ = [
    "ERROR_TYPE_PREFIX",
    "ConditionalCheckFailed",
    "DynamodbException",
    "HTTPException",
    "IdempotentParameterMismatch",
    "Invalid",
    "MockValidationException",
    "ResourceNotFoundException",
    "TransactionCanceledException",
    "code_of",
]


class Invalid(MockValidationException):
    """ValidationException: the request breaks a rule, and nothing was done."""


class IdempotentParameterMismatch(DynamodbException):
    """The token was seen within ten minutes, with another request behind it."""

    error_type = ERROR_TYPE_PREFIX + "IdempotentParameterMismatchException"

    def __init__(self) -> None:
        super().__init__(
            self.error_type,
            "DynamoDB rejected the request because you retried a request with a different payload "
            "but with an idempotent token that was already used.",
        )


def code_of(error: Any) -> str:
    """The error code that boto3 shows, `ConditionalCheckFailedException` for one."""
    kind = str(json.loads(error.get_body()).get("__type", "InternalServerError"))
    return kind.rpartition("#")[2]
