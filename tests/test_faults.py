"""Each fault does what it says, on the embedded engine and over HTTP, and leaves no trace."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ReadTimeoutError

from dynalab import faults
from dynalab.engine.connect import connect
from dynalab.engine.engine import Engine
from dynalab.engine.server import Server
from tests.worlds import keyed

POST = "POST#a91f"
META = {"PK": POST, "SK": "META"}
Open = Callable[..., Any]


@cache
def session() -> boto3.Session:
    """One session for all tests, since each reads DynamoDB's model anew."""
    return boto3.Session()


@pytest.fixture(params=["embedded", "server"])
def open_table(request: pytest.FixtureRequest) -> Iterator[Open]:
    """A function that gives the table through a client of its own, with these retries."""
    with connect().engine.scratch(), ExitStack() as stack:
        url = None
        if request.param == "server":
            server = stack.enter_context(Server(Engine(), port=0))
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            url = f"http://127.0.0.1:{server.server_port}"

        def opened(**retries: Any) -> Any:
            config = Config(retries=retries) if retries else None
            resource = session().resource("dynamodb", endpoint_url=url, config=config)
            stack.callback(resource.meta.client.close)
            return resource.Table("Social")

        create(opened().meta.client)
        yield opened


def create(client: Any) -> None:
    client.create_table(
        TableName="Social",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "author")
        ],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "byAuthor",
                "KeySchema": [{"AttributeName": "author", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )


@pytest.fixture
def table(open_table: Open) -> Any:
    """The table, through a client with boto3's own settings."""
    return open_table()


@pytest.fixture
def other(open_table: Open) -> Any:
    """The same table through another client, which no fault may touch."""
    return open_table()


def add(table: Any, **more: Any) -> dict[str, Any]:
    return dict(
        table.update_item(
            Key=META,
            UpdateExpression="ADD likeTally :one",
            ExpressionAttributeValues={":one": 1},
            **more,
        )
    )


def tally(table: Any, *, strong: bool = True) -> int:
    item = table.get_item(Key=META, ConsistentRead=strong).get("Item", {})
    return int(item.get("likeTally", 0))


def like(table: Any, user: str = "USER#1", **more: Any) -> None:
    """The like and the tally in one transaction; the condition stands on the like."""
    table.meta.client.transact_write_items(
        TransactItems=[
            {
                "Update": {
                    "TableName": table.name,
                    "Key": META,
                    "UpdateExpression": "ADD likeTally :one",
                    "ExpressionAttributeValues": {":one": 1},
                }
            },
            {
                "Put": {
                    "TableName": table.name,
                    "Item": {"PK": POST, "SK": f"LIKE#{user}", **more},
                    "ConditionExpression": "attribute_not_exists(PK)",
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                }
            },
        ]
    )


def likes(table: Any) -> int:
    found = table.query(
        KeyConditionExpression="PK = :p AND begins_with(SK, :l)",
        ExpressionAttributeValues={":p": POST, ":l": "LIKE#"},
        ConsistentRead=True,
    )
    return int(found["Count"])


def listen(table: Any) -> list[tuple[str, dict[str, Any], str]]:
    """What boto3 sends from now on: operation, body and the header that counts the attempts."""
    sent: list[tuple[str, dict[str, Any], str]] = []

    def note(request: Any, event_name: str, **_: Any) -> None:
        attempt = request.headers["amz-sdk-request"]
        sent.append((event_name.rpartition(".")[2], json.loads(request.body), str(attempt)))

    table.meta.client.meta.events.register("before-send.dynamodb", note)
    return sent


def most_attempts(table: Any) -> int:
    """How often botocore sends a request at most, as botocore itself has it."""
    if table.meta.client.meta.config.retries["mode"] == "legacy":
        loader = botocore.session.get_session().get_component("data_loader")
        return int(loader.load_data("_retry")["retry"]["dynamodb"]["__default__"]["max_attempts"])
    sent = listen(table)
    tally(table)
    found = re.search(r"max=(\d+)", sent[0][2])
    assert found is not None
    return int(found[1])


def codes(error: ClientError) -> list[str]:
    return [reason["Code"] for reason in error.response["CancellationReasons"]]


# --- lost requests and replies -----------------------------------------------------------------


def test_an_add_whose_reply_is_lost_once_lands_twice(table: Any, other: Any) -> None:
    with faults.lost_reply(table) as fault:
        response = add(table)
    assert tally(other) == 2
    assert (fault.hits, fault.attempts) == (1, 2)
    assert response["ResponseMetadata"]["RetryAttempts"] == 1


def test_an_add_whose_request_is_lost_once_lands_once(table: Any, other: Any) -> None:
    with faults.lost_request(table) as fault:
        add(table)
    assert tally(other) == 1
    assert (fault.hits, fault.attempts) == (1, 2)


@pytest.mark.parametrize("retries", [{}, {"mode": "legacy"}, {"total_max_attempts": 2}])
def test_an_add_whose_replies_are_all_lost_lands_at_each_attempt_and_raises(
    open_table: Open, other: Any, retries: dict[str, Any]
) -> None:
    table = open_table(**retries)
    most = most_attempts(table)
    with faults.lost_reply(table, times=None) as fault, pytest.raises(ReadTimeoutError):
        add(table)
    assert tally(other) == fault.attempts == fault.hits == most


def test_legacy_retries_make_more_attempts_than_boto3_s_own(open_table: Open) -> None:
    default, legacy = open_table(), open_table(mode="legacy")
    assert 1 < most_attempts(default) < most_attempts(legacy)


def test_an_add_whose_requests_are_all_lost_never_lands_and_raises(table: Any, other: Any) -> None:
    most = most_attempts(table)
    with faults.lost_request(table, times=None) as fault, pytest.raises(ReadTimeoutError):
        add(table)
    assert tally(other) == 0
    assert fault.attempts == fault.hits == most


def test_the_last_attempt_saves_a_call_and_one_loss_more_fails_it(table: Any, other: Any) -> None:
    most = most_attempts(table)
    with faults.lost_reply(table, times=most - 1) as fault:
        add(table)
    assert tally(other) == fault.attempts == most
    with faults.lost_reply(table, times=most), pytest.raises(ReadTimeoutError):
        add(table)
    assert tally(other) == 2 * most


def test_the_losses_are_counted_over_the_calls_of_a_block(table: Any, other: Any) -> None:
    with faults.lost_reply(table, times=2) as fault:
        add(table)  # both losses meet the first call
        add(table)
    assert (fault.hits, fault.attempts, tally(other)) == (2, 4, 4)
    with faults.lost_reply(table, times=1) as fault:
        add(table)
        add(table)
    assert (fault.hits, fault.attempts, tally(other)) == (1, 3, 7)


@pytest.mark.parametrize("fault_of", [faults.lost_reply, faults.lost_request, faults.throttle])
def test_a_named_operation_is_hit_and_no_other(table: Any, other: Any, fault_of: Any) -> None:
    with faults.lost_reply(table, times=None, operation="PutItem") as fault:
        add(table)
        assert fault.attempts == 0
    with fault_of(table, operation="UpdateItem") as fault:
        table.put_item(Item={"PK": POST, "SK": "x"})
        tally(table)
        add(table)
    assert (fault.hits, fault.attempts) == (1, 2)


def test_a_plain_client_is_as_good_as_a_table(table: Any, other: Any) -> None:
    with faults.lost_reply(table.meta.client) as fault:
        add(table)
    assert fault.hits == 1
    assert tally(other) == 2


def test_one_token_goes_with_all_attempts_of_a_call_and_another_with_the_next(
    table: Any, other: Any
) -> None:
    most = most_attempts(table)
    sent = listen(table)
    with faults.lost_reply(table, times=most - 1):
        like(table)
    with pytest.raises(ClientError) as caught:
        like(table)
    assert len(sent) == most + 1
    tokens = [body["ClientRequestToken"] for _, body, _ in sent]
    assert len(set(tokens[:-1])) == 1
    assert tokens[-1] != tokens[0]
    assert (tally(other), likes(other)) == (1, 1)
    assert codes(caught.value) == ["None", "ConditionalCheckFailed"]


# --- late requests -----------------------------------------------------------------------------


def test_a_late_request_lands_after_its_retry_was_answered(table: Any, other: Any) -> None:
    with faults.late_request(table) as fault:
        answered = add(table, ReturnValues="UPDATED_NEW")
        assert answered["Attributes"]["likeTally"] == 1
        assert tally(other) == 2
    assert tally(other) == 2
    assert (fault.hits, fault.attempts) == (1, 2)


def test_a_late_request_without_a_retry_lands_when_the_block_ends(
    open_table: Open, other: Any
) -> None:
    table = open_table(total_max_attempts=1)
    with faults.late_request(table):
        with pytest.raises(ReadTimeoutError):
            add(table)
        tally(table)
        assert tally(other) == 0
    assert tally(other) == 1


def test_a_late_request_lands_when_an_exception_ends_the_block(
    open_table: Open, other: Any
) -> None:
    table = open_table(total_max_attempts=1)
    with pytest.raises(ReadTimeoutError), faults.late_request(table):
        add(table)
    assert tally(other) == 1


def test_the_retry_of_a_late_request_may_be_the_application_s(open_table: Open, other: Any) -> None:
    table = open_table(total_max_attempts=1)

    def add_by(amount: int) -> None:  # no guard, and a token of its own for each call
        update = {
            "TableName": "Social",
            "Key": META,
            "UpdateExpression": "ADD likeTally :n",
            "ExpressionAttributeValues": {":n": amount},
        }
        table.meta.client.transact_write_items(TransactItems=[{"Update": update}])

    with faults.late_request(table, operation="TransactWriteItems"):
        with pytest.raises(ReadTimeoutError):
            add_by(1)
        add_by(10)  # no retry of it
        assert tally(other) == 10
        add_by(1)  # the same intent: now the late one lands too
        assert tally(other) == 12
    assert tally(other) == 12


def test_a_late_put_undoes_a_delete(open_table: Open, other: Any) -> None:
    table = open_table(total_max_attempts=1)
    item = {"PK": POST, "SK": "LIKE#USER#1"}
    with faults.late_request(table):
        with pytest.raises(ReadTimeoutError):
            table.put_item(Item=item)
        other.put_item(Item=item)
        other.delete_item(Key=item)
    assert likes(other) == 1


# --- stale reads -------------------------------------------------------------------------------


def test_a_stale_read_has_the_answer_from_before_the_last_write(table: Any, other: Any) -> None:
    with faults.stale_read(table) as fault:
        assert tally(table, strong=False) == 0
        add(table)
        add(table)
        assert tally(table) == 2
        assert tally(table, strong=False) == 1
        assert tally(table, strong=False) == 2  # once was asked for
        assert tally(other, strong=False) == 2
    assert (fault.hits, tally(table, strong=False)) == (1, 2)


def test_every_read_is_stale_where_that_is_asked_for(table: Any) -> None:
    with faults.stale_read(table, times=None) as fault:
        tally(table, strong=False)
        add(table)
        assert [tally(table, strong=False) for _ in range(3)] == [0, 0, 0]
    assert fault.hits == 3


def test_a_query_of_an_index_is_stale_and_a_strong_query_of_the_table_is_not(table: Any) -> None:
    def by_author() -> int:
        return int(
            table.query(
                IndexName="byAuthor",
                KeyConditionExpression="author = :a",
                ExpressionAttributeValues={":a": "USER#1"},
            )["Count"]
        )

    with faults.stale_read(table, times=None):
        assert (by_author(), likes(table)) == (0, 0)
        table.put_item(Item={"PK": POST, "SK": "LIKE#1", "author": "USER#1"})
        assert (by_author(), likes(table)) == (0, 1)
    assert by_author() == 1


def test_a_batch_and_a_scan_are_stale_unless_they_are_strong(table: Any) -> None:
    client = table.meta.client

    def batch(strong: bool) -> int:
        wish = {"Keys": [META], "ConsistentRead": strong}
        return len(client.batch_get_item(RequestItems={"Social": wish})["Responses"]["Social"])

    def scan(strong: bool) -> int:
        return int(table.scan(ConsistentRead=strong)["Count"])

    with faults.stale_read(table, times=None):
        for read in (batch, scan):
            assert [read(False), read(True)] == [0, 0]
        add(table)
        for read in (batch, scan):
            assert [read(False), read(True)] == [0, 1]


def test_a_read_that_was_not_made_before_the_write_is_not_stale(table: Any) -> None:
    with faults.stale_read(table) as fault:
        add(table)
        assert tally(table, strong=False) == 1
    assert fault.hits == 0


def test_a_refused_write_makes_nothing_stale(table: Any) -> None:
    with faults.stale_read(table) as fault:
        tally(table, strong=False)
        add(table)
        with pytest.raises(ClientError):
            add(table, ConditionExpression="attribute_not_exists(PK)")
        assert tally(table, strong=False) == 0
    assert fault.hits == 1


def test_a_write_whose_reply_is_lost_makes_reads_stale(open_table: Open) -> None:
    table = open_table(total_max_attempts=1)
    for outer, inner in [("stale", "lost"), ("lost", "stale")]:
        before = tally(table)
        kinds: dict[str, Any] = {"stale": faults.stale_read, "lost": faults.lost_reply}
        options = {"stale": {}, "lost": {"operation": "UpdateItem"}}
        with kinds[outer](table, **options[outer]), kinds[inner](table, **options[inner]):
            tally(table, strong=False)
            with pytest.raises(ReadTimeoutError):
                add(table)
            assert tally(table, strong=False) == before
            assert tally(table) == before + 1


# --- a crash -----------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_process_dies_after_so_many_requests(table: Any, other: Any, after: int) -> None:
    with pytest.raises(faults.Crashed, match=f"before its request {after + 1}"):  # noqa: SIM117
        with faults.crash(table, after=after) as fault:
            for _ in range(5):
                add(table)
    assert tally(other) == after
    assert (fault.hits, fault.attempts) == (1, after + 1)


def test_a_process_that_makes_no_more_requests_lives(table: Any, other: Any) -> None:
    with faults.crash(table, after=1) as fault:
        add(table)
    assert (fault.hits, tally(other)) == (0, 1)


def test_a_crash_is_not_eaten_by_except_exception_nor_outlived_by_finally(
    table: Any, other: Any
) -> None:
    eaten = []
    with pytest.raises(faults.Crashed), faults.crash(table, after=0):
        try:
            add(table)
        except Exception as error:
            eaten.append(error)
        finally:
            add(table)
    assert eaten == []
    assert tally(other) == 0


def test_a_dead_batch_writer_does_not_flush(table: Any, other: Any) -> None:
    with pytest.raises(faults.Crashed), faults.crash(table, after=0), table.batch_writer() as batch:
        batch.put_item(Item=META)
        add(table)
    assert other.scan()["Count"] == 0


def test_a_process_can_die_between_an_attempt_and_its_replay(table: Any, other: Any) -> None:
    for outer, inner in [(0, 1), (1, 0)]:
        blocks = [lambda: faults.crash(table, after=1), lambda: faults.lost_reply(table)]
        before = tally(other)
        with pytest.raises(faults.Crashed), blocks[outer](), blocks[inner]():
            add(table)
        assert tally(other) == before + 1


# --- conflicts ---------------------------------------------------------------------------------


def test_a_transaction_meets_a_conflict_and_boto3_does_not_try_again(
    table: Any, other: Any
) -> None:
    with faults.conflict(table) as fault:
        with pytest.raises(ClientError) as caught:
            like(table)
        assert (fault.hits, fault.attempts) == (1, 1)
        assert tally(other) == 0
        like(table)
    assert isinstance(caught.value, table.meta.client.exceptions.TransactionCanceledException)
    assert caught.value.response["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[TransactionConflict, None]"
    )
    assert caught.value.response["CancellationReasons"] == [
        {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item."},
        {"Code": "None"},
    ]
    assert (tally(other), likes(other)) == (1, 1)


def test_single_writes_meet_a_conflict_by_its_own_name(table: Any, other: Any) -> None:
    with faults.conflict(table, times=None) as fault:
        for write in (
            lambda: add(table),
            lambda: table.put_item(Item=META),
            lambda: table.delete_item(Key=META),
        ):
            with pytest.raises(table.meta.client.exceptions.TransactionConflictException):
                write()
    assert (fault.hits, fault.attempts) == (3, 3)
    assert other.scan()["Count"] == 0


def test_reads_do_not_meet_a_conflict_but_for_transactional_ones(table: Any) -> None:
    get = {"Get": {"TableName": "Social", "Key": META}}
    with faults.conflict(table) as fault:
        tally(table)
        with pytest.raises(ClientError) as caught:
            table.meta.client.transact_get_items(TransactItems=[get])
    assert codes(caught.value) == ["TransactionConflict"]
    assert (fault.hits, fault.attempts) == (1, 1)


# --- throttles ---------------------------------------------------------------------------------


def test_boto3_tries_again_after_a_throttle(table: Any, other: Any) -> None:
    with faults.throttle(table) as fault:
        add(table)
    assert (fault.hits, fault.attempts, tally(other)) == (1, 2, 1)


@pytest.mark.parametrize("retries", [{}, {"mode": "legacy"}])
def test_a_throttle_without_end_raises_after_all_attempts(
    open_table: Open, other: Any, retries: dict[str, Any]
) -> None:
    table = open_table(**retries)
    most = most_attempts(table)
    with faults.throttle(table, times=None) as fault, pytest.raises(ClientError) as caught:
        add(table)
    assert isinstance(caught.value, table.meta.client.exceptions.ThrottlingException)
    assert (fault.hits, fault.attempts, tally(other)) == (most, most, 0)
    [reason] = caught.value.response["throttlingReasons"]
    assert reason["reason"] == "TableWriteKeyRangeThroughputExceeded"
    assert reason["resource"].endswith(":table/Social")


def test_the_reason_of_a_throttle_names_the_index_and_the_kind(open_table: Open) -> None:
    table = open_table(total_max_attempts=1)
    seen = []
    for read in (
        lambda: table.get_item(Key=META),
        lambda: table.meta.client.batch_get_item(RequestItems={"Social": {"Keys": [META]}}),
        lambda: table.scan(IndexName="byAuthor"),
    ):
        with faults.throttle(table), pytest.raises(ClientError) as caught:
            read()
        [reason] = caught.value.response["throttlingReasons"]
        seen.append((reason["reason"], reason["resource"].rpartition(":")[2]))
    assert seen == [
        ("TableReadKeyRangeThroughputExceeded", "table/Social"),
        ("TableReadKeyRangeThroughputExceeded", "table/Social"),
        ("IndexReadKeyRangeThroughputExceeded", "table/Social/index/byAuthor"),
    ]


def test_a_throttled_transaction_is_cancelled_and_not_tried_again(table: Any, other: Any) -> None:
    with faults.throttle(table) as fault, pytest.raises(ClientError) as caught:
        like(table)
    assert caught.value.response["Error"]["Code"] == "TransactionCanceledException"
    assert codes(caught.value) == ["ThrottlingError", "None"]
    assert (fault.attempts, tally(other)) == (1, 0)


def test_a_throttle_leaves_the_making_of_tables_alone(table: Any) -> None:
    with faults.throttle(table) as fault:
        table.load()
    assert fault.attempts == 0
    with pytest.raises(ValueError, match="CreateTable is not throttled by a key"):
        faults.throttle(table, operation="CreateTable")


# --- batches in part ---------------------------------------------------------------------------


def puts(numbers: Any) -> list[dict[str, Any]]:
    return [{"PutRequest": {"Item": {"PK": POST, "SK": f"LIKE#{n}"}}} for n in numbers]


def test_a_batch_of_writes_comes_back_in_part(table: Any, other: Any) -> None:
    client = table.meta.client
    with faults.unprocessed(table, keep=7) as fault:
        back = client.batch_write_item(
            RequestItems={"Social": puts(range(10))}, ReturnConsumedCapacity="TOTAL"
        )
        assert back["UnprocessedItems"] == {"Social": puts(range(7, 10))}
        assert back["ConsumedCapacity"][0]["CapacityUnits"] == 7
        assert likes(other) == 7
        rest = client.batch_write_item(RequestItems=back["UnprocessedItems"])
    assert rest["UnprocessedItems"] == {}
    assert likes(other) == 10
    assert (fault.hits, fault.attempts) == (1, 2)


def test_a_batch_of_reads_comes_back_in_part_with_what_it_asked_for(table: Any) -> None:
    client = table.meta.client
    client.batch_write_item(RequestItems={"Social": puts(range(5))})
    wish = {
        "Keys": [{"PK": POST, "SK": f"LIKE#{n}"} for n in range(5)],
        "ProjectionExpression": "SK",
        "ConsistentRead": True,
    }
    with faults.unprocessed(table, keep=2):
        got = client.batch_get_item(RequestItems={"Social": wish})
    assert sorted(item["SK"] for item in got["Responses"]["Social"]) == ["LIKE#0", "LIKE#1"]
    left = {**wish, "Keys": wish["Keys"][2:]}
    assert got["UnprocessedKeys"] == {"Social": left}
    with faults.unprocessed(table, keep=0) as fault:
        got = client.batch_get_item(RequestItems={"Social": left})
    assert (got["Responses"], got["UnprocessedKeys"]) == ({}, {"Social": left})
    assert fault.hits == 1


def test_a_batch_that_is_small_enough_goes_through_uncounted(table: Any, other: Any) -> None:
    with faults.unprocessed(table, keep=3) as fault:
        back = table.meta.client.batch_write_item(RequestItems={"Social": puts(range(3))})
        assert back["UnprocessedItems"] == {}
        assert fault.hits == 0
        table.meta.client.batch_write_item(RequestItems={"Social": puts(range(4))})
    assert (fault.hits, likes(other)) == (1, 3)


def test_the_first_entries_are_those_of_the_first_table(table: Any, other: Any) -> None:
    client = table.meta.client
    keyed(client, "Other", "PK")
    one = [{"PutRequest": {"Item": {"PK": "a"}}}, {"PutRequest": {"Item": {"PK": "b"}}}]
    with faults.unprocessed(table, keep=1):
        back = client.batch_write_item(RequestItems={"Other": one, "Social": puts(range(3))})
    assert back["UnprocessedItems"] == {"Other": one[1:], "Social": puts(range(3))}
    assert likes(other) == 0


def test_blocks_of_unprocessed_batches_add_up(table: Any, other: Any) -> None:
    with faults.unprocessed(table, keep=2), faults.unprocessed(table, keep=3):
        back = table.meta.client.batch_write_item(RequestItems={"Social": puts(range(5))})
    got = back["UnprocessedItems"]["Social"]
    assert sorted(json.dumps(put) for put in got) == [json.dumps(put) for put in puts(range(2, 5))]
    assert likes(other) == 2


def test_a_batch_that_the_service_refuses_raises(table: Any) -> None:
    missing = table.meta.client.exceptions.ResourceNotFoundException
    with faults.unprocessed(table, keep=2), pytest.raises(missing):
        table.meta.client.batch_write_item(RequestItems={"Missing": puts(range(5))})


def test_boto3_s_batch_writer_sends_the_rest_again(table: Any, other: Any) -> None:
    with faults.unprocessed(table, keep=4, times=2) as fault, table.batch_writer() as batch:
        for put in puts(range(10)):
            batch.put_item(Item=put["PutRequest"]["Item"])
    assert (fault.hits, likes(other)) == (2, 10)


# --- no trace ----------------------------------------------------------------------------------

EVERY_FAULT: dict[str, Callable[[Any], Any]] = {
    "lost_request": faults.lost_request,
    "lost_reply": faults.lost_reply,
    "late_request": faults.late_request,
    "stale_read": faults.stale_read,
    "crash": lambda target: faults.crash(target, after=0),
    "conflict": faults.conflict,
    "throttle": faults.throttle,
    "unprocessed": lambda target: faults.unprocessed(target, keep=0),
}


def handlers(table: Any) -> list[Any]:
    """Every handler of a table's client, for each event of each operation."""
    client = table.meta.client
    tree = client.meta.events._emitter._handlers
    return [
        tree.prefix_search(f"{event}.dynamodb.{operation}")
        for event in ("before-call", "request-created", "before-send", "before-parse",
                      "response-received", "needs-retry", "after-call", "after-call-error")
        for operation in client.meta.service_model.operation_names
    ]  # fmt: skip


@pytest.mark.parametrize("name", EVERY_FAULT)
def test_a_fault_leaves_no_trace(table: Any, other: Any, name: str) -> None:
    before, before_other = handlers(table), handlers(other)
    with EVERY_FAULT[name](table) as fault:
        assert handlers(table) != before
        assert handlers(other) == before_other
        add(other)
        other.meta.client.batch_write_item(RequestItems={"Social": puts(range(3))})
    assert (fault.hits, fault.attempts) == (0, 0)
    assert handlers(table) == before
    with pytest.raises(KeyError), EVERY_FAULT[name](table):
        raise KeyError
    assert handlers(table) == before
    sent = listen(table)
    back = table.meta.client.batch_write_item(RequestItems={"Social": puts(range(3))})
    add(table)
    assert back["UnprocessedItems"] == {}
    assert len(sent) == 2
    assert (tally(other), fault.attempts) == (2, 0)


@pytest.mark.parametrize("name", EVERY_FAULT)
def test_a_nested_fault_leaves_the_outer_one_in_place(table: Any, other: Any, name: str) -> None:
    before = handlers(table)
    with faults.lost_reply(table) as outer:
        with EVERY_FAULT[name](table):
            pass
        add(table)
        assert (outer.hits, tally(other)) == (1, 2)
    assert handlers(table) == before


def test_blocks_that_end_in_another_order_leave_no_trace(table: Any) -> None:
    before = handlers(table)
    blocks = [faults.lost_reply(table, operation="PutItem"), faults.throttle(table)]
    for block in blocks:
        block.__enter__()
    blocks[0].__exit__(None, None, None)
    table.put_item(Item=META)
    blocks[1].__exit__(None, None, None)
    assert handlers(table) == before


def test_the_innermost_block_sees_a_request_first(table: Any, other: Any) -> None:
    with faults.lost_reply(table) as outer, faults.throttle(table) as inner:
        add(table)
    assert (inner.hits, inner.attempts) == (1, 3)
    assert (outer.hits, outer.attempts) == (1, 3)
    assert tally(other) == 2
    with faults.throttle(table) as outer, faults.lost_reply(table) as inner:
        add(table)  # the reply that is lost is the throttle's
    assert (outer.hits, inner.hits, outer.attempts, tally(other)) == (1, 1, 2, 3)


def test_threads_of_one_client_share_the_losses(table: Any, other: Any) -> None:
    def work() -> None:
        for _ in range(5):
            add(table)

    with faults.lost_reply(table, times=3) as fault:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (fault.hits, fault.attempts, tally(other)) == (3, 23, 23)


def test_a_fault_prints_its_counts(table: Any) -> None:
    with faults.lost_reply(table) as fault:
        add(table)
    assert repr(fault) == "Fault(hits=1, attempts=2)"


# --- wrong arguments ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_FAULT)
@pytest.mark.parametrize("target", [None, "Social", 3, boto3])
def test_only_a_table_or_a_dynamodb_client_is_taken(name: str, target: Any) -> None:
    with pytest.raises(TypeError, match="Give a boto3 Table or a boto3 DynamoDB client, not a "):
        EVERY_FAULT[name](target)


def test_a_client_of_another_service_is_refused() -> None:
    connect()
    with pytest.raises(TypeError, match="Give a boto3 Table or a boto3 DynamoDB client"):
        faults.lost_reply(boto3.client("dynamodbstreams"))


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("lost_reply", {"times": 0}, ValueError, "`times` is 0; give at least 1."),
        ("lost_request", {"times": -1}, ValueError, "`times` is -1; give at least 1."),
        ("stale_read", {"times": 0}, ValueError, "`times` is 0; give at least 1."),
        ("conflict", {"times": "2"}, TypeError, "`times` is '2'; give an int."),
        ("throttle", {"times": True}, TypeError, "`times` is True; give an int."),
        ("unprocessed", {"keep": 1, "times": 1.5}, TypeError, "`times` is 1.5; give an int."),
        ("unprocessed", {"keep": -1}, ValueError, "`keep` is -1; give at least 0."),
        ("crash", {"after": -1}, ValueError, "`after` is -1; give at least 0."),
        ("crash", {"after": None}, TypeError, "`after` is None; give an int."),
        (
            "lost_reply",
            {"operation": "update_item"},
            ValueError,
            "DynamoDB has no operation 'update_item'; give a name such as 'UpdateItem'.",
        ),
        (
            "late_request",
            {"operation": "Like"},
            ValueError,
            "DynamoDB has no operation 'Like'; give a name such as 'UpdateItem'.",
        ),
        (
            "throttle",
            {"operation": 3},
            ValueError,
            "DynamoDB has no operation 3; give a name such as 'UpdateItem'.",
        ),
    ],
)
def test_a_wrong_argument_is_refused_before_the_block(
    name: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    connect()
    client = boto3.client("dynamodb")
    with pytest.raises(error) as caught:
        getattr(faults, name)(client, **options)
    assert str(caught.value) == message


# --- what goes wrong in the field --------------------------------------------------------------


def test_the_naive_add_counts_a_retried_like_twice_and_the_guarded_one_does_not(
    table: Any, other: Any
) -> None:
    with faults.lost_reply(table):
        add(table)
    assert tally(other) == 2
    other.delete_item(Key=META)
    with faults.lost_reply(table, times=None), pytest.raises(ReadTimeoutError):
        like(table)  # every attempt landed as one: the token is the same
    with pytest.raises(ClientError):
        like(table)  # the application tries again, with another token: the condition holds
    assert (tally(other), likes(other)) == (1, 1)


def test_a_condition_that_fails_after_a_lost_reply_may_be_one_s_own_success(
    open_table: Open, other: Any
) -> None:
    table = open_table(total_max_attempts=1)

    def like_for(request_id: str) -> str:
        for _ in range(2):
            try:
                like(table, req=request_id)
            except ReadTimeoutError:
                continue
            except ClientError as error:
                old = error.response["CancellationReasons"][1]["Item"]
                return (
                    "already applied"
                    if old["req"] in (request_id, {"S": request_id})
                    else "duplicate"
                )
            return "applied"
        return "unknown"

    with faults.lost_reply(table):
        assert like_for("R1") == "already applied"
    assert like_for("R2") == "duplicate"
    assert tally(other) == 1


def test_a_put_that_boto3_itself_replays_meets_its_own_item(table: Any) -> None:
    with faults.lost_reply(table) as fault, pytest.raises(ClientError) as caught:
        table.put_item(
            Item={"PK": POST, "SK": "LIKE#1", "req": "R1"},
            ConditionExpression="attribute_not_exists(PK)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert caught.value.response["Error"]["Code"] == "ConditionalCheckFailedException"
    assert caught.value.response["Item"]["req"] in ("R1", {"S": "R1"})
    assert fault.attempts == 2


def outcome(table: Any, user: str, attempts: int) -> tuple[str, int]:
    """A like that reads why it was cancelled, and how many calls it took."""
    for attempt in range(1, attempts + 1):
        try:
            like(table, user)
            return "applied", attempt
        except ClientError as error:
            found = codes(error)
        if found[1] == "ConditionalCheckFailed":
            return "duplicate", attempt
        if not {"TransactionConflict", "ThrottlingError"} & set(found):
            return "raise", attempt
    return "gave up", attempts


@pytest.mark.parametrize("fault_of", [faults.conflict, faults.throttle])
def test_a_cancelled_like_is_tried_again_for_a_conflict_and_not_for_a_duplicate(
    table: Any, other: Any, fault_of: Any
) -> None:
    with fault_of(table, times=2) as fault:
        assert outcome(table, "USER#1", 5) == ("applied", 3)
        assert fault.attempts == 3
        assert outcome(table, "USER#1", 5) == ("duplicate", 1)
    assert tally(other) == 1
    with fault_of(table, times=None) as fault:
        assert outcome(table, "USER#2", 5) == ("gave up", 5)
    assert (fault.hits, tally(other)) == (5, 1)
    other.put_item(Item={**META, "likeTally": "five"})
    assert outcome(table, "USER#2", 5) == ("raise", 1)


def write_all(table: Any, entries: list[dict[str, Any]], calls: int) -> list[dict[str, Any]]:
    """Sends what comes back again, at most so many calls; returns what is left."""
    for _ in range(calls):
        back = table.meta.client.batch_write_item(RequestItems={"Social": entries})
        entries = back["UnprocessedItems"].get("Social", [])
        if not entries:
            break
    return entries


def test_ten_writes_take_three_calls_where_two_come_back_in_part(table: Any, other: Any) -> None:
    with faults.unprocessed(table, keep=4, times=2) as fault:
        assert write_all(table, puts(range(10)), calls=5) == []
    assert (fault.hits, fault.attempts, likes(other)) == (2, 3, 10)


def test_writes_that_never_come_through_are_left_and_known(table: Any, other: Any) -> None:
    with faults.unprocessed(table, keep=7):
        left = write_all(table, puts(range(10)), calls=1)
    assert left == puts(range(7, 10))
    with faults.unprocessed(table, keep=0, times=None) as fault:
        assert write_all(table, left, calls=4) == left
    assert (fault.attempts, likes(other)) == (4, 7)
    assert write_all(table, left, calls=1) == []
    assert likes(other) == 10
