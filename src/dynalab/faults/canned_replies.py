"""The replies that a fault gives in DynamoDB's place, in DynamoDB's form."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from botocore.awsrequest import AWSResponse

from dynalab.engine.engine import ACCOUNT
from dynalab.engine.errors import ERROR_TYPE_PREFIX
from dynalab.engine.operations import READS
from dynalab.engine.throttles import CANCELLED, HOT_KEY
from dynalab.faults.intercept import Call

_ONGOING = "Transaction is ongoing for the item."


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
        return _cancelled(call, "ThrottlingError", HOT_KEY)
    body = call.body
    table = body.get("TableName") or next(iter(body["RequestItems"]), "")
    arn = (
        table if table.startswith("arn:") else f"arn:aws:dynamodb:{region}:{ACCOUNT}:table/{table}"
    )
    index = body.get("IndexName")
    place = "Table" if index is None else "Index"
    kind = "Read" if call.operation in READS else "Write"
    reason = {
        "reason": f"{place}{kind}KeyRangeThroughputExceeded",
        "resource": arn if index is None else f"{arn}/index/{index}",
    }
    return _refused(call, "ThrottlingException", message=HOT_KEY, throttlingReasons=[reason])


def _cancelled(call: Call, code: str, message: str) -> AWSResponse:
    """A transaction that its first item cancels; the reasons stand in the order of the items."""
    innocent = len(call.body["TransactItems"]) - 1
    codes = ", ".join([code, *["None"] * innocent])
    return _refused(
        call,
        "TransactionCanceledException",
        Message=f"{CANCELLED} [{codes}]",
        CancellationReasons=[{"Code": code, "Message": message}, *[{"Code": "None"}] * innocent],
    )


def _refused(call: Call, code: str, **members: Any) -> AWSResponse:
    return reply(call, {"__type": ERROR_TYPE_PREFIX + code, **members}, 400)
