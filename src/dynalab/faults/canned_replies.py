"""The replies that a fault gives in DynamoDB's place, in DynamoDB's form."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from botocore.awsrequest import AWSResponse

from dynalab.engine.operations import READS
from dynalab.faults.intercept import Call

_ERROR = "com.amazonaws.dynamodb.v20120810#"
_ACCOUNT = "123456789012"  # AWS's own example; a request does not say whose table it names
_CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons"
_ONGOING = "Transaction is ongoing for the item."
_HOT = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "bp-partition-key-design.html."
)


class _Body(io.BytesIO):
    """A body as AWSResponse reads it."""

    def stream(self) -> Iterator[bytes]:
        yield self.read()


def reply(call: Call, document: Mapping[str, Any], status: int = 200) -> AWSResponse:
    """The reply to a request, as an HTTP response with this JSON body."""
    headers: Any = {"Content-Type": "application/x-amz-json-1.0", "x-amzn-RequestId": "DYNALAB"}
    body = _Body(json.dumps(document).encode("utf-8"))
    return AWSResponse(call.request.url, status, headers, body)


def conflict(call: Call) -> AWSResponse:
    """Another transaction is at work on the item, or on the first item of the transaction."""
    if call.operation.startswith("Transact"):
        return _cancelled(call, "TransactionConflict", _ONGOING)
    return _refused(call, "TransactionConflictException", message=_ONGOING)


def throttled(call: Call, region: str) -> AWSResponse:
    """One key, or the first of a transaction, gets more traffic than a partition serves.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/troubleshooting-throttling-diagnostics.html
    """
    if call.operation.startswith("Transact"):
        return _cancelled(call, "ThrottlingError", _HOT)
    body = call.body
    table = body.get("TableName") or next(iter(body["RequestItems"]), "")
    arn = (
        table if table.startswith("arn:") else f"arn:aws:dynamodb:{region}:{_ACCOUNT}:table/{table}"
    )
    index = body.get("IndexName")
    place = "Table" if index is None else "Index"
    kind = "Read" if call.operation in READS else "Write"
    reason = {
        "reason": f"{place}{kind}KeyRangeThroughputExceeded",
        "resource": arn if index is None else f"{arn}/index/{index}",
    }
    return _refused(call, "ThrottlingException", message=_HOT, throttlingReasons=[reason])


def _cancelled(call: Call, code: str, message: str) -> AWSResponse:
    """A transaction that its first item cancels; the reasons stand in the order of the items."""
    innocent = len(call.body["TransactItems"]) - 1
    codes = ", ".join([code, *["None"] * innocent])
    return _refused(
        call,
        "TransactionCanceledException",
        Message=f"{_CANCELLED} [{codes}]",
        CancellationReasons=[{"Code": code, "Message": message}, *[{"Code": "None"}] * innocent],
    )


def _refused(call: Call, code: str, **members: Any) -> AWSResponse:
    return reply(call, {"__type": _ERROR + code, **members}, 400)
