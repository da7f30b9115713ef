"""UpdateItem: what each action does, what it refuses, and that a refusal leaves the item alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.engine.calls import Db, Refused, Wire, item, padded, value, values

KEY = item(pk="a")
MISSING = "The provided expression refers to an attribute that does not exist in the item"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
BAD_PATH = "The document path provided in the update expression is invalid for update"


@pytest.fixture
def table(db: Db) -> Db:
    db.table(keys="pk:S")
    return db


def after(db: Db, before: dict[str, Any], expression: str, **request: Any) -> Wire:
    """The attributes beside the key, once the update was applied to this item."""
    if before:
        db.put(item(pk="a", **before))
    given = request.pop("v", None)
    if given is not None:
        request["values"] = values(**given)
    db.update(KEY, expression, **request)
    found = db.get("a")
    assert found is not None
    return {name: found[name] for name in found if name != "pk"}


def refusal(db: Db, before: dict[str, Any], expression: str, **request: Any) -> str:
    """The message of a ValidationException; the item must be as it was."""
    if before:
        db.put(item(pk="a", **before))
    found = db.get("a")
    given = request.pop("v", None)
    if given is not None:
        request["values"] = values(**given)
    with pytest.raises(Refused) as refused:
        db.update(KEY, expression, **request)
    assert refused.value.code == "ValidationException"
    assert db.get("a") == found
    return refused.value.message


# --- ADD and SET on numbers -------------------------------------------------------------------


def test_add_starts_at_zero_where_there_is_no_item_or_attribute(table: Db) -> None:
    assert after(table, {}, "ADD n :one", v={"one": 1}) == item(n=1)
    assert after(table, {"m": 1}, "ADD n :one", v={"one": -1}) == item(m=1, n=-1)


def test_set_n_plus_one_is_refused_where_n_is_missing(table: Db) -> None:
    assert refusal(table, {}, "SET n = n + :one", v={"one": 1}) == MISSING
    assert table.get("a") is None
    assert refusal(table, {"m": 1}, "SET n = n + :one", v={"one": 1}) == MISSING


def test_if_not_exists_makes_the_sum_safe(table: Db) -> None:
    count = "SET n = if_not_exists(n, :zero) + :one"
    assert after(table, {}, count, v={"zero": 0, "one": 1}) == item(n=1)
    assert after(table, {"n": 7}, count, v={"zero": 0, "one": 1}) == item(n=8)


def test_if_not_exists_takes_another_path(table: Db) -> None:
    assert after(table, {"b": 2}, "SET a = if_not_exists(a, b)") == item(a=2, b=2)
    assert refusal(table, {"c": 2}, "SET a = if_not_exists(a, b)") == MISSING


@pytest.mark.parametrize(
    ("before", "expression", "operand", "total"),
    [
        ("0.3", "n - :o", "0.1", "0.2"),
        ("0.1", "n + :o", "0.2", "0.3"),
        ("12345678901234567890123456789012345678", "n + :o", "1",
         "12345678901234567890123456789012345679"),
        ("-99999999999999999999999999999999999999", "n + :o", "1",
         "-99999999999999999999999999999999999998"),
        ("1E+20", "n + :o", "1", "100000000000000000001"),
        ("1E-10", "n + :o", "1", "1.0000000001"),
        ("5", "n - :o", "5", "0"),
        ("1.50", "n + :o", "0.50", "2"),
        ("5", ":o - n", "2", "-3"),
        ("5", "n - :o", "7.25", "-2.25"),
    ],
)  # fmt: skip
def test_sums_are_exact_to_38_digits(
    table: Db, before: str, expression: str, operand: str, total: str
) -> None:
    start = {"n": Decimal(before)}
    assert after(table, start, f"SET n = {expression}", v={"o": Decimal(operand)}) == {
        "n": {"N": total}
    }


def test_add_is_exact_to_38_digits(table: Db) -> None:
    big = Decimal("12345678901234567890123456789012345678")
    assert after(table, {"n": big}, "ADD n :one", v={"one": 1}) == {
        "n": {"N": "12345678901234567890123456789012345679"}
    }
    tenth = after(table, {"n": Decimal("0.3")}, "ADD n :o", v={"o": Decimal("-0.1")})
    assert tenth == {"n": {"N": "0.2"}}


def test_a_sum_out_of_range_is_refused(table: Db) -> None:
    big = Decimal("9.9E+125")
    assert "Number overflow" in refusal(table, {"n": big}, "ADD n :o", v={"o": big})


def test_both_sides_of_a_sum_may_be_attributes(table: Db) -> None:
    assert after(table, {"a": 2, "b": 3}, "SET c = a + b, d = a - b") == item(a=2, b=3, c=5, d=-1)


def test_a_sum_may_stand_in_parentheses(table: Db) -> None:
    assert after(table, {"n": 2}, "SET n = (n + :one)", v={"one": 1}) == item(n=3)
    assert after(table, {"n": 2}, "SET n = ((n)+(:one))", v={"one": 1}) == item(n=3)


def test_right_hand_sides_see_the_item_as_it_was(table: Db) -> None:
    assert after(table, {"a": 1, "b": 2}, "SET a = b, b = a") == item(a=2, b=1)
    assert after(table, {"a": 1}, "SET b = a REMOVE a") == item(b=1)
    assert after(table, {"a": 1}, "SET b = a ADD a :o", v={"o": 1}) == item(a=2, b=1)


def test_a_copied_list_is_another_list(table: Db) -> None:
    table.put(item(pk="a", l=[1]))
    table.update(KEY, "SET m = l")
    table.update(KEY, "SET m[0] = :o", values=values(o=9))
    assert table.get("a") == item(pk="a", l=[1], m=[9])


# --- SET and REMOVE on documents ----------------------------------------------------------------


def test_set_reaches_into_maps_and_lists(table: Db) -> None:
    before = {"m": {"x": 1, "l": [1, {"y": 2}]}}
    assert after(
        table,
        before,
        "SET m.x = :o, m.#z = :o, m.l[1].y = :o, m.l[0] = m.x",
        names={"#z": "a.b"},
        v={"o": 9},
    ) == item(m={"x": 9, "a.b": 9, "l": [1, {"y": 9}]})


def test_elements_set_past_the_end_are_appended_in_order_of_their_positions(table: Db) -> None:
    assert after(table, {"l": [1, 2]}, "SET l[9] = :b, l[4] = :a", v={"a": 3, "b": 4}) == item(
        l=[1, 2, 3, 4]
    )


def test_remove_takes_attributes_and_elements_by_their_old_positions(table: Db) -> None:
    before = {"a": 1, "l": [0, 1, 2, 3, 4]}
    assert after(table, before, "REMOVE a, l[1], l[3], l[12], gone") == item(l=[0, 2, 4])
    assert after(table, before, "REMOVE l[0] SET l[2] = :o", v={"o": 9}) == item(
        a=1, l=[1, 9, 3, 4]
    )
    assert after(table, {"m": {"x": 1, "y": 2}}, "REMOVE m.x") == item(m={"y": 2})


def test_list_append_puts_elements_at_either_end(table: Db) -> None:
    assert after(table, {"l": [1]}, "SET l = list_append(l, :o)", v={"o": [2]}) == item(l=[1, 2])
    assert after(table, {"l": [1]}, "SET l = list_append(:o, l)", v={"o": [2]}) == item(l=[2, 1])
    start = "SET h = list_append(if_not_exists(h, :none), :o)"
    assert after(table, {"l": []}, start, v={"none": [], "o": [2]}) == item(l=[], h=[2])


@pytest.mark.parametrize(
    "expression",
    ["SET m.x = :o", "SET m[0] = :o", "SET s.x = :o", "SET s[0] = :o", "SET l.x = :o",
     "SET d[0] = :o", "ADD m.x :o", "REMOVE m.x", "REMOVE s[0]", "REMOVE d[0]", "REMOVE l.x"],
)  # fmt: skip
def test_a_path_without_a_parent_is_refused(table: Db, expression: str) -> None:
    given = {"v": {"o": 1}} if ":o" in expression else {}
    assert refusal(table, {"s": "x", "l": [1], "d": {"y": 1}}, expression, **given) == BAD_PATH


# --- sets -------------------------------------------------------------------------------------


def members(wire: Wire, name: str) -> set[str]:
    [inner] = wire[name].values()
    assert len(inner) == len(set(inner))
    return set(inner)


@pytest.mark.parametrize(
    ("first", "second"),
    [({"a", "b"}, {"b", "c"}), ({1, 2}, {2, Decimal("3.5")}), ({b"a", b"b"}, {b"b", b"c"})],
)
def test_add_and_delete_work_on_sets_of_each_type(table: Db, first: Any, second: Any) -> None:
    added = after(table, {"s": first}, "ADD s :o", v={"o": second})
    assert members(added, "s") == members({"s": value(first | second)}, "s")
    left = after(table, {"s": first}, "DELETE s :o", v={"o": second})
    assert members(left, "s") == members({"s": value(first - second)}, "s")


def test_add_makes_the_set_and_delete_leaves_no_empty_one(table: Db) -> None:
    assert after(table, {}, "ADD s :o", v={"o": {"a"}}) == item(s={"a"})
    assert after(table, {}, "DELETE s :o", v={"o": {"a", "b"}}) == {}
    assert after(table, {"n": 1}, "DELETE s :o", v={"o": {"a"}}) == item(n=1)
    assert after(table, {"m": {"s": {"a"}}}, "DELETE m.s :o", v={"o": {"a"}}) == item(m={})


def test_numbers_in_sets_are_equal_by_value(table: Db) -> None:
    given = {":o": {"NS": ["1.0", "5"]}}
    table.put(item(pk="a", s={1, 2}))
    table.update(KEY, "DELETE s :o", values=given)
    assert table.get("a") == item(pk="a", s={2})


# --- wrong types ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "operand"),
    [
        ("ADD s :o", 1),
        ("ADD n :o", {"x"}),
        ("ADD m :o", {1}),
        ("ADD ns :o", {"x"}),
        ("DELETE ns :o", {"x"}),
        ("DELETE n :o", {1}),
        ("SET e = s + :o", 1),
        ("SET e = :o - m", 1),
        ("SET e = n + ns", None),
        ("SET e = list_append(s, :o)", []),
        ("SET e = if_not_exists(s, :o) + :o", 1),
    ],
)
def test_an_attribute_of_the_wrong_type_is_refused(
    table: Db, expression: str, operand: Any
) -> None:
    given = {"v": {"o": operand}} if ":o" in expression else {}
    before = {"s": "5", "n": 5, "m": {}, "ns": {1}}
    assert refusal(table, before, expression, **given) == WRONG_TYPE


LITERALS = {
    "S": "x", "B": b"x", "BOOL": True, "NULL": None, "SS": {"x"}, "NS": {1}, "BS": {b"x"},
    "L": [], "M": {}, "N": 1,
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in LITERALS if kind != "N"])
@pytest.mark.parametrize("expression", ["a + :o", ":o + a", "a - :o"])
def test_a_literal_that_is_no_number_is_refused_in_a_sum(
    table: Db, expression: str, kind: str
) -> None:
    sign = expression.split()[1]
    message = refusal(table, {"a": 1}, f"SET a = {expression}", v={"o": LITERALS[kind]})
    assert message == (
        "Invalid UpdateExpression: Incorrect operand type for operator or function; "
        f"operator or function: {sign}, operand type: {kind}"
    )


@pytest.mark.parametrize("kind", [kind for kind in LITERALS if kind != "L"])
def test_a_literal_that_is_no_list_is_refused_in_list_append(table: Db, kind: str) -> None:
    message = refusal(table, {"l": [1]}, "SET l = list_append(l, :o)", v={"o": LITERALS[kind]})
    assert message == (
        "Invalid UpdateExpression: Incorrect operand type for operator or function; "
        f"operator or function: list_append, operand type: {kind}"
    )


@pytest.mark.parametrize(
    ("action", "kind", "word"),
    [("ADD", "S", "STRING"), ("ADD", "B", "BINARY"), ("ADD", "BOOL", "BOOLEAN"),
     ("ADD", "NULL", "NULL"), ("ADD", "L", "LIST"), ("ADD", "M", "MAP"),
     ("DELETE", "S", "STRING"), ("DELETE", "N", "NUMBER"), ("DELETE", "L", "LIST")],
)  # fmt: skip
def test_a_literal_that_cannot_be_added_or_deleted_is_refused(
    table: Db, action: str, kind: str, word: str
) -> None:
    message = refusal(table, {"a": 1}, f"{action} a :o", v={"o": LITERALS[kind]})
    assert message == (
        "Invalid UpdateExpression: Incorrect operand type for operator or function; "
        f"operator: {action}, operand type: {word}"
    )


def test_a_wrong_literal_is_refused_also_where_the_condition_fails(table: Db) -> None:
    message = refusal(
        table, {}, "ADD n :o", v={"o": "x"}, ConditionExpression="attribute_exists(pk)"
    )
    assert "operator: ADD, operand type: STRING" in message


def test_a_counter_kept_as_text_is_refused_and_kept(table: Db) -> None:
    assert refusal(table, {"n": "5"}, "ADD n :one", v={"one": 1}) == WRONG_TYPE
    assert refusal(table, {"n": "5"}, "SET n = n + :one", v={"one": 1}) == WRONG_TYPE
    assert table.get("a") == item(pk="a", n="5")


# --- keys, indexes, sizes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression", ["SET pk = :o", "REMOVE pk", "ADD pk :o", "SET b = :o, pk = :o", "SET pk.x = :o"]
)
def test_a_key_attribute_cannot_be_updated(table: Db, expression: str) -> None:
    given = {"v": {"o": 1}} if ":o" in expression else {}
    assert refusal(table, {"b": 1}, expression, **given) == (
        "One or more parameter values were invalid: Cannot update attribute pk. "
        "This attribute is part of the key"
    )


def test_a_key_attribute_cannot_be_updated_under_a_placeholder(table: Db) -> None:
    message = refusal(table, {}, "SET #k = :o", names={"#k": "pk"}, v={"o": "b"})
    assert "Cannot update attribute pk. This attribute is part of the key" in message


def test_an_index_key_of_the_wrong_type_is_refused(db: Db) -> None:
    db.table(keys="pk:S", global_=[("g", "score:N", "ALL")])
    for wrong, kind in (("7", "S"), (None, "NULL")):
        message = refusal(db, {"score": 7, "e": wrong}, "SET score = :o", v={"o": wrong})
        assert message == (
            "One or more parameter values were invalid: Type mismatch for Index Key score "
            f"Expected: N Actual: {kind} IndexName: g"
        )
        assert refusal(db, {"score": 7, "e": wrong}, "SET score = e") == (
            "The update expression attempted to update the secondary index key to unsupported type"
        )


def test_an_index_key_cannot_become_empty_text(db: Db) -> None:
    db.table(keys="pk:S", global_=[("g", "kind:S", "ALL")])
    message = refusal(db, {"kind": "k"}, "SET kind = :o", v={"o": ""})
    assert "cannot contain an empty string value" in message


def test_removing_an_index_key_takes_the_item_out_of_the_index(db: Db) -> None:
    db.table(keys="pk:S", global_=[("g", "score:N", "ALL")])
    assert after(db, {"score": 7}, "REMOVE score") == {}
    assert db.query("score = :s", v={"s": 7}, IndexName="g")["Count"] == 0


def test_an_update_past_400_kb_is_refused(table: Db) -> None:
    table.put(padded(409_000, pk="a"))
    message = refusal(table, {}, "SET e = :e", v={"e": "x" * 600})
    assert message == "Item size to update has exceeded the maximum allowed size"


def test_an_update_is_weighed_with_its_actions_and_without_its_keys(table: Db) -> None:
    # Measured on DynamoDB: the item without its keys, 3 bytes, and 19 for each value written.
    table.put(item(pk="a"))
    room = 409_600 - 3 - 19 - 1
    assert after(table, {}, "SET e = :e", v={"e": "x" * room})["e"]["S"] == "x" * room
    assert "Item size to update" in refusal(table, {}, "SET e = :e", v={"e": "x" * (room + 1)})


@pytest.mark.parametrize(
    ("expression", "weight"),
    [
        ("SET n = :one", 3 + 19),
        ("ADD n :one", 3 + 19),
        ("SET n = n + :one", 3 + 19 + 50),
        ("SET n = :one REMOVE gone, lost", 3 + 19 + 2 + 2),
    ],
)
def test_each_action_weighs_what_was_measured(table: Db, expression: str, weight: int) -> None:
    keys = len("pk" + "a")
    most = 409_600 - weight + keys
    table.put(padded(most, pk="a", n=1))
    table.update(KEY, expression, values=values(one=1))
    table.put(padded(most + 1, pk="a", n=1))
    message = refusal(table, {}, expression, v={"one": 1})
    assert message == "Item size to update has exceeded the maximum allowed size"


# --- expressions that do not hold together --------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "one", "two"),
    [
        ("SET a = :o, a = :o", "[a]", "[a]"),
        ("SET a = :o REMOVE a", "[a]", "[a]"),
        ("SET a.b = :o REMOVE a", "[a, b]", "[a]"),
        ("SET a = :o REMOVE a.b", "[a]", "[a, b]"),
        ("SET l[1] = :o REMOVE l", "[l, [1]]", "[l]"),
        ("SET l[1].x = :o, l[1] = :o", "[l, [1], x]", "[l, [1]]"),
        ("SET #a = :o REMOVE a", "[a]", "[a]"),
    ],
)
def test_paths_that_overlap_are_refused(table: Db, expression: str, one: str, two: str) -> None:
    names = {"names": {"#a": "a"}} if "#a" in expression else {}
    message = refusal(table, {"a": {"b": 1}, "l": [1, 2]}, expression, v={"o": 1}, **names)
    assert message == (
        "Invalid UpdateExpression: Two document paths overlap with each other; "
        f"must remove or rewrite one of these paths; path one: {one}, path two: {two}"
    )


def test_paths_that_conflict_are_refused(table: Db) -> None:
    assert refusal(table, {}, "SET a.b = :o, a[1] = :o", v={"o": 1}) == (
        "Invalid UpdateExpression: Two document paths conflict with each other; "
        "must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]"
    )


def test_neighbours_do_not_overlap(table: Db) -> None:
    before = {"a": 1, "ab": 1, "m": {"x": 1, "xy": 1}, "l": [1, 2]}
    assert after(
        table, before, "SET a = :o, m.x = :o, l[0] = :o REMOVE ab, m.xy, l[1]", v={"o": 9}
    ) == item(a=9, m={"x": 9}, l=[9])


@pytest.mark.parametrize("section", ["SET a = :o SET b = :o", "REMOVE a REMOVE b",
                                     "ADD a :o ADD b :o", "DELETE a :o DELETE b :o"])  # fmt: skip
def test_a_section_comes_once(table: Db, section: str) -> None:
    word = section.split()[0]
    given = {"v": {"o": {"x"}}} if ":o" in section else {}
    assert refusal(table, {}, section, **given) == (
        f'Invalid UpdateExpression: The "{word}" section can only be used once in an update '
        "expression;"
    )


@pytest.mark.parametrize(
    "expression",
    ["whatever", "SET a", "ADD a", "SET a = ", "SET a = b + c + d", "SET a = b * c", "REMOVE a b",
     "REMOVE a = b", "SET a b", "ADD a b", "SET a[1] = 1", "SET a = b,", "SET :o = b",
     "SET a = (b", "SET (a = b)", "REMOVE a..b", "REMOVE a[x]", "SET a = b ! c"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(table: Db, expression: str) -> None:
    given = {"v": {"o": 1}} if ":o" in expression else {}
    message = refusal(table, {"b": 1}, expression, **given)
    assert message.startswith('Invalid UpdateExpression: Syntax error; token: "')


@pytest.mark.parametrize("word", ["count", "counter", "status", "date", "name", "total", "Abort"])
def test_a_reserved_word_is_refused_without_a_placeholder(table: Db, word: str) -> None:
    message = (
        f"Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: {word}"
    )
    assert refusal(table, {}, f"SET {word} = :o", v={"o": 1}) == message
    assert refusal(table, {}, f"REMOVE {word}") == message
    assert refusal(table, {}, f"SET a = if_not_exists({word}, :o)", v={"o": 1}) == message
    assert after(table, {}, "SET #w = :o", names={"#w": word}, v={"o": 1}) == item(**{word: 1})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("size(b)", "Invalid function name; function: size"),
        ("if_not_exist(b, :o)", "Invalid function name; function: if_not_exist"),
        ("if_not_exists(b)", "Incorrect number of operands for operator or function; "
         "operator or function: if_not_exists, number of operands: 1"),
        ("if_not_exists(:o, b)", "Operator or function requires a document path; "
         "operator or function: if_not_exists"),
    ],
)  # fmt: skip
def test_functions_are_two_and_take_two_operands(table: Db, call: str, message: str) -> None:
    given = {"v": {"o": 1}} if ":o" in call else {}
    assert refusal(table, {}, f"SET a = {call}", **given) == f"Invalid UpdateExpression: {message}"


def test_names_and_values_must_be_known_and_used(table: Db) -> None:
    assert refusal(table, {}, "SET a = :o") == (
        "Invalid UpdateExpression: An expression attribute value used in expression is not "
        "defined; attribute value: :o"
    )
    assert refusal(table, {}, "REMOVE #a") == (
        "Invalid UpdateExpression: An expression attribute name used in the document path is not "
        "defined; attribute name: #a"
    )
    assert refusal(table, {}, "SET a = :o", v={"o": 1, "p": 1}) == (
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:p}"
    )
    assert refusal(table, {}, "REMOVE a", names={"#b": "b"}) == (
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"
    )
    assert refusal(table, {}, "") == ("Invalid UpdateExpression: The expression can not be empty;")


def test_an_expression_may_stand_on_several_lines_and_in_small_letters(table: Db) -> None:
    expression = """
        set a=:o,
            m . x = :o
        add n :o
        remove r
    """
    assert after(table, {"m": {}, "r": 1}, expression, v={"o": 1}) == item(a=1, m={"x": 1}, n=1)


# --- what comes back --------------------------------------------------------------------------


def returned(db: Db, wanted: str, expression: str, **request: Any) -> Wire | None:
    given = request.pop("v", None)
    if given is not None:
        request["values"] = values(**given)
    db.put(item(pk="a", n=1, m={"x": 1, "y": 2}, l=[1, 2, 3], s={"a"}, k="k"))
    return db.update(KEY, expression, ReturnValues=wanted, **request).get("Attributes")


def test_three_increments_return_one_two_three(table: Db) -> None:
    add = {"values": values(one=1), "ReturnValues": "UPDATED_NEW"}
    replies = [table.update(KEY, "ADD n :one", **add) for _ in range(3)]
    assert replies == [{"Attributes": item(n=number)} for number in (1, 2, 3)]


def test_updated_new_and_old_show_only_what_was_touched(table: Db) -> None:
    expression = "SET m.x = :o, l[1] = :o, fresh = :o ADD n :o REMOVE k DELETE s :s"
    given = {"o": 9, "s": {"z"}}
    assert returned(table, "UPDATED_NEW", expression, v=given) == item(
        m={"x": 9}, l=[9], fresh=9, n=10, s={"a"}
    )
    assert returned(table, "UPDATED_OLD", expression, v=given) == item(
        m={"x": 1}, l=[2], n=1, k="k", s={"a"}
    )


def test_all_new_and_all_old_show_the_whole_item(table: Db) -> None:
    old = item(pk="a", n=1, m={"x": 1, "y": 2}, l=[1, 2, 3], s={"a"}, k="k")
    assert returned(table, "ALL_OLD", "ADD n :o", v={"o": 1}) == old
    assert returned(table, "ALL_NEW", "ADD n :o", v={"o": 1}) == {**old, "n": value(2)}


def test_nothing_old_comes_back_where_there_was_no_item(table: Db) -> None:
    for wanted in ("ALL_OLD", "UPDATED_OLD", "NONE"):
        assert table.update(item(pk=wanted), "SET a = :o", values=values(o=1),
                            ReturnValues=wanted) == {}  # fmt: skip


@pytest.mark.parametrize("expression", ["REMOVE a, b", "DELETE tags :tags"])
def test_an_update_that_only_takes_away_makes_no_item(table: Db, expression: str) -> None:
    """As tests that run on DynamoDB itself have it; SET, ADD and no expression make one."""
    given = {":tags": {"SS": ["x"]}} if "DELETE" in expression else None
    key = item(pk="none")
    request: dict[str, Any] = {"UpdateExpression": expression, "ReturnValues": "ALL_NEW"}
    if given:
        request["ExpressionAttributeValues"] = given
    reply = table(
        "UpdateItem", TableName="Things", Key=key, ReturnConsumedCapacity="TOTAL", **request
    )
    assert "Attributes" not in reply
    assert reply["ConsumedCapacity"]["CapacityUnits"] == 1
    assert "Item" not in table("GetItem", TableName="Things", Key=key)


def test_an_update_without_an_expression_makes_the_item(table: Db) -> None:
    reply = table("UpdateItem", TableName="Things", Key=KEY, ReturnValues="ALL_NEW")
    assert reply == {"Attributes": KEY}
    assert table.get("a") == KEY


def test_an_unknown_wish_for_values_is_refused(table: Db) -> None:
    with pytest.raises(Refused, match="at 'returnValues' failed to satisfy constraint"):
        table.update(KEY, "REMOVE a", ReturnValues="SOME")
