"""A check can let DynamoDB refuse any one request of a function, whichever client makes it."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from dynalab.check import Exercise, Passed, judge
from dynalab.exercises.failed_call import failures, goes_on
from dynalab.exercises.tables import PK_SK
from dynalab.trial import Attempt, Trial

KEY = {"PK": "POST#a91f", "SK": "META"}


def by_the_table(table: Any) -> Any:
    return table


def by_a_resource_of_its_own(table: Any) -> Any:
    return boto3.resource("dynamodb").Table(table.name)


def met(function: Any) -> list[tuple[str, Attempt]]:
    """What failed, and how the calls of a function ended that takes a table."""
    found: list[tuple[str, Attempt]] = []

    def check(answer: Any, trial: Trial) -> Passed:
        table = trial.table("Social")

        def start() -> None:
            table.put_item(Item=KEY)

        found.extend(failures(trial, start, answer, table))
        return Passed("")

    verdict = judge(Exercise("9.9", check, (), ""), function, {"Social": PK_SK})
    assert verdict.outcome == "correct", verdict
    return found


@pytest.mark.parametrize("client", [by_the_table, by_a_resource_of_its_own])
def test_each_request_is_refused_in_its_turn(client: Any) -> None:
    def reads_and_writes(table: Any) -> None:
        mine = client(table)
        mine.get_item(Key=KEY)
        mine.put_item(Item=KEY)

    found = met(reads_and_writes)
    assert [what for what, _ in found] == [
        "answered ThrottlingException to request 1, a GetItem",
        "answered ThrottlingException to request 2, a PutItem",
        "answered TransactionConflictException to request 2, a PutItem",
    ]
    assert all(goes_on(attempt) for _, attempt in found)


def test_a_transaction_is_cancelled_for_the_same_reason() -> None:
    def in_a_transaction(table: Any) -> None:
        put = {"Put": {"TableName": table.name, "Item": KEY}}
        table.meta.client.transact_write_items(TransactItems=[put])

    errors: list[Any] = [attempt.raised for _, attempt in met(in_a_transaction)]
    codes = [error.response["CancellationReasons"][0]["Code"] for error in errors]
    assert codes == ["ThrottlingError", "TransactionConflict"]


def test_a_slip_in_an_except_clause_is_no_error_of_dynamodb_s() -> None:
    def swallows(table: Any) -> None:
        try:
            table.put_item(Item=KEY)
        except Exception:
            raise KeyError("Item") from None

    assert not any(goes_on(attempt) for _, attempt in met(swallows))
