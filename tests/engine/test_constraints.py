"""What is wrong with a request's form is told first, and all of it at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item


@pytest.fixture
def db() -> Db:
    made = Db()
    made.table()
    return made


def refusal(db: Db, operation: str, **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        db(operation, **request)
    assert refused.value.code == "ValidationException"
    return str(refused.value.message)


def test_wrong_words_are_told_together_and_before_the_table_is_looked_for(db: Db) -> None:
    said = refusal(
        db,
        "PutItem",
        TableName="Nowhere",
        Item=item(pk="a", sk="b"),
        ReturnValues="SOME",
        ReturnConsumedCapacity="ALL",
    )
    assert said == (
        "2 validation errors detected: "
        "Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: "
        "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; "
        "Value 'SOME' at 'returnValues' failed to satisfy constraint: Member must satisfy enum "
        "value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (None, "Value null at 'tableName' failed to satisfy constraint: Member must not be null"),
        ("", "Member must have length greater than or equal to 1"),
        ("x" * 256, "Member must have length less than or equal to 255"),
        ("a b", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"),
    ],
)
@pytest.mark.parametrize("operation", ["GetItem", "PutItem", "UpdateItem", "DeleteItem"])
def test_a_table_has_a_name_of_some_letters(
    db: Db, operation: str, name: str | None, problem: str
) -> None:
    named = {} if name is None else {"TableName": name}
    said = refusal(db, operation, Key=item(pk="a", sk="b"), Item=item(pk="a", sk="b"), **named)
    assert said.startswith("1 validation error detected: Value ")
    assert problem in said


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("BatchGetItem", {"RequestItems": {"a b": {"Keys": [item(pk="a", sk="b")]}}}),
        ("BatchWriteItem", {"RequestItems": {"a b": [{"PutRequest": {"Item": item(pk="a")}}]}}),
        ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "a b", "Key": {}}}]}),
        ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "a b", "Item": {}}}]}),
    ],
)
def test_a_table_of_a_batch_or_a_transaction_is_named_by_the_same_rule(
    db: Db, operation: str, request_: dict[str, Any]
) -> None:
    assert refusal(db, operation, **request_) == (
        "1 validation error detected: Value 'a b' at 'tableName' failed to satisfy constraint: "
        "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    )


@pytest.mark.parametrize(
    ("operation", "request_", "said"),
    [
        ("BatchGetItem", {"RequestItems": {}}, "The requestItems parameter is required for Batch"),
        (
            "BatchGetItem",
            {"RequestItems": {"Things": {"Keys": [item(pk="a", sk=str(n)) for n in range(101)]}}},
            "Value at 'RequestItems.Things.member.Keys' failed to satisfy constraint: "
            "Member must have length less than or equal to 100",
        ),
        (
            "BatchWriteItem",
            {"RequestItems": {"Things": [{"DeleteRequest": {"Key": {}}}] * 26}},
            "at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
            "[Member must have length less than or equal to 25, ",
        ),
        (
            "TransactWriteItems",
            {"TransactItems": []},
            "Value '[]' at 'transactItems' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1",
        ),
        ("TransactGetItems", {"TransactItems": [{}] * 101}, "less than or equal to 100"),
        ("Scan", {"TableName": "Things", "Limit": 0}, "Value '0' at 'limit' failed to satisfy"),
        ("Query", {"TableName": "Things", "Select": "SOME"}, "at 'select' failed to satisfy"),
    ],
)
def test_the_number_of_members_has_bounds(
    db: Db, operation: str, request_: dict[str, Any], said: str
) -> None:
    assert said in refusal(db, operation, **request_)


def test_an_expression_that_cannot_be_read_is_told_before_a_value_that_is_left_over(db: Db) -> None:
    said = refusal(
        db,
        "UpdateItem",
        TableName="Things",
        Key=item(pk="a", sk="b"),
        UpdateExpression="PLEASE ADD one",
        ExpressionAttributeValues=item(**{":v": 1}),
    )
    assert said == 'Invalid UpdateExpression: Syntax error; token: "PLEASE", near: "PLEASE ADD"'


def test_a_transaction_of_reads_is_cancelled_by_a_key_that_is_none(db: Db) -> None:
    gets = [{"Get": {"TableName": "Things", "Key": key}} for key in (item(pk="a", sk="b"), {})]
    with pytest.raises(Refused) as refused:
        db("TransactGetItems", TransactItems=gets)
    assert refused.value.code == "TransactionCanceledException"
    assert [reason["Code"] for reason in refused.value.reasons] == ["None", "ValidationError"]


@pytest.mark.parametrize(
    ("update", "code"),
    [
        ({"Create": {"IndexName": "one"}}, "ValidationException"),
        ({"Create": {"IndexName": "two", "unknown": True}}, "ValidationException"),
        ({"Delete": {"IndexName": "two"}}, "ResourceNotFoundException"),
    ],
)
def test_an_index_is_made_once_of_known_attributes_and_removed_where_it_is(
    db: Db, update: dict[str, Any], code: str
) -> None:
    def made(name: str, key: str) -> dict[str, Any]:
        schema = [{"AttributeName": key, "KeyType": "HASH"}]
        return {
            "Create": {
                "IndexName": name,
                "KeySchema": schema,
                "Projection": {"ProjectionType": "ALL"},
            }
        }

    definitions = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "author")]
    first = {"TableName": "Things", "AttributeDefinitions": definitions}
    db("UpdateTable", **first, GlobalSecondaryIndexUpdates=[made("one", "author")])
    if "Create" in update:
        key = "nobody" if update["Create"].get("unknown") else "author"
        update = made(update["Create"]["IndexName"], key)
    with pytest.raises(Refused) as refused:
        db("UpdateTable", TableName="Things", GlobalSecondaryIndexUpdates=[update])
    assert refused.value.code == code


def test_tables_are_listed_in_the_alphabets_order_page_by_page(db: Db) -> None:
    for name in ("abc", "Zoo", "mid"):
        db.table(name)
    assert db("ListTables")["TableNames"] == ["Things", "Zoo", "abc", "mid"]
    page = db("ListTables", Limit=2)
    assert page == {"TableNames": ["Things", "Zoo"], "LastEvaluatedTableName": "Zoo"}
    assert db("ListTables", Limit=2, ExclusiveStartTableName="Zoo") == {
        "TableNames": ["abc", "mid"]
    }
    assert db("ListTables", ExclusiveStartTableName="aaa")["TableNames"] == ["abc", "mid"]
