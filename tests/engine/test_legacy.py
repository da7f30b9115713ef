"""Requests of the years before expressions do what their expressions do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, value

KEY = item(pk="a", sk="001")


@pytest.fixture
def db() -> Db:
    made = Db()
    made.table()
    made.put(item(pk="a", sk="001", n=3, name="Mara", tags={"x", "y"}, gone=1))
    made.put(item(pk="a", sk="002", n=7, name="Tom"))
    made.put(item(pk="a", sk="003", name="Mo"))
    return made


def stored(db: Db) -> dict[str, Any]:
    return db("GetItem", TableName="Things", Key=KEY)["Item"]


def found(db: Db, operation: str = "Scan", **request: Any) -> list[str]:
    items = db(operation, TableName="Things", **request)["Items"]
    return [each["sk"]["S"] for each in items]


def test_attribute_updates_set_add_delete_and_remove(db: Db) -> None:
    db(
        "UpdateItem",
        TableName="Things",
        Key=KEY,
        AttributeUpdates={
            "name": {"Value": value("Mara K.")},
            "n": {"Action": "ADD", "Value": value(4)},
            "tags": {"Action": "DELETE", "Value": value({"x"})},
            "gone": {"Action": "DELETE"},
        },
    )
    assert stored(db) == item(pk="a", sk="001", n=7, name="Mara K.", tags={"y"})


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"ComparisonOperator": "EQ", "AttributeValueList": [value(3)]}, ["001"]),
        ({"ComparisonOperator": "NE", "AttributeValueList": [value(3)]}, ["002", "003"]),
        ({"ComparisonOperator": "LT", "AttributeValueList": [value(7)]}, ["001"]),
        ({"ComparisonOperator": "LE", "AttributeValueList": [value(7)]}, ["001", "002"]),
        ({"ComparisonOperator": "GT", "AttributeValueList": [value(3)]}, ["002"]),
        ({"ComparisonOperator": "GE", "AttributeValueList": [value(3)]}, ["001", "002"]),
        ({"ComparisonOperator": "NULL"}, ["003"]),
        ({"ComparisonOperator": "NOT_NULL"}, ["001", "002"]),
        ({"ComparisonOperator": "IN", "AttributeValueList": [value(3), value(9)]}, ["001"]),
        ({"ComparisonOperator": "BETWEEN", "AttributeValueList": [value(4), value(9)]}, ["002"]),
    ],
)
def test_each_comparison_filters_as_its_expression_does(
    db: Db, condition: dict[str, Any], expected: list[str]
) -> None:
    assert found(db, ScanFilter={"n": condition}) == expected


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("CONTAINS", ["001"]), ("NOT_CONTAINS", ["002", "003"]), ("BEGINS_WITH", ["001"])],
)
def test_texts_are_searched(db: Db, operator: str, expected: list[str]) -> None:
    operand = "ara" if "CONTAINS" in operator else "Ma"
    condition = {"ComparisonOperator": operator, "AttributeValueList": [value(operand)]}
    assert found(db, ScanFilter={"name": condition}) == expected


@pytest.mark.parametrize(("joint", "expected"), [("AND", []), ("OR", ["001", "002"])])
def test_conditions_join_as_they_are_told(db: Db, joint: str, expected: list[str]) -> None:
    conditions = {
        "n": {"ComparisonOperator": "EQ", "AttributeValueList": [value(3)]},
        "name": {"ComparisonOperator": "EQ", "AttributeValueList": [value("Tom")]},
    }
    assert found(db, ScanFilter=conditions, ConditionalOperator=joint) == expected


def test_a_query_of_old_has_a_key_condition_a_filter_and_attributes(db: Db) -> None:
    keys = {
        "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [value("a")]},
        "sk": {"ComparisonOperator": "GT", "AttributeValueList": [value("001")]},
    }
    named = {"name": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [value("T")]}}
    reply = db(
        "Query",
        TableName="Things",
        KeyConditions=keys,
        QueryFilter=named,
        AttributesToGet=["n"],
        ReturnConsumedCapacity="TOTAL",
    )
    assert (reply["Items"], reply["ScannedCount"]) == ([item(n=7)], 2)
    assert reply["ConsumedCapacity"]["CapacityUnits"] == 0.5


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({"n": {"Value": value(3)}}, True),
        ({"n": {"Value": value(4)}}, False),
        ({"n": {"Exists": False}}, False),
        ({"other": {"Exists": False}}, True),
        ({"n": {"ComparisonOperator": "GE", "AttributeValueList": [value(3)]}}, True),
        ({"n": {"ComparisonOperator": "EQ", "Value": value(4)}}, False),
    ],
)
def test_what_was_expected_is_a_condition(db: Db, expected: dict[str, Any], holds: bool) -> None:
    if holds:
        db("DeleteItem", TableName="Things", Key=KEY, Expected=expected)
        assert "Item" not in db("GetItem", TableName="Things", Key=KEY)
        return
    with pytest.raises(Refused, match="ConditionalCheckFailedException"):
        db("DeleteItem", TableName="Things", Key=KEY, Expected=expected)


def test_a_batch_gets_the_attributes_of_each_table(db: Db) -> None:
    asked = {"Things": {"Keys": [KEY], "AttributesToGet": ["name"]}}
    reply = db("BatchGetItem", RequestItems=asked)
    assert reply["Responses"] == {"Things": [item(name="Mara")]}


@pytest.mark.parametrize(
    ("operation", "request_", "said"),
    [
        (
            "PutItem",
            {"Item": KEY, "Expected": {}, "ConditionExpression": "attribute_exists(pk)"},
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
        ),
        (
            "GetItem",
            {"Key": KEY, "AttributesToGet": ["n"], "ExpressionAttributeNames": {"#n": "n"}},
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        ("GetItem", {"Key": KEY, "AttributesToGet": []}, "at 'attributesToGet' failed"),
        ("GetItem", {"Key": KEY, "AttributesToGet": ["n", "n"]}, "Duplicate value"),
        ("DeleteItem", {"Key": KEY, "Expected": {"n": {}}}, "Value must be provided when Exists"),
        (
            "DeleteItem",
            {"Key": KEY, "Expected": {"n": {"Exists": False, "Value": value(1)}}},
            "Value cannot be used when Exists is false",
        ),
        (
            "UpdateItem",
            {"Key": KEY, "AttributeUpdates": {"n": {"Action": "PUT"}}},
            "Only DELETE action is allowed when no attribute value is specified",
        ),
        (
            "UpdateItem",
            {"Key": KEY, "AttributeUpdates": {"n": {"Action": "SET", "Value": value(1)}}},
            "Member must satisfy enum value set: [ADD, PUT, DELETE]",
        ),
        (
            "Scan",
            {"ScanFilter": {"n": {"ComparisonOperator": "LIKE", "AttributeValueList": [KEY]}}},
            "Value 'LIKE' at 'comparisonOperator'",
        ),
        (
            "Scan",
            {"ScanFilter": {"n": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [KEY]}}},
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(
    db: Db, operation: str, request_: dict[str, Any], said: str
) -> None:
    with pytest.raises(Refused) as refused:
        db(operation, TableName="Things", **request_)
    assert refused.value.code == "ValidationException"
    assert said in refused.value.message
