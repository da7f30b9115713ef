"""Answers to lab 07."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import TypeDeserializer
from botocore.exceptions import ClientError

FLAGS = ("UPDATING#0", "UPDATING#1")
FollowersOf = Callable[[str], Sequence[str]]


def flag_of(user_id: str) -> str:
    return FLAGS[zlib.crc32(user_id.encode()) % len(FLAGS)]


def score_key(user_id: str) -> dict[str, str]:
    return {"PK": f"USER#{user_id}"}


def copy_key(user_id: str, follower: str) -> dict[str, str]:
    return {"PK": f"USER#{follower}", "SK": f"FRIEND#{user_id}"}


def failed(error: ClientError) -> bool:
    return error.response["Error"]["Code"] == "ConditionalCheckFailedException"


def done(write: Callable[[], Any]) -> bool:
    """Whether the write's condition held."""
    try:
        write()
    except ClientError as error:
        if failed(error):
            return False
        raise
    return True


def item_of(scores: Any, user_id: str) -> dict[str, Any]:
    item: dict[str, Any] = scores.get_item(Key=score_key(user_id), ConsistentRead=True).get(
        "Item", {}
    )
    return item


# --- 7.1 begin --------------------------------------------------------------------------------

SET_ALL = "SET score = :score, updating = :flag, updatingScore = :score, updatingSince = :at"
HIGHER = "attribute_not_exists(score) OR score < :score"


def begin_update(user_id: str, score: int, at: int, **more: Any) -> dict[str, Any]:
    return {
        "Key": score_key(user_id),
        "UpdateExpression": SET_ALL,
        "ConditionExpression": HIGHER,
        "ExpressionAttributeValues": {":score": score, ":flag": flag_of(user_id), ":at": at},
        **more,
    }


def right_begin(scores: Any, user_id: str, score: int, at: int) -> bool:
    try:
        scores.update_item(
            **begin_update(user_id, score, at, ReturnValuesOnConditionCheckFailure="ALL_OLD")
        )
    except ClientError as error:
        if not failed(error):
            raise
        deserialize = TypeDeserializer().deserialize
        return error.response["Item"].get("updatingScore") == {"N": str(score)} and bool(
            deserialize(error.response["Item"]["PK"])
        )
    return True


def begin_never_resumes(scores: Any, user_id: str, score: int, at: int) -> bool:
    return done(lambda: scores.update_item(**begin_update(user_id, score, at)))


def begin_resumes_any_flag(scores: Any, user_id: str, score: int, at: int) -> bool:
    if begin_never_resumes(scores, user_id, score, at):
        return True
    return "updating" in item_of(scores, user_id)


def begin_resumes_any_score(scores: Any, user_id: str, score: int, at: int) -> bool:
    if begin_never_resumes(scores, user_id, score, at):
        return True
    return bool(item_of(scores, user_id)["score"] == score)


def begin_resumes_by_the_time(scores: Any, user_id: str, score: int, at: int) -> bool:
    """Takes the flag for its own if it went up at the time that it was called with."""
    if begin_never_resumes(scores, user_id, score, at):
        return True
    return bool(item_of(scores, user_id).get("updatingSince") == at)


def begin_needs_a_flag(scores: Any, user_id: str, score: int, at: int) -> bool:
    if begin_never_resumes(scores, user_id, score, at):
        return True
    return bool(item_of(scores, user_id)["updatingScore"] == score)


def begin_asks_lower_or_equal(scores: Any, user_id: str, score: int, at: int) -> bool:
    condition = "attribute_not_exists(score) OR score <= :score"
    update = begin_update(user_id, score, at, ConditionExpression=condition)
    return done(lambda: scores.update_item(**update))


def begin_forgets_first_scores(scores: Any, user_id: str, score: int, at: int) -> bool:
    update = begin_update(user_id, score, at, ConditionExpression="score < :score")
    if done(lambda: scores.update_item(**update)):
        return True
    return bool(item_of(scores, user_id).get("updatingScore") == score)


def begin_without_condition(scores: Any, user_id: str, score: int, at: int) -> bool:
    update = begin_update(user_id, score, at)
    del update["ConditionExpression"]
    scores.update_item(**update)
    return True


def begin_reads_first(scores: Any, user_id: str, score: int, at: int) -> bool:
    item = item_of(scores, user_id)
    if item.get("score", -1) >= score:
        return bool(item.get("updatingScore") == score)
    return begin_without_condition(scores, user_id, score, at)


