"""Errors that a check wants a learner's code to meet, as boto3 raises them for real replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

from dynalab.engine.errors import ERROR_TYPE_PREFIX
from dynalab.engine.throttles import CANCELLED
from dynalab.faults import Block, canned_replies
from dynalab.faults.intercept import Call, Fault, client_of, opened

_MESSAGES = {
    "ConditionalCheckFailed": "The conditional request failed",
    "TransactionConflict": "Transaction is ongoing for the item.",
    "ThrottlingError": "Throughput exceeds the current capacity of your table or index.",
    "ProvisionedThroughputExceeded": "The level of configured provisioned throughput was exceeded.",
    "ItemCollectionSizeLimitExceeded": "Collection size exceeded.",
    "ValidationError": "An operand in the update expression has an incorrect data type",
}


def cancelling(table: Any, *codes: str, times: int | None = 1) -> Block:
    """The first `times` transactions (None: all) are cancelled for these reasons, by position.

    A longer transaction gets "None" for its other items; boto3 tries none of them again.
    """

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if not fault.claim():
            return None
        padding = ["None"] * (len(call.body["TransactItems"]) - len(codes))
        return canned_replies.reply(call, cancelled_body(*codes, *padding), 400)

    return opened(client_of(table), act, times=times, operations=frozenset({"TransactWriteItems"}))


def cancelled(table: Any, *codes: str, message: str = "") -> ClientError:
    """The error of a transaction that was cancelled for these reasons.

    message: what stands in the error's text where AWS's usual one does not.
    """
    body = cancelled_body(*codes)
    if message:
        body["Message"] = message
    return _raised(table, body, 400)


def refused(table: Any, code: str, status: int = 400) -> ClientError:
    """The error of a transaction that DynamoDB refused as a whole, with this code."""
    return _raised(table, error_body(code, message="This is what DynamoDB says."), status)


def _raised(table: Any, body: Mapping[str, Any], status: int) -> ClientError:
    """What boto3 raises for such a reply. `table` needs a client that tries nothing again."""

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        return canned_replies.reply(call, body, status)

    nothing = {"Delete": {"TableName": table.name, "Key": {"PK": "-", "SK": "-"}}}
    with opened(client_of(table), act):
        try:
            table.meta.client.transact_write_items(TransactItems=[nothing])
        except ClientError as error:
            return error
    raise AssertionError(f"boto3 takes {body['__type']} for a success.")


def error_body(code: str, **members: Any) -> dict[str, Any]:
    """What the reply to a refused request holds, as DynamoDB sends it."""
    return {"__type": ERROR_TYPE_PREFIX + code, **members}


def cancelled_body(*codes: str) -> dict[str, Any]:
    """What the reply to a cancelled transaction holds: a reason for each item, by position."""
    told = [
        {"Code": code, **({"Message": _MESSAGES[code]} if code != "None" else {})} for code in codes
    ]
    message = f"{CANCELLED} [{', '.join(codes)}]"
    return error_body("TransactionCanceledException", Message=message, CancellationReasons=told)
