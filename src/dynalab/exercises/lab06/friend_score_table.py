"""Exercise 6.1: a table whose local secondary index holds what the leaderboard shows, no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.lab06.friend_scores import INDEX, SINCE, friend_item, in_units
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

_NAME = "FriendScoreTrial"
_FRIENDS = 20
_CALL = f"create_friend_score(dynamodb, '{_NAME}')"
_LINE = "\n    in the line: "
_REFUSALS = (
    (
        "LocalSecondaryIndexUpdates",
        "No request adds a local index to a table that is there. When does it have to be made?",
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
        "The sort key of an index has a type, too. Where do types stand?",
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
            "Which argument says what the table is called, and which request makes a table?",
        )
    return dict(client.describe_table(TableName=_NAME)["Table"])


def _expect_table(made: Any) -> None:
    if getattr(made, "table_name", None) == _NAME:
        return
    raise Refused(
        f"{_CALL} made the table, and returned {type(made).__name__}.",
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
        "A user's friends share a partition key, and each friend has a sort key: "
        "which attributes of the model are they, and of which type?",
    )


def _expect_local_index(table: Mapping[str, Any]) -> None:
    local = {index["IndexName"]: index for index in table.get("LocalSecondaryIndexes") or []}
    others = [index["IndexName"] for index in table.get("GlobalSecondaryIndexes") or []]
    if others:
        raise Refused(
            f"The new table has a global secondary index: {', '.join(others)}. It would be a "
            "copy elsewhere, with a bill of its own, that is never read consistently.",
            "The leaderboard of one user stays within that user's partition key. "
            "Which kind of index does, and when is it made?",
        )
    if not local:
        raise Refused(
            "The new table has no index, and it can get no local one any more.",
            "Which parameter of create_table takes local secondary indexes?",
        )
    if INDEX not in local:
        raise Refused(
            f"The new table's index is called {', '.join(local)}.",
            f"Whoever queries has to name it: the docstring says {INDEX}.",
        )
    if len(local) > 1:
        raise Refused(
            f"The new table has {len(local)} local indexes: {', '.join(local)}. Every write "
            "that touches one pays for it.",
            "Which of them does the leaderboard read?",
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
            f"{INDEX} sorts by highScore as {_KINDS[types['highScore']]}. It takes no number, and "
            f"as text three scores stand in this order: {texts}.",
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
            f"The entries of {INDEX} hold {', '.join(ten[0])}. Ten rows cost "
            f"{in_units(ten_units)}, without the names; with them DynamoDB gets each friend's "
            f"item from the table, and it is {fetched:g}.",
            "What does a row of the leaderboard show that is no key?",
        )
    since = _update(table, "since", SINCE + 10)
    if since["index"]:
        raise Refused(
            f"The entries of {INDEX} hold {', '.join(ten[0])}. A change of `since`, which no "
            f"leaderboard shows, costs {since['table']:g} write unit for the item and "
            f"{since['index']:g} more for its entry.",
            "An entry holds its keys in any case. Which attribute does a row need beside them?",
        )
    first = _update(table, "highScore", 7, friend="zora")
    return Passed(
        f"Ten rows with their names: {in_units(ten_units)}, nothing fetched. A first score: "
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