def begin_in_two_writes(scores: Any, user_id: str, score: int, at: int) -> bool:
    try:
        scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="SET score = :score",
            ConditionExpression=HIGHER,
            ExpressionAttributeValues={":score": score},
        )
    except ClientError as error:
        if not failed(error):
            raise
        return bool(item_of(scores, user_id).get("updatingScore") == score)
    scores.update_item(
        Key=score_key(user_id),
        UpdateExpression="SET updating = :flag, updatingScore = :score, updatingSince = :at",
        ExpressionAttributeValues={":score": score, ":flag": flag_of(user_id), ":at": at},
    )
    return True


def begin_puts(scores: Any, user_id: str, score: int, at: int) -> bool:
    flag = {"updating": flag_of(user_id), "updatingScore": score, "updatingSince": at}
    return done(
        lambda: scores.put_item(
            Item={**score_key(user_id), "score": score, **flag},
            ConditionExpression=HIGHER,
            ExpressionAttributeValues={":score": score},
        )
    )


def begin_flag_is_true(scores: Any, user_id: str, score: int, at: int) -> bool:
    values = {":score": score, ":flag": True, ":at": at}
    scores.update_item(**begin_update(user_id, score, at, ExpressionAttributeValues=values))
    return True


def begin_flag_is_one_text(scores: Any, user_id: str, score: int, at: int) -> bool:
    values = {":score": score, ":flag": "UPDATING", ":at": at}
    scores.update_item(**begin_update(user_id, score, at, ExpressionAttributeValues=values))
    return True


def begin_without_since(scores: Any, user_id: str, score: int, at: int) -> bool:
    values = {":score": score, ":flag": flag_of(user_id)}
    expression = SET_ALL.replace(", updatingSince = :at", "")
    update = begin_update(
        user_id, score, at, UpdateExpression=expression, ExpressionAttributeValues=values
    )
    scores.update_item(**update)
    return True


def begin_only_the_score(scores: Any, user_id: str, score: int, at: int) -> bool:
    values = {":score": score}
    update = begin_update(
        user_id,
        score,
        at,
        UpdateExpression="SET score = :score",
        ExpressionAttributeValues=values,
    )
    return done(lambda: scores.update_item(**update))


def begin_swallows(scores: Any, user_id: str, score: int, at: int) -> bool:
    try:
        return right_begin(scores, user_id, score, at)
    except ClientError:
        return False


def begin_lets_it_out(scores: Any, user_id: str, score: int, at: int) -> bool:
    scores.update_item(**begin_update(user_id, score, at))
    return True


def begin_reads_after_eventually(scores: Any, user_id: str, score: int, at: int) -> bool:
    if begin_never_resumes(scores, user_id, score, at):
        return True
    item = scores.get_item(Key=score_key(user_id))["Item"]
    return bool(item.get("updatingScore") == score)


def begin_says_nothing(scores: Any, user_id: str, score: int, at: int) -> None:
    right_begin(scores, user_id, score, at)


def begin_reads_after(scores: Any, user_id: str, score: int, at: int) -> bool:
    if done(
        lambda: scores.update_item(
            Key=score_key(user_id),
            UpdateExpression=SET_ALL,
            ConditionExpression=Attr("score").not_exists() | Attr("score").lt(score),
            ExpressionAttributeValues={":score": score, ":flag": "UPDATING#1", ":at": at},
        )
    ):
        return True
    return bool(item_of(scores, user_id).get("updatingScore") == score)


def begin_in_one_condition(scores: Any, user_id: str, score: int, at: int) -> bool:
    """Puts its own flag up again; the condition knows it."""
    condition = f"{HIGHER} OR updatingScore = :score"
    update = begin_update(user_id, score, at, ConditionExpression=condition)
    return done(lambda: scores.update_item(**update))


def begin_with_not(scores: Any, user_id: str, score: int, at: int) -> bool:
    """A comparison with what is not there is false, so its opposite holds."""
    update = begin_update(user_id, score, at, ConditionExpression="NOT score >= :score")
    if done(lambda: scores.update_item(**update)):
        return True
    return bool(item_of(scores, user_id).get("updatingScore") == score)


def begin_looks_and_guards(scores: Any, user_id: str, score: int, at: int) -> bool:
    item = item_of(scores, user_id)
    if item.get("score", -1) > score:
        return False
    return right_begin(scores, user_id, score, at)


