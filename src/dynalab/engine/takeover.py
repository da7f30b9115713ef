"""botocore's own functions, put under one connection: where it sends, how it signs, waits, reads.

They are replaced for the whole process, so a client counts whenever it was made.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import botocore.endpoint
from botocore.client import BaseClient
from botocore.httpsession import URLLib3Session
from botocore.signers import RequestSigner
from botocore.useragent import UserAgentString

if TYPE_CHECKING:
    from dynalab.engine.connect import Connection


def take_over_botocore(connection: Connection) -> None:
    """From here on every client of this process asks this connection."""
    resolve = BaseClient._resolve_endpoint_ruleset  # type: ignore[attr-defined]
    understand = botocore.endpoint.convert_to_response_dict
    describe = UserAgentString.to_string

    def send(session: Any, request: Any) -> Any:
        return connection.send(session, request)

    def place(client: Any, operation: Any, params: Any, context: Any, **options: Any) -> Any:
        # The rules for a URL take a tenth of a request, and the engine answers whatever the URL is.
        if connection.answers(client.meta.service_model.service_name):
            return client.meta.endpoint_url, {}, {}
        return resolve(client, operation, params, context, **options)

    def sign(signer: Any, operation_name: str, request: Any, *rest: Any, **options: Any) -> None:
        connection.sign(signer, operation_name, request, *rest, **options)

    def understood(http_response: Any, operation_model: Any) -> Any:
        reply: Any = understand(http_response, operation_model)
        service = operation_model.service_model.service_name
        connection.received(reply, service, operation_model.name)
        return reply

    def described(agent: Any) -> str:
        # botocore writes it twice a request, and nobody reads it here.
        return "DynaLab" if connection.answers_all else describe(agent)

    BaseClient._resolve_endpoint_ruleset = place  # type: ignore[attr-defined]
    URLLib3Session.send = send  # type: ignore[method-assign, assignment]
    RequestSigner.sign = sign  # type: ignore[method-assign, assignment]
    botocore.endpoint.time = _EngineTime(connection)  # type: ignore[attr-defined]
    botocore.endpoint.convert_to_response_dict = understood
    UserAgentString.to_string = described  # type: ignore[method-assign, assignment]


class _EngineTime:
    """botocore's `time`, whose sleep moves the engine's clock; time.sleep itself stays as it is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def sleep(self, seconds: float) -> None:
        connection = self._connection
        if connection.answers_all:
            connection.engine.store.clock.advance(seconds)
        else:
            time.sleep(seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)
