"""What DynamoDB answers where a partition cannot serve: exceptions, cancellations, leftovers.

Which exception: an on-demand table's is ThrottlingException, a provisioned one's
ProvisionedThroughputExceededException; a transaction's reasons have the same two cases. The
diagnostics are those of troubleshooting-throttling-diagnostics.html: a hot key is a KeyRange
reason in both modes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dynalab.engine.batches import UNPROCESSED, joined
from dynalab.engine.engine import Reply
from dynalab.engine.errors import ERROR_TYPE_PREFIX

if TYPE_CHECKING:
    from dynalab.engine.loads import Load
    from dynalab.engine.tables import Backend

# In DynamoDB's model the member's name begins with a capital in the one and not in the other.
_ON_DEMAND = ("ThrottlingException", "throttlingReasons", "ThrottlingError")
_PROVISIONED = (
    "ProvisionedThroughputExceededException",
    "ThrottlingReasons",
    "ProvisionedThroughputExceeded",
)
HOT_KEY = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "bp-partition-key-design.html."
)
_OVER = (
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing your provisioning level with the UpdateTable API."
)
CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons"


def refused(backend: Backend, loads: Sequence[Load], provisioned: bool) -> Reply:
    """A single request that no partition serves now, or a batch of which none is served."""
    kind, member, _ = _PROVISIONED if provisioned else _ON_DEMAND
    reasons = [_reason(backend, load) for load in loads]
    told = [each for place, each in enumerate(reasons) if each not in reasons[:place]]
    return _error(kind, {"message": _OVER if provisioned else HOT_KEY, member: told})


def cancelled(provisioned: Sequence[bool | None]) -> Reply:
    """A cancelled transaction; for each item None, or whether the table that throttles it is
    provisioned."""
    reasons: list[dict[str, str]] = []
    for each in provisioned:
        if each is None:
            reasons.append({"Code": "None"})
        else:
            code = (_PROVISIONED if each else _ON_DEMAND)[2]
            reasons.append({"Code": code, "Message": _OVER if each else HOT_KEY})
    codes = ", ".join(reason["Code"] for reason in reasons)
    members = {"Message": f"{CANCELLED} [{codes}]", "CancellationReasons": reasons}
    return _error("TransactionCanceledException", members)


def partly(operation: str, reply: Reply, left: Mapping[str, Any]) -> Reply:
    """The reply to the served part of a batch, with the rest handed back to the client."""
    if reply.status != 200:
        return reply
    document, member = json.loads(reply.body), UNPROCESSED[operation]
    document[member] = joined(document[member], left)
    return Reply(200, json.dumps(document, separators=(",", ":")).encode("utf-8"))


def _reason(backend: Backend, load: Load) -> dict[str, str]:
    arn = str(backend.table(load.table).table_arn)
    if load.index is None:
        return {"reason": f"Table{load.kind}KeyRangeThroughputExceeded", "resource": arn}
    return {
        "reason": f"Index{load.kind}KeyRangeThroughputExceeded",
        "resource": f"{arn}/index/{load.index}",
    }


def _error(kind: str, members: Mapping[str, Any]) -> Reply:
    return Reply(400, json.dumps({"__type": ERROR_TYPE_PREFIX + kind, **members}).encode("utf-8"))
