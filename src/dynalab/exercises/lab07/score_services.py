"""What others do meanwhile in lab 07: writers, recoveries, new friends, friends who leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

from dynalab.exercises.lab07.high_scores import (
    COPIES,
    FLAGS,
    INDEX,
    Game,
    copy_key,
    follower_key,
    score_key,
)
from dynalab.faults import Block, canned_replies
from dynalab.faults.intercept import Call, Fault, client_of, opened

_HIGHER = "attribute_not_exists({0}) OR {0} < :score"
_FAILED = ("ConditionalCheckFailedException", "TransactionCanceledException")


def begin(game: Game, user_id: str, score: int, at: int) -> bool:
    """The score and its flag, where it is a new high score."""
    return _done(
        lambda: game.scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="SET score = :score, updating = :flag, updatingScore = :score, "
            "updatingSince = :at",
            ConditionExpression=_HIGHER.format("score"),
            ExpressionAttributeValues={":score": score, ":flag": FLAGS[0], ":at": at},
        )
    )


def fan_out(game: Game, user_id: str, score: int) -> None:
    """The score to every copy that is there and lower."""
    for friend in followers_of(game)(user_id):
        copy_to(game, user_id, friend, score)


def copy_to(game: Game, user_id: str, friend: str, score: int) -> bool:
    return _done(
        lambda: game.copies.update_item(
            Key=copy_key(user_id, friend),
            UpdateExpression="SET highScore = :score",
            ConditionExpression=f"attribute_exists(PK) AND ({_HIGHER.format('highScore')})",
            ExpressionAttributeValues={":score": score},
        )
    )


def finish(game: Game, user_id: str, score: int) -> bool:
    """The flag off, where it is this score's."""
    return _done(
        lambda: game.scores.update_item(
            Key=score_key(user_id),
            UpdateExpression="REMOVE updating, updatingScore, updatingSince",
            ConditionExpression="updatingScore = :score",
            ExpressionAttributeValues={":score": score},
        )
    )


def record(game: Game, user_id: str, score: int, at: int) -> None:
    """A new high score, from its flag to the last copy."""
    if begin(game, user_id, score, at):
        fan_out(game, user_id, score)
        finish(game, user_id, score)


def record_at_once(game: Game, user_id: str, score: int, *followers: str) -> None:
    """A new high score with all of its copies, in one transaction; no flag is needed, or left."""
    update = {
        "TableName": game.scores.name,
        "Key": score_key(user_id),
        "UpdateExpression": "SET score = :score REMOVE updating, updatingScore, updatingSince",
        "ConditionExpression": _HIGHER.format("score"),
    }
    copies = [
        {
            "TableName": game.copies.name,
            "Key": copy_key(user_id, follower),
            "UpdateExpression": "SET highScore = :score",
            "ConditionExpression": "attribute_exists(PK)",
        }
        for follower in followers
    ]
    values = {"ExpressionAttributeValues": {":score": score}}
    actions = [{"Update": {**each, **values}} for each in (update, *copies)]
    _done(lambda: game.scores.meta.client.transact_write_items(TransactItems=actions))


def recover(game: Game, older_than: int) -> None:
    """What writers who died have left half-done."""
    for user_id in flagged(game, older_than):
        item = game.scores.get_item(Key=score_key(user_id), ConsistentRead=True)["Item"]
        fan_out(game, user_id, item["score"])
        finish(game, user_id, item["score"])


def flagged(game: Game, older_than: int) -> list[str]:
    """The players whose flag has been up since before this time."""
    found: list[str] = []
    for flag in FLAGS:
        page = game.scores.query(
            IndexName=INDEX,
            KeyConditionExpression="updating = :flag AND updatingSince < :time",
            ExpressionAttributeValues={":flag": flag, ":time": older_than},
        )
        found += [item["PK"].removeprefix("USER#") for item in page["Items"]]
    return found


def followers_of(game: Game) -> Callable[[str], list[str]]:
    """The function that an answer is given: a player's followers, as they are now."""

    def followers_of(user_id: str) -> list[str]:
        page = game.followers.query(
            KeyConditionExpression="PK = :user",
            ExpressionAttributeValues={":user": f"USER#{user_id}"},
            ConsistentRead=True,
        )
        return [item["SK"].removeprefix("FOLLOWER#") for item in page["Items"]]

    return followers_of


def befriend(game: Game, friend: str, user_id: str) -> None:
    """A new follower, with a copy of the score as it is at that moment."""
    while True:
        item = game.scores.get_item(Key=score_key(user_id), ConsistentRead=True)["Item"]
        if _done(lambda item=item: _add_follower(game, friend, user_id, item)):  # type: ignore[misc]
            return


def befriend_having_read(game: Game, friend: str, user_id: str, score: int) -> bool:
    """The second half of befriend, where the score was read before; False where it has risen."""
    item = {"name": user_id.title(), "score": score}
    return _done(lambda: _add_follower(game, friend, user_id, item))


def _add_follower(game: Game, friend: str, user_id: str, item: dict[str, Any]) -> None:
    """All or nothing, and only where the score is still that of the item."""
    same: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(score)"}
    copy = {**copy_key(user_id, friend), "name": item["name"]}
    if "score" in item:
        same = {
            "ConditionExpression": "score = :score",
            "ExpressionAttributeValues": {":score": item["score"]},
        }
        copy["highScore"] = item["score"]
    check = {"TableName": game.scores.name, "Key": score_key(user_id), **same}
    follower = follower_key(user_id, friend)
    game.scores.meta.client.transact_write_items(
        TransactItems=[
            {"ConditionCheck": check},
            {"Put": {"TableName": game.copies.name, "Item": copy}},
            {"Put": {"TableName": game.followers.name, "Item": follower}},
        ]
    )


def unfriend(game: Game, friend: str, user_id: str) -> None:
    """A follower goes, and the copy with him."""
    game.scores.meta.client.transact_write_items(
        TransactItems=[
            {"Delete": {"TableName": game.copies.name, "Key": copy_key(user_id, friend)}},
            {"Delete": {"TableName": game.followers.name, "Key": follower_key(user_id, friend)}},
        ]
    )


def copies_throttled(game: Game) -> Block:
    """Every write to FriendScore is throttled; the other tables are well."""
    client = client_of(game.copies)

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if f'"{COPIES}"' not in call.raw.decode() or not fault.claim():
            return None
        return canned_replies.throttled(call, client.meta.region_name)

    writes = {"UpdateItem", "PutItem", "BatchWriteItem", "TransactWriteItems"}
    return opened(client, act, operations=frozenset(writes))


def _done(write: Callable[[], Any]) -> bool:
    """Whether the write's condition held."""
    try:
        write()
    except ClientError as error:
        if error.response["Error"]["Code"] in _FAILED:
            return False
        raise
    return True
