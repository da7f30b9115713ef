"""The engine over HTTP: boto3 through loopback, many clients at once, and what is no request."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from dynalab.engine.connect import connect
from dynalab.engine.engine import Engine
from dynalab.engine.server import Server, serve
from tests.engine.calls import item, values


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(Engine(), port=0) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def client(server: Server) -> Any:
    connect()
    client = boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{server.server_port}")
    client.create_table(
        TableName="Things",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    )
    return client


def send(server: Server, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    """One raw POST: status, and the reply's JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.request("POST", "/", body, headers)
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def target(operation: str) -> dict[str, str]:
    return {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}


def test_boto3_reads_what_it_wrote(client: Any, server: Server) -> None:
    wire = {"pk": {"S": "é😀"}, "b": {"B": b"\x00\xff"}, "n": {"N": "1.5"}}
    client.put_item(TableName="Things", Item=wire)
    reply = client.get_item(TableName="Things", Key={"pk": wire["pk"]}, ConsistentRead=True,
                            ReturnConsumedCapacity="TOTAL")  # fmt: skip
    assert reply["Item"] == wire
    assert reply["ConsumedCapacity"] == {"TableName": "Things", "CapacityUnits": 1.0}
    assert len(server.engine.store.backend.table("Things")) == 1


def test_the_served_engine_is_not_the_embedded_one(client: Any) -> None:
    assert "Things" in client.list_tables()["TableNames"]
    with connect().engine.scratch():
        assert boto3.client("dynamodb").list_tables()["TableNames"] == []


def test_errors_arrive_as_boto3_exceptions(client: Any) -> None:
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
        client.put_item(
            TableName="Things", Item=item(pk="a"), ConditionExpression="attribute_exists(pk)"
        )
    assert failed.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.get_item(TableName="Nowhere", Key=item(pk="a"))
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(TransactItems=[{"ConditionCheck": {
            "TableName": "Things", "Key": item(pk="a"),
            "ConditionExpression": "attribute_exists(pk)"}}])  # fmt: skip
    [reason] = cancelled.value.response["CancellationReasons"]
    assert reason["Code"] == "ConditionalCheckFailed"
    with pytest.raises(ClientError) as unknown:
        client.list_backups()
    assert unknown.value.response["Error"]["Code"] == "UnknownOperationException"


def test_the_streams_client_reads_over_http(client: Any, server: Server) -> None:
    client.put_item(TableName="Things", Item=item(pk="a"))
    streams = boto3.client("dynamodbstreams", endpoint_url=f"http://127.0.0.1:{server.server_port}")
    [stream] = streams.list_streams(TableName="Things")["Streams"]
    description = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]
    iterator = streams.get_shard_iterator(
        StreamArn=stream["StreamArn"],
        ShardId=description["Shards"][0]["ShardId"],
        ShardIteratorType="TRIM_HORIZON",
    )["ShardIterator"]
    [record] = streams.get_records(ShardIterator=iterator)["Records"]
    assert record["eventName"] == "INSERT"


def test_many_clients_at_once_lose_nothing(client: Any, server: Server) -> None:
    def work(number: int) -> None:
        own = boto3.session.Session().client(
            "dynamodb", endpoint_url=f"http://127.0.0.1:{server.server_port}"
        )
        for _ in range(20):
            own.update_item(
                TableName="Things",
                Key=item(pk="tally"),
                UpdateExpression="SET n = if_not_exists(n, :zero) + :one",
                ExpressionAttributeValues=values(zero=0, one=1),
            )

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    assert client.get_item(TableName="Things", Key=item(pk="tally"))["Item"]["n"] == {"N": "60"}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nonsense", b"\xff\xfe{}", b"[" * 100_000], ids=range(5)
)
def test_a_body_that_is_no_json_is_refused(server: Server, body: bytes) -> None:
    status, problem = send(server, body, **target("ListTables"))
    assert (status, problem["__type"].rpartition("#")[2]) == (400, "SerializationException")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"{}", {}),
        (b"{}", {"X-Amz-Target": "ListTables"}),
        (b"{}", {"X-Amz-Target": "Kinesis_20131202.ListStreams"}),
        (b"[]", {"X-Amz-Target": "DynamoDB_20120810.ListTables"}),
        (b"5", {"X-Amz-Target": "DynamoDB_20120810.ListTables"}),
    ],
)
def test_what_is_no_dynamodb_request_is_refused(
    server: Server, body: bytes, headers: dict[str, str]
) -> None:
    status, problem = send(server, body, **headers)
    assert (status, problem["__type"].rpartition("#")[2]) == (400, "UnknownOperationException")


def test_a_request_without_its_form_is_refused_in_a_line(server: Server) -> None:
    status, problem = send(server, b'{"Item": {}}', **target("PutItem"))
    assert status == 400
    assert "Value null at 'tableName'" in problem["message"]


@pytest.mark.parametrize("length", ["", "x", "-1", "²", str(10**12)])
def test_a_body_of_no_known_length_is_refused_and_the_connection_closed(
    server: Server, length: str
) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as raw:
        head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n" + "{}" * 8
        raw.sendall(head.encode("utf-8"))
        reply = b""
        while part := raw.recv(65536):
            reply += part
    assert reply.startswith(b"HTTP/1.1 400")
    assert reply.count(b"HTTP/1.1") == 1
    assert send(server, b"{}", **target("ListTables")) == (200, {"TableNames": []})


def test_a_fault_of_the_engine_is_said_and_ends_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(server.engine, "answer", broken)
        status, problem = send(server, b"{}", **target("ListTables"))
    assert (status, problem["__type"].rpartition("#")[2]) == (500, "InternalServerError")
    assert "broken on purpose" in capsys.readouterr().err
    assert send(server, b"{}", **target("ListTables"))[0] == 200


def test_a_get_says_that_it_is_there(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"healthy: dynalab"
    connection.close()


def test_it_listens_on_loopback_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_an_os_error(server: Server) -> None:
    with pytest.raises(OSError):
        serve(port=server.server_port)


def test_it_says_where_it_is_and_ends_on_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(self: Server) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", interrupted)
    serve(port=0)
    assert "http://127.0.0.1:" in capsys.readouterr().out
