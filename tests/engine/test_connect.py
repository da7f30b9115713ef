"""Whatever a machine has set and however a client was made, requests stay on this machine."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import boto3
import botocore.endpoint
import pytest
from botocore.config import Config

from dynalab.engine.connect import NotLocal, connect
from dynalab.engine.engine import Engine, Reply, Store
from dynalab.engine.server import Server
from tests.engine.calls import item
from tests.guarded import TABLE, run

ROUND_TRIP = """
from dynalab.engine.connect import connect
connect()
import boto3
client = boto3.client("dynamodb")
client.create_table(**TABLE)
client.get_waiter("table_exists").wait(TableName="Things")
boto3.resource("dynamodb").Table("Things").put_item(Item={"pk": "a", "n": 1})
print(json.dumps(client.get_item(TableName="Things", Key=KEY)["Item"]))
"""


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store of the process's own engine."""
    with connect().engine.scratch() as store:
        yield store


# --- environments -----------------------------------------------------------------------------

KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIA" + "EXAMPLE1234567890"[:16],
    "AWS_SECRET_ACCESS_KEY": "x" * 40,
    "AWS_SESSION_TOKEN": "y" * 100,
}
ELSEWHERE = "http://198.51.100.1:8000"


HOSTILE = {
    **KEYS,
    "AWS_REGION": "eu-west-1",
    "AWS_PROFILE": "not-there",
    "AWS_ENDPOINT_URL": ELSEWHERE,
    "AWS_ENDPOINT_URL_DYNAMODB": ELSEWHERE,
    **dict.fromkeys(
        ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"], ELSEWHERE
    ),
    "AWS_MAX_ATTEMPTS": "x",
    "AWS_RETRY_MODE": "nonsense",
    "AWS_CA_BUNDLE": "/nowhere",
    "AWS_USE_FIPS_ENDPOINT": "true",
    "AWS_ACCOUNT_ID": "123456789012",
    "AWS_ACCOUNT_ID_ENDPOINT_MODE": "required",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": ELSEWHERE,
}


def test_a_round_trip_stays_here_with_everything_set_that_could_lead_away() -> None:
    assert run(ROUND_TRIP, HOSTILE) == {"pk": {"S": "a"}, "n": {"N": "1"}}


def test_a_round_trip_stays_here_with_no_region_no_keys_and_no_home() -> None:
    drop = ["HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"]
    assert run(ROUND_TRIP, {}, drop) == {"pk": {"S": "a"}, "n": {"N": "1"}}


