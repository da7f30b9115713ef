"""ClientRequestToken: the same request once in ten minutes, another request never."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, values

TALLY = item(pk="p1", sk="TALLY")


@pytest.fixture
def table(db: Db) -> Db:
    db.table(stream="NEW_IMAGE")
    return db


def like(db: Db, step: int = 1, token: str | None = "t", **request: Any) -> dict[str, Any]:
    if token is not None:
        request["ClientRequestToken"] = token
    return db.transact(
        ("Update", {"Key": TALLY, "UpdateExpression": "ADD n :step",
                    "ExpressionAttributeValues": values(step=step)}),
        **request,
    )  # fmt: skip


def tally(db: Db) -> int:
    found = db.get("p1", "TALLY")
    return 0 if found is None else int(found["n"]["N"])


def records(db: Db) -> int:
    shards = db.engine.store.backend.table("Things").shards
    assert shards is not None
    return len(shards.shards[0].records)


def test_the_same_request_is_applied_once(table: Db) -> None:
    assert like(table) == like(table) == {}
    assert (tally(table), records(table)) == (1, 1)


def test_another_token_and_no_token_apply_again(table: Db) -> None:
    like(table, token="t")
    like(table, token="u")
    like(table, token=None)
    like(table, token=None)
    assert tally(table) == 4


def test_the_same_token_with_another_body_is_a_mismatch(table: Db) -> None:
    like(table, step=1)
    with pytest.raises(Refused) as refused:
        like(table, step=2)
    assert refused.value.code == "IdempotentParameterMismatchException"
    assert refused.value.status == 400
    assert (tally(table), records(table)) == (1, 1)
    like(table, step=1)
    assert tally(table) == 1


def test_what_is_asked_about_the_reply_is_no_other_body(table: Db) -> None:
    like(table)
    reply = like(table, ReturnConsumedCapacity="TOTAL")
    assert reply["ConsumedCapacity"][0]["ReadCapacityUnits"] == 2.0
    assert tally(table) == 1


@pytest.mark.parametrize(("seconds", "total"), [(0, 1), (599, 1), (600, 1), (600.5, 2), (601, 2)])
def test_a_token_protects_for_ten_minutes(table: Db, seconds: float, total: int) -> None:
    like(table)
    table.advance(seconds)
    like(table)
    assert tally(table) == total


def test_a_replay_does_not_make_the_ten_minutes_longer(table: Db) -> None:
    like(table)
    table.advance(400)
    like(table)
    table.advance(400)
    like(table)
    assert tally(table) == 2


def test_after_ten_minutes_the_token_takes_another_body(table: Db) -> None:
    like(table, step=1)
    table.advance(601)
    like(table, step=2)
    assert tally(table) == 3


def test_a_replay_succeeds_also_where_its_condition_would_fail_now(table: Db) -> None:
    put = ("Put", {"Item": TALLY, "ConditionExpression": "attribute_not_exists(pk)"})
    table.transact(put, ClientRequestToken="t")
    assert table.transact(put, ClientRequestToken="t") == {}
    with pytest.raises(Refused, match="TransactionCanceled"):
        table.transact(put, ClientRequestToken="u")


def test_a_cancelled_transaction_leaves_its_token_free(table: Db) -> None:
    put = ("Put", {"Item": TALLY, "ConditionExpression": "attribute_exists(pk)"})
    with pytest.raises(Refused, match="TransactionCanceled"):
        table.transact(put, ClientRequestToken="t")
    table.put(TALLY)
    assert table.transact(put, ClientRequestToken="t") == {}


def test_a_token_has_1_to_36_characters(table: Db) -> None:
    like(table, token="x" * 36)
    for token in ("x" * 37, ""):
        with pytest.raises(Refused, match="at 'clientRequestToken' failed to satisfy constraint"):
            like(table, token=token)
    assert tally(table) == 1


def test_tokens_of_more_than_ten_minutes_ago_are_forgotten(table: Db) -> None:
    for number in range(50):
        like(table, token=str(number))
        table.advance(100)
    assert len(table.engine.store.tokens) <= 8
