"""The first look at a request: names, lengths and words that are wrong, all told at once.

DynamoDB tells them before it looks for the table: "2 validation errors detected: …; …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dynalab.engine import limits
from dynalab.engine.errors import Invalid

_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_NAME_LENGTH = 255
_WORDS = {
    "ReturnConsumedCapacity": ("INDEXES", "TOTAL", "NONE"),
    "ReturnItemCollectionMetrics": ("SIZE", "NONE"),
    "ReturnValues": ("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"),
    "ReturnValuesOnConditionCheckFailure": ("ALL_OLD", "NONE"),
    "Select": ("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
}
_ON_ONE_TABLE = frozenset({"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"})


def refuse_broken_constraints(operation: str, request: Mapping[str, Any]) -> None:
    """Invalid where a parameter of a data operation breaks a constraint of the API's model."""
    named = operation in _ON_ONE_TABLE
    problems = list(_name_problems(request.get("TableName"), 1)) if named else []
    refuse([*problems, *_word_problems(request)])
    limit = request.get("Limit", 1)
    if operation in ("Query", "Scan") and limit < 1:
        shown = "Value at 'Limit'" if operation == "Query" else f"Value '{limit}' at 'limit'"
        bound = "Member must have value greater than or equal to 1"
        refuse([f"{shown} failed to satisfy constraint: {bound}"])
    if operation in ("BatchGetItem", "BatchWriteItem"):
        _refuse_batch(operation, request.get("RequestItems"))
    elif operation in ("TransactGetItems", "TransactWriteItems"):
        count = len(request["TransactItems"])
        shown = f"Value '[{f'{count} members' if count else ''}]' at 'transactItems'"
        refuse(list(_length_problems(shown, count, 1, limits.TRANSACTION_ACTIONS)))


def refuse_bad_table_name(request: Mapping[str, Any]) -> None:
    """Invalid where CreateTable gets no name, or one that it does not take."""
    if request.get("TableName") is None:
        raise Invalid("The parameter 'TableName' is required but was not present in the request")
    refuse(list(_name_problems(request["TableName"], 3)))


def refuse_impossible_name(name: str) -> None:
    """Invalid where no table can be called so; an ARN is left to who looks for its table."""
    refuse(list(_name_problems(name, 1)))


def refuse(problems: list[str]) -> None:
    """Invalid, with all problems in one message; nothing where there is none."""
    if problems:
        errors = "error" if len(problems) == 1 else "errors"
        raise Invalid(f"{len(problems)} validation {errors} detected: {'; '.join(problems)}")


def word_problem(value: object, parameter: str, allowed: tuple[str, ...]) -> str:
    """What is said of a parameter's value that is none of the allowed words."""
    return (
        f"Value '{value}' at '{parameter}' failed to satisfy constraint: "
        f"Member must satisfy enum value set: [{', '.join(allowed)}]"
    )


def _name_problems(name: object, shortest: int) -> Iterator[str]:
    if name is None:
        yield "Value null at 'tableName' failed to satisfy constraint: Member must not be null"
        return
    if not isinstance(name, str) or name.startswith("arn:"):
        return
    yield from _length_problems(f"Value '{name}' at 'tableName'", len(name), shortest, _NAME_LENGTH)
    if name and not _NAME.fullmatch(name):
        yield (
            f"Value '{name}' at 'tableName' failed to satisfy constraint: "
            f"Member must satisfy regular expression pattern: {_NAME.pattern}"
        )


def _length_problems(shown: str, length: int, least: int, most: int) -> Iterator[str]:
    if length < least:
        yield (
            f"{shown} failed to satisfy constraint: "
            f"Member must have length greater than or equal to {least}"
        )
    if length > most:
        yield (
            f"{shown} failed to satisfy constraint: "
            f"Member must have length less than or equal to {most}"
        )


def _word_problems(request: Mapping[str, Any]) -> Iterator[str]:
    for parameter, allowed in _WORDS.items():
        value = request.get(parameter)
        if value is not None and value not in allowed:
            yield word_problem(value, parameter[0].lower() + parameter[1:], allowed)


def _refuse_batch(operation: str, asked: Any) -> None:
    if not asked:
        raise Invalid(f"The requestItems parameter is required for {operation}")
    for name, part in asked.items():
        if operation == "BatchGetItem":
            shown = f"Value at 'RequestItems.{name}.member.Keys'"
            refuse(list(_length_problems(shown, len(part["Keys"]), 1, limits.BATCH_KEYS)))
        elif not 1 <= len(part) <= limits.BATCH_WRITES:
            # AWS writes out every request here.
            raise Invalid(
                f"1 validation error detected: Value '{{{name}=[{len(part)} members]}}' at "
                "'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
                f"[Member must have length less than or equal to {limits.BATCH_WRITES}, Member "
                "must have length greater than or equal to 1]"
            )
