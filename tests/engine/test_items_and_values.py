"""What an item may hold: values of every type, made normal, and those that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, padded


@pytest.fixture
def table(db: Db) -> Db:
    db.table(keys="pk:S")
    return db


def stored(db: Db, value: Any) -> Any:
    db.put({"pk": {"S": "a"}, "v": value})
    found = db.get("a")
    assert found is not None
    return found["v"]


def refusal(db: Db, value: Any) -> str:
    """The message of a put's refusal; nothing must be stored."""
    with pytest.raises(Refused) as refused:
        db.put({"pk": {"S": "a"}, "v": value})
    assert refused.value.code == "ValidationException"
    assert refused.value.status == 400
    assert db.get("a") is None
    return refused.value.message


@pytest.mark.parametrize(
    "value",
    [
        {"S": ""}, {"S": "é😀\n\"\\"}, {"B": ""}, {"B": "AAECwyg="}, {"BOOL": True},
        {"BOOL": False}, {"NULL": True}, {"L": []}, {"M": {}}, {"SS": ["b", "a"]},
        {"NS": ["2", "1"]}, {"BS": ["AA==", "AQ=="]}, {"SS": [""]},
        {"L": [{"N": "1"}, {"L": [{"M": {"x": {"NULL": True}}}]}]},
        {"M": {"": {"S": "an empty name inside"}}},
    ],
)  # fmt: skip
def test_every_type_comes_back_as_it_went_in(table: Db, value: Any) -> None:
    assert stored(table, value) == value


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("0042", "42"), ("1.50", "1.5"), ("1.0", "1"), ("-0", "0"), ("0.0", "0"), ("+7", "7"),
        ("1E+2", "100"), ("1e-3", "0.001"), ("12.5E1", "125"), ("-3.10", "-3.1"),
        (".5", "0.5"), ("5.", "5"), ("1E-130", "0." + "0" * 129 + "1"),
        ("9.9999999999999999999999999999999999999E+125", "9" * 38 + "0" * 88),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0." + "0" * 40 + "12", "0." + "0" * 40 + "12"),
    ],
)  # fmt: skip
def test_a_number_comes_back_without_exponent_and_needless_zeros(
    table: Db, given: str, text: str
) -> None:
    assert stored(table, {"N": given}) == {"N": text}
    assert stored(table, {"L": [{"NS": [given]}]}) == {"L": [{"NS": [text]}]}


MORE = "Attempting to store more than 38 significant digits in a Number"
OVER = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDER = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
NO_NUMBER = "The parameter cannot be converted to a numeric value"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("123456789012345678901234567890123456789", MORE),
        ("1.23456789012345678901234567890123456789", MORE),
        ("1E126", OVER), ("-1E126", OVER), ("1E-131", UNDER), ("-1E-131", UNDER),
        ("", NO_NUMBER), ("x", f"{NO_NUMBER}: x"), ("1,5", f"{NO_NUMBER}: 1,5"),
        ("NaN", f"{NO_NUMBER}: NaN"), ("Infinity", f"{NO_NUMBER}: Infinity"),
        ("-inf", f"{NO_NUMBER}: -inf"), (" 1", f"{NO_NUMBER}:  1"), ("1_0", f"{NO_NUMBER}: 1_0"),
        ("\u0663", f"{NO_NUMBER}: \u0663"), ("0x10", f"{NO_NUMBER}: 0x10"),
        ("1E999999999", OVER),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused(table: Db, given: str, message: str) -> None:
    assert refusal(table, {"N": given}) == message
    assert refusal(table, {"M": {"x": {"NS": [given]}}}) == message


def test_38_digits_with_zeros_around_them_are_taken(table: Db) -> None:
    digits = "1" * 38
    assert stored(table, {"N": digits + "000"}) == {"N": digits + "000"}
    assert stored(table, {"N": "0.000" + digits}) == {"N": "0.000" + digits}


def test_a_number_that_is_no_text_is_refused(table: Db) -> None:
    for given in (1, 1.5, None):
        with pytest.raises(Refused):
            table.put({"pk": {"S": "a"}, "v": {"N": given}})


