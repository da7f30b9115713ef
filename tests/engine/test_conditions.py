"""Condition and filter expressions: types first, paths, functions, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, values

ITEM = item(
    pk="a",
    n=5,
    neg=-3,
    s="text",
    b=b"\x01\x02",
    yes=True,
    nay=False,
    nothing=None,
    l=[1, "two", {"x": 3}, [4]],
    m={"x": 1, "deep": {"l": ["u", {"v": "w"}]}, "a.b": "dotted"},
    ss={"x", "y"},
    ns={1, Decimal("2.5")},
    bs={b"\x01"},
    e="",
)


@pytest.fixture
def table(db: Db) -> Db:
    db.table(keys="pk:S")
    db.put(ITEM)
    return db


def holds(db: Db, condition: str, names: dict[str, str] | None = None, **given: Any) -> bool:
    """Whether a delete under this condition goes through; the item is put back."""
    request: dict[str, Any] = {"ConditionExpression": condition}
    if given:
        request["ExpressionAttributeValues"] = values(**given)
    if names:
        request["ExpressionAttributeNames"] = names
    try:
        db("DeleteItem", TableName="Things", Key=item(pk="a"), **request)
    except Refused as refused:
        if refused.code != "ConditionalCheckFailedException":
            raise
        assert refused.message == "The conditional request failed"
        assert db.get("a") == ITEM
        return False
    db.put(ITEM)
    return True


def refusal(db: Db, condition: str, **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        db(
            "DeleteItem",
            TableName="Things",
            Key=item(pk="a"),
            ConditionExpression=condition,
            **request,
        )
    assert refused.value.code == "ValidationException"
    assert db.get("a") == ITEM
    return refused.value.message


# --- comparisons ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "operand", "truth"),
    [
        ("n = :o", 5, True), ("n = :o", Decimal("5.0"), True), ("n <> :o", 5, False),
        ("n < :o", 6, True), ("n <= :o", 5, True), ("n > :o", Decimal("4.999"), True),
        ("n >= :o", 6, False), ("n > :o", -100, True), ("neg < :o", -2, True),
        ("n > :o", 10, False), (":o < n", 4, True),
        ("s = :o", "text", True), ("s < :o", "texu", True), ("s > :o", "Text", True),
        ("s < :o", "tex", False), ("b = :o", b"\x01\x02", True), ("b < :o", b"\x01\x03", True),
        ("b < :o", b"\x00\xff", False), ("yes = :o", True, True), ("yes = :o", False, False),
        ("nothing = :o", None, True), ("ss = :o", {"y", "x"}, True), ("ss = :o", {"x"}, False),
        ("ns = :o", {Decimal("2.50"), 1}, True), ("bs = :o", {b"\x01"}, True),
        ("l = :o", [1, "two", {"x": 3}, [4]], True), ("l = :o", [1, "two", {"x": 4}, [4]], False),
        ("m = :o", {"x": 1}, False),
    ],
)  # fmt: skip
def test_values_compare_as_values_of_their_type(
    table: Db, condition: str, operand: Any, truth: bool
) -> None:
    assert holds(table, condition, o=operand) is truth


OPERANDS = {"N": 5, "S": "5", "B": b"5"}


@pytest.mark.parametrize("sign", ["=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("attribute", ["n", "s", "b", "yes", "nothing", "l", "m", "ss"])
def test_another_type_is_false_and_no_error(table: Db, sign: str, attribute: str) -> None:
    for kind, operand in OPERANDS.items():
        if kind.lower() != attribute:
            assert holds(table, f"{attribute} {sign} :o", o=operand) is False
            assert holds(table, f"NOT {attribute} {sign} :o", o=operand) is True


@pytest.mark.parametrize("attribute", ["s", "yes", "l", "absent"])
def test_another_type_is_not_equal(table: Db, attribute: str) -> None:
    assert holds(table, f"{attribute} <> :o", o=5) is True


def test_true_is_not_one_and_text_is_no_number(table: Db) -> None:
    assert holds(table, "yes = :o", o=1) is False
    assert holds(table, "nay = :o", o=0) is False
    assert holds(table, "n = :o", o="5") is False
    assert holds(table, "l[0] = :o", o=True) is False
    assert holds(table, "l = :o", o=[True, "two", {"x": 3}, [4]]) is False


def test_an_absent_attribute_is_less_than_nothing(table: Db) -> None:
    for sign in ("=", "<", ">", "<=", ">="):
        assert holds(table, f"absent {sign} :o", o=1) is False


def test_two_attributes_may_be_compared(table: Db) -> None:
    assert holds(table, "neg < n")
    assert not holds(table, "n = s")
    assert holds(table, "l[0] = m.x")


# --- between, in, boolean operators -----------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "truth"),
    [(5, 5, True), (-1, 5, True), (6, 7, False), (Decimal("4.5"), Decimal("5.5"), True)],
)
def test_between_holds_at_both_bounds(table: Db, low: Any, high: Any, truth: bool) -> None:
    assert holds(table, "n BETWEEN :low AND :high", low=low, high=high) is truth


def test_between_and_and_do_not_mix_up(table: Db) -> None:
    assert holds(table, "n between :a and :b AND s = :s and n > :a", a=1, b=9, s="text")
    assert not holds(table, "n BETWEEN :a AND :b AND s = :s", a=1, b=9, s="no")


def test_between_of_another_type_is_false(table: Db) -> None:
    assert not holds(table, "s BETWEEN :a AND :b", a=1, b=9)


def test_in_compares_type_and_value(table: Db) -> None:
    assert holds(table, "n IN (:a, :b)", a="5", b=5)
    assert not holds(table, "n IN (:a, :b)", a="5", b=6)
    assert not holds(table, "yes IN (:a)", a=1)
    assert not holds(table, "absent IN (:a)", a=1)
    assert holds(table, "n IN (neg, n)")


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("n = :t OR n = :f AND n = :f", True),
        ("(n = :t OR n = :f) AND n = :f", False),
        ("NOT n = :f AND n = :t", True),
        ("NOT (n = :f OR n = :t)", False),
        ("not n = :t or n = :t and not n = :f", True),
        ("(n = :f) OR (n = :t)", True),
        ("n=:t AND(n<>:f)", True),
    ],
)
def test_not_binds_before_and_before_or(table: Db, condition: str, truth: bool) -> None:
    given = {"t": 5, "f": 6} if ":f" in condition else {"t": 5}
    assert holds(table, condition, **given) is truth


# --- paths ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "operand", "truth"),
    [
        ("m.x", 1, True), ("m.deep.l[1].v", "w", True), ("l[2].x", 3, True), ("l[3][0]", 4, True),
        ("m.absent", 1, False), ("n.x", 1, False), ("l[9]", 1, False), ("l[12]", 1, False),
        ("m[0]", 1, False), ("l.x", 1, False), ("m.deep.l[9].v", "w", False),
    ],
)  # fmt: skip
def test_paths_reach_into_maps_and_lists(table: Db, path: str, operand: Any, truth: bool) -> None:
    assert holds(table, f"{path} = :o", o=operand) is truth
    assert holds(table, f"attribute_exists({path})") is truth
    assert holds(table, f"attribute_not_exists({path})") is not truth


def test_a_dot_in_a_placeholder_is_part_of_the_name(table: Db) -> None:
    assert holds(table, "m.#d = :o", names={"#d": "a.b"}, o="dotted")
    assert not holds(table, "attribute_exists(#p)", names={"#p": "m.x"})


def test_a_position_of_two_digits_is_a_position(table: Db) -> None:
    table.put({**ITEM, "digits": {"L": [{"N": str(number)} for number in range(12)]}})
    found = table.query("pk = :p", v={"p": "a", "o": 11}, FilterExpression="digits[11] = :o")
    assert found["Count"] == 1


# --- functions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attribute", "size"),
    [("s", 4), ("b", 2), ("ss", 2), ("ns", 2), ("bs", 1), ("l", 4), ("m", 3), ("e", 0)],
)
def test_size_counts_bytes_members_and_elements(table: Db, attribute: str, size: int) -> None:
    assert holds(table, f"size({attribute}) = :o", o=size)
    assert not holds(table, f"size({attribute}) > :o", o=size)


@pytest.mark.parametrize("attribute", ["n", "yes", "nothing", "absent"])
def test_size_of_what_has_none_is_false(table: Db, attribute: str) -> None:
    assert not holds(table, f"size({attribute}) >= :o", o=0)


def test_size_counts_utf_8_bytes(table: Db) -> None:
    table.put(item(pk="u", s="é😀"))
    found = table.query("pk = :p", v={"p": "u", "o": 6}, FilterExpression="size(s) = :o")
    assert found["Count"] == 1


@pytest.mark.parametrize(
    ("attribute", "operand", "truth"),
    [
        ("s", "ex", True), ("s", "xe", False), ("s", 5, False), ("b", b"\x02", True),
        ("ss", "x", True), ("ss", "z", False), ("ns", Decimal("2.50"), True), ("ns", "1", False),
        ("bs", b"\x01", True), ("l", "two", True), ("l", 1, True), ("l", True, False),
        ("l", {"x": 3}, True), ("l", 3, False), ("n", 5, False), ("absent", "x", False),
    ],
)  # fmt: skip
def test_contains_looks_for_a_part_a_member_or_an_element(
    table: Db, attribute: str, operand: Any, truth: bool
) -> None:
    assert holds(table, f"contains({attribute}, :o)", o=operand) is truth


@pytest.mark.parametrize(
    ("attribute", "operand", "truth"),
    [("s", "te", True), ("s", "", True), ("s", "ex", False), ("b", b"\x01", True),
     ("n", "5", False), ("absent", "x", False), ("b", "x", False)],
)  # fmt: skip
def test_begins_with_takes_text_and_binary(
    table: Db, attribute: str, operand: Any, truth: bool
) -> None:
    assert holds(table, f"begins_with({attribute}, :o)", o=operand) is truth


def test_attribute_type_knows_every_type(table: Db) -> None:
    for attribute, kind in (
        ("n", "N"), ("s", "S"), ("b", "B"), ("yes", "BOOL"), ("nothing", "NULL"), ("l", "L"),
        ("m", "M"), ("ss", "SS"), ("ns", "NS"), ("bs", "BS"),
    ):  # fmt: skip
        assert holds(table, f"attribute_type({attribute}, :o)", o=kind)
        assert not holds(table, f"attribute_type({attribute}, :o)", o="NS" if kind != "NS" else "S")
    assert not holds(table, "attribute_type(absent, :o)", o="S")


def test_a_condition_sees_the_full_key_only(db: Db) -> None:
    # With a time in the sort key the same like is two items: attribute_not_exists guards neither.
    db.table()
    new = {"ConditionExpression": "attribute_not_exists(pk)"}
    db.put(item(pk="p1", sk="LIKE#u1#09:00"), **new)
    db.put(item(pk="p1", sk="LIKE#u1#09:01"), **new)
    db.put(item(pk="p1", sk="LIKE#u1"), **new)
    with pytest.raises(Refused, match="ConditionalCheckFailed"):
        db.put(item(pk="p1", sk="LIKE#u1"), **new)


# --- what comes back with a failed condition ------------------------------------------------------


def test_the_old_item_rides_on_the_error_where_it_is_asked_for(table: Db) -> None:
    request = {"ConditionExpression": "attribute_not_exists(pk)"}
    with pytest.raises(Refused) as refused:
        table.put(item(pk="a"), **request, ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert refused.value.body["Item"] == ITEM
    with pytest.raises(Refused) as refused:
        table.put(item(pk="a"), **request)
    assert "Item" not in refused.value.body
    with pytest.raises(Refused) as refused:
        table.put(item(pk="z"), ConditionExpression="attribute_exists(pk)",
                  ReturnValuesOnConditionCheckFailure="ALL_OLD")  # fmt: skip
    assert "Item" not in refused.value.body


# --- expressions that do not hold together --------------------------------------------------------


def test_names_and_values_must_be_known_and_used(table: Db) -> None:
    assert refusal(table, "n = :o") == (
        "Invalid ConditionExpression: An expression attribute value used in expression is not "
        "defined; attribute value: :o"
    )
    assert refusal(table, "attribute_exists(#n)") == (
        "Invalid ConditionExpression: An expression attribute name used in the document path is "
        "not defined; attribute name: #n"
    )
    assert (
        refusal(table, "attribute_exists(n)", ExpressionAttributeValues=values(o=1))
        == "Value provided in ExpressionAttributeValues unused in expressions: keys: {:o}"
    )
    assert (
        refusal(table, "attribute_exists(n)", ExpressionAttributeNames={"#n": "n"})
        == "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}"
    )
    assert (
        refusal(table, "n = :o", ExpressionAttributeValues={"o": {"N": "1"}})
        == 'ExpressionAttributeValues contains invalid key: Syntax error; key: "o"'
    )
    assert refusal(table, "n = :o", ExpressionAttributeValues={":o": {"N": "x"}}) == (
        "ExpressionAttributeValues contains invalid value: "
        "The parameter cannot be converted to a numeric value: x for key :o"
    )
    assert refusal(table, "") == "Invalid ConditionExpression: The expression can not be empty;"


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("attribute_exists(:o)", "attribute_exists"),
        ("attribute_not_exists(:o)", "attribute_not_exists"),
        ("size(:o) > :o", "size"),
    ],
)
def test_some_functions_take_a_path_and_no_value(table: Db, expression: str, said: str) -> None:
    assert refusal(table, expression, ExpressionAttributeValues=values(o=1)) == (
        "Invalid ConditionExpression: Operator or function requires a document path; "
        f"operator or function: {said}"
    )


def test_a_function_takes_so_many_operands(table: Db) -> None:
    assert refusal(table, "begins_with(n)") == (
        "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
        "operator or function: begins_with, number of operands: 1"
    )


def test_names_and_values_without_an_expression_are_refused(table: Db) -> None:
    with pytest.raises(Refused, match="ExpressionAttributeNames can only be specified when using"):
        table.put(item(pk="b"), ExpressionAttributeNames={"#a": "a"})
    with pytest.raises(Refused, match="ConditionExpression is null"):
        table.put(item(pk="b"), ExpressionAttributeValues=values(o=1))


@pytest.mark.parametrize("word", ["status", "Name", "COUNT", "date", "identity", "state"])
def test_a_reserved_word_is_refused_without_a_placeholder(table: Db, word: str) -> None:
    message = f"Attribute name is a reserved keyword; reserved keyword: {word}"
    assert (
        refusal(table, f"{word} = :o", ExpressionAttributeValues=values(o=1))
        == f"Invalid ConditionExpression: {message}"
    )
    with pytest.raises(Refused) as refused:
        table("Scan", TableName="Things", FilterExpression=f"attribute_exists({word})")
    assert refused.value.message == f"Invalid FilterExpression: {message}"
    with pytest.raises(Refused) as refused:
        table("Scan", TableName="Things", ProjectionExpression=f"n, {word}")
    assert refused.value.message == f"Invalid ProjectionExpression: {message}"
    assert not holds(table, "#w = :o", names={"#w": word}, o=1)


@pytest.mark.parametrize(
    "condition",
    ["n", "n =", "= n", "n == n", "n = :o AND", "(n = :o", "n = :o)", "n BETWEEN :o", "n IN ()",
     "n IN :o", "attribute_exists()", "attribute_exists(n, s)", "nonsense(n)", "NOT", "n ! :o",
     "n = :o, s = :o", "n = 5", "n = 'x'", "size(n)"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(table: Db, condition: str) -> None:
    given = {"ExpressionAttributeValues": values(o=1)} if ":o" in condition else {}
    assert refusal(table, condition, **given).startswith("Invalid ConditionExpression: ")


def test_a_bad_condition_is_refused_also_where_there_is_no_item(table: Db) -> None:
    with pytest.raises(Refused) as refused:
        table("DeleteItem", TableName="Things", Key=item(pk="z"), ConditionExpression="n = ")
    assert refused.value.code == "ValidationException"


def test_redundant_parentheses_are_refused(table: Db) -> None:
    assert refusal(table, "((n = s))") == (
        "Invalid ConditionExpression: The expression has redundant parentheses;"
    )


@pytest.mark.parametrize(
    ("condition", "operand", "message"),
    [
        ("n < :o", True, "operator or function: <, operand type: BOOL"),
        ("n >= :o", {"x"}, "operator or function: >=, operand type: SS"),
        ("n BETWEEN :o AND :o", [], "operator or function: BETWEEN, operand type: L"),
        ("begins_with(s, :o)", 5, "operator or function: begins_with, operand type: N"),
        ("attribute_type(s, :o)", 5, "operator or function: attribute_type, operand type: N"),
    ],
)
def test_a_literal_that_cannot_be_compared_is_refused(
    table: Db, condition: str, operand: Any, message: str
) -> None:
    assert refusal(table, condition, ExpressionAttributeValues=values(o=operand)) == (
        "Invalid ConditionExpression: Incorrect operand type for operator or function; " + message
    )


def test_an_unknown_type_is_refused(table: Db) -> None:
    message = refusal(table, "attribute_type(s, :o)", ExpressionAttributeValues=values(o="X"))
    assert message.startswith(
        "Invalid ConditionExpression: Invalid attribute type name found; type: X, valid types: {"
    )


def test_bounds_in_the_wrong_order_or_of_two_types_are_refused(table: Db) -> None:
    message = "Invalid ConditionExpression: The BETWEEN operator requires "
    reversed_ = refusal(table, "n BETWEEN :a AND :b", ExpressionAttributeValues=values(a=2, b=1))
    assert reversed_ == message + (
        "upper bound to be greater than or equal to lower bound; lower bound operand: "
        "AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"
    )
    mixed = refusal(table, "n BETWEEN :a AND :b", ExpressionAttributeValues=values(a=2, b="x"))
    assert mixed == message + (
        "same data type for lower and upper bounds; lower bound operand: "
        "AttributeValue: {N:2}, upper bound operand: AttributeValue: {S:x}"
    )


def test_an_attribute_is_not_compared_with_itself(table: Db) -> None:
    assert refusal(table, "n = n") == (
        "Invalid ConditionExpression: The first operand must be distinct from the remaining "
        "operands for this operator or function; operator: =, first operand: [n]"
    )


def test_an_expression_may_stand_on_several_lines(table: Db) -> None:
    condition = """
        attribute_exists ( pk )
        AND n
            BETWEEN :a
            AND :b
        \tAND NOT contains ( s , :s )
    """
    assert holds(table, condition, a=1, b=9, s="zz")


def test_a_projection_may_stand_on_several_lines(table: Db) -> None:
    reply = table(
        "GetItem", TableName="Things", Key=item(pk="a"), ProjectionExpression="\n n,\n m.x\n"
    )
    assert reply["Item"] == item(n=5, m={"x": 1})
