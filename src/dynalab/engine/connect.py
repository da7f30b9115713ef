"""Where requests go: each DynamoDB request of this process is answered here, or where it was said.

Whatever a client is, whenever it was made and whatever endpoint it was given, it sends
through botocore's URLLib3Session. There a DynamoDB request is answered by the embedded
engine, loopback goes through, and anything else is refused by a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from botocore.awsrequest import AWSResponse
from botocore.httpsession import URLLib3Session
from botocore.signers import RequestSigner

from dynalab.engine import destinations
from dynalab.engine.destinations import Destination, NoEndpoint
from dynalab.engine.engine import Engine, Reply
from dynalab.engine.table_names import TableNames
from dynalab.engine.takeover import take_over_botocore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient, DynamoDBServiceResource

__all__ = ["Connection", "Go", "Middleware", "NoEndpoint", "NotLocal", "NotServed", "connect"]

Go: TypeAlias = Callable[[], Reply]
Middleware: TypeAlias = Callable[[str, Mapping[str, Any], Go], Reply]

_TARGETS = ("DynamoDB_20120810.", "DynamoDBStreams_20120810.")
_SERVICES = ("dynamodb", "dynamodbstreams")


class NotLocal(BaseException):
    """A request that is not sent. No Exception: botocore would try it again."""


class NotServed(BaseException):
    """The endpoint has no such operation. No Exception: an answer that catches one would go on."""


class Connection:
    """The road that requests take, and the engine that checks always run on.

    `middleware` is called around each request that the embedded engine answers, the first
    outermost: schedules and the troubles of checks are put there. `names` tells what a lab's
    tables are called where others have tables too; at AWS nothing is sent before it is set.
    `owners` tells which lab made a table last.
    """

    def __init__(self, destination: Destination) -> None:
        self.engine = Engine()
        self.destination = destination
        self.middleware: list[Middleware] = []
        self.embedded_only = False  # as in a block of `all_embedded`
        self.names: TableNames | None = None
        self.owners: dict[str, str] = {}
        self.place = "AWS" if destination.aws else f"endpoint {destination.endpoint}"
        self._send = URLLib3Session.send
        self._sign = RequestSigner.sign

    @property
    def embedded(self) -> bool:
        """Whether neither an endpoint nor AWS was chosen."""
        return self.destination.embedded

    @property
    def answers_all(self) -> bool:
        """Whether the embedded engine answers whatever is asked, always or in this block."""
        return self.embedded or self.embedded_only

    @property
    def endpoint(self) -> str | None:
        """The URL that answers, "AWS", or None where the embedded engine does."""
        return "AWS" if self.destination.aws else self.destination.endpoint

    def describe(self) -> str:
        """One line for the head of a lab."""
        return "embedded engine, nothing leaves this machine" if self.embedded else self.place

    @contextmanager
    def all_embedded(self) -> Iterator[None]:
        """The embedded engine answers every request of a block, whatever endpoint there is."""
        kept, self.embedded_only = self.embedded_only, True
        try:
            yield
        finally:
            self.embedded_only = kept

    def resource(self) -> DynamoDBServiceResource:
        """boto3's resource for DynamoDB; a plain `boto3.resource("dynamodb")` is the same."""
        import boto3

        return boto3.resource("dynamodb")

    def client(self) -> DynamoDBClient:
        """boto3's low-level client; a plain `boto3.client("dynamodb")` is the same."""
        import boto3

        return boto3.client("dynamodb")

    # --- what botocore calls ------------------------------------------------------------

    def answers(self, service: str) -> bool:
        """Whether the embedded engine answers every request to this service of AWS."""
        return service in _SERVICES and self.answers_all

    def sign(self, signer: Any, operation: str, request: Any, *rest: Any, **options: Any) -> None:
        """Signs what leaves this process, once its tables have the names that they have there.

        What stays has no signature, as nobody looks at it: no credentials are needed or renewed.
        """
        target = _text(request.headers.get("X-Amz-Target", ""))
        if not self._leaves(request.url, target):
            return
        dynamodb = target.startswith(_TARGETS)
        if dynamodb and self.names is not None and self.destination.holds_lab_tables(request.url):
            body = self.names.outward(operation, json.loads(request.data))
            if self.destination.aws and operation == "CreateTable":
                body = destinations.on_demand(body)
            request.data = json.dumps(body).encode("utf-8")
        self._sign(signer, operation, request, *rest, **options)

    def send(self, session: Any, request: Any) -> Any:
        """Answers a DynamoDB request, lets through what may leave, and refuses the rest."""
        host = urlsplit(request.url).hostname or ""
        target = _text(request.headers.get("X-Amz-Target", ""))
        operation = target.partition(".")[2]
        dynamodb = target.startswith(_TARGETS)
        if self._leaves(request.url, target):
            if dynamodb and self.destination.aws:
                refusal = self._refusal_at_aws(operation, json.loads(request.body))
                if refusal is not None:
                    return _response(request.url, _denied(refusal))
            return self._send(session, request)
        if not dynamodb:
            raise NotLocal(f"DynaLab stays on this machine: it refused a request to {host}.")
        if not self.answers_all:
            raise NotLocal(
                f"DynaLab uses {self.endpoint} and refused a request to {host}; "
                "make the client without an endpoint_url of its own."
            )
        reply = self.answer(operation, json.loads(request.body), _attempt(request.headers))
        return _response(request.url, reply)

    def _leaves(self, url: str, target: str) -> bool:
        if target.startswith(_TARGETS):
            if self.embedded_only:
                return False
            if self.destination.aws:
                return True
        return self.destination.lets_through(urlsplit(url).hostname or "")

    def _refusal_at_aws(self, operation: str, body: Mapping[str, Any]) -> str | None:
        """A sentence for what DynaLab does not send; the last look before a request goes.

        Raises NotLocal where it comes too early, or touches what is not the lab's.
        """
        if self.names is None:
            raise NotLocal("Nothing goes to AWS before a lab is open; call open_lab, which asks.")
        refusal = destinations.refusal_at_aws(operation, body)
        strangers = self.names.strangers(body)
        if refusal is None and strangers:
            raise NotLocal(f"DynaLab leaves other tables at AWS alone: it refused {strangers[0]}.")
        return refusal

    def received(self, reply: dict[str, Any], service: str, operation: str) -> None:
        """Gives a reply from outside the lab's names. Raises NotServed where there is no answer."""
        if self.answers_all or self.names is None or service not in _SERVICES:
            return
        if not reply["body"].startswith(b"{"):  # a proxy's page, for one
            return
        body = json.loads(reply["body"])
        unknown = reply["status_code"] >= 400 and "UnknownOperation" in str(body.get("__type"))
        if unknown and operation in destinations.LAB_OPERATIONS:
            raise NotServed(
                f"{self.endpoint} does not serve {operation}; this cell needs a server that does, "
                "or the embedded engine: unset DYNALAB_ENDPOINT and start the kernel anew."
            )
        reply["body"] = json.dumps(self.names.inward(body)).encode("utf-8")

    def answer(self, operation: str, request: Mapping[str, Any], attempt: int = 1) -> Reply:
        """Serves one request through the middleware."""

        def go() -> Reply:
            return self.engine.answer(operation, request, attempt)

        for layer in reversed(self.middleware):
            go = partial(layer, operation, request, go)
        return go()