def test_configuration_files_are_not_read(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    config = tmp_path / "config"
    config.write_text(
        "[default]\nregion = eu-west-1\n"
        f"endpoint_url = {ELSEWHERE}\ncredential_process = {sys.executable} -c "
        f"\"open(r'{ran}', 'w')\"\n",
        encoding="utf-8",
    )
    environment = {
        "AWS_CONFIG_FILE": str(config),
        "AWS_SHARED_CREDENTIALS_FILE": str(config),
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
    }
    assert run(ROUND_TRIP, environment) == {"pk": {"S": "a"}, "n": {"N": "1"}}
    assert not ran.exists()


def test_clients_made_before_connect_are_answered_here() -> None:
    script = """
import boto3
with_keys = boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="AKIAEXAMPLE",
                         aws_secret_access_key="x")
without = boto3.session.Session().client("dynamodb", region_name="us-east-1")
elsewhere = boto3.client("dynamodb", region_name="us-east-1",
                         endpoint_url="https://198.51.100.1")
resource = boto3.resource("dynamodb", region_name="ap-south-1")
session = boto3.session.Session()
from dynalab.engine.connect import connect
connect()
with_keys.create_table(**TABLE)
without.put_item(TableName="Things", Item={**KEY, "n": {"N": "1"}})
later = session.client("dynamodb")
print(json.dumps([
    client.get_item(TableName="Things", Key=KEY)["Item"]["n"]["N"]
    for client in (with_keys, without, elsewhere, later)
] + [str(resource.Table("Things").get_item(Key={"pk": "a"})["Item"]["n"])]))
"""
    environment = {"AWS_EC2_METADATA_DISABLED": "true", "HTTPS_PROXY": ELSEWHERE}
    assert run(script, environment) == ["1"] * 5


# --- an endpoint ------------------------------------------------------------------------------


def test_an_endpoint_that_cannot_be_used_is_refused_by_a_sentence() -> None:
    script = """
from dynalab.engine.connect import NoEndpoint, connect
import boto3
said = []
for given in json.loads(os.environ["GIVEN"]):
    os.environ.update(given)
    try:
        connect()
        said.append(None)
    except NoEndpoint as problem:
        said.append(str(problem))
    for name in given:
        del os.environ[name]
print(json.dumps([said, connect().embedded]))
"""
    bad = ["localhost:8000", "ftp://localhost", "http://", "http:///x", "nonsense", "http://[::1",
           "http://localhost:nine", "http://localhost:70000", "http://localhost:0"]  # fmt: skip
    aws = ["https://dynamodb.us-east-1.amazonaws.com", "https://DYNAMODB.us-east-1.AMAZONAWS.com.",
           "https://dynamodb.eu-west-1.api.aws", "https://amazonaws.com"]  # fmt: skip
    given = [{"DYNALAB_ENDPOINT": url} for url in bad + aws]
    given.append({"DYNALAB_AWS": "1", "DYNALAB_ENDPOINT": "http://localhost:8000"})
    said, embedded = run(script, {"GIVEN": json.dumps(given)})
    assert embedded is True
    for url, sentence in zip(bad, said, strict=False):
        assert sentence == (
            f"DYNALAB_ENDPOINT is {url!r}; give a URL such as http://localhost:8000, or unset it."
        )
    for sentence in said[len(bad) : -1]:
        assert sentence == "DYNALAB_ENDPOINT names AWS; DynaLab does not go there by an endpoint."
    assert said[-1] == "Set DYNALAB_AWS or DYNALAB_ENDPOINT, not both; unset one of them."


@pytest.fixture
def served() -> Iterator[Server]:
    with Server(Engine(), port=0) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_an_endpoint_gets_the_requests_of_plain_clients(served: Server) -> None:
    script = """
import boto3
from dynalab.engine.connect import NotLocal, connect
connection = connect()
boto3.client("dynamodb").create_table(**TABLE)
boto3.resource("dynamodb").Table("Things").put_item(Item={"pk": "a"})
refused = None
try:
    boto3.client("dynamodb", endpoint_url="https://198.51.100.1").list_tables()
except NotLocal as problem:
    refused = str(problem)
connection.embedded_only = True
inside = boto3.client("dynamodb").list_tables()["TableNames"]
connection.embedded_only = False
print(json.dumps([connection.embedded, connection.describe(), refused, inside,
                  boto3.client("dynamodb").list_tables()["TableNames"]]))
"""
    url = f"http://127.0.0.1:{served.server_port}"
    proxied = {"DYNALAB_ENDPOINT": url, "HTTP_PROXY": ELSEWHERE, "http_proxy": ELSEWHERE}
    embedded, described, refused, inside, outside = run(script, proxied)
    assert (embedded, described) == (False, f"endpoint {url}")
    assert refused == (
        f"DynaLab uses {url} and refused a request to 198.51.100.1; "
        "make the client without an endpoint_url of its own."
    )
    assert (inside, outside) == ([], ["Things"])
    assert len(served.engine.store.backend.table("Things")) == 1


def test_a_client_with_an_endpoint_on_loopback_goes_there(served: Server, store: Store) -> None:
    for host in ("127.0.0.1", "localhost"):
        client = boto3.client("dynamodb", endpoint_url=f"http://{host}:{served.server_port}")
        assert client.list_tables()["TableNames"] == list(served.engine.store.backend.tables)
        if host == "127.0.0.1":
            client.create_table(**TABLE)
    assert list(store.backend.tables) == []


# --- in this process --------------------------------------------------------------------------


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any use of a socket is a failure."""

    def opened(*address: Any, **options: Any) -> Any:
        raise AssertionError(f"a socket was opened or a name looked up: {address[-1]}")

    monkeypatch.setattr(socket.socket, "connect", opened)
    monkeypatch.setattr(socket, "getaddrinfo", opened)


def test_connect_is_made_once(store: Store) -> None:
    assert connect() is connect()
    assert connect().embedded
    assert connect().describe() == "embedded engine, nothing leaves this machine"


def test_all_regions_and_clients_share_one_store(store: Store, no_network: None) -> None:
    boto3.client("dynamodb", region_name="eu-west-1").create_table(**TABLE)
    boto3.resource("dynamodb", region_name="us-west-2").Table("Things").put_item(Item={"pk": "a"})
    connection = connect()
    assert connection.client().get_item(TableName="Things", Key=item(pk="a"))["Item"] == item(
        pk="a"
    )
    assert connection.resource().Table("Things").item_count == 1


@pytest.mark.parametrize(
    "options",
    [
        {"endpoint_url": "https://198.51.100.1"},
        {"endpoint_url": "http://dynamodb.us-east-1.amazonaws.com"},
        {"use_ssl": False},
        {"region_name": "cn-north-1"},
        {"config": Config(retries={"mode": "legacy"}, connect_timeout=1)},
        {"config": Config(proxies={"https": "http://198.51.100.1:3128"})},
        {"aws_access_key_id": "AKIAEXAMPLE", "aws_secret_access_key": "x"},
    ],
)  # fmt: skip
def test_a_client_is_answered_here_whatever_it_was_given(
    store: Store, no_network: None, options: dict[str, Any]
) -> None:
    client = boto3.client("dynamodb", **options)
    client.create_table(**TABLE)
    client.put_item(TableName="Things", Item=item(pk="a"))
    pages = client.get_paginator("scan").paginate(TableName="Things")
    assert [page["Count"] for page in pages] == [1]


def test_a_client_made_inside_a_thread_is_answered_here(store: Store, no_network: None) -> None:
    boto3.client("dynamodb").create_table(**TABLE)

    def work(name: str) -> None:
        client = boto3.session.Session().client("dynamodb")
        client.put_item(TableName="Things", Item=item(pk=name))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, "ab"))
    assert len(store.backend.table("Things")) == 2


def test_the_streams_client_is_answered_here(store: Store, no_network: None) -> None:
    client = boto3.client("dynamodb")
    view = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    client.create_table(**TABLE, StreamSpecification=view)
    client.put_item(TableName="Things", Item=item(pk="a"))
    streams = boto3.client("dynamodbstreams")
    [stream] = streams.list_streams(TableName="Things")["Streams"]
    shards = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]["Shards"]
    iterator = streams.get_shard_iterator(
        StreamArn=stream["StreamArn"],
        ShardId=shards[0]["ShardId"],
        ShardIteratorType="TRIM_HORIZON",
    )["ShardIterator"]
    page = streams.get_records(ShardIterator=iterator)
    assert page["Records"][0]["dynamodb"]["NewImage"] == item(pk="a")
    assert streams.get_records(ShardIterator=page["NextShardIterator"])["Records"] == []


@pytest.mark.parametrize(
    ("service", "call"),
    [
        ("s3", lambda client: client.list_buckets()),
        ("sts", lambda client: client.get_caller_identity()),
        ("dax", lambda client: client.describe_clusters()),
    ],
)
def test_other_services_are_refused_by_a_sentence(
    store: Store, no_network: None, service: str, call: Any
) -> None:
    client = boto3.client(service, region_name="us-east-1")
    with pytest.raises(NotLocal, match="DynaLab stays on this machine: it refused a request to "):
        call(client)
    assert not issubclass(NotLocal, Exception)  # or botocore would try again


def test_errors_are_those_of_boto3(store: Store, no_network: None) -> None:
    client = boto3.client("dynamodb")
    client.create_table(**TABLE)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
        client.put_item(
            TableName="Things", Item=item(pk="a"), ConditionExpression="attribute_exists(pk)"
        )
    assert failed.value.response["Error"] == {
        "Message": "The conditional request failed",
        "Code": "ConditionalCheckFailedException",
    }
    client.put_item(TableName="Things", Item=item(pk="a", n=1))
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
        client.put_item(
            TableName="Things",
            Item=item(pk="a"),
            ConditionExpression="attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert failed.value.response["Item"] == item(pk="a", n=1)
    put = {"TableName": "Things", "Item": item(pk="a"),
           "ConditionExpression": "attribute_not_exists(pk)"}  # fmt: skip
    other = {"TableName": "Things", "Item": item(pk="b")}
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(TransactItems=[{"Put": other}, {"Put": put}])
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ConditionalCheckFailed"]
    with pytest.raises(client.exceptions.IdempotentParameterMismatchException):
        client.transact_write_items(TransactItems=[{"Put": other}], ClientRequestToken="t")
        client.transact_write_items(TransactItems=[{"Delete": {"TableName": "Things",
                                    "Key": item(pk="b")}}], ClientRequestToken="t")  # fmt: skip


# --- middleware, retries, time ------------------------------------------------------------------


def test_middleware_stands_around_each_request_the_first_outermost(store: Store) -> None:
    connection, seen = connect(), []

    def layer(name: str) -> Any:
        def around(operation: str, request: Any, go: Any) -> Reply:
            seen.append(f"{name} {operation}")
            reply = go()
            seen.append(f"{name} {reply.status}")
            return reply

        return around

    layers = [layer("outer"), layer("inner")]
    connection.middleware += layers
    try:
        boto3.client("dynamodb").list_tables()
    finally:
        for each in layers:
            connection.middleware.remove(each)
    assert seen == ["outer ListTables", "inner ListTables", "inner 200", "outer 200"]


def test_a_retry_of_boto3_moves_the_engines_clock_and_not_the_day(store: Store) -> None:
    connection, calls = connect(), []

    def fails_twice(operation: str, request: Any, go: Any) -> Reply:
        calls.append(operation)
        return Reply(500, b'{"__type": "InternalServerError"}') if len(calls) < 3 else go()

    before = store.clock()
    connection.middleware.append(fails_twice)
    try:
        boto3.client("dynamodb").list_tables()
    finally:
        connection.middleware.remove(fails_twice)
    assert calls == ["ListTables"] * 3
    assert before < store.clock() <= before + 60
    assert botocore.endpoint.time.time() > 1_700_000_000  # anything else is the real module's


def test_a_scratch_store_comes_and_goes(store: Store) -> None:
    engine = connect().engine
    client = boto3.client("dynamodb")
    client.create_table(**TABLE)
    with engine.scratch() as inner:
        assert client.list_tables()["TableNames"] == []
        assert inner.clock() == 1_750_000_000.0
        client.create_table(**TABLE)
        client.put_item(TableName="Things", Item=item(pk="a"))
        inner.clock.advance(5)
        assert inner.clock() == 1_750_000_005.0
        with pytest.raises(ValueError, match="A clock moves forward only"):
            inner.clock.advance(-1)
    assert client.scan(TableName="Things")["Count"] == 0
    assert store.clock() == 1_750_000_000.0
