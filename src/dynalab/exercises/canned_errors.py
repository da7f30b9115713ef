"""Errors that a check wants a learner's code to meet, as boto3 raises them for real replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

from dynalab.faults import Block, canned_replies
from dynalab.faults.intercept import Call, Fault, client_of, opened

_TYPE = "com.amazonaws.dynamodb.v20120810#"
_CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons"
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
        return _refusal(call, "TransactionCanceledException", _reasons([*codes, *padding]))

    return opened(client_of(table), act, times=times, operations=frozenset({"TransactWriteItems"}))


def cancelled(table: Any, *codes: str, message: str = "") -> ClientError:
    """The error of a transaction that was cancelled for these reasons.

    message: what stands in the error's text where AWS's usual one does not.
    """
    members = _reasons(codes)
    if message:
        members["Message"] = message
    return _raised(table, "TransactionCanceledException", members, 400)


def refused(table: Any, code: str, status: int = 400) -> ClientError:
    """The error of a transaction that DynamoDB refused as a whole, with this code."""
    return _raised(table, code, {"message": "This is what DynamoDB says."}, status)


def _raised(table: Any, code: str, members: Mapping[str, Any], status: int) -> ClientError:
    """What boto3 raises for such a reply. `table` needs a client that tries nothing again."""

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        return _refusal(call, code, members, status)

    nothing = {"Delete": {"TableName": table.name, "Key": {"PK": "-", "SK": "-"}}}
    with opened(client_of(table), act):
        try:
            table.meta.client.transact_write_items(TransactItems=[nothing])
        except ClientError as error:
            return error
    raise AssertionError(f"boto3 takes {code} for a success.")


def _reasons(codes: Sequence[str]) -> dict[str, Any]:
    told = [
        {"Code": code, **({"Message": _MESSAGES[code]} if code != "None" else {})} for code in codes
    ]
    return {"Message": f"{_CANCELLED} [{', '.join(codes)}]", "CancellationReasons": told}


def _refusal(call: Call, code: str, members: Mapping[str, Any], status: int = 400) -> AWSResponse:
    return canned_replies.reply(call, {"__type": _TYPE + code, **members}, status)
