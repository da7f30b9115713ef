"""Batches that are served in part: the first entries go on, the rest comes back to the client."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSRequest, AWSResponse
from botocore.client import BaseClient
from botocore.signers import RequestSigner

from dynalab.faults.canned_replies import reply
from dynalab.faults.intercept import Call, Fault, opened

_LEFT = {"BatchWriteItem": "UnprocessedItems", "BatchGetItem": "UnprocessedKeys"}


@contextmanager
def partly_served(client: BaseClient, keep: int, times: int | None) -> Iterator[Fault]:
    """Serves the first `keep` entries of the first `times` batches that have more."""
    signers: list[RequestSigner] = []  # the client's, as an event shows it: a new body is signed

    def remember(request_signer: RequestSigner, **_: Any) -> None:
        signers[:] = [request_signer]

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        served, left = _split(call.body["RequestItems"], keep)
        if not left or not signers or not fault.claim():
            return None
        if not served:
            nothing: dict[str, Any] = {"Responses": {}} if call.operation == "BatchGetItem" else {}
            return reply(call, {**nothing, _LEFT[call.operation]: left})
        body = json.dumps({**call.body, "RequestItems": served}).encode("utf-8")
        got = call.ask(_with_body(call, body, signers[0]))
        if got.status_code != 200:
            return got
        document = json.loads(got.content)
        back = document.get(_LEFT[call.operation], {})
        document[_LEFT[call.operation]] = _joined(back, left)
        return reply(call, document)

    client.meta.events.register("before-call.dynamodb", remember)
    try:
        with opened(client, act, times=times, operations=frozenset(_LEFT)) as fault:
            yield fault
    finally:
        client.meta.events.unregister("before-call.dynamodb", remember)


def _with_body(call: Call, body: bytes, signer: RequestSigner) -> AWSPreparedRequest:
    sent: Any = call.request.headers  # as bytes; they are signed as text
    headers = {
        name: value.decode("utf-8") if isinstance(value, bytes) else value
        for name, value in sent.items()
        if name.lower() != "content-length"
    }
    request = AWSRequest(call.request.method, call.request.url, headers, body)
    signer.sign(call.operation, request)
    return request.prepare()


# Of one table, a batch has a list of writes, or a dict with a list of Keys.
def _entries(part: Any) -> list[Any]:
    return list(part if isinstance(part, list) else part["Keys"])


def _holding(part: Any, entries: list[Any]) -> Any:
    return entries if isinstance(part, list) else {**part, "Keys": entries}


def _split(items: Mapping[str, Any], keep: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first `keep` entries of a batch, and the rest."""
    served, left = {}, {}
    for table, part in items.items():
        entries = _entries(part)
        if entries[:keep]:
            served[table] = _holding(part, entries[:keep])
        if entries[keep:]:
            left[table] = _holding(part, entries[keep:])
        keep = max(0, keep - len(entries))
    return served, left


def _joined(back: Mapping[str, Any], left: Mapping[str, Any]) -> dict[str, Any]:
    """What the service handed back, then what the fault did."""
    joined = dict(back)
    for table, part in left.items():
        already = _entries(back[table]) if table in back else []
        joined[table] = _holding(part, [*already, *_entries(part)])
    return joined
