"""Tables that DynamoDB does not make, index keys that it does not take, operations not served."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, schema_of, values

INVALID = "One or more parameter values were invalid: "


def refusal(db: Db, **table: Any) -> str:
    with pytest.raises(Refused) as refused:
        db.table(**table)
    assert refused.value.code == "ValidationException"
    assert db("ListTables") == {"TableNames": []}
    return refused.value.message


# --- local secondary indexes ------------------------------------------------------------------


def test_a_table_without_a_sort_key_has_no_local_index(db: Db) -> None:
    assert refusal(db, keys="pk:S", local=[("by_n", "n:N", "ALL")]) == (
        INVALID + "Table KeySchema does not have a range key, which is required when specifying "
        "a LocalSecondaryIndex"
    )


def test_five_local_indexes_are_taken_and_six_refused(db: Db) -> None:
    indexes = [(f"by_{number}", f"n{number}:N", "KEYS_ONLY") for number in range(6)]
    assert refusal(db, local=indexes) == (
        INVALID + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"
    )
    db.table(local=indexes[:5])


def local(db: Db, *schema: str) -> str:
    with pytest.raises(Refused) as refused:
        db(
            "CreateTable",
            TableName="Things",
            KeySchema=schema_of(["pk", "sk"]),
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"}
                for name in dict.fromkeys(["pk", "sk", *schema])
            ],
            LocalSecondaryIndexes=[
                {
                    "IndexName": "index",
                    "KeySchema": schema_of([*schema]),
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            BillingMode="PAY_PER_REQUEST",
        )
    assert db("ListTables") == {"TableNames": []}
    return refused.value.message


def test_a_local_index_has_the_partition_key_of_its_table(db: Db) -> None:
    assert local(db, "other", "n") == (
        INVALID + "Index KeySchema does not have the same leading hash key as table KeySchema for "
        "index: index. index hash key: other, table hash key: pk"
    )


def test_a_local_index_has_a_sort_key_of_its_own(db: Db) -> None:
    assert local(db, "pk") == (
        INVALID + "Index KeySchema does not have a range key for index: index"
    )
    assert local(db, "pk", "pk") == (
        "Both the Hash Key and the Range Key element in the KeySchema have the same name"
    )


# --- names, schemas, projections ----------------------------------------------------------------


def test_two_indexes_have_two_names(db: Db) -> None:
    message = INVALID + "Duplicate index name: twice"
    for indexes in (
        {"local": [("twice", "n:N", "ALL"), ("twice", "m:N", "ALL")]},
        {"local": [("twice", "n:N", "ALL")], "global_": [("twice", "k:S", "ALL")]},
    ):
        assert refusal(db, **indexes) == message


@pytest.mark.parametrize(
    ("projection", "problem"),
    [
        ({"ProjectionType": "SOME"}, "Unknown ProjectionType: SOME"),
        ({}, "Unknown ProjectionType: null"),
        ({"ProjectionType": "INCLUDE"},
         "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
        ({"ProjectionType": "ALL", "NonKeyAttributes": ["x"]},
         "ProjectionType is ALL, but NonKeyAttributes is specified"),
        ({"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]},
         "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["Local", "Global"])
def test_a_projection_says_what_it_includes(
    db: Db, kind: str, projection: dict[str, Any], problem: str
) -> None:
    with pytest.raises(Refused) as refused:
        db(
            "CreateTable",
            TableName="Things",
            KeySchema=schema_of(["pk", "sk"]),
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "n")
            ],
            BillingMode="PAY_PER_REQUEST",
            **{
                f"{kind}SecondaryIndexes": [
                    {
                        "IndexName": "index",
                        "KeySchema": schema_of(["pk", "n"]),
                        "Projection": projection,
                    }
                ]
            },
        )
    assert refused.value.message == INVALID + problem


def test_indexes_include_at_most_100_attributes_in_all(db: Db) -> None:
    def including(count: int) -> str:
        return "INCLUDE " + " ".join(f"x{number}" for number in range(count))

    indexes = [("by_n", "n:N", including(60)), ("by_m", "m:N", including(41))]
    assert "100" in refusal(db, local=indexes)
    db.table(local=[indexes[0], ("by_m", "m:N", including(40))])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ab", "Member must have length greater than or equal to 3"),
        ("x" * 256, "Member must have length less than or equal to 255"),
    ],
)
def test_a_table_name_has_3_to_255_characters(db: Db, name: str, message: str) -> None:
    problem = f"Value '{name}' at 'tableName' failed to satisfy constraint: {message}"
    assert refusal(db, name=name) == f"1 validation error detected: {problem}"


@pytest.mark.parametrize("name", ["a b c", "täglich", "a/b/c"])
def test_a_table_name_is_of_letters_digits_and_three_signs(db: Db, name: str) -> None:
    assert r"[a-zA-Z0-9_.-]+" in refusal(db, name=name)
    db.table("a.b-c_9")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ([("pk", "RANGE")], "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
        ([("pk", "HASH"), ("sk", "HASH")],
         "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
        ([("pk", "HASH"), ("pk", "RANGE")],
         "Invalid KeySchema: Some index key attribute have no definition"),
        ([], "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
    ],
)  # fmt: skip
def test_a_key_schema_is_a_partition_key_and_perhaps_a_sort_key(
    db: Db, schema: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(Refused) as refused:
        db(
            "CreateTable",
            TableName="Things",
            KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in schema],
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name, _ in dict(schema).items()
            ],
            BillingMode="PAY_PER_REQUEST",
        )
    assert refused.value.message == message


def test_a_key_has_a_definition_and_a_definition_a_key(db: Db) -> None:
    request: dict[str, Any] = {
        "TableName": "Things",
        "KeySchema": schema_of(["pk", "sk"]),
        "BillingMode": "PAY_PER_REQUEST",
    }
    for names in (["pk"], ["pk", "sk", "x"], ["pk", "x"]):
        definitions = [{"AttributeName": name, "AttributeType": "S"} for name in names]
        with pytest.raises(Refused) as refused:
            db("CreateTable", AttributeDefinitions=definitions, **request)
        assert refused.value.code == "ValidationException"


def test_a_table_is_made_once(db: Db) -> None:
    db.table()
    with pytest.raises(Refused) as refused:
        db.table()
    assert refused.value.code == "ResourceInUseException"


def test_a_deleted_table_takes_its_items_along(db: Db) -> None:
    db.table()
    db.put(item(pk="a", sk="1"))
    db("DeleteTable", TableName="Things")
    db.table()
    assert db("Scan", TableName="Things")["Count"] == 0


def test_a_description_counts_the_items(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "ALL")])
    db.put(item(pk="a", sk="1"))
    table = db("DescribeTable", TableName="Things")["Table"]
    assert (table["TableStatus"], table["ItemCount"]) == ("ACTIVE", 1)
    assert [index["IndexName"] for index in table["LocalSecondaryIndexes"]] == ["by_n"]


def test_an_index_added_later_holds_what_is_there(db: Db) -> None:
    db.table()
    db.put(item(pk="a", sk="1", kind="k"))
    db(
        "UpdateTable",
        TableName="Things",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "kind")
        ],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "g",
                    "KeySchema": schema_of(["kind"]),
                    "Projection": {"ProjectionType": "ALL"},
                }
            }
        ],
    )
    assert db.query("kind = :k", v={"k": "k"}, IndexName="g")["Count"] == 1
    db.put(item(pk="a", sk="2", kind="k"))
    assert db.query("kind = :k", v={"k": "k"}, IndexName="g")["Count"] == 2
    db(
        "UpdateTable",
        TableName="Things",
        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "g"}}],
    )
    with pytest.raises(Refused, match="does not have the specified index"):
        db.query("kind = :k", v={"k": "k"}, IndexName="g")


# --- index keys -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["local", "global_"])
def test_a_put_with_an_index_key_of_another_type_is_refused(db: Db, kind: str) -> None:
    schema = "score:N" if kind == "local" else "game:S score:N"
    db.table(**{kind: [("ranking", schema, "ALL")]})
    friend = item(pk="g", sk="ann", game="g")
    for wrong, actual in (({"S": "7"}, "S"), ({"NULL": True}, "NULL"), ({"L": []}, "L")):
        for operation, request in (
            ("PutItem", {"TableName": "Things", "Item": {**friend, "score": wrong}}),
            ("BatchWriteItem",
             {"RequestItems": {"Things": [{"PutRequest": {"Item": {**friend, "score": wrong}}}]}}),
            ("TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": "Things", "Item": {**friend, "score": wrong}}}]}),
        ):  # fmt: skip
            with pytest.raises(Refused) as refused:
                db(operation, **request)
            assert refused.value.code == "ValidationException"
            assert refused.value.message == (
                INVALID + f"Type mismatch for Index Key score Expected: N Actual: {actual} "
                "IndexName: ranking"
            )
    assert db.get("g", "ann") is None
    db.put(friend)  # without the index key it is in the table and not in the index
    assert db("Scan", TableName="Things", IndexName="ranking")["Count"] == 0


@pytest.mark.parametrize(("kind", "empty", "word"), [("S", "", "string"), ("B", b"", "binary")])
def test_an_index_key_cannot_be_empty(db: Db, kind: str, empty: Any, word: str) -> None:
    db.table(global_=[("g", f"kind:{kind}", "ALL")])
    with pytest.raises(Refused) as refused:
        db.put(item(pk="a", sk="1", kind=empty))
    assert refused.value.message == (
        "One or more parameter values are not valid. A value specified for a secondary index key "
        f"is not supported. The AttributeValue for a key attribute cannot contain an empty {word} "
        "value. IndexName: g, IndexKey: kind"
    )
    db.put(item(pk="a", sk="1", other=""))


# --- what the engine does not serve -------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("ExecuteStatement", {"Statement": 'SELECT * FROM "Things"'}),
        ("BatchExecuteStatement", {"Statements": []}),
        ("ExecuteTransaction", {"TransactStatements": []}),
        ("CreateBackup", {"TableName": "Things", "BackupName": "b"}),
        ("RestoreTableToPointInTime", {"SourceTableName": "Things", "TargetTableName": "Others"}),
        ("Nonsense", {}),
        ("Dispatch", {}),
        ("", {}),
    ],
)
def test_an_operation_that_is_not_served_is_refused_by_a_sentence(
    db: Db, operation: str, request_: dict[str, Any]
) -> None:
    db.table()
    with pytest.raises(Refused) as refused:
        db(operation, **request_)
    assert refused.value.code == "UnknownOperationException"
    assert refused.value.message == (
        f"DynaLab's engine does not serve {operation}; it knows tables, items and streams."
    )


def test_tables_tags_and_time_to_live_are_served(db: Db) -> None:
    db.table()
    arn = db("DescribeTable", TableName="Things")["Table"]["TableArn"]
    db("TagResource", ResourceArn=arn, Tags=[{"Key": "lab", "Value": "01"}])
    assert db("ListTagsOfResource", ResourceArn=arn)["Tags"] == [{"Key": "lab", "Value": "01"}]
    ttl = {"Enabled": True, "AttributeName": "expires"}
    db("UpdateTimeToLive", TableName="Things", TimeToLiveSpecification=ttl)
    described = db("DescribeTimeToLive", TableName="Things")["TimeToLiveDescription"]
    assert described == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    assert db("ListTables") == {"TableNames": ["Things"]}


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("PutItem", {}),
        ("PutItem", {"TableName": "Things"}),
        ("PutItem", {"TableName": "Things", "Item": []}),
        ("GetItem", {"TableName": "Things", "Key": "x"}),
        ("GetItem", {"TableName": 5, "Key": {}}),
        ("Query", {"TableName": "Things", "KeyConditionExpression": 5}),
        ("UpdateItem", {"TableName": "Things", "Key": item(pk="a", sk="1"),
                        "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": []}),
        ("TransactWriteItems", {"TransactItems": {}}),
        ("TransactWriteItems", {"TransactItems": [{"Put": {}}]}),
        ("BatchWriteItem", {"RequestItems": []}),
        ("BatchGetItem", {"RequestItems": {"Things": {}}}),
        ("Scan", {"TableName": "Things", "Limit": "3"}),
        ("CreateTable", {"TableName": "Others"}),
        ("DescribeTable", {}),
        ("GetRecords", {}),
    ],
)  # fmt: skip
def test_a_request_without_its_form_is_refused_and_ends_nothing(
    db: Db, operation: str, request_: dict[str, Any]
) -> None:
    db.table()
    with pytest.raises(Refused) as refused:
        db(operation, **request_)
    assert refused.value.status == 400
    assert refused.value.code in ("ValidationException", "SerializationException")
    db.put(item(pk="a", sk="1"))
    assert db.update(item(pk="a", sk="1"), "ADD n :n", values=values(n=1)) == {}
