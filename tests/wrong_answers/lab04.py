"""Answers to lab 04."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError


class NoSuchPost(Exception):
    """There is no META under this post id."""


class TallyDrift(Exception):
    """A tally that is smaller than it can be."""


def meta_key(post_id: str) -> dict[str, str]:
    return {"PK": post_id, "SK": "META"}


def like_key(post_id: str, user_id: str) -> dict[str, str]:
    return {"PK": post_id, "SK": f"LIKE#{user_id}"}


def delete_of(table: Any, post_id: str, user_id: str, **guard: Any) -> dict[str, Any]:
    return {
        "Delete": {
            "TableName": table.name,
            "Key": like_key(post_id, user_id),
            "ConditionExpression": "attribute_exists(PK)",
            **guard,
        }
    }


def update_of(
    table: Any,
    post_id: str,
    by: int = -1,
    expression: str = "ADD likeTally :by, rev :one",
    condition: str = "attribute_exists(PK)",
    **more: Any,
) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": table.name,
            "Key": meta_key(post_id),
            "UpdateExpression": expression,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": {":by": by, ":one": 1},
            **more,
        }
    }


def without(action: dict[str, Any], *names: str) -> dict[str, Any]:
    return {
        kind: {name: value for name, value in part.items() if name not in names}
        for kind, part in action.items()
    }


def sent(table: Any, *actions: dict[str, Any]) -> list[dict[str, Any]]:
    """The reasons why it was cancelled; none where it was not."""
    client = table.meta.client
    try:
        client.transact_write_items(TransactItems=list(actions))
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[dict[str, Any]] = error.response["CancellationReasons"]
        if all(reason["Code"] in ("None", "ConditionalCheckFailed") for reason in reasons):
            return reasons
        raise
    return []


def failed(reasons: list[dict[str, Any]], place: int) -> bool:
    return bool(reasons) and reasons[place]["Code"] == "ConditionalCheckFailed"


def answered(reasons: list[dict[str, Any]], meta: int = 1) -> bool:
    if failed(reasons, meta):
        raise NoSuchPost
    return not reasons


# --- 4.1 unlike -------------------------------------------------------------------------------


def right_unlike(table: Any, post_id: str, user_id: str) -> bool:
    return answered(sent(table, delete_of(table, post_id, user_id), update_of(table, post_id)))


def deletes_then_subtracts(table: Any, post_id: str, user_id: str) -> bool:
    if "Item" not in table.get_item(Key=meta_key(post_id), ConsistentRead=True):
        raise NoSuchPost
    reply = table.delete_item(Key=like_key(post_id, user_id), ReturnValues="ALL_OLD")
    if "Attributes" not in reply:
        return False
    table.update_item(
        Key=meta_key(post_id),
        UpdateExpression="ADD likeTally :minus, rev :one",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":minus": -1, ":one": 1},
    )
    return True


def deletes_in_silence(table: Any, post_id: str, user_id: str) -> bool:
    delete = without(delete_of(table, post_id, user_id), "ConditionExpression")
    return answered(sent(table, delete, update_of(table, post_id)))


def floor_for_a_guard(table: Any, post_id: str, user_id: str) -> bool:
    delete = without(delete_of(table, post_id, user_id), "ConditionExpression")
    condition = "attribute_exists(PK) AND likeTally >= :one"
    return not sent(table, delete, update_of(table, post_id, condition=condition))


def looks_instead_of_a_guard(table: Any, post_id: str, user_id: str) -> bool:
    if "Item" not in table.get_item(Key=meta_key(post_id), ConsistentRead=True):
        raise NoSuchPost
    if "Item" not in table.get_item(Key=like_key(post_id, user_id), ConsistentRead=True):
        return False
    delete = without(delete_of(table, post_id, user_id), "ConditionExpression")
    return answered(sent(table, delete, update_of(table, post_id)))


def needs_no_post(table: Any, post_id: str, user_id: str) -> bool:
    update = without(update_of(table, post_id), "ConditionExpression")
    return not sent(table, delete_of(table, post_id, user_id), update)


def raises_for_two_but_needs_no_post(table: Any, post_id: str, user_id: str) -> bool:
    reasons = sent(
        table,
        delete_of(table, post_id, user_id),
        without(update_of(table, post_id), "ConditionExpression"),
    )
    if reasons and "Item" not in table.get_item(Key=meta_key(post_id), ConsistentRead=True):
        raise NoSuchPost
    return not reasons


def looks_for_the_post_first(table: Any, post_id: str, user_id: str) -> bool:
    if "Item" not in table.get_item(Key=meta_key(post_id), ConsistentRead=True):
        raise NoSuchPost
    update = without(update_of(table, post_id), "ConditionExpression")
    return not sent(table, delete_of(table, post_id, user_id), update)


def every_cancellation_is_false(table: Any, post_id: str, user_id: str) -> bool:
    try:
        return right_unlike(table, post_id, user_id)
    except ClientError:
        return False


def every_cancellation_is_no_post(table: Any, post_id: str, user_id: str) -> bool:
    client = table.meta.client
    actions = [delete_of(table, post_id, user_id), update_of(table, post_id)]
    try:
        client.transact_write_items(TransactItems=actions)
    except client.exceptions.TransactionCanceledException:
        raise NoSuchPost from None
    return True


def conflict_is_no_like(table: Any, post_id: str, user_id: str) -> bool:
    client = table.meta.client
    actions = [delete_of(table, post_id, user_id), update_of(table, post_id)]
    try:
        client.transact_write_items(TransactItems=actions)
    except client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][1]["Code"] == "ConditionalCheckFailed":
            raise NoSuchPost from None
        return False
    return True


def quiet_floor(table: Any, post_id: str, user_id: str) -> bool:
    """The floor stands beside the guard, and its failure passes for "no like"."""
    condition = "attribute_exists(PK) AND likeTally >= :one"
    reasons = sent(
        table,
        delete_of(table, post_id, user_id),
        update_of(
            table, post_id, condition=condition, ReturnValuesOnConditionCheckFailure="ALL_OLD"
        ),
    )
    if failed(reasons, 1) and "Item" not in reasons[1]:
        raise NoSuchPost
    return not reasons


def floor_means_no_post(table: Any, post_id: str, user_id: str) -> bool:
    condition = "attribute_exists(PK) AND likeTally > :zero"
    update = update_of(table, post_id, condition=condition)
    update["Update"]["ExpressionAttributeValues"][":zero"] = 0
    return answered(sent(table, delete_of(table, post_id, user_id), update))


def floor_that_heals(table: Any, post_id: str, user_id: str) -> bool:
    """Where the floor fails, the like goes without the subtraction."""
    try:
        return loud_floor(table, post_id, user_id)
    except TallyDrift:
        table.delete_item(Key=like_key(post_id, user_id))
        return True


def rev_goes_back_too(table: Any, post_id: str, user_id: str) -> bool:
    update = update_of(table, post_id, expression="ADD likeTally :by, rev :by")
    del update["Update"]["ExpressionAttributeValues"][":one"]
    return answered(sent(table, delete_of(table, post_id, user_id), update))


def says_nothing(table: Any, post_id: str, user_id: str) -> None:
    right_unlike(table, post_id, user_id)


def second_time_raises(table: Any, post_id: str, user_id: str) -> bool:
    reasons = sent(table, delete_of(table, post_id, user_id), update_of(table, post_id))
    if failed(reasons, 1):
        raise NoSuchPost
    if reasons:
        raise LookupError("no such like")
    return True


def second_time_is_true(table: Any, post_id: str, user_id: str) -> bool:
    right_unlike(table, post_id, user_id)
    return True


def sets_what_it_read(table: Any, post_id: str, user_id: str) -> bool:
    meta = table.get_item(Key=meta_key(post_id), ConsistentRead=True).get("Item")
    if meta is None:
        raise NoSuchPost
    update = update_of(
        table, post_id, by=meta["likeTally"] - 1, expression="SET likeTally = :by ADD rev :one"
    )
    return answered(sent(table, delete_of(table, post_id, user_id), update))


def only_the_item(table: Any, post_id: str, user_id: str) -> bool:
    return "Attributes" in table.delete_item(Key=like_key(post_id, user_id), ReturnValues="ALL_OLD")


def meta_first(table: Any, post_id: str, user_id: str) -> bool:
    actions = update_of(table, post_id), delete_of(table, post_id, user_id)
    return answered(sent(table, *actions), meta=0)


def with_set(table: Any, post_id: str, user_id: str) -> bool:
    update = update_of(
        table,
        post_id,
        by=1,
        expression="SET likeTally = likeTally - :by, rev = if_not_exists(rev, :zero) + :one",
        condition="attribute_exists(SK)",
    )
    update["Update"]["ExpressionAttributeValues"][":zero"] = 0
    delete = delete_of(table, post_id, user_id, ConditionExpression="attribute_exists(likedAt)")
    return answered(sent(table, delete, update))


def without_rev(table: Any, post_id: str, user_id: str) -> bool:
    update = update_of(table, post_id, expression="ADD likeTally :by")
    del update["Update"]["ExpressionAttributeValues"][":one"]
    return answered(sent(table, delete_of(table, post_id, user_id), update))


def looks_before_the_guard(table: Any, post_id: str, user_id: str) -> bool:
    found = table.get_item(Key=like_key(post_id, user_id), ConsistentRead=True)
    meta = table.get_item(Key=meta_key(post_id), ConsistentRead=True)
    if "Item" not in meta:
        raise NoSuchPost
    return "Item" in found and right_unlike(table, post_id, user_id)


def loud_floor(table: Any, post_id: str, user_id: str) -> bool:
    condition = "attribute_exists(PK) AND likeTally >= :one"
    reasons = sent(
        table,
        delete_of(table, post_id, user_id),
        update_of(
            table, post_id, condition=condition, ReturnValuesOnConditionCheckFailure="ALL_OLD"
        ),
    )
    if failed(reasons, 1) and "Item" not in reasons[1]:
        raise NoSuchPost
    if failed(reasons, 0):
        return False
    if reasons:
        raise TallyDrift(f"{post_id} has a like more than its tally")
    return True


def floor_that_blames_the_post(table: Any, post_id: str, user_id: str) -> bool:
    """Raises where the floor fails alone, though by a name that does not fit."""
    try:
        return loud_floor(table, post_id, user_id)
    except TallyDrift:
        raise NoSuchPost from None


def low_level(table: Any, post_id: str, user_id: str) -> bool:
    import boto3

    client = boto3.client("dynamodb")
    try:
        client.transact_write_items(
            TransactItems=[
                {
                    "Update": {
                        "TableName": table.name,
                        "Key": {"PK": {"S": post_id}, "SK": {"S": "META"}},
                        "UpdateExpression": "ADD #t :minus, #r :one",
                        "ConditionExpression": "attribute_exists(#pk)",
                        "ExpressionAttributeNames": {"#t": "likeTally", "#r": "rev", "#pk": "PK"},
                        "ExpressionAttributeValues": {":minus": {"N": "-1"}, ":one": {"N": "1"}},
                    }
                },
                {
                    "Delete": {
                        "TableName": table.name,
                        "Key": {"PK": {"S": post_id}, "SK": {"S": f"LIKE#{user_id}"}},
                        "ConditionExpression": "SK = :key",
                        "ExpressionAttributeValues": {":key": {"S": f"LIKE#{user_id}"}},
                    }
                },
            ]
        )
    except client.exceptions.TransactionCanceledException as error:
        codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
        if codes[0] == "ConditionalCheckFailed":
            raise NoSuchPost from error
        if codes == ["None", "ConditionalCheckFailed"]:
            return False
        raise
    return True


def tries_again_after_a_conflict(table: Any, post_id: str, user_id: str) -> bool:
    for _ in range(3):
        try:
            return right_unlike(table, post_id, user_id)
        except ClientError as error:
            last = error
    raise last


# --- 4.2 toggle -------------------------------------------------------------------------------


def right_like(table: Any, post_id: str, user_id: str, at: int) -> bool:
    put = {
        "Put": {
            "TableName": table.name,
            "Item": {**like_key(post_id, user_id), "likedAt": at},
            "ConditionExpression": "attribute_not_exists(PK)",
        }
    }
    return answered(sent(table, put, update_of(table, post_id, by=1)))


def reads_then_acts(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" in table.get_item(Key=like_key(post_id, user_id), ConsistentRead=True):
        right_unlike(table, post_id, user_id)
        return False
    right_like(table, post_id, user_id, at)
    return True


def two_tries(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if right_like(table, post_id, user_id, at):
        return True
    right_unlike(table, post_id, user_id)
    return False


def answers_of_the_last_call(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return right_like(table, post_id, user_id, at) or right_unlike(table, post_id, user_id)


def the_old_state(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return not toggles_in_a_loop(table, post_id, user_id, at)


def on_only(table: Any, post_id: str, user_id: str, at: int) -> bool:
    right_like(table, post_id, user_id, at)
    return True


def two_writes(table: Any, post_id: str, user_id: str, at: int) -> bool:
    key, by = like_key(post_id, user_id), -1
    if "Item" not in table.get_item(Key=meta_key(post_id), ConsistentRead=True):
        raise NoSuchPost
    if "Attributes" not in table.delete_item(Key=key, ReturnValues="ALL_OLD"):
        table.put_item(Item={**key, "likedAt": at})
        by = 1
    table.update_item(
        Key=meta_key(post_id),
        UpdateExpression="ADD likeTally :by, rev :one",
        ExpressionAttributeValues={":by": by, ":one": 1},
    )
    return by == 1


def two_rounds(table: Any, post_id: str, user_id: str, at: int) -> bool | None:
    for _ in range(2):
        if right_like(table, post_id, user_id, at):
            return True
        if right_unlike(table, post_id, user_id):
            return False
    return None


def two_rounds_and_an_error(table: Any, post_id: str, user_id: str, at: int) -> bool:
    answer = two_rounds(table, post_id, user_id, at)
    if answer is None:
        raise TimeoutError("twice somebody else was faster")
    return answer


def no_post_forever(table: Any, post_id: str, user_id: str, at: int) -> bool:
    while True:
        try:
            return toggles_in_a_loop(table, post_id, user_id, at)
        except NoSuchPost:
            pass


def gives_up(table: Any, post_id: str, user_id: str, at: int) -> bool:
    """The guard's refusal is an error to it."""
    here = "Item" in table.get_item(Key=like_key(post_id, user_id), ConsistentRead=True)
    done = (
        right_unlike(table, post_id, user_id) if here else right_like(table, post_id, user_id, at)
    )
    if not done:
        raise RuntimeError("somebody was faster")
    return not here


