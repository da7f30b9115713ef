"""What each request cost, and the sum: read from the engine's ledger, or from ConsumedCapacity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynalab.engine.ledger import Ledger
from dynalab.engine.operations import DATA_OPERATIONS, READS

if TYPE_CHECKING:
    from dynalab.engine.engine import Store

_ASKED = "dynalab"  # in botocore's context of a call: what was asked, for when the reply comes


@dataclass(frozen=True)
class Charge:
    """What one request was billed.

    index: None for the table itself. detail: what sets the request apart ("COUNT"), or "".
    evaluated, returned: items. error: DynamoDB's code where it refused the request.
    retries: 1 where boto3 sent the same call again.
    """

    operation: str
    table: str
    index: str | None
    detail: str
    read_units: float
    write_units: float
    evaluated: int
    returned: int
    retries: int
    error: str | None


def charge_of(ledger: Ledger) -> Charge:
    """The charge for one request that the embedded engine served, refused ones included."""
    units = ledger.units()
    reads = sum(each.total for each in units.values() if each.reads)
    writes = sum(each.total for each in units.values() if not each.reads)
    pages = ledger.operation in ("Query", "Scan")
    counts = ledger.request.get("Select") == "COUNT"
    returned = 0 if counts else sum(read.returned for read in ledger.reads)
    return Charge(
        ledger.operation,
        ", ".join(units) or str(ledger.request.get("TableName", "")),
        ledger.request.get("IndexName"),
        _detail(ledger.request, ledger.replayed),
        reads,
        writes,
        sum(read.evaluated for read in ledger.reads) if pages else returned,
        returned,
        int(ledger.attempt > 1),
        ledger.error,
    )


def _detail(request: Mapping[str, Any], replayed: bool) -> str:
    if replayed:
        return "same token"
    return "COUNT" if request.get("Select") == "COUNT" else ""


class Meter:
    """Records a Charge for each request of data, of an embedded store or of a boto3 client."""

    def __init__(self) -> None:
        self._open: list[list[Charge]] = []

    def attach(self, store: Store) -> None:
        """Reads the ledgers of an embedded store.

        They also tell what DynamoDB bills and does not report: writes whose condition failed.
        """
        store.listeners.append(self._from_ledger)

    def watch(self, client: Any, unless: Callable[[], bool] = lambda: False) -> None:
        """Asks every call of this boto3 client for its ConsumedCapacity, and records it.

        unless: tells whether somebody else counts just now.
        """

        def note(
            parsed: Mapping[str, Any], model: Any, context: Mapping[str, Any], **_: Any
        ) -> None:
            if not unless():
                self._from_reply(parsed, model.name, context.get(_ASKED, {}))

        events = client.meta.events
        for operation in DATA_OPERATIONS:
            events.register(f"before-parameter-build.dynamodb.{operation}", _ask)
            events.register(f"after-call.dynamodb.{operation}", note)

    @contextmanager
    def recording(self) -> Iterator[list[Charge]]:
        """The charges of a block, in a list that grows while it runs. Blocks may be nested."""
        charges: list[Charge] = []
        self._open.append(charges)
        try:
            yield charges
        finally:
            self._open = [other for other in self._open if other is not charges]

    def _from_ledger(self, ledger: Ledger) -> None:
        if self._open:
            self._add(charge_of(ledger))

    def _add(self, charge: Charge) -> None:
        for charges in self._open:
            charges.append(charge)

    def _from_reply(
        self, parsed: Mapping[str, Any], operation: str, request: Mapping[str, Any]
    ) -> None:
        consumed = parsed.get("ConsumedCapacity") or []
        parts = consumed if isinstance(consumed, list) else [consumed]
        total = sum(part.get("CapacityUnits", 0.0) for part in parts)
        reads = operation in READS
        detail = _detail(request, replayed=False)
        evaluated = parsed.get("ScannedCount", _items_in(parsed))
        self._add(
            Charge(
                operation,
                ", ".join(part.get("TableName", "") for part in parts)
                or str(request.get("TableName", "")),
                request.get("IndexName"),
                detail,
                total if reads else 0.0,
                0.0 if reads else total,
                evaluated,
                0 if detail else parsed.get("Count", evaluated),
                int(parsed.get("ResponseMetadata", {}).get("RetryAttempts", 0) > 0),
                parsed.get("Error", {}).get("Code"),
            )
        )


def _items_in(reply: Mapping[str, Any]) -> int:
    """How many items a reply brings, of one key, of a batch or of a transaction."""
    found = reply.get("Responses", [])
    if isinstance(found, dict):  # by table
        return sum(len(items) for items in found.values())
    return sum("Item" in each for each in [reply, *found])


def _ask(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    params.setdefault("ReturnConsumedCapacity", "INDEXES")
    context[_ASKED] = dict(params)
