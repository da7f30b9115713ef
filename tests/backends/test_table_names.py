"""A lab's table names on their way out and back; a request's tables, wherever it names them."""

from __future__ import annotations

from typing import Any

import pytest

from dynalab.backends.own_tables import names_of_tables
from dynalab.engine.connect import connect
from dynalab.engine.destinations import on_demand, refusal_at_aws, user
from dynalab.engine.table_names import TableNames, tables_of
from tests.worlds import keyed

NAMES = TableNames("dynalab-ana-02-", ("DynaLab", "02"))
KEY = {"PK": {"S": "a"}}
OUT = "dynalab-ana-02-Social"
ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/"

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("GetItem", {"TableName": "Social", "Key": KEY}),
    ("BatchGetItem", {"RequestItems": {"Social": {"Keys": [KEY]}}}),
    ("BatchWriteItem", {"RequestItems": {"Social": [{"DeleteRequest": {"Key": KEY}}]}}),
    ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "Social", "Key": KEY}}]}),
    (
        "TransactWriteItems",
        {
            "TransactItems": [
                {action: {"TableName": "Social", "Key": KEY}}
                for action in ("Put", "Update", "Delete", "ConditionCheck")
            ]
        },
    ),
    ("ListStreams", {"TableName": "Social"}),
]


@pytest.mark.parametrize(("operation", "request_"), REQUESTS, ids=[name for name, _ in REQUESTS])
def test_every_name_of_a_request_gets_the_prefix_once(
    operation: str, request_: dict[str, Any]
) -> None:
    assert set(tables_of(request_)) == {"Social"}
    assert NAMES.strangers(request_)
    sent = NAMES.outward(operation, request_)
    assert set(tables_of(sent)) == {OUT}
    assert NAMES.strangers(sent) == []
    assert NAMES.outward(operation, sent) == sent
    assert set(tables_of(request_)) == {"Social"}  # as it was


def test_an_attribute_that_is_called_like_a_member_stays() -> None:
    item = {"PK": {"S": "Social"}, "TableName": {"S": "Social"}}
    sent = NAMES.outward("PutItem", {"TableName": "Social", "Item": item})
    assert sent == {"TableName": OUT, "Item": item}


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ({"TableNames": ["Zoo", OUT]}, {"TableNames": ["Social"]}),
        ({"Table": {"TableName": OUT, "X": 1}}, {"Table": {"TableName": "Social", "X": 1}}),
        ({"Item": {"TableName": {"S": OUT}}}, {"Item": {"TableName": {"S": OUT}}}),
        ({"ConsumedCapacity": {"TableName": OUT}}, {"ConsumedCapacity": {"TableName": "Social"}}),
        (
            {"ConsumedCapacity": [{"TableName": OUT}]},
            {"ConsumedCapacity": [{"TableName": "Social"}]},
        ),
        (
            {"Responses": {OUT: []}, "UnprocessedKeys": {OUT: {"Keys": [KEY]}}},
            {"Responses": {"Social": []}, "UnprocessedKeys": {"Social": {"Keys": [KEY]}}},
        ),
        ({"Responses": [{"Item": KEY}]}, {"Responses": [{"Item": KEY}]}),
        ({"UnprocessedItems": {OUT: []}}, {"UnprocessedItems": {"Social": []}}),
        ({"message": f"Table {OUT} not found"}, {"message": "Table Social not found"}),
    ],
)
def test_a_reply_has_the_lab_s_names(reply: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert NAMES.inward(reply) == wanted


@pytest.mark.parametrize(
    "request_",
    [
        {"TableName": "Social"},
        {"TableName": ARN + "Social"},
        {"ResourceArn": ARN + "Social"},
        {"StreamArn": ARN + "Social/stream/2025"},
        {"TransactItems": [{"Put": {"TableName": OUT}}, {"Put": {"TableName": ARN + "Social"}}]},
    ],
)
def test_a_table_without_the_prefix_is_a_stranger_by_name_and_by_arn(
    request_: dict[str, Any],
) -> None:
    assert NAMES.strangers(request_) == ["Social"]
    assert NAMES.strangers({"TableName": ARN + OUT, "StreamArn": f"{ARN}{OUT}/stream/1"}) == []


def test_a_table_is_made_with_the_tag_and_keeps_others() -> None:
    sent = NAMES.outward("CreateTable", {"TableName": "T", "Tags": [{"Key": "a", "Value": "b"}]})
    assert sent["Tags"] == [{"Key": "a", "Value": "b"}, {"Key": "DynaLab", "Value": "02"}]


def test_no_table_at_aws_is_paid_by_the_hour() -> None:
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    index = {"IndexName": "i", "ProvisionedThroughput": units}
    made = on_demand(
        {
            "TableName": "T",
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units,
            "GlobalSecondaryIndexes": [index],
        }
    )
    assert made == {
        "TableName": "T",
        "BillingMode": "PAY_PER_REQUEST",
        "GlobalSecondaryIndexes": [{"IndexName": "i"}],
    }
    assert "stay on demand" in str(refusal_at_aws("UpdateTable", {"ProvisionedThroughput": units}))
    assert refusal_at_aws("UpdateTable", {"StreamSpecification": {}}) is None


@pytest.mark.parametrize("operation", ["ExecuteStatement", "UntagResource", "CreateBackup"])
def test_what_could_name_a_table_unseen_does_not_go_to_aws(operation: str) -> None:
    assert refusal_at_aws(operation, {}) == f"DynaLab does not send {operation} to AWS."


def test_a_user_s_name_has_no_hyphen_so_no_prefix_begins_another_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DYNALAB_USER", "ana-02 é." + "x" * 50)
    assert user() == "ana_02___" + "x" * 31


def test_tables_are_listed_page_by_page() -> None:
    connection = connect()
    with connection.engine.scratch():
        client = connection.client()
        names = [f"Table{number:03}" for number in range(101)]  # one more than a page holds
        for name in names:
            keyed(client, name, "pk")
        assert len(client.list_tables()["TableNames"]) == 100
        assert names_of_tables(client) == names
