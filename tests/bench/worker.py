"""One process that does timed work for the other benchmarks: with our engine, with plain moto,
with botocore alone, or with a server at the address that follows.

It reads a job a line, {"job": "like", "times": 20, "post": "POST#1"}, and answers each with the
seconds of one call: of CPU, which hardly change on a busy machine, or with "wall": true by the
clock, where a server works beside. The job "memory" answers with the process's megabytes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

TABLE = "Posts"
_BATCH = 25
_USERS = count()


def _key(post: str, sort: str = "META") -> dict[str, Any]:
    return {"PK": {"S": post}, "SK": {"S": sort}}


class Work:
    """The jobs, on one boto3 client."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.jobs: dict[str, Callable[[str], object]] = {
            "get": self.get,
            "put": self.put,
            "update": self.update,
            "like": self.like,
            "query": self.query,
            "page": self.page,
            "batch": self.batch,
        }

    def create(self) -> None:
        self._client.create_table(
            TableName=TABLE,
            KeySchema=[
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )

    def fill(self, post: str, likes: int) -> None:
        """A post with this many likes."""
        self.put(post)
        for start in range(0, likes, _BATCH):
            items = [
                {**_key(post, f"LIKE#{number:06}"), "at": {"S": "2025-06-01"}}
                for number in range(start, min(start + _BATCH, likes))
            ]
            requests = [{"PutRequest": {"Item": item}} for item in items]
            self._client.batch_write_item(RequestItems={TABLE: requests})

    def seconds(self, job: str, post: str, times: int, clock: Callable[[], float]) -> float:
        """Seconds of one call, on average."""
        work = self.jobs[job]
        work(post)
        start = clock()
        for _ in range(times):
            work(post)
        return (clock() - start) / times

    def get(self, post: str) -> object:
        return self._client.get_item(TableName=TABLE, Key=_key(post))

    def put(self, post: str) -> object:
        return self._client.put_item(
            TableName=TABLE, Item={**_key(post), "title": {"S": "Hello"}, "likes": {"N": "0"}}
        )

    def update(self, post: str) -> object:
        return self._client.update_item(
            TableName=TABLE,
            Key=_key(post),
            UpdateExpression="SET likes = likes + :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    def like(self, post: str) -> object:
        like = {**_key(post, f"LIKE#new-{next(_USERS)}"), "at": {"S": "2025-06-01"}}
        return self._client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": TABLE,
                        "Item": like,
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": _key(post),
                        "UpdateExpression": "ADD likes :one",
                        "ConditionExpression": "attribute_exists(PK)",
                        "ExpressionAttributeValues": {":one": {"N": "1"}},
                    }
                },
            ]
        )

    def query(self, post: str) -> object:
        """A Query that finds one item."""
        return self._client.query(
            TableName=TABLE,
            KeyConditionExpression="PK = :post AND SK = :meta",
            ExpressionAttributeValues={":post": {"S": post}, ":meta": {"S": "META"}},
        )

    def page(self, post: str) -> object:
        """The first 25 likes of a post."""
        return self._client.query(
            TableName=TABLE,
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": {"S": post}, ":like": {"S": "LIKE#0"}},
            Limit=25,
        )

    def batch(self, post: str) -> object:
        """25 puts in one request, of items that are there already from the second time on."""
        items = [
            {**_key(f"{post}#BATCH", f"{number:02}"), "at": {"S": "2025-06-01"}}
            for number in range(_BATCH)
        ]
        requests = [{"PutRequest": {"Item": item}} for item in items]
        return self._client.batch_write_item(RequestItems={TABLE: requests})


def _ours() -> Any:
    """A client of our engine, with a meter listening."""
    from dynalab.engine.connect import connect
    from dynalab.meter import Meter

    connection = connect()
    Meter().attach(connection.engine.store)
    return connection.client()


def _moto() -> Any:
    import boto3
    from moto import mock_aws

    mock_aws().start()
    return boto3.client("dynamodb")


def _botocore() -> Any:
    """A client that gets the same reply to whatever it sends, as soon as it has sent it."""
    import boto3
    from botocore.awsrequest import AWSResponse
    from botocore.httpsession import URLLib3Session

    item = {**_key("POST#1"), "title": {"S": "Hello"}, "likes": {"N": "0"}}
    body = json.dumps({"Item": item}).encode()
    headers = {"Content-Type": "application/x-amz-json-1.0", "x-amzn-RequestId": "CANNED"}

    def send(_session: Any, request: Any) -> AWSResponse:
        response = AWSResponse(request.url, 200, headers, None)  # type: ignore[arg-type]
        response._content = body  # type: ignore[attr-defined]
        return response

    URLLib3Session.send = send  # type: ignore[method-assign, assignment]
    return boto3.client("dynamodb")


def _http() -> Any:
    import boto3

    return boto3.client("dynamodb", endpoint_url=sys.argv[2])


def megabytes() -> float:
    """The memory of this process at its highest; 0 where the system does not say."""
    try:
        import resource  # noqa: TID251
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def main() -> None:
    os.environ.update(
        AWS_ACCESS_KEY_ID="bench", AWS_SECRET_ACCESS_KEY="bench", AWS_DEFAULT_REGION="us-east-1"
    )
    kinds = {"ours": _ours, "moto": _moto, "botocore": _botocore, "http": _http}
    work = Work(kinds[sys.argv[1]]())
    work.create()
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["job"] == "fill":
            work.fill(asked["post"], asked["times"])
            print(0, flush=True)
        elif asked["job"] == "memory":
            print(megabytes(), flush=True)
        else:
            clock = time.perf_counter if asked.get("wall") else time.process_time
            print(work.seconds(asked["job"], asked["post"], asked["times"], clock), flush=True)


if __name__ == "__main__":
    main()