def toggles_in_a_loop(table: Any, post_id: str, user_id: str, at: int) -> bool:
    while True:
        if right_like(table, post_id, user_id, at):
            return True
        if right_unlike(table, post_id, user_id):
            return False


def unlikes_first(table: Any, post_id: str, user_id: str, at: int) -> bool:
    for _ in range(10):
        if right_unlike(table, post_id, user_id):
            return False
        if right_like(table, post_id, user_id, at):
            return True
    raise TimeoutError("ten times somebody else was faster")


def reads_in_a_loop(table: Any, post_id: str, user_id: str, at: int) -> bool:
    while True:
        key = like_key(post_id, user_id)
        if "Item" in table.get_item(Key=key, ConsistentRead=True):
            if meta_first(table, post_id, user_id):
                return False
        elif right_like(table, post_id, user_id, at):
            return True


# --- 4.3 audit --------------------------------------------------------------------------------


def meta_of(table: Any, post_id: str, strong: bool = True) -> dict[str, Any]:
    found: dict[str, Any] = table.get_item(Key=meta_key(post_id), ConsistentRead=strong)["Item"]
    return found


def count_of(table: Any, post_id: str, strong: bool = True) -> int:
    condition = Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#")
    count, start = 0, {}
    while True:
        page = table.query(
            Select="COUNT", KeyConditionExpression=condition, ConsistentRead=strong, **start
        )
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            return count
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def drift_of(meta: dict[str, Any], counted: int) -> tuple[int, int, int] | None:
    stored, rev = int(meta.get("likeTally", 0)), int(meta["rev"])
    return None if stored == counted else (stored, rev, counted)


