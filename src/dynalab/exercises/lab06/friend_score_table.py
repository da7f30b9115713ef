"""Exercise 6.1: a table whose local secondary index holds what the leaderboard shows, no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.lab06.friend_scores import INDEX, SINCE, friend_item
from dynalab.exercises.words import in_read_units
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

_NAME = "FriendScoreTrial"
_FRIENDS = 20
_CALL = f"create_friend_score(dynamodb, '{_NAME}')"
_LINE = "\n    in the line: "
_REFUSALS = (
    (
        "LocalSecondaryIndexUpdates",
        "No request adds a local index to an existing table. When must you create it?",
    ),
    (
        "same leading hash key",
        "A local index shares the table's partition key. Which of its two keys is its own?",
    ),
    (
        "AttributeDefinitions are not used",
        "AttributeDefinitions give keys their types, and nothing else. Which of these is no key?",
    ),
    (
        "not defined in AttributeDefinitions",
        "The sort key of an index has a type, too. Where do you give the types?",
    ),
)
_KINDS = {"S": "a String", "N": "a Number", "B": "a Binary"}


def check_create_friend_score(create_friend_score: Any, trial: Trial) -> Passed:
    attempt = trial.attempt(create_friend_score, trial.dynamodb, _NAME)
    if attempt.raised is not None:
        raise Refused(f"{_CALL} raised {_short(attempt.raised)}", _refusal_question(attempt))
    table = _described(trial)
    _expect_table(attempt.returned)
    _expect_keys(table)
    _expect_local_index(table)
    return _expect_projection(trial.dynamodb.Table(_NAME))


def _short(error: BaseException) -> str:
    """What DynamoDB or boto3 says, without boto3's list of all parameters."""
    text, _, more = told(error).partition(", must be one of: ")
    return f"{text}.{more[more.find(_LINE) :] if _LINE in more else ''}" if more else text


def _refusal_question(attempt: Attempt) -> str:
    text = str(attempt.raised)
    for said, ask in _REFUSALS:
        if said in text:
            return ask
    return advice(attempt.raised) if attempt.raised else ""


def _described(trial: Trial) -> Mapping[str, Any]:
    client = trial.dynamodb.meta.client
    names = client.list_tables()["TableNames"]
    if _NAME not in names:
        raise Refused(
            f"After {_CALL} there is no table {_NAME}; the tables are: "
            f"{', '.join(names) or 'none'}.",
            "Which argument is the name of the table, and which request creates a table?",
        )
    return dict(client.describe_table(TableName=_NAME)["Table"])


def _expect_table(made: Any) -> None:
    if getattr(made, "table_name", None) == _NAME:
        return
    raise Refused(
        f"{_CALL} made the table, but returned {type(made).__name__}.",
        "The docstring promises the boto3 Table. dynamodb is boto3's resource: "
        "what does its create_table return, or its Table(name)?",
    )


def _expect_keys(table: Mapping[str, Any]) -> None:
    schema, types = _schema(table["KeySchema"]), _types(table)
    if schema == ("PK", "SK") and types["PK"] == types["SK"] == "S":
        return
    keys = ", ".join(f"{name} ({_KINDS[types[name]]})" for name in schema if name)
    raise Refused(
        f"The key of the new table is {keys}.",
        "A user's friends share a partition key, and each friend has a sort key: which attributes "
        "of the model are these keys, and which types do they have?",
    )


def _expect_local_index(table: Mapping[str, Any]) -> None:
    local = {index["IndexName"]: index for index in table.get("LocalSecondaryIndexes") or []}
    others = [index["IndexName"] for index in table.get("GlobalSecondaryIndexes") or []]
    if others:
        raise Refused(
            f"The new table has a global secondary index: {', '.join(others)}. It is a separate "
            "copy with its own bill, and it has no strongly consistent reads.",
            "The leaderboard of one user stays within that user's partition key. Which kind of "
            "index does too, and when is it created?",
        )
    if not local:
        raise Refused(
            "The new table has no index, and no local one can be added later.",
            "Which parameter of create_table takes local secondary indexes?",
        )
    if INDEX not in local:
        raise Refused(
            f"The new table's index is called {', '.join(local)}.",
            f"A Query must give the name of the index: the docstring says {INDEX}.",
        )
    if len(local) > 1:
        raise Refused(
            f"The new table has {len(local)} local indexes: {', '.join(local)}. You pay for every "
            "write that touches one of them.",
            "Which of them does the leaderboard need?",
        )
    _expect_number(_schema(local[INDEX]["KeySchema"]), _types(table))


