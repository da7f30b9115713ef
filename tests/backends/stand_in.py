"""The embedded engine over HTTP in AWS's place: DynamoDB, and STS for the account's number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from dynalab.engine.engine import ACCOUNT, Engine, Reply
from dynalab.engine.server import Server, _Handler

_IDENTITY = f"""<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
<GetCallerIdentityResult><Arn>arn:aws:iam::{ACCOUNT}:user/ana</Arn><UserId>A</UserId>
<Account>{ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>"""


class _AwsHandler(_Handler):
    server: StandIn

    def _answer(self, body: bytes) -> Reply:
        signed = self.headers.get("Authorization", "")
        self.server.signed_for.append(signed.partition("/")[2].split(", ")[0])
        if b"Action=GetCallerIdentity" not in body:
            return super()._answer(body)
        if not self.server.tells_account:
            return Reply(500, b"<ErrorResponse><Error><Code>Failure</Code></Error></ErrorResponse>")
        return Reply(200, _IDENTITY.encode("utf-8"))


class StandIn(Server):
    """A server on a free port. signed_for: date, region and service of each request's signature."""

    def __init__(self) -> None:
        super().__init__(Engine(), port=0)
        self.RequestHandlerClass = _AwsHandler
        self.signed_for: list[str] = []
        self.tells_account = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def settings(self) -> dict[str, str]:
        """What a learner would have set to use AWS, and what puts this server in its place."""
        return {
            "DYNALAB_AWS": "1",
            "DYNALAB_USER": "ana",
            "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "x" * 40,
            "AWS_DEFAULT_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL_STS": self.url,
            "AWS_ENDPOINT_URL_DYNAMODB": self.url,
            "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.url,
        }

    def ask(self, operation: str, **request: Any) -> dict[str, Any]:
        """Asks the engine itself, past the network; for what others do in the account."""
        reply = self.engine.answer(operation, request)
        assert reply.status == 200, reply.body
        return dict(json.loads(reply.body))

    def make_table(self, name: str, **tags: str) -> None:
        """A table of somebody's, with one item in it."""
        self.ask(
            "CreateTable",
            TableName=name,
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
        )
        self.ask("PutItem", TableName=name, Item={"PK": {"S": "theirs"}})

    def tables(self) -> list[str]:
        return sorted(self.ask("ListTables")["TableNames"])

    def tags(self, name: str) -> dict[str, str]:
        arn = self.ask("DescribeTable", TableName=name)["Table"]["TableArn"]
        tags = self.ask("ListTagsOfResource", ResourceArn=arn)["Tags"]
        return {tag["Key"]: tag["Value"] for tag in tags}


@contextmanager
def running() -> Iterator[StandIn]:
    with StandIn() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
