"""Generated mistakes: requests changed into ones that are, as a rule, refused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.engine.generated import Draw, Shape, Wire, binary, keys

# No path as a bound of BETWEEN or among the options of IN: dynalite dies where it is absent.
_BAD_CONDITIONS: list[tuple[str, Wire | None]] = [
    ("begins_with(v1, :x)", {"N": "1"}),
    ("begins_with(v1, :x)", {"BOOL": True}),
    ("attribute_type(v1, :x)", {"S": "STRING"}),
    ("attribute_type(v1, :x)", {"N": "1"}),
    ("attribute_type(v1, v2)", None),
    ("attribute_exists(:x)", {"S": "v1"}),
    ("attribute_exists(v1, v2)", None),
    ("size(:x) > v2", {"N": "1"}),
    ("size(v1)", None),
    ("size(v1) = size(v2)", None),
    ("contains(v1)", None),
    ("contains(v1, v1)", None),
    ("v1 = v1", None),
    ("user-id = :x", {"N": "1"}),
    ("1v = :x", {"N": "1"}),
    ("_v1 = :x", {"N": "1"}),
    ("v1[10] = :x", {"N": "1"}),
    ("v1 <> v1", None),
    (":x < v1", {"N": "1"}),
    ("((v1 = :x))", {"N": "1"}),
    ("(v1 = :x)", {"N": "1"}),
    ("NOT v1 = :x AND v2 = :x OR v3 = :x", {"N": "1"}),
    ("attribute_exists(v1) = :x", {"BOOL": True}),
    ("begin_with(v1, :x)", {"S": "a"}),
    ("v1 == :x", {"S": "a"}),
    ("v1 != :x", {"S": "a"}),
    ("name = :x", {"S": "a"}),
    ("v1 = :x AND", {"S": "a"}),
    ("v1 = :x v2 = :x", {"S": "a"}),
    ("v1..k0 = :x", {"S": "a"}),
    ("v1[x] = :x", {"S": "a"}),
    ("v1", None),
    ("", None),
    (" ", None),
]
_BAD_UPDATES: list[tuple[str, Wire | None]] = [
    ("SET v1 = v2, v2 = v1", None),
    ("SET v1 = v2, v1 = v3", None),
    ("SET v1 = v2 SET v3 = v4", None),
    ("SET v1 = v2, v1.k0 = v3", None),
    ("SET v1.k0 = v2, v1[0] = v3", None),
    ("SET v1 = v2 + :x", {"S": "a"}),
    ("SET v1 = :x + :x", {"N": "1"}),
    ("SET v1 = v2 + v3 + v4", None),
    ("SET v1 = list_append(v2, :x)", {"S": "a"}),
    ("SET v1 = list_append(:x, :x)", {"L": [{"N": "1"}]}),
    ("SET v1 = if_not_exists(:x, v2)", {"N": "1"}),
    ("SET v1 = if_not_exists(v2, v3)", None),
    ("SET v1 = size(v2)", None),
    ("SET user-id = :x", {"N": "1"}),
    ("SET _v1 = :x", {"N": "1"}),
    ("SET v1", None),
    ("SET v1 = ", None),
    ("v1 = :x", {"N": "1"}),
    ("ADD v1 :x", {"S": "a"}),
    ("ADD v1 :x", {"L": []}),
    ("ADD v1 v2", None),
    ("ADD v1.k0 :x", {"N": "1"}),
    ("DELETE v1 :x", {"N": "1"}),
    ("DELETE v1 :x", {"L": []}),
    ("REMOVE v1, v1", None),
    ("REMOVE v1[0], v1[1]", None),
    ("REMOVE v1 = :x", {"N": "1"}),
    ("set v1 = :x remove v2", {"N": "1"}),
    ("SET name = :x", {"N": "1"}),
    ("SET v1 = name", None),
    ("SET pk = :x", {"N": "1"}),
    ("SET v1[9] = :x", {"N": "1"}),
    ("", None),
    (" ", None),
]
_BAD_VALUES: list[Wire] = [
    {"N": "1" * 39},
    {"N": "1E126"},
    {"N": "1e-131"},
    {"N": "one"},
    {"N": ""},
    {"SS": []},
    {"SS": ["a", "a"]},
    {"NS": ["1", "1.0"]},
    {"NULL": False},
    {"S": "a", "N": "1"},
    {"S": "x" * 409_600},
    {"S": "x" * 409_500},
    {},
]


def spoil(draw: Draw, operation: str, shape: Shape, request: dict[str, Any]) -> None:
    """Change a request into one that is, as a rule, refused."""
    key = "Item" if "Item" in request else "Key" if "Key" in request else None
    ways = ["unit", "name", "value", "table"]
    if key is not None:
        ways += ["no key", "key type", "empty key", "long key", "more key"] * 2
    if operation == "PutItem":
        ways += ["bad value", "index key"] * 3
    if operation not in ("GetItem", "Query"):
        ways += ["condition"] * 3
    if operation == "UpdateItem":
        ways += ["update"] * 6
    if operation in ("Query", "Scan"):
        ways += ["limit", "index", "consistent", "start", "filter", "select", "segment"] * 2
    way = draw(st.sampled_from(ways))
    name = draw(st.sampled_from(shape.schema))
    if way == "unit":
        request["ReturnConsumedCapacity"] = "SOME"
    elif way == "name":
        request["ExpressionAttributeNames"] = {"#unused": "v1"}
    elif way == "value":
        request["ExpressionAttributeValues"] = {":unused": {"S": "x"}}
    elif way == "table":
        request["TableName"] = draw(st.sampled_from(["Unknown", "x", "no spaces"]))
    elif way == "no key" and key is not None:
        del request[key][name]
    elif way == "key type" and key is not None:
        request[key][name] = {"BOOL": True}
    elif way == "empty key" and key is not None:
        request[key][name] = {draw(st.sampled_from("SB")): ""}
    elif way == "long key" and key is not None:
        length = draw(st.sampled_from([1024, 1025, 2048, 2049]))
        request[key][name] = draw(
            st.sampled_from([{"S": "x" * length}, {"B": binary(b"x" * length)}])
        )
    elif way == "more key" and key is not None:
        request[key]["more"] = {"S": "x"}
    elif way == "bad value":
        request["Item"]["v1"] = draw(st.sampled_from(_BAD_VALUES))
    elif way == "index key":
        for other in shape.types:
            if other not in shape.schema:
                request["Item"][other] = draw(
                    st.sampled_from([{"S": ""}, {"B": ""}, {"NULL": True}, {"BOOL": False}])
                )
    elif way in ("condition", "update"):
        _rewrite(draw, operation, way, request)
    elif way == "limit":
        request["Limit"] = 0
    elif way == "index":
        request["IndexName"] = "by-nothing"
    elif way == "consistent":
        request["ConsistentRead"] = True
    elif way == "start":
        request["ExclusiveStartKey"] = {**draw(keys(shape)), **draw(st.sampled_from([
            {}, {"v1": {"S": "x"}}, {shape.schema[0]: {"BOOL": True}},
        ]))}  # fmt: skip
    elif way == "filter":
        request["FilterExpression"] = draw(
            st.sampled_from([f"attribute_exists({name})", "v1 ==", "v1", "", "NOT v1", "size(v1)"])
        )
    elif way == "select":
        request["Select"] = draw(st.sampled_from(["COUNT", "EVERYTHING", "SPECIFIC_ATTRIBUTES"]))
    elif way == "segment":
        request["Segment"], request["TotalSegments"] = 2, 2


def _rewrite(draw: Draw, operation: str, way: str, request: dict[str, Any]) -> None:
    """Put one odd expression in the place of all the expressions of a request."""
    for parameter in list(request):
        if "Expression" in parameter:
            del request[parameter]
    parameter = "FilterExpression" if operation == "Scan" else "ConditionExpression"
    if way == "update":
        parameter = "UpdateExpression"
    expression, value = draw(st.sampled_from(_BAD_UPDATES if way == "update" else _BAD_CONDITIONS))
    request[parameter] = expression
    if value is not None:
        request["ExpressionAttributeValues"] = {":x": value}