def _expect_number(schema: tuple[str, str], types: Mapping[str, str]) -> None:
    if schema[1] != "highScore":
        raise Refused(
            f"{INDEX} sorts by {schema[1]}.",
            "The best score comes first on a leaderboard: which attribute is the score?",
        )
    if types["highScore"] != "N":
        texts = ", ".join(sorted(["9", "30", "100"]))
        raise Refused(
            f"{INDEX} sorts by highScore as {_KINDS[types['highScore']]}. It accepts no number, "
            f"and as text three scores have this order: {texts}.",
            "Which attribute type is ordered by value?",
        )


def _expect_projection(table: Any) -> Passed:
    """By what the index shows and what it costs, however the projection is written."""
    for number in range(1, _FRIENDS + 1):
        table.put_item(Item=friend_item("alice", f"p{number:02}", 10 * number + 1))
    table.put_item(Item=friend_item("alice", "zora", None))
    ten, ten_units = _ten_best(table)
    if any("name" not in item for item in ten):
        _, fetched = _ten_best(table, "ALL_ATTRIBUTES")
        raise Refused(
            f"The entries of {INDEX} hold {', '.join(ten[0])}. Ten rows without the names cost "
            f"{in_read_units(ten_units)}. With the names DynamoDB gets each friend's item from the "
            f"table, and ten rows cost {fetched:g}.",
            "What does a row of the leaderboard show that is not a key?",
        )
    since = _update(table, "since", SINCE + 10)
    if since["index"]:
        raise Refused(
            f"The entries of {INDEX} hold {', '.join(ten[0])}. A change of `since`, which the "
            f"leaderboard does not show, costs {since['table']:g} write unit for the item and "
            f"{since['index']:g} more for its entry.",
            "An entry always holds its keys. Which other attribute does a row need?",
        )
    first = _update(table, "highScore", 7, friend="zora")
    return Passed(
        f"Ten rows with their names: {in_read_units(ten_units)}, nothing fetched. A first score: "
        f"{first['table']:g} write unit for the item and {first['index']:g} for its entry. "
        f"A change of `since`: {since['table']:g} and {since['index']:g}.",
    )


def _ten_best(table: Any, select: str = "ALL_PROJECTED_ATTRIBUTES") -> tuple[list[Any], float]:
    reply = table.query(
        IndexName=INDEX,
        Select=select,
        KeyConditionExpression="PK = :user",
        ExpressionAttributeValues={":user": "USER#alice"},
        ScanIndexForward=False,
        Limit=10,
        ReturnConsumedCapacity="TOTAL",
    )
    return reply["Items"], reply["ConsumedCapacity"]["CapacityUnits"]


def _update(table: Any, attribute: str, value: int, friend: str = "p01") -> dict[str, float]:
    """The write units of one update: of the item, and of its entry in the index."""
    consumed = table.update_item(
        Key={"PK": "USER#alice", "SK": f"FRIEND#{friend}"},
        UpdateExpression="SET #attribute = :value",
        ExpressionAttributeNames={"#attribute": attribute},
        ExpressionAttributeValues={":value": value},
        ReturnConsumedCapacity="INDEXES",
    )["ConsumedCapacity"]
    index = consumed.get("LocalSecondaryIndexes", {}).get(INDEX, {})
    return {
        "table": consumed["Table"]["CapacityUnits"],
        "index": index.get("CapacityUnits", 0.0),
    }


def _schema(schema: list[Mapping[str, str]]) -> tuple[str, str]:
    """Partition key and sort key; "" for a sort key that is not there."""
    names = {each["KeyType"]: each["AttributeName"] for each in schema}
    return names["HASH"], names.get("RANGE", "")


def _types(table: Mapping[str, Any]) -> dict[str, str]:
    return {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
