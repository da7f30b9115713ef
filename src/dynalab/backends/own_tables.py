"""The tables that are DynaLab's own on a server: told by their names and, at AWS, by a tag too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from dynalab.engine.destinations import user

TAG = "DynaLab"  # its value is the lab's number, "02"
_WAIT = {"Delay": 2, "MaxAttempts": 150}  # boto3 would look every twenty seconds


def prefix_of(label: str) -> str:
    """What the names of one lab's tables begin with: "dynalab-ana-02-"."""
    return f"dynalab-{user()}-{label}-"


def has_own_name(name: str) -> bool:
    """Whether a table's name is one that a lab of this user gives."""
    return re.match(rf"dynalab-{re.escape(user())}-\d\d-", name) is not None


def names_of_tables(client: Any) -> list[str]:
    """Every table that the server lists, page by page."""
    # boto3's paginator would first look through the folders of every service of AWS.
    names: list[str] = []
    more: dict[str, str] = {}
    while True:
        page = client.list_tables(**more)
        names += page["TableNames"]
        last = page.get("LastEvaluatedTableName")
        if not last:
            return names
        more = {"ExclusiveStartTableName": last}


def has_tag(client: Any, description: Mapping[str, Any]) -> bool:
    """Whether a table was made by DynaLab. description: its Table, as DescribeTable gives it."""
    arn = description["TableArn"]
    more: dict[str, str] = {}
    while True:
        page = client.list_tags_of_resource(ResourceArn=arn, **more)
        if any(tag["Key"] == TAG for tag in page["Tags"]):
            return True
        if not page.get("NextToken"):
            return False
        more = {"NextToken": page["NextToken"]}


def described(client: Any, name: str) -> dict[str, Any] | None:
    """The table as DescribeTable gives it, or None where there is none."""
    try:
        return dict(client.describe_table(TableName=name)["Table"])
    except ClientError as error:
        if error.response["Error"]["Code"] == "ResourceNotFoundException":
            return None
        raise


def made(client: Any, name: str, definition: Mapping[str, Any]) -> None:
    """Makes a table and waits until it is there."""
    table = client.create_table(TableName=name, **definition).get("TableDescription", {})
    if table.get("TableStatus") != "ACTIVE":  # DynamoDB takes some seconds, an emulator none
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=_WAIT)


def removed(client: Any, name: str) -> None:
    """Deletes a table and waits until it is gone; one that is still being made is waited for."""
    table = described(client, name)
    if table is None:
        return
    if table["TableStatus"] in ("CREATING", "UPDATING"):
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=_WAIT)
    if table["TableStatus"] != "DELETING":
        client.delete_table(TableName=name)
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=_WAIT)