def audits(one: Callable[[Any, str], Any]) -> Callable[..., dict[str, Any]]:
    """An audit that asks `one` about each post."""

    def audit(table: Any, post_ids: list[str]) -> dict[str, Any]:
        found = {post_id: one(table, post_id) for post_id in post_ids}
        return {post_id: drift for post_id, drift in found.items() if drift is not None}

    audit.__name__ = one.__name__
    return audit


@audits
def right_audit(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    return drift_of(meta, count_of(table, post_id))


@audits
def needs_a_tally(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    stored, rev, counted = int(meta["likeTally"]), int(meta["rev"]), count_of(table, post_id)
    return None if stored == counted else (stored, rev, counted)


@audits
def meta_on_the_first_page(table: Any, post_id: str) -> Any:
    page = table.query(KeyConditionExpression=Key("PK").eq(post_id), ConsistentRead=True)
    metas = [item for item in page["Items"] if item["SK"] == "META"]
    return drift_of(metas[0], sum(item["SK"].startswith("LIKE#") for item in page["Items"]))


@audits
def meta_on_the_first_page_or_none(table: Any, post_id: str) -> Any:
    page = table.query(KeyConditionExpression=Key("PK").eq(post_id), ConsistentRead=True)
    meta = next((item for item in page["Items"] if item["SK"] == "META"), {})
    return drift_of(meta, count_of(table, post_id))


@audits
def counts_first(table: Any, post_id: str) -> Any:
    counted = count_of(table, post_id)
    return drift_of(meta_of(table, post_id), counted)


@audits
def eventual_meta(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id, strong=False)
    return drift_of(meta, count_of(table, post_id))


@audits
def eventual_count(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    return drift_of(meta, count_of(table, post_id, strong=False))


@audits
def rev_read_last(table: Any, post_id: str) -> Any:
    stored = meta_of(table, post_id)
    counted = count_of(table, post_id)
    return drift_of({**stored, "rev": meta_of(table, post_id)["rev"]}, counted)


@audits
def first_page(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    page = table.query(
        Select="COUNT",
        ConsistentRead=True,
        KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").begins_with("LIKE#"),
    )
    return drift_of(meta, page["Count"])


@audits
def all_but_meta(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    page = table.query(KeyConditionExpression=Key("PK").eq(post_id), ConsistentRead=True)
    return drift_of(meta, page["Count"] - 1)


@audits
def too_many_only(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    counted = count_of(table, post_id)
    return drift_of(meta, counted) if meta.get("likeTally", 0) > counted else None


@audits
def other_order(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    drift = drift_of(meta, count_of(table, post_id))
    return drift and (drift[0], drift[2], drift[1])


@audits
def the_difference(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    drift = drift_of(meta, count_of(table, post_id))
    return drift and drift[0] - drift[2]


@audits
def all_posts(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    return int(meta.get("likeTally", 0)), int(meta["rev"]), count_of(table, post_id)


@audits
def mends_at_once(table: Any, post_id: str) -> Any:
    meta = meta_of(table, post_id)
    drift = drift_of(meta, count_of(table, post_id))
    if drift:
        table.update_item(
            Key=meta_key(post_id),
            UpdateExpression="SET likeTally = :n",
            ExpressionAttributeValues={":n": drift[2]},
        )
    return drift


def a_list(table: Any, post_ids: list[str]) -> list[str]:
    return list(right_audit(table, post_ids))


def scans(table: Any, post_ids: list[str]) -> dict[str, Any]:
    items = table.scan(ConsistentRead=True)["Items"]
    return {each["PK"]: (0, 0, 0) for each in items if each["SK"] == "META"}


def one_query_forwards(table: Any, post_ids: list[str]) -> dict[str, Any]:
    return by_one_query(table, post_ids, forward=True)


def one_query_backwards(table: Any, post_ids: list[str]) -> dict[str, Any]:
    """META stands behind the likes: it is read first from that end."""
    return by_one_query(table, post_ids, forward=False)


def by_one_query(table: Any, post_ids: list[str], forward: bool) -> dict[str, Any]:
    report = {}
    for post_id in post_ids:
        pages = table.meta.client.get_paginator("query").paginate(
            TableName=table.name,
            KeyConditionExpression="PK = :post",
            ExpressionAttributeValues={":post": post_id},
            ConsistentRead=True,
            ScanIndexForward=forward,
        )
        items = [item for page in pages for item in page["Items"]]
        meta = next(item for item in items if item["SK"] == "META")
        drift = drift_of(meta, sum(item["SK"].startswith("LIKE#") for item in items))
        if drift:
            report[post_id] = drift
    return report


def all_metas_at_once(table: Any, post_ids: list[str]) -> dict[str, Any]:
    keys = [meta_key(post_id) for post_id in post_ids]
    reply = table.meta.client.batch_get_item(
        RequestItems={table.name: {"Keys": keys, "ConsistentRead": True}}
    )
    report = {}
    for meta in reply["Responses"][table.name]:
        counted = count_of(table, meta["PK"])
        stored = meta.get("likeTally", 0)
        if stored != counted:
            report[meta["PK"]] = [stored, meta["rev"], counted]
    return report


@audits
def looks_twice(table: Any, post_id: str) -> Any:
    while True:
        meta = meta_of(table, post_id)
        drift = drift_of(meta, count_of(table, post_id))
        if drift is None or meta_of(table, post_id)["rev"] == drift[1]:
            return drift


# --- 4.4 repair -------------------------------------------------------------------------------


def set_where(table: Any, post_id: str, counted: int, condition: Any = None, **more: Any) -> bool:
    options = {} if condition is None else {"ConditionExpression": condition}
    values = {":counted": counted, ":one": 1, **more}
    try:
        table.update_item(
            Key=meta_key(post_id),
            UpdateExpression="SET likeTally = :counted ADD rev :one",
            ExpressionAttributeValues=values,
            **options,
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def right_repair(table: Any, post_id: str, rev: int, counted: int) -> bool:
    return set_where(table, post_id, counted, "rev = :rev", **{":rev": rev})


def overwrites(table: Any, post_id: str, rev: int, counted: int) -> bool:
    return set_where(table, post_id, counted, "attribute_exists(PK)")


def nightly_recount(table: Any, post_id: str, rev: int, counted: int) -> bool:
    return set_where(table, post_id, count_of(table, post_id), "attribute_exists(PK)")


def compares_the_stored_value(table: Any, post_id: str, rev: int, counted: int) -> bool:
    stored = meta_of(table, post_id)["likeTally"]
    return set_where(table, post_id, counted, "likeTally = :stored", **{":stored": stored})


def compares_in_python(table: Any, post_id: str, rev: int, counted: int) -> bool:
    if meta_of(table, post_id)["rev"] != rev:
        return False
    return set_where(table, post_id, counted)


def compares_in_python_then_the_value(table: Any, post_id: str, rev: int, counted: int) -> bool:
    reply = table.get_item(Key=meta_key(post_id), ConsistentRead=True)
    if reply.get("Item", {}).get("rev") != rev:
        return False
    return set_where(
        table, post_id, counted, "likeTally = :s", **{":s": reply["Item"]["likeTally"]}
    )


def adds_the_difference(table: Any, post_id: str, rev: int, counted: int) -> bool:
    meta = meta_of(table, post_id)
    table.update_item(
        Key=meta_key(post_id),
        UpdateExpression="ADD likeTally :by, rev :one",
        ExpressionAttributeValues={":by": counted - meta["likeTally"], ":one": 1},
    )
    return True


def leaves_rev(table: Any, post_id: str, rev: int, counted: int) -> bool:
    try:
        table.update_item(
            Key=meta_key(post_id),
            UpdateExpression="SET likeTally = :counted",
            ConditionExpression="rev = :rev",
            ExpressionAttributeValues={":counted": counted, ":rev": rev},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def raises_where_it_moved(table: Any, post_id: str, rev: int, counted: int) -> bool:
    if not right_repair(table, post_id, rev, counted):
        raise RuntimeError("META moved")
    return True


def always_true(table: Any, post_id: str, rev: int, counted: int) -> bool:
    right_repair(table, post_id, rev, counted)
    return True


def tells_nothing(table: Any, post_id: str, rev: int, counted: int) -> None:
    right_repair(table, post_id, rev, counted)


def puts_a_new_meta(table: Any, post_id: str, rev: int, counted: int) -> bool:
    table.put_item(
        Item={**meta_key(post_id), "likeTally": counted, "rev": rev + 1},
        ConditionExpression=Attr("rev").eq(rev),
    )
    return True


def every_error_is_moved(table: Any, post_id: str, rev: int, counted: int) -> bool:
    try:
        return right_repair(table, post_id, rev, counted)
    except ClientError:
        return False


def older_rev_will_do(table: Any, post_id: str, rev: int, counted: int) -> bool:
    return set_where(table, post_id, counted, "rev >= :rev", **{":rev": rev})


def newer_rev_will_do(table: Any, post_id: str, rev: int, counted: int) -> bool:
    return set_where(table, post_id, counted, "rev <= :rev", **{":rev": rev})


def by_builder(table: Any, post_id: str, rev: int, counted: int) -> bool:
    try:
        table.update_item(
            Key=meta_key(post_id),
            UpdateExpression="SET likeTally = :counted, rev = rev + :one",
            ConditionExpression=Attr("PK").exists() & Attr("rev").eq(rev),
            ExpressionAttributeValues={":counted": counted, ":one": 1},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise
    return True


def sets_the_next_rev(table: Any, post_id: str, rev: int, counted: int) -> bool:
    try:
        table.meta.client.update_item(
            TableName=table.name,
            Key=meta_key(post_id),
            UpdateExpression="SET #tally = :counted, #rev = :next",
            ConditionExpression="#rev = :rev",
            ExpressionAttributeNames={"#tally": "likeTally", "#rev": "rev"},
            ExpressionAttributeValues={":counted": counted, ":next": rev + 1, ":rev": rev},
        )
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


def in_a_transaction(table: Any, post_id: str, rev: int, counted: int) -> bool:
    update = update_of(table, post_id, expression="SET likeTally = :by ADD rev :one", by=counted)
    update["Update"]["ConditionExpression"] = "rev = :rev"
    update["Update"]["ExpressionAttributeValues"][":rev"] = rev
    return not sent(table, update)


def looks_before_it_compares(table: Any, post_id: str, rev: int, counted: int) -> bool:
    reply = table.get_item(Key=meta_key(post_id))
    if reply.get("Item", {}).get("rev") != rev:
        return False
    return right_repair(table, post_id, rev, counted)


WRONG = {
    "4.1": [
        (deletes_then_subtracts, "The process may die at any point of an unlike"),
        (deletes_in_silence, "A successful DeleteItem does not mean"),
        (floor_for_a_guard, "A floor at zero keeps the number from looking impossible"),
        (looks_instead_of_a_guard, "The same user takes the same like back on two devices"),
        (needs_no_post, "A missing post and a missing like have different answers"),
        (raises_for_two_but_needs_no_post, "left a post with nothing but likeTally -1"),
        (looks_for_the_post_first, "the deleted post is back"),
        (every_cancellation_is_false, "TransactionConflict"),
        (every_cancellation_is_no_post, "A missing like is not an error here"),
        (conflict_is_no_like, "TransactionConflict"),
        (quiet_floor, "and the like is still there"),
        (floor_means_no_post, "Nothing is wrong with this post"),
        (floor_that_heals, "The floor made the drift look like a tally that was always right"),
        (rev_goes_back_too, "rev counts changes, not likes"),
        (says_nothing, "True or False"),
        (second_time_raises, "A missing like is not an error here"),
        (second_time_is_true, "but took nothing back"),
        (sets_what_it_read, "Two users take their likes back"),
        (only_the_item, "likes 2, likeTally 3"),
    ],
    "4.2": [
        (reads_then_acts, "A returned True, and B returned True"),
        (two_tries, "A returned False, and B returned False"),
        (answers_of_the_last_call, "It returns the new state"),
        (the_old_state, "It returns the new state"),
        (on_only, "One call changes the state once"),
        (two_writes, "the process may die at any point of a tap"),
        (no_post_forever, "made more than 500 requests"),
        (gives_up, "raised RuntimeError"),
        (two_rounds, "How many rounds does your loop make"),
        (two_rounds_and_an_error, "How many rounds does your loop make"),
    ],
    "4.3": [
        (counts_first, "so a repair would set the tally to 5"),
        (eventual_meta, "A read that is not strongly consistent"),
        (eventual_count, "A read that is not strongly consistent"),
        (rev_read_last, "In which order of the two reads does rev"),
        (first_page, "larger than one page"),
        (meta_on_the_first_page, "On which page is META if"),
        (meta_on_the_first_page_or_none, "On which page is META if"),
        (needs_a_tally, "that has no likeTally"),
        (all_but_meta, "holds more than likes"),
        (too_many_only, "A drift can go both ways"),
        (other_order, "The order is (stored, rev, counted)"),
        (the_difference, "A repair needs three numbers"),
        (all_posts, "Which condition leaves the others out"),
        (mends_at_once, "audit sent UpdateItem"),
        (a_list, "audit returned list"),
        (scans, "A Scan read"),
        (one_query_forwards, "In which order of the two reads does rev"),
    ],
    "4.4": [
        (overwrites, "out of date when you wrote it"),
        (nightly_recount, "out of date when you wrote it"),
        (compares_the_stored_value, "A, B, A"),
        (compares_in_python, "evaluated in the same step as its write"),
        (adds_the_difference, "the drift was 0, and is -1 now"),
        (leaves_rev, "rev is still 9"),
        (raises_where_it_moved, "raised RuntimeError"),
        (always_true, "wrote nothing, which is right, and returned True"),
        (tells_nothing, "whether the tally was set"),
        (puts_a_new_meta, "leaves the others as they are"),
        (every_error_is_moved, "ThrottlingException"),
        (older_rev_will_do, "out of date when you wrote it"),
        (newer_rev_will_do, "a backup was restored"),
    ],
}
RIGHT = {
    "4.1": [
        right_unlike,
        meta_first,
        with_set,
        without_rev,
        looks_before_the_guard,
        loud_floor,
        floor_that_blames_the_post,
        low_level,
        tries_again_after_a_conflict,
    ],
    "4.2": [toggles_in_a_loop, unlikes_first, reads_in_a_loop],
    "4.3": [right_audit, one_query_backwards, all_metas_at_once, looks_twice],
    "4.4": [
        right_repair,
        by_builder,
        sets_the_next_rev,
        in_a_transaction,
        looks_before_it_compares,
        compares_in_python_then_the_value,
    ],
}