def begin_low_level(scores: Any, user_id: str, score: int, at: int) -> bool:
    client = boto3.client("dynamodb")
    number = {"N": str(score)}
    try:
        client.update_item(
            TableName=scores.name,
            Key={"PK": {"S": f"USER#{user_id}"}},
            UpdateExpression="SET #s = :s, #u = :u, #us = :s, #ut = :t",
            ConditionExpression="attribute_not_exists(#s) OR #s < :s",
            ExpressionAttributeNames={
                "#s": "score",
                "#u": "updating",
                "#us": "updatingScore",
                "#ut": "updatingSince",
            },
            ExpressionAttributeValues={
                ":s": number,
                ":u": {"S": flag_of(user_id)},
                ":t": {"N": str(at)},
            },
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except client.exceptions.ConditionalCheckFailedException as error:
        return bool(error.response["Item"].get("updatingScore") == number)
    return True


def begin_in_a_transaction(scores: Any, user_id: str, score: int, at: int) -> bool:
    client = scores.meta.client
    update = begin_update(user_id, score, at, TableName=scores.name)
    try:
        client.transact_write_items(TransactItems=[{"Update": update}])
    except client.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
            raise
        return bool(item_of(scores, user_id).get("updatingScore") == score)
    return True


# --- 7.2 fan_out ------------------------------------------------------------------------------

LOWER = "attribute_exists(PK) AND (attribute_not_exists(highScore) OR highScore < :score)"


def copied(
    table: Any, user_id: str, score: int, follower: str, condition: Any = LOWER, **more: Any
) -> bool:
    return done(
        lambda: table.update_item(
            Key=copy_key(user_id, follower),
            UpdateExpression="SET highScore = :score",
            ConditionExpression=condition,
            ExpressionAttributeValues={":score": score},
            **more,
        )
    )


def right_fan_out(table: Any, user_id: str, score: int, followers: Iterable[str]) -> int:
    return sum(copied(table, user_id, score, follower) for follower in followers)


def fan_out_by(condition: Any) -> Callable[..., int]:
    def fan_out(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
        return sum(copied(table, user_id, score, each, condition) for each in followers)

    return fan_out


def fan_out_plainly(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    for follower in followers:
        table.update_item(
            Key=copy_key(user_id, follower),
            UpdateExpression="SET highScore = :score",
            ExpressionAttributeValues={":score": score},
        )
    return len(followers)


def fan_out_in_a_batch(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    with table.batch_writer() as batch:
        for follower in followers:
            item = {**copy_key(user_id, follower), "name": user_id.title(), "highScore": score}
            batch.put_item(Item=item)
    return len(followers)


def fan_out_in_a_batch_of_lower_ones(
    table: Any, user_id: str, score: int, followers: Sequence[str]
) -> int:
    """Reads every copy, and puts those back that are lower."""
    lower = []
    for follower in followers:
        key = copy_key(user_id, follower)
        item = table.get_item(Key=key, ConsistentRead=True).get("Item")
        if item is not None and item.get("highScore", -1) < score:
            lower.append({**item, "highScore": score})
    with table.batch_writer() as batch:
        for item in lower:
            batch.put_item(Item=item)
    return len(lower)


def fan_out_reads_first(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    changed = 0
    for follower in followers:
        key = copy_key(user_id, follower)
        item = table.get_item(Key=key, ConsistentRead=True).get("Item")
        if item is not None and item.get("highScore", -1) < score:
            changed += copied(table, user_id, score, follower, "attribute_exists(PK)")
    return changed


def fan_out_until_refused(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    changed = 0
    for follower in followers:
        if not copied(table, user_id, score, follower):
            break
        changed += 1
    return changed


def fan_out_lets_it_out(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    for follower in followers:
        table.update_item(
            Key=copy_key(user_id, follower),
            UpdateExpression="SET highScore = :score",
            ConditionExpression=LOWER,
            ExpressionAttributeValues={":score": score},
        )
    return len(followers)


def fan_out_in_one_transaction(
    table: Any, user_id: str, score: int, followers: Sequence[str]
) -> int:
    client = table.meta.client
    actions = [
        {
            "Update": {
                "TableName": table.name,
                "Key": copy_key(user_id, follower),
                "UpdateExpression": "SET highScore = :score",
                "ConditionExpression": LOWER,
                "ExpressionAttributeValues": {":score": score},
            }
        }
        for follower in followers
    ]
    try:
        client.transact_write_items(TransactItems=actions)
    except client.exceptions.TransactionCanceledException:
        return 0
    return len(followers)


def fan_out_counts_all(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    right_fan_out(table, user_id, score, followers)
    return len(followers)


def fan_out_swallows(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    changed = 0
    for follower in followers:
        try:
            changed += copied(table, user_id, score, follower)
        except ClientError:
            continue
    return changed


def fan_out_on_the_wrong_list(
    table: Any, user_id: str, score: int, followers: Sequence[str]
) -> int:
    return sum(copied(table, follower, score, user_id) for follower in followers)


def fan_out_with_attr(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    changed = 0
    for follower in reversed(followers):
        try:
            table.update_item(
                Key=copy_key(user_id, follower),
                UpdateExpression="SET #high = :score",
                ConditionExpression=Attr("SK").exists()
                & (Attr("highScore").not_exists() | Attr("highScore").lt(score)),
                ExpressionAttributeNames={"#high": "highScore"},
                ExpressionAttributeValues={":score": score},
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            continue
        changed += 1
    return changed


def fan_out_one_transaction_each(
    table: Any, user_id: str, score: int, followers: Sequence[str]
) -> int:
    client = table.meta.client
    changed = 0
    for follower in followers:
        update = {
            "TableName": table.name,
            "Key": copy_key(user_id, follower),
            "UpdateExpression": "SET highScore = :score",
            "ConditionExpression": LOWER,
            "ExpressionAttributeValues": {":score": score},
        }
        try:
            client.transact_write_items(TransactItems=[{"Update": update}])
            changed += 1
        except client.exceptions.TransactionCanceledException as error:
            if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
                raise
    return changed


def fan_out_reads_and_guards(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    changed = 0
    for follower in followers:
        item = table.get_item(Key=copy_key(user_id, follower)).get("Item")
        if item is not None:
            changed += copied(table, user_id, score, follower)
    return changed


def fan_out_low_level(table: Any, user_id: str, score: int, followers: Sequence[str]) -> int:
    client = boto3.client("dynamodb")
    changed = 0
    for follower in followers:
        try:
            reply = client.update_item(
                TableName=table.name,
                Key={"PK": {"S": f"USER#{follower}"}, "SK": {"S": f"FRIEND#{user_id}"}},
                UpdateExpression="SET highScore = :new",
                ConditionExpression="attribute_exists(SK) AND NOT highScore >= :new",
                ExpressionAttributeValues={":new": {"N": str(score)}},
                ReturnValues="UPDATED_NEW",
            )
        except client.exceptions.ConditionalCheckFailedException:
            continue
        changed += "highScore" in reply["Attributes"]
    return changed


# --- 7.3 finish -------------------------------------------------------------------------------

REMOVE_ALL = "REMOVE updating, updatingScore, updatingSince"


def removed(scores: Any, user_id: str, **more: Any) -> bool:
    return done(
        lambda: scores.update_item(Key=score_key(user_id), UpdateExpression=REMOVE_ALL, **more)
    )


def right_finish(scores: Any, user_id: str, score: int) -> bool:
    return removed(
        scores,
        user_id,
        ConditionExpression="updatingScore = :score",
        ExpressionAttributeValues={":score": score},
    )


def finish_any_flag(scores: Any, user_id: str, score: int) -> bool:
    return removed(scores, user_id)


def finish_any_older_flag(scores: Any, user_id: str, score: int) -> bool:
    return removed(scores, user_id, ConditionExpression=Attr("updatingScore").lte(score))


def finish_if_there_is_a_flag(scores: Any, user_id: str, score: int) -> bool:
    return removed(scores, user_id, ConditionExpression="attribute_exists(updating)")


def finish_reads_first(scores: Any, user_id: str, score: int) -> bool:
    if item_of(scores, user_id).get("updatingScore") != score:
        return False
    return removed(scores, user_id)


def finish_only_the_key(scores: Any, user_id: str, score: int) -> bool:
    return done(
        lambda: scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="REMOVE updating",
            ConditionExpression="updatingScore = :score",
            ExpressionAttributeValues={":score": score},
        )
    )


def finish_sets_it_empty(scores: Any, user_id: str, score: int) -> bool:
    return done(
        lambda: scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="SET updating = :none REMOVE updatingScore, updatingSince",
            ConditionExpression="updatingScore = :score",
            ExpressionAttributeValues={":score": score, ":none": ""},
        )
    )


def finish_puts_the_rest(scores: Any, user_id: str, score: int) -> bool:
    return done(
        lambda: scores.put_item(
            Item={**score_key(user_id), "score": score},
            ConditionExpression="updatingScore = :score",
            ExpressionAttributeValues={":score": score},
        )
    )


def finish_lets_it_out(scores: Any, user_id: str, score: int) -> bool:
    scores.update_item(
        Key=score_key(user_id),
        UpdateExpression=REMOVE_ALL,
        ConditionExpression="updatingScore = :score",
        ExpressionAttributeValues={":score": score},
    )
    return True


def finish_swallows(scores: Any, user_id: str, score: int) -> bool:
    try:
        return right_finish(scores, user_id, score)
    except ClientError:
        return False


def finish_says_true(scores: Any, user_id: str, score: int) -> bool:
    right_finish(scores, user_id, score)
    return True


def finish_with_attr(scores: Any, user_id: str, score: int) -> bool:
    return done(
        lambda: scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="REMOVE #u, #s, #t",
            ConditionExpression=Attr("updatingScore").eq(score) & Attr("PK").exists(),
            ExpressionAttributeNames={
                "#u": "updating",
                "#s": "updatingScore",
                "#t": "updatingSince",
            },
        )
    )


def finish_by_the_score(scores: Any, user_id: str, score: int) -> bool:
    """begin writes both in one step, so a flag's score is the score."""
    return removed(
        scores,
        user_id,
        ConditionExpression="score = :score AND attribute_exists(updating)",
        ExpressionAttributeValues={":score": score},
    )


def finish_reads_and_guards(scores: Any, user_id: str, score: int) -> bool:
    if item_of(scores, user_id).get("updatingScore") != score:
        return False
    return right_finish(scores, user_id, score)


# --- 7.4 record_high_score --------------------------------------------------------------------


def right_record(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    right_fan_out(copies, user_id, score, followers_of(user_id))
    right_finish(scores, user_id, score)
    return True


def record_with(
    name: str,
    begin: Callable[..., bool] = right_begin,
    fan_out: Callable[..., int] = right_fan_out,
    finish: Callable[..., bool] = right_finish,
) -> Callable[..., bool]:
    """The right order, with one wrong part."""

    def record(
        scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
    ) -> bool:
        if not begin(scores, user_id, score, at):
            return False
        fan_out(copies, user_id, score, followers_of(user_id))
        finish(scores, user_id, score)
        return True

    record.__name__ = name
    return record


def record_flag_off_first(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    right_finish(scores, user_id, score)
    right_fan_out(copies, user_id, score, followers_of(user_id))
    return True


def record_flag_off_before_the_last(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    *others, last = followers_of(user_id) or [user_id]
    right_fan_out(copies, user_id, score, others)
    right_finish(scores, user_id, score)
    right_fan_out(copies, user_id, score, [last])
    return True


def record_copies_first(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    right_fan_out(copies, user_id, score, followers_of(user_id))
    if not right_begin(scores, user_id, score, at):
        return False
    right_finish(scores, user_id, score)
    return True


def record_lists_first(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    followers = followers_of(user_id)
    if not right_begin(scores, user_id, score, at):
        return False
    right_fan_out(copies, user_id, score, followers)
    right_finish(scores, user_id, score)
    return True


def record_without_finish(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    right_fan_out(copies, user_id, score, followers_of(user_id))
    return True


def record_finally(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    try:
        right_fan_out(copies, user_id, score, followers_of(user_id))
    finally:
        right_finish(scores, user_id, score)
    return True


def record_swallows(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    try:
        right_fan_out(copies, user_id, score, followers_of(user_id))
    except ClientError:
        return True
    right_finish(scores, user_id, score)
    return True


def record_plainly(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if item_of(scores, user_id).get("score", -1) >= score:
        return False
    scores.update_item(
        Key=score_key(user_id),
        UpdateExpression="SET score = :score",
        ExpressionAttributeValues={":score": score},
    )
    right_fan_out(copies, user_id, score, followers_of(user_id))
    return True


def record_in_one_transaction(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    client = scores.meta.client
    changes = [
        {
            "TableName": scores.name,
            "Key": score_key(user_id),
            "UpdateExpression": "SET score = :score",
            "ConditionExpression": HIGHER,
        }
    ]
    changes += [
        {
            "TableName": copies.name,
            "Key": copy_key(user_id, follower),
            "UpdateExpression": "SET highScore = :score",
            "ConditionExpression": "attribute_exists(PK)",
        }
        for follower in followers_of(user_id)
    ]
    values = {"ExpressionAttributeValues": {":score": score}}
    actions = [{"Update": {**change, **values}} for change in changes]
    try:
        client.transact_write_items(TransactItems=actions)
    except client.exceptions.TransactionCanceledException:
        return False
    return True


def record_returns_finish(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    if not right_begin(scores, user_id, score, at):
        return False
    right_fan_out(copies, user_id, score, followers_of(user_id))
    return right_finish(scores, user_id, score)


def record_says_nothing(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> None:
    right_record(scores, copies, followers_of, user_id, score, at)


def record_goes_on_all_the_same(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    """Copies a score that is no better, too: it finds nothing to do."""
    began = right_begin(scores, user_id, score, at)
    right_fan_out(copies, user_id, score, followers_of(user_id))
    right_finish(scores, user_id, score)
    return began


def record_in_one_function(
    scores: Any, copies: Any, followers_of: FollowersOf, user_id: str, score: int, at: int
) -> bool:
    began = begin_reads_after(scores, user_id, score, at)
    if began:
        for follower in followers_of(user_id):
            copied(copies, user_id, score, follower)
        removed(
            scores,
            user_id,
            ConditionExpression=Attr("updatingScore").eq(score),
        )
    return began


# --- 7.5 recover ------------------------------------------------------------------------------


def flagged(scores: Any, older_than: int, flags: Sequence[str] = FLAGS) -> list[str]:
    found = []
    for flag in flags:
        page = scores.query(
            IndexName="byUpdating",
            KeyConditionExpression=Key("updating").eq(flag) & Key("updatingSince").lt(older_than),
        )
        found += [item["PK"].removeprefix("USER#") for item in page["Items"]]
    return found


def right_recover(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = int(item_of(scores, user_id)["score"])
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_swallows(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        with suppress(ClientError):
            right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_skips(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    """Leaves the flag of a player whose copies it cannot write, and tells nobody."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        try:
            right_fan_out(copies, user_id, score, followers_of(user_id))
            finished += right_finish(scores, user_id, score)
        except ClientError:
            continue
    return finished


def recover_lists_first(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        followers = followers_of(user_id)
        score = item_of(scores, user_id)["score"]
        right_fan_out(copies, user_id, score, followers)
        finished += right_finish(scores, user_id, score)
    return finished


def recover_counts_what_it_did(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """Counts each player that it worked for, whatever finish says."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id).get("updatingScore")
        if score is not None:
            right_fan_out(copies, user_id, score, followers_of(user_id))
            right_finish(scores, user_id, score)
            finished += 1
    return finished


def recover_scans(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    finished = 0
    found = scores.scan(FilterExpression=Attr("updatingSince").lt(older_than))["Items"]
    for item in found:
        user_id = item["PK"].removeprefix("USER#")
        right_fan_out(copies, user_id, item["score"], followers_of(user_id))
        finished += right_finish(scores, user_id, item["score"])
    return finished


def recover_scans_the_index(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """A scan of a sparse index reads the flags and nothing else."""
    finished = 0
    for entry in scores.scan(IndexName="byUpdating")["Items"]:
        user_id = entry["PK"].removeprefix("USER#")
        item = item_of(scores, user_id)
        if item.get("updatingSince", older_than) < older_than:
            right_fan_out(copies, user_id, item["score"], followers_of(user_id))
            finished += right_finish(scores, user_id, item["score"])
    return finished


def recover_reads_eventually(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = scores.get_item(Key=score_key(user_id))["Item"]["score"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_takes_any_flag_off(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += finish_if_there_is_a_flag(scores, user_id, score)
    return finished


def recover_finishes_what_is_there(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """Reads the flag again for finish: by then it may be another one."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
        now = item_of(scores, user_id).get("updatingScore")
        finished += now is not None and right_finish(scores, user_id, now)
    return finished


def recover_finishes_first(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """Takes the flag as a lock, so that no two do the same work."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        if right_finish(scores, user_id, score):
            right_fan_out(copies, user_id, score, followers_of(user_id))
            finished += 1
    return finished


def recover_adds(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    """Adds what is missing to each copy."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        for follower in followers_of(user_id):
            key = copy_key(user_id, follower)
            item = copies.get_item(Key=key, ConsistentRead=True).get("Item")
            if item is not None:
                copies.update_item(
                    Key=key,
                    UpdateExpression="ADD highScore :missing",
                    ConditionExpression="attribute_exists(PK)",
                    ExpressionAttributeValues={":missing": score - item.get("highScore", 0)},
                )
        finished += right_finish(scores, user_id, score)
    return finished


def recover_copies_what_it_read(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """Sets each copy that is there, without a look at what it says."""
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["score"]
        for follower in followers_of(user_id):
            copied(copies, user_id, score, follower, "attribute_exists(PK)")
        finished += right_finish(scores, user_id, score)
    return finished


def recover_puts(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        item = item_of(scores, user_id)
        with copies.batch_writer() as batch:
            for follower in followers_of(user_id):
                key = copy_key(user_id, follower)
                batch.put_item(Item={**key, "name": item["name"], "highScore": item["score"]})
        finished += right_finish(scores, user_id, item["score"])
    return finished


def recover_one_flag_only(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than, FLAGS[:1]):
        score = item_of(scores, user_id)["score"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_needs_a_flag(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id)["updatingScore"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_without_finish(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    found = flagged(scores, older_than)
    for user_id in found:
        score = item_of(scores, user_id)["score"]
        right_fan_out(copies, user_id, score, followers_of(user_id))
    return len(found)


def recover_everybody(scores: Any, copies: Any, followers_of: FollowersOf, older_than: int) -> int:
    return right_recover(scores, copies, followers_of, 9_999_999_999)


def recover_counts_players_found(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """Counts the players that the index named."""
    found = flagged(scores, older_than)
    right_recover(scores, copies, followers_of, older_than)
    return len(found)


def recover_says_nothing(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> None:
    right_recover(scores, copies, followers_of, older_than)


def recover_by_recording(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    """begin goes on from the flag of the same score."""
    finished = 0
    for user_id in flagged(scores, older_than):
        item = item_of(scores, user_id)
        if "updatingScore" in item and right_begin(
            scores, user_id, int(item["score"]), item["updatingSince"]
        ):
            right_fan_out(copies, user_id, item["score"], followers_of(user_id))
            finished += right_finish(scores, user_id, item["score"])
    return finished


def recover_looks_for_a_flag(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    finished = 0
    for user_id in flagged(scores, older_than):
        score = item_of(scores, user_id).get("updatingScore")
        if score is None:
            continue
        right_fan_out(copies, user_id, score, followers_of(user_id))
        finished += right_finish(scores, user_id, score)
    return finished


def recover_with_a_batch_get(
    scores: Any, copies: Any, followers_of: FollowersOf, older_than: int
) -> int:
    found = flagged(scores, older_than)
    if not found:
        return 0
    client = scores.meta.client
    request = {
        scores.name: {
            "Keys": [score_key(user_id) for user_id in found],
            "ConsistentRead": True,
            "ProjectionExpression": "PK, score",
        }
    }
    finished = 0
    for item in client.batch_get_item(RequestItems=request)["Responses"][scores.name]:
        user_id = item["PK"].removeprefix("USER#")
        right_fan_out(copies, user_id, item["score"], followers_of(user_id))
        finished += right_finish(scores, user_id, item["score"])
    return finished


WRONG = {
    "7.1": [
        (begin_never_resumes, "the reply was lost"),
        (begin_resumes_any_flag, "Which score's copies would you change?"),
        (begin_resumes_by_the_time, "Which score's copies would you change?"),
        (begin_needs_a_flag, "so it has no updatingScore either"),
        (begin_in_one_condition, "Since when have its copies"),
        (begin_resumes_any_score, "all of its copies are done"),
        (begin_asks_lower_or_equal, "all of its copies are done"),
        (begin_forgets_first_scores, "How does a first score pass"),
        (begin_without_condition, "for a better score, and for no other"),
        (begin_reads_first, "out of date when you write"),
        (begin_in_two_writes, "Which one write carries both"),
        (begin_puts, "leaves the others as they are"),
        (begin_flag_is_true, "the key of an index"),
        (begin_flag_is_one_text, "never finds this one"),
        (begin_without_since, "updatingSince is not there"),
        (begin_only_the_score, "no flag is up"),
        (begin_swallows, "30 is lost"),
        (begin_lets_it_out, "most games end so"),
        (begin_reads_after_eventually, "which read sees it"),
        (begin_says_nothing, "True or False"),
    ],
    "7.2": [
        (fan_out_plainly, "made him a copy again"),
        (fan_out_by("attribute_exists(PK)"), "an older score has overwritten a newer one"),
        (fan_out_by("highScore < :score"), "bob's copy has no highScore"),
        (
            fan_out_by("attribute_not_exists(highScore) OR highScore < :score"),
            "made him a copy again",
        ),
        (
            fan_out_by("attribute_exists(PK) AND NOT highScore > :score"),
            "already lower than 30",
        ),
        (fan_out_in_a_batch, "BatchWriteItem takes no condition"),
        (fan_out_in_a_batch_of_lower_ones, "out of date when you write it"),
        (fan_out_reads_first, "out of date when you write it"),
        (fan_out_until_refused, "end the loop"),
        (fan_out_lets_it_out, "the other followers are still to do"),
        (fan_out_in_one_transaction, "undo the writes"),
        (fan_out_counts_all, "counts 0"),
        (fan_out_swallows, "who has to learn of it?"),
        (fan_out_on_the_wrong_list, "On whose list is a copy"),
    ],
    "7.3": [
        (finish_any_flag, "Whose flag is it"),
        (finish_if_there_is_a_flag, "Whose flag is it"),
        (finish_any_older_flag, "Whose flag is it"),
        (finish_reads_first, "out of date when you write"),
        (finish_only_the_key, "The flag is three attributes"),
        (finish_sets_it_empty, "Which update removes an attribute?"),
        (finish_puts_the_rest, "leaves the others"),
        (finish_lets_it_out, "To be overtaken is not an error"),
        (finish_swallows, "says that the flag is not yours"),
        (finish_says_true, "Did this call take a flag off"),
    ],
    "7.4": [
        (record_flag_off_first, "when may it come off"),
        (record_flag_off_before_the_last, "when may it come off"),
        (record_copies_first, "When does the flag go up"),
        (record_lists_first, "When do you read the list"),
        (record_without_finish, "Which step says so"),
        (record_finally, "In which one case may the flag come off?"),
        (record_swallows, "Who has to learn of any other error?"),
        (record_plainly, "something in the table must say"),
        (record_in_one_transaction, "How many items can one request carry?"),
        (record_returns_finish, "Is that what record_high_score must return?"),
        (record_says_nothing, "whether it was a new high score"),
        (record_with("never_resumes", begin=begin_never_resumes), "Does your call go on"),
        (record_with("any_flag_off", finish=finish_any_flag), "the flag is its own"),
        (record_with("reads_copies", fan_out=fan_out_reads_first), "its score is still the best"),
    ],
    "7.5": [
        (recover_scans, "a Scan of 43 items"),
        (recover_swallows, "In which one case may the flag come off?"),
        (recover_skips, "Who has to learn of any other error?"),
        (recover_lists_first, "Did P read the list"),
        (recover_counts_what_it_did, "the flag of 50 is still up"),
        (recover_reads_eventually, "Which read sees the last write"),
        (recover_takes_any_flag_off, "for which score it works"),
        (recover_finishes_what_is_there, "for which score it works"),
        (recover_finishes_first, "until the last copy is done"),
        (recover_adds, "Which of your writes changes something again"),
        (recover_copies_what_it_read, "at a copy that is better"),
        (recover_puts, "must not come back"),
        (recover_one_flag_only, "Which players does the given query find?"),
        (recover_needs_a_flag, "has no flag any more"),
        (recover_without_finish, "Which step says so"),
        (recover_everybody, "Which flags are old enough"),
        (recover_counts_players_found, "the flag was off before"),
        (recover_says_nothing, "how many flags this call took off"),
    ],
}

RIGHT: dict[str, list[Any]] = {
    "7.1": [
        right_begin,
        begin_reads_after,
        begin_with_not,
        begin_looks_and_guards,
        begin_low_level,
        begin_in_a_transaction,
    ],
    "7.2": [
        right_fan_out,
        fan_out_with_attr,
        fan_out_one_transaction_each,
        fan_out_reads_and_guards,
        fan_out_low_level,
    ],
    "7.3": [
        right_finish,
        finish_with_attr,
        finish_by_the_score,
        finish_reads_and_guards,
    ],
    "7.4": [right_record, record_goes_on_all_the_same, record_in_one_function],
    "7.5": [
        right_recover,
        recover_scans_the_index,
        recover_by_recording,
        recover_looks_for_a_flag,
        recover_with_a_batch_get,
    ],
}
