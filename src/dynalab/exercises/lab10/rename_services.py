"""What a check of lab 10 does by itself: plans, carried out or not, new posts, throttled writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

from dynalab.exercises.lab10.posts import BY_AUTHOR, MARA, post_item, post_key, profile_key
from dynalab.faults import Block, canned_replies
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.trial import Attempt, Trial

THROTTLES = 40  # more than boto3 tries one request; few enough for whoever tries again by himself


class Overtaken(Exception):
    """As the notebook defines it."""


def profile_change(old: str, new: str, version: int, user_id: str = MARA) -> dict[str, Any]:
    return {"item": profile_key(user_id), "old": old, "new": new, "version": version}


def post_change(post_id: str, old: str, new: str, version: int) -> dict[str, Any]:
    return {"item": post_key(post_id), "old": old, "new": new, "version": version}


def plan_for(new_name: str, copies: Mapping[str, str], version: int = 4) -> list[dict[str, Any]]:
    """A plan that makes another name of Mara. copies: post id → the name that it holds."""
    posts = [post_change(post_id, old, new_name, version) for post_id, old in copies.items()]
    return [profile_change("Mara", new_name, version), *posts]


def planned(table: Any, user_id: str, new_name: str) -> list[dict[str, Any]]:
    """A plan as exercise 10.3 asks for it, of one page."""
    profile = profile_of(table, user_id)
    version = int(profile["nameVersion"])
    plan: list[dict[str, Any]] = []
    if profile["name"] != new_name:
        version += 1
        plan.append(profile_change(profile["name"], new_name, version, user_id))
    page = table.query(
        IndexName=BY_AUTHOR,
        KeyConditionExpression=f"{BY_AUTHOR}PK = :author",
        ExpressionAttributeValues={":author": f"AUTHOR#{user_id}"},
    )
    for entry in page["Items"]:
        if entry["authorNameVersion"] < version:
            post_id = entry["PK"].removeprefix("POST#")
            plan.append(post_change(post_id, entry["authorName"], new_name, version))
    return plan


def profile_of(table: Any, user_id: str) -> dict[str, Any]:
    item: dict[str, Any] = table.get_item(Key=profile_key(user_id), ConsistentRead=True)["Item"]
    return item


def applied(table: Any, plan: list[dict[str, Any]]) -> int:
    """Carries out a plan as exercise 10.4 asks for it."""
    changed = 0
    for change in plan:
        if change["item"]["SK"] != "PROFILE":
            changed += _set(table, change, "authorName", "authorNameVersion") is None
            continue
        stood = _set(table, change, "name", "nameVersion")
        mine = {"S": change["new"]}, {"N": str(change["version"])}
        if stood is not None and (stood.get("name"), stood.get("nameVersion")) != mine:
            raise Overtaken
    return changed


def _set(table: Any, change: dict[str, Any], name: str, version: str) -> dict[str, Any] | None:
    """None where it is written; else the item that stood in the way, in wire form."""
    try:
        table.update_item(
            Key=change["item"],
            UpdateExpression="SET #name = :new, #version = :version",
            ConditionExpression="#version < :version",
            ExpressionAttributeNames={"#name": name, "#version": version},
            ExpressionAttributeValues={":new": change["new"], ":version": change["version"]},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        response: Any = error.response
        return response.get("Item") or {}
    return None


def carried_out(trial: Trial, apply_rename: Any, table: Any, plan: list[Any]) -> Attempt:
    """The learner's function on a plan; its text has no plan in it, which would be cut off."""
    attempt = trial.attempt(apply_rename, table, plan)
    return replace(attempt, text=f"{attempt.text.partition('(')[0]}(table, plan)")


def renaming(
    table: Any, new_name: str | None, plan: Any = planned, apply: Any = applied
) -> Callable[[], Any]:
    """A client that renames Mara. new_name None: a later plan, for the name in the profile."""

    def client() -> Any:
        name = profile_of(table, MARA)["name"] if new_name is None else new_name
        return apply(table, plan(table, MARA, name))

    return client


def put_new_post(table: Any, post_id: str, name: str, version: int) -> None:
    """A post of Mara's whose maker has read that name; the second half of new_post."""
    item = post_item(post_id, MARA, name, version)
    table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")


def throttled_writes(table: Any, prefix: str) -> Block:
    """Writes to items whose key begins so are throttled, THROTTLES of them; "POST#" for one."""
    client = client_of(table)

    def act(call: Call, fault: Fault) -> AWSResponse | None:
        if f'"{prefix}' not in call.raw.decode() or not fault.claim():
            return None
        return canned_replies.throttled(call, client.meta.region_name)

    writes = {"UpdateItem", "PutItem", "BatchWriteItem", "TransactWriteItems"}
    return opened(client, act, times=THROTTLES, operations=frozenset(writes))