EMPTY = "One or more parameter values were invalid: "


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "Supplied AttributeValue is empty, must contain exactly one of the "
         "supported datatypes"),
        ({"S": "a", "N": "1"}, "Supplied AttributeValue has more than one datatypes set, "
         "must contain exactly one of the supported datatypes"),
        ({"X": "a"}, "Supplied AttributeValue is empty, must contain exactly one of the "
         "supported datatypes"),
        ({"SS": []}, EMPTY + "An string set  may not be empty"),
        ({"NS": []}, EMPTY + "An number set  may not be empty"),
        ({"BS": []}, EMPTY + "Binary sets should not be empty"),
        ({"SS": ["a", "b", "a"]}, EMPTY + "Input collection [a, b, a] contains duplicates."),
        ({"NS": ["1", "1.0"]}, "Input collection contains duplicates"),
        ({"BS": ["AA==", "AA=="]},
         EMPTY + "Input collection [AA==, AA==]of type BS contains duplicates."),
        ({"NULL": False}, EMPTY + "Null attribute value types must have the value of true"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused(table: Db, value: Any, message: str) -> None:
    assert refusal(table, value) == message
    assert refusal(table, {"L": [value]}) == message
    assert refusal(table, {"M": {"x": value}}) == message


@pytest.mark.parametrize(
    "value",
    [{"S": 1}, {"S": None}, {"B": "not base64"}, {"B": 1}, {"BOOL": "true"}, {"L": {}}, {"M": []},
     {"SS": "ab"}, {"SS": [1]}, {"NS": [1]}, {"BS": ["?"]}, "text", None, 5, ["S"]],
)  # fmt: skip
def test_a_value_in_the_wrong_form_is_refused(table: Db, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        table.put({"pk": {"S": "a"}, "v": value})
    assert refused.value.status == 400
    assert table.get("a") is None


def test_text_that_is_not_unicode_is_refused(table: Db) -> None:
    with pytest.raises(Refused):
        table.put({"pk": {"S": "a"}, "v": {"S": "\ud800"}})
    with pytest.raises(Refused):
        table.put({"pk": {"S": "\udfff"}})
    assert table.get("a") is None


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "x"}
    for _ in range(levels):
        value = {"L": [value]}
    return value


def test_32_levels_are_taken_and_33_refused(table: Db) -> None:
    assert refusal(table, nested(33)) == "Nesting Levels have exceeded supported limits"
    assert stored(table, nested(32)) == nested(32)


# --- keys -------------------------------------------------------------------------------------


def key_refusal(db: Db, operation: str, **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        db(operation, TableName="Things", **request)
    assert refused.value.code == "ValidationException"
    return refused.value.message


NO_MATCH = "The provided key element does not match the schema"


@pytest.mark.parametrize("operation", ["GetItem", "DeleteItem", "UpdateItem"])
def test_a_key_is_exactly_the_key_attributes_of_their_types(db: Db, operation: str) -> None:
    db.table(keys="pk:S sk:N")
    for key in (item(pk="a"), item(pk="a", x=1), item(pk=1, sk=1), item(pk="a", sk="1"), {}):
        assert key_refusal(db, operation, Key=key) == NO_MATCH
    assert key_refusal(db, operation, Key=item(pk="a", sk=1, x=1)) == (
        "The number of conditions on the keys is invalid"
    )
    assert key_refusal(db, operation, Key=item(pk="", sk=1)).endswith(
        "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
    )


def test_a_put_names_the_key_that_is_missing_or_of_another_type(db: Db) -> None:
    db.table(keys="pk:S sk:N")
    assert key_refusal(db, "PutItem", Item=item(pk="a")) == (
        "One or more parameter values were invalid: Missing the key sk in the item"
    )
    assert key_refusal(db, "PutItem", Item=item(pk="a", sk="1")) == (
        "One or more parameter values were invalid: Type mismatch for key sk expected: N actual: S"
    )


def test_a_binary_key_cannot_be_empty(db: Db) -> None:
    db.table(keys="pk:B")
    assert key_refusal(db, "PutItem", Item=item(pk=b"")) == (
        "One or more parameter values are not valid. The AttributeValue for a key attribute "
        "cannot contain an empty binary value. Key: pk"
    )


def test_a_partition_key_has_at_most_2048_bytes_and_a_sort_key_1024(db: Db) -> None:
    db.table()
    db.put(item(pk="é" * 1024, sk="é" * 512))
    assert db.get("é" * 1024, "é" * 512) is not None
    # The space is missing on AWS too.
    assert key_refusal(db, "PutItem", Item=item(pk="é" * 1024 + "x", sk="1")) == (
        "One or more parameter values were invalid: "
        "Size of hashkey has exceeded the maximum size limit of2048 bytes"
    )
    assert key_refusal(db, "GetItem", Key=item(pk="a", sk="x" * 1025)) == (
        "One or more parameter values were invalid: "
        "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    )


def test_numbers_that_are_equal_are_one_key(db: Db) -> None:
    db.table(keys="pk:N")
    db.put({"pk": {"N": "1"}, "v": {"S": "first"}})
    db.put({"pk": {"N": "1.00"}, "v": {"S": "second"}})
    found = db("GetItem", TableName="Things", Key={"pk": {"N": "0.1E1"}})
    assert found["Item"] == {"pk": {"N": "1"}, "v": {"S": "second"}}
    assert db("Scan", TableName="Things")["Count"] == 1


def test_keys_that_join_to_the_same_text_stay_two_items(db: Db) -> None:
    db.table()
    db.put(item(pk="A#", sk="B", v=1))
    db.put(item(pk="A", sk="#B", v=2))
    assert db.get("A#", "B") == item(pk="A#", sk="B", v=1)
    assert db.get("A", "#B") == item(pk="A", sk="#B", v=2)


def test_text_binary_and_number_keys_are_told_apart(db: Db) -> None:
    for kind, value in (("S", "1"), ("N", 1), ("B", b"1")):
        db.table(f"Keys{kind}", keys=f"pk:{kind}")
        db.put(item(pk=value), table=f"Keys{kind}")
        assert db.get(value, table=f"Keys{kind}") == item(pk=value)


# --- the 400 KB -------------------------------------------------------------------------------


def test_an_item_of_409_600_bytes_is_taken_and_one_more_refused(table: Db) -> None:
    table.put(padded(409_600, pk="a"))
    with pytest.raises(Refused) as refused:
        table.put(padded(409_601, pk="b"))
    assert refused.value.message == "Item size has exceeded the maximum allowed size"
    assert table.get("b") is None


def test_with_a_local_index_its_entries_count_with_the_item(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "ALL")])
    db.put(padded(204_800, pk="a", sk="1", n=1))
    with pytest.raises(Refused, match="Item size has exceeded the maximum allowed size"):
        db.put(padded(204_801, pk="a", sk="1", n=1))
    db.put(padded(409_600, pk="a", sk="2"))  # not in the index


def test_nothing_that_was_answered_changes_what_is_stored(table: Db) -> None:
    given: dict[str, Any] = {"pk": {"S": "a"}, "l": {"L": [{"S": "x"}]}, "s": {"SS": ["x"]}}
    table.put(given)
    given["l"]["L"].append({"S": "y"})
    given["s"]["SS"].append("y")
    assert table.get("a") == {"pk": {"S": "a"}, "l": {"L": [{"S": "x"}]}, "s": {"SS": ["x"]}}


# --- tables that are not there, and return values -----------------------------------------------


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("GetItem", {"Key": item(pk="a")}),
        ("PutItem", {"Item": item(pk="a")}),
        ("DeleteItem", {"Key": item(pk="a")}),
        ("UpdateItem", {"Key": item(pk="a")}),
        ("Scan", {}),
        ("Query", {"KeyConditionExpression": "pk = :p",
                   "ExpressionAttributeValues": {":p": {"S": "a"}}}),
    ],
)  # fmt: skip
def test_a_table_that_is_not_there_is_not_found(
    db: Db, operation: str, request_: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refused:
        db(operation, TableName="Nowhere", **request_)
    assert (refused.value.code, refused.value.message) == (
        "ResourceNotFoundException",
        "Requested resource not found",
    )


def test_put_and_delete_return_the_old_item_or_nothing(table: Db) -> None:
    assert table.put(item(pk="a", n=1), ReturnValues="ALL_OLD") == {}
    assert table.put(item(pk="a", n=2), ReturnValues="ALL_OLD") == {"Attributes": item(pk="a", n=1)}
    delete = {"TableName": "Things", "Key": item(pk="a"), "ReturnValues": "ALL_OLD"}
    assert table("DeleteItem", **delete) == {"Attributes": item(pk="a", n=2)}
    assert table("DeleteItem", **delete) == {}
    for wanted in ("ALL_NEW", "UPDATED_OLD"):
        with pytest.raises(Refused, match="Return values set to invalid value"):
            table.put(item(pk="a"), ReturnValues=wanted)


def test_a_projection_shows_parts_nested_as_they_are(table: Db) -> None:
    table.put(item(pk="a", m={"x": 1, "y": 2}, l=[0, {"z": 1}, 2], **{"a.b": 1}))
    reply = table(
        "GetItem",
        TableName="Things",
        Key=item(pk="a"),
        ProjectionExpression="m.x, l[2], l[0], gone, #d",
        ExpressionAttributeNames={"#d": "a.b"},
    )
    assert reply["Item"] == item(m={"x": 1}, l=[0, 2], **{"a.b": 1})
    with pytest.raises(Refused, match="Two document paths overlap"):
        table("GetItem", TableName="Things", Key=item(pk="a"), ProjectionExpression="m, m.x")
    for bad in ("m.", "m x", "[0]", ",m", "m[x]"):
        with pytest.raises(Refused, match="Invalid ProjectionExpression: Syntax error"):
            table("GetItem", TableName="Things", Key=item(pk="a"), ProjectionExpression=bad)