_connection: Connection | None = None


def connect() -> Connection:
    """The connection of this process; made at the first call, the same ever after.

    Raises NoEndpoint where DYNALAB_ENDPOINT is no usable URL.
    """
    global _connection
    if _connection is None:
        connection = Connection(destinations.chosen())
        destinations.take_over_environment(connection.destination)
        take_over_botocore(connection)
        _connection = connection
    return _connection


def _attempt(headers: Mapping[str, Any]) -> int:
    """How often botocore has sent this call, from its own header "attempt=2; max=4"."""
    number = _text(headers.get("amz-sdk-request", "")).partition("attempt=")[2].partition(";")[0]
    return int(number) if number.isdigit() else 1


def _denied(message: str) -> Reply:
    body = {"__type": "com.amazon.coral.service#AccessDeniedException", "message": message}
    return Reply(400, json.dumps(body).encode("utf-8"))


def _text(header: str | bytes) -> str:
    return header.decode("ascii") if isinstance(header, bytes) else header


def _response(url: str, reply: Reply) -> AWSResponse:
    headers = {"Content-Type": "application/x-amz-json-1.0", "x-amzn-RequestId": "DYNALAB"}
    response = AWSResponse(url, reply.status, headers, None)  # type: ignore[arg-type]
    response._content = reply.body  # type: ignore[attr-defined]
    return response
