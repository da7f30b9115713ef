"""Batches that are served in part: the first entries go on, the rest comes back to the client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSRequest, AWSResponse
from botocore.client import BaseClient
from botocore.signers import RequestSigner

from dynalab.engine.batches import UNPROCESSED, joined, split
from dynalab.faults.canned_replies import reply
from dynalab.faults.intercept import Call, Fault, opened


@contextmanager
def partly_served(client: BaseClient, keep: int, times: int | None) -> Iterator[Fault]:
    """Serves the first `keep` entries of the first `times` batches that have more."""
    signers: list[RequestSigner] = []  # the client's, as an event shows it: a new body is signed

    def remember(request_signer: RequestSigner, **_: Any) -> None:
        signers[:] = [request_signer]

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        served, left = split(call.body["RequestItems"], (place >= keep for place in count()))
        if not left or not signers or not fault.claim():
            return None
        if not served:
            nothing: dict[str, Any] = {"Responses": {}} if call.operation == "BatchGetItem" else {}
            return reply(call, {**nothing, UNPROCESSED[call.operation]: left})
        body = json.dumps({**call.body, "RequestItems": served}).encode("utf-8")
        got = call.ask(_with_body(call, body, signers[0]))
        if got.status_code != 200:
            return got
        document = json.loads(got.content)
        member = UNPROCESSED[call.operation]
        document[member] = joined(document.get(member, {}), left)
        return reply(call, document)

    client.meta.events.register("before-call.dynamodb", remember)
    try:
        with opened(client, act, times=times, operations=frozenset(UNPROCESSED)) as fault:
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
