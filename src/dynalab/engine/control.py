"""Tables, tags and time to live: moto's own handlers, on the engine's backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.core.responses import ActionResult
from moto.core.utils import camelcase_to_underscores
from moto.dynamodb.responses import DynamoHandler

from dynalab.engine.errors import DynamodbException, HTTPException
from dynalab.engine.schemas import refuse_impossible_index_updates, refuse_impossible_table
from dynalab.engine.tables import Backend

# PartiQL, backups and exports would read moto's own store of items, which stays empty here.
_SERVED = frozenset(
    {
        "CreateTable",
        "DeleteTable",
        "DescribeContinuousBackups",
        "DescribeEndpoints",
        "DescribeLimits",
        "DescribeTable",
        "DescribeTimeToLive",
        "ListTables",
        "ListTagsOfResource",
        "TagResource",
        "UntagResource",
        "UpdateTable",
        "UpdateTimeToLive",
    }
)


class _Handler(DynamoHandler):
    """moto's handler without the HTTP request that it usually reads its parameters from."""

    def __init__(self, backend: Backend, operation: str, request: Mapping[str, Any]) -> None:
        super().__init__()
        self._engine_backend = backend
        self._operation = operation
        self.region = backend.region_name
        self.current_account = backend.account_id
        self.params = self.body = dict(request)
        self.response_headers: dict[str, Any] = {}
        self.uri_match: dict[str, Any] = {}
        self.headers = {"content-type": "application/x-amz-json-1.0"}

    @property
    def dynamodb_backend(self) -> Backend:
        return self._engine_backend

    def _get_action(self) -> str:
        return self._operation


def control(backend: Backend, operation: str, request: Mapping[str, Any]) -> bytes:
    """The JSON body of the reply; raises moto's exceptions, which carry an error's body."""
    if operation == "CreateTable":
        refuse_impossible_table(request)
    elif operation == "UpdateTable" and request.get("TableName") in backend.tables:
        refuse_impossible_index_updates(backend.table(request["TableName"]), request)
    if operation not in _SERVED:
        raise DynamodbException(
            "com.amazon.coral.service#UnknownOperationException",
            f"DynaLab's engine does not serve {operation}; it knows tables, items and streams.",
        )
    handler = _Handler(backend, operation, request)
    result = getattr(handler, camelcase_to_underscores(operation))()
    if not isinstance(result, ActionResult):  # pragma: no cover - moto 5 returns nothing else
        raise HTTPException(f"moto answered {operation} in an unknown form.")
    _, _, body = handler.serialized(result)
    return body if isinstance(body, bytes) else str(body).encode("utf-8")
