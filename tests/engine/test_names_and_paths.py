"""Names and document paths in expressions: what DynamoDB takes as one, and where it may lead."""

from __future__ import annotations

import pytest

from tests.engine.calls import Db, Refused, item, values

NESTED = (
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed"
)


@pytest.fixture
def table(db: Db) -> Db:
    db.table(keys="pk:S", global_=[("by_g", "g:S", "ALL")])
    db.put(item(pk="a", tags=list(range(12)), _n=1))
    return db


def test_a_path_reaches_the_elements_of_a_list_past_the_tenth(table: Db) -> None:
    found = table("Scan", TableName="Things", FilterExpression="tags[10] = :ten",
                  ExpressionAttributeValues=values(ten=10))  # fmt: skip
    assert found["Count"] == 1


def test_a_name_may_begin_with_an_underscore(table: Db) -> None:
    table.put(item(pk="a"), ConditionExpression="attribute_exists(#n) AND _n = :one",
              ExpressionAttributeNames={"#n": "_n"},
              ExpressionAttributeValues=values(one=1))  # fmt: skip


@pytest.mark.parametrize("name", ["user-id", "1st", "nick x", "naïve"])
@pytest.mark.parametrize("parameter", ["FilterExpression", "ProjectionExpression"])
def test_other_names_need_a_placeholder(table: Db, parameter: str, name: str) -> None:
    expression = f"attribute_exists({name})" if parameter == "FilterExpression" else name
    with pytest.raises(Refused, match=f"Invalid {parameter}: Syntax error"):
        table("Scan", TableName="Things", **{parameter: expression})


@pytest.mark.parametrize(("path", "what"), [("pk[0]", "Key: pk"), ("g.x", "IndexKey: g")])
@pytest.mark.parametrize("parameter", ["FilterExpression", "ProjectionExpression"])
def test_no_path_leads_into_a_key(table: Db, parameter: str, path: str, what: str) -> None:
    expression = f"attribute_exists({path})" if parameter == "FilterExpression" else path
    with pytest.raises(Refused) as refused:
        table("Scan", TableName="Things", **{parameter: expression})
    assert refused.value.message == f"{NESTED}: {what}"


@pytest.mark.parametrize("name", ["no spaces", "non!existent"])
def test_a_name_that_no_table_can_have_is_invalid_and_not_just_unknown(db: Db, name: str) -> None:
    with pytest.raises(Refused) as refused:
        db("Scan", TableName=name)
    assert refused.value.code == "ValidationException"


def test_a_name_of_two_letters_is_unknown(db: Db) -> None:
    """Since a table may be named by its ARN, only CreateTable asks for three letters."""
    with pytest.raises(Refused) as refused:
        db("Scan", TableName="ab")
    assert refused.value.code == "ResourceNotFoundException"
