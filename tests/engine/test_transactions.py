"""TransactWriteItems and TransactGetItems: all or nothing, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, Wire, item, padded, values

Action = tuple[str, dict[str, Any]]
LIKE = item(pk="p1", sk="LIKE#u1")
TALLY = item(pk="p1", sk="TALLY")
NEW = "attribute_not_exists(pk)"
NONE = {"Code": "None"}
FAILED = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}


@pytest.fixture
def table(db: Db) -> Db:
    db.table(stream="NEW_AND_OLD_IMAGES")
    return db


def put(key: Wire = LIKE, condition: str | None = NEW, **attributes: Any) -> Action:
    body: dict[str, Any] = {"Item": {**key, **item(**attributes)}}
    if condition is not None:
        body["ConditionExpression"] = condition
    return "Put", body


def add(key: Wire = TALLY, step: int = 1, **more: Any) -> Action:
    return "Update", {
        "Key": key,
        "UpdateExpression": "ADD n :step",
        "ExpressionAttributeValues": values(step=step),
        **more,
    }


def delete(key: Wire, condition: str | None = None) -> Action:
    body: dict[str, Any] = {"Key": key}
    if condition is not None:
        body["ConditionExpression"] = condition
    return "Delete", body


def check(key: Wire, condition: str) -> Action:
    return "ConditionCheck", {"Key": key, "ConditionExpression": condition}


def everything(db: Db) -> list[Wire]:
    return db("Scan", TableName="Things")["Items"]


def records(db: Db) -> int:
    shards = db.engine.store.backend.table("Things").shards
    assert shards is not None
    return sum(len(shard.records) for shard in shards.shards)


def cancelled(db: Db, *actions: Action) -> list[dict[str, Any]]:
    """The cancellation reasons; nothing must be written, and nothing be in the stream."""
    before, streamed = everything(db), records(db)
    with pytest.raises(Refused) as refused:
        db.transact(*actions)
    assert refused.value.code == "TransactionCanceledException"
    assert refused.value.status == 400
    assert everything(db) == before
    assert records(db) == streamed
    codes = ", ".join(reason["Code"] for reason in refused.value.reasons)
    assert refused.value.message == (
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    )
    return refused.value.reasons


def refusal(db: Db, *actions: Action, **request: Any) -> str:
    """The message of a ValidationException; nothing must be written."""
    before, streamed = everything(db), records(db)
    with pytest.raises(Refused) as refused:
        db.transact(*actions, **request)
    assert refused.value.code == "ValidationException"
    assert everything(db) == before
    assert records(db) == streamed
    return refused.value.message


# --- all --------------------------------------------------------------------------------------


def test_all_four_actions_take_effect_together(table: Db) -> None:
    table.put(item(pk="p1", sk="OLD"))
    table.put(item(pk="p1", sk="CHECK", ok=True))
    table.transact(
        put(), add(), delete(item(pk="p1", sk="OLD")),
        check(item(pk="p1", sk="CHECK"), "attribute_exists(pk)"),
    )  # fmt: skip
    assert everything(table) == [
        item(pk="p1", sk="CHECK", ok=True), LIKE, {**TALLY, **item(n=1)},
    ]  # fmt: skip


def test_a_transaction_spans_tables(table: Db) -> None:
    table.table("Others")
    table.transact(put(), ("Put", {"TableName": "Others", "Item": LIKE}))
    assert table.get("p1", "LIKE#u1") == table.get("p1", "LIKE#u1", table="Others") == LIKE


def test_moving_an_item_leaves_exactly_one(table: Db) -> None:
    old, new = item(pk="p1", sk="PENDING#d"), item(pk="p1", sk="SHIPPED#d")
    table.put(old)
    move = (delete(old, "attribute_exists(pk)"), put(new))
    table.transact(*move)
    assert everything(table) == [new]
    assert cancelled(table, *move) == [FAILED, FAILED]


def test_100_actions_are_taken_and_101_refused(table: Db) -> None:
    actions = [put(item(pk="p1", sk=f"{number:03}")) for number in range(101)]
    message = refusal(table, *actions)
    assert message.startswith("1 validation error detected: Value ")
    assert message.endswith(
        "failed to satisfy constraint: Member must have length less than or equal to 100"
    )
    table.transact(*actions[:100])
    assert len(everything(table)) == 100


def test_no_action_at_all_is_refused(table: Db) -> None:
    assert "Member must have length greater than or equal to 1" in refusal(table)


# --- or nothing -------------------------------------------------------------------------------


def test_reasons_stand_in_the_order_of_the_actions(table: Db) -> None:
    table.put(LIKE)
    assert cancelled(table, add(), put()) == [NONE, FAILED]
    assert cancelled(table, put(), add()) == [FAILED, NONE]
    assert cancelled(
        table, put(), check(TALLY, "attribute_exists(pk)"), add(item(pk="p1", sk="x"))
    ) == [FAILED, FAILED, NONE]


def test_the_old_item_comes_with_the_reason_where_it_is_asked_for(table: Db) -> None:
    table.put({**LIKE, **item(by="r1")})
    kind, body = put()
    asked = (kind, {**body, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
    assert cancelled(table, add(), asked) == [NONE, {**FAILED, "Item": {**LIKE, **item(by="r1")}}]
    assert cancelled(table, add(), put()) == [NONE, FAILED]


def test_an_update_that_cannot_be_applied_cancels_the_transaction(table: Db) -> None:
    broken: Action = ("Update", {
        "Key": item(pk="p1", sk="OTHER"),
        "UpdateExpression": "SET n = n + :one",
        "ExpressionAttributeValues": values(one=1),
    })  # fmt: skip
    missing = {
        "Code": "ValidationError",
        "Message": "The provided expression refers to an attribute that does not exist in the item",
    }
    assert cancelled(table, add(), broken) == [NONE, missing]
    table.put(LIKE)
    assert cancelled(table, put(), add(), broken) == [FAILED, NONE, missing]


def test_an_update_on_text_cancels_the_transaction(table: Db) -> None:
    table.put({**TALLY, **item(n="5")})
    [first, second] = cancelled(table, put(), add())
    assert first == NONE
    assert second["Message"] == "An operand in the update expression has an incorrect data type"


def test_an_update_past_400_kb_cancels_and_a_put_past_it_is_refused(table: Db) -> None:
    table.put(padded(409_590, **{"pk": "p1", "sk": "TALLY"}))
    [reason] = cancelled(table, add())
    assert reason == {
        "Code": "ValidationError",
        "Message": "Item size to update has exceeded the maximum allowed size",
    }
    too_large: Action = ("Put", {"Item": padded(409_601, pk="p1", sk="1")})
    assert refusal(table, put(), too_large) == "Item size has exceeded the maximum allowed size"


def test_a_refused_transaction_leaves_indexes_alone(db: Db) -> None:
    db.table(global_=[("g", "kind:S", "ALL")])
    db.put({**LIKE, **item(kind="k")})
    assert db.query("kind = :k", v={"k": "k"}, IndexName="g")["Count"] == 1
    with pytest.raises(Refused):
        db.transact(put(TALLY, None, kind="k"), put(LIKE, NEW, kind="k"))
    assert db.query("kind = :k", v={"k": "k"}, IndexName="g")["Count"] == 1


@pytest.mark.parametrize(
    "bad",
    [
        ("Put", {"Item": item(pk="p1")}),
        ("Put", {"Item": {**LIKE, "n": {"N": "x"}}}),
        ("Put", {"Item": LIKE, "ConditionExpression": "n ="}),
        ("Update", {"Key": LIKE, "UpdateExpression": "SET pk = :o",
                    "ExpressionAttributeValues": values(o="x")}),
        ("Update", {"Key": LIKE, "UpdateExpression": "ADD n :o",
                    "ExpressionAttributeValues": values(o="x")}),
        ("Update", {"Key": LIKE, "UpdateExpression": "SET n = :o"}),
        ("Delete", {"Key": item(pk="p1")}),
        ("ConditionCheck", {"Key": LIKE}),
        ("ConditionCheck", {"Key": LIKE, "ConditionExpression": ""}),
    ],
)  # fmt: skip
def test_an_invalid_action_refuses_the_request(table: Db, bad: Action) -> None:
    refusal(table, add(), bad)


def test_an_unknown_table_refuses_the_request(table: Db) -> None:
    with pytest.raises(Refused, match="ResourceNotFoundException"):
        table.transact(put(), ("Put", {"TableName": "Nowhere", "Item": LIKE}))
    assert everything(table) == []


@pytest.mark.parametrize(
    "again", [check(LIKE, NEW), add(LIKE), delete(LIKE), put()], ids=lambda action: action[0]
)
def test_one_item_is_named_once(table: Db, again: Action) -> None:
    assert refusal(table, put(), add(), again) == (
        "Transaction request cannot include multiple operations on one item"
    )


def test_two_actions_in_one_entry_are_refused(table: Db) -> None:
    with pytest.raises(Refused, match="can only contain one of Check, Put, Update or Delete"):
        table("TransactWriteItems", TransactItems=[dict([put(), delete(TALLY)])])


def test_more_than_4_mb_are_refused(table: Db) -> None:
    # 10 items of 400 KB and one of 96 KiB are 4 MiB exactly.
    whole: list[Action] = [
        ("Put", {"Item": padded(409_600, pk="p1", sk=f"{number:02}")}) for number in range(10)
    ]
    rest = 4 * 1024 * 1024 - 10 * 409_600
    assert refusal(table, *whole, ("Put", {"Item": padded(rest + 1, pk="p1", sk="xx")})) == (
        "Transaction request size exceeded the maximum allowed size of 4 MB"
    )
    table.transact(*whole, ("Put", {"Item": padded(rest, pk="p1", sk="xx")}))
    assert table.get("p1", "xx") is not None
    # An item that is only looked at counts as well.
    looked_at = check(item(pk="p1", sk="00"), "attribute_exists(pk)")
    more: Action = ("Put", {"Item": padded(rest + 1, pk="p1", sk="xx")})
    assert "4 MB" in refusal(table, *whole[1:], looked_at, more)


# --- the stream -------------------------------------------------------------------------------


def test_a_transaction_leaves_one_record_for_each_write(table: Db) -> None:
    table.put(item(pk="p1", sk="CHECK"))
    streamed = records(table)
    table.transact(put(), add(), check(item(pk="p1", sk="CHECK"), "attribute_exists(pk)"),
                   delete(item(pk="p1", sk="NOTHING")))  # fmt: skip
    assert records(table) == streamed + 2


# --- TransactGetItems -------------------------------------------------------------------------


def gets(*keys: Wire, **more: Any) -> dict[str, Any]:
    return {"TransactItems": [{"Get": {"TableName": "Things", "Key": key, **more}} for key in keys]}


def test_a_transactional_get_answers_in_order_with_nothing_for_the_missing(table: Db) -> None:
    table.put({**TALLY, **item(n=1, m=2)})
    reply = table("TransactGetItems", **gets(LIKE, TALLY, ProjectionExpression="n"))
    assert reply == {"Responses": [{}, {"Item": item(n=1)}]}


def test_a_transactional_get_takes_100_keys_each_once(table: Db) -> None:
    keys = [item(pk="p1", sk=str(number)) for number in range(101)]
    assert len(table("TransactGetItems", **gets(*keys[:100]))["Responses"]) == 100
    with pytest.raises(Refused, match="less than or equal to 100"):
        table("TransactGetItems", **gets(*keys))
    with pytest.raises(Refused, match="cannot include multiple operations on one item"):
        table("TransactGetItems", **gets(LIKE, LIKE))
    with pytest.raises(Refused, match="greater than or equal to 1"):
        table("TransactGetItems", TransactItems=[])
