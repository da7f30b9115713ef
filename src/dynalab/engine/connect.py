"""Where requests go: every DynamoDB client of this process is answered here, or at one endpoint.

Whatever a client is, whenever it was made and whatever endpoint it was given, it sends
through botocore's URLLib3Session. There a DynamoDB request is answered by the embedded
engine, loopback goes through, and anything else is refused by a sentence.
"""

from __future__ import annotations

import ipaddress
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

import botocore.endpoint
from botocore.awsrequest import AWSResponse
from botocore.httpsession import URLLib3Session
from botocore.signers import RequestSigner

from dynalab.engine.engine import REGION, Engine, Reply

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient, DynamoDBServiceResource

Go: TypeAlias = Callable[[], Reply]
Middleware: TypeAlias = Callable[[str, Mapping[str, Any], Go], Reply]

_TARGETS = ("DynamoDB_20120810.", "DynamoDBStreams_20120810.")
_AWS = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")
_SETTINGS = {
    "AWS_ACCESS_KEY_ID": "dynalab",
    "AWS_SECRET_ACCESS_KEY": "dynalab",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled",
}


class NotLocal(BaseException):
    """A request would have left this machine. No Exception: botocore would try it again."""


class NoEndpoint(Exception):
    """The endpoint that was asked for cannot be used; the message says what to do."""


class Connection:
    """The road that requests take, and the engine that checks always run on.

    `middleware` is called around each request that the embedded engine answers, the first
    outermost: faults and schedules are put there.
    """

    def __init__(self, endpoint: str | None) -> None:
        self.engine = Engine()
        self.endpoint = endpoint
        self.middleware: list[Middleware] = []
        self.embedded_only = False  # a check answers every request itself, whatever its endpoint
        self._send = URLLib3Session.send
        self._sign = RequestSigner.sign
        self._allowed = urlsplit(endpoint).hostname if endpoint else None

    @property
    def embedded(self) -> bool:
        return self.endpoint is None

    def describe(self) -> str:
        """One line for the head of a lab."""
        if self.endpoint is None:
            return "embedded engine, nothing leaves this machine"
        return f"endpoint {self.endpoint}"

    def resource(self) -> DynamoDBServiceResource:
        """boto3's resource for DynamoDB; a plain `boto3.resource("dynamodb")` is the same."""
        import boto3

        return boto3.resource("dynamodb")

    def client(self) -> DynamoDBClient:
        import boto3

        return boto3.client("dynamodb")

    # --- what botocore calls ------------------------------------------------------------

    def send(self, session: Any, request: Any) -> Any:
        """Answers a DynamoDB request, lets loopback through, and refuses the rest."""
        host = urlsplit(request.url).hostname or ""
        target = request.headers.get("X-Amz-Target", "")
        target = target.decode("ascii") if isinstance(target, bytes) else target
        passes = _is_loopback(host) or host == self._allowed
        if target.startswith(_TARGETS) and (self.embedded_only or not passes):
            if not self.embedded and not self.embedded_only:
                raise NotLocal(
                    f"DynaLab uses {self.endpoint} and refused a request to {host}; "
                    "make the client without an endpoint_url of its own."
                )
            reply = self.answer(
                target.partition(".")[2], json.loads(request.body), _attempt(request.headers)
            )
            return _response(request.url, reply)
        if passes:
            return self._send(session, request)
        raise NotLocal(f"DynaLab stays on this machine: it refused a request to {host}.")

    def answer(self, operation: str, request: Mapping[str, Any], attempt: int = 1) -> Reply:
        """Serves one request through the middleware."""

        def go() -> Reply:
            return self.engine.answer(operation, request, attempt)

        for layer in reversed(self.middleware):
            go = partial(layer, operation, request, go)
        return go()

    def sign(self, signer: Any, operation: str, request: Any, *rest: Any, **options: Any) -> None:
        """Leaves out the signature that nobody looks at: no credentials are needed or renewed."""
        host = urlsplit(request.url).hostname or ""
        if _is_loopback(host) or host == self._allowed:
            self._sign(signer, operation, request, *rest, **options)


class _EngineTime:
    """botocore's `time`, whose sleep moves the engine's clock; time.sleep itself stays as it is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def sleep(self, seconds: float) -> None:
        connection = self._connection
        if connection.embedded or connection.embedded_only:
            connection.engine.store.clock.advance(seconds)
        else:
            time.sleep(seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


_connection: Connection | None = None
_kept: dict[str, str] = {}  # the learner's own AWS_* settings, for a later use of AWS


def connect() -> Connection:
    """The connection of this process; made at the first call, the same ever after.

    Raises NoEndpoint where DYNALAB_ENDPOINT is no usable URL.
    """
    global _connection
    if _connection is None:
        connection = Connection(_endpoint())
        _take_over_environment(connection.endpoint)
        _take_over_botocore(connection)
        _connection = connection
    return _connection


def _endpoint() -> str | None:
    if os.environ.get("DYNALAB_AWS") == "1":
        raise NoEndpoint("AWS is not served by this version of DynaLab; unset DYNALAB_AWS.")
    url = os.environ.get("DYNALAB_ENDPOINT")
    if not url:
        return None
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NoEndpoint(
            f"DYNALAB_ENDPOINT is {url!r}; give a URL such as http://localhost:8000, or unset it."
        )
    if f".{parts.hostname}".rstrip(".").endswith(_AWS):
        raise NoEndpoint("DYNALAB_ENDPOINT names AWS; DynaLab does not go there by an endpoint.")
    return url


def _take_over_environment(endpoint: str | None) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        _kept[name] = os.environ.pop(name)
    os.environ.update(_SETTINGS)
    if endpoint is not None:
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = endpoint
        os.environ["AWS_ENDPOINT_URL_DYNAMODB_STREAMS"] = endpoint
    local = ["127.0.0.1", "localhost", "::1"]
    for name in ("NO_PROXY", "no_proxy"):  # a proxy must not see what goes to this machine
        os.environ[name] = ",".join([*filter(None, [os.environ.get(name)]), *local])
    if "boto3" in sys.modules:
        # It was made with the settings of before.
        sys.modules["boto3"].DEFAULT_SESSION = None  # type: ignore[attr-defined]


def _take_over_botocore(connection: Connection) -> None:
    def send(session: Any, request: Any) -> Any:
        return connection.send(session, request)

    def sign(signer: Any, operation_name: str, request: Any, *rest: Any, **options: Any) -> None:
        connection.sign(signer, operation_name, request, *rest, **options)

    URLLib3Session.send = send  # type: ignore[method-assign, assignment]
    RequestSigner.sign = sign  # type: ignore[method-assign, assignment]
    botocore.endpoint.time = _EngineTime(connection)  # type: ignore[attr-defined]


def _attempt(headers: Mapping[str, Any]) -> int:
    """How often botocore has sent this call, from its own header "attempt=2; max=4"."""
    sent = headers.get("amz-sdk-request", "")
    text = sent.decode("ascii") if isinstance(sent, bytes) else sent
    number = text.partition("attempt=")[2].partition(";")[0]
    return int(number) if number.isdigit() else 1


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _response(url: str, reply: Reply) -> AWSResponse:
    headers = {"Content-Type": "application/x-amz-json-1.0", "x-amzn-RequestId": "DYNALAB"}
    response = AWSResponse(url, reply.status, headers, None)  # type: ignore[arg-type]
    response._content = reply.body  # type: ignore[attr-defined]
    return response
