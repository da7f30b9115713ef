"""Lab 01, Count on read: what it costs to count likes each time somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dynalab.check import Exercise, Passed
from dynalab.engine import capacity
from dynalab.exercises.tables import PK_SK
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial

TABLES = {"Social": PK_SK}

_SMALL, _LARGE, _NEW, _NONE = "POST#a91f", "POST#77b0", "POST#0001", "POST#none"


def _likes(table: Any, post_id: str, count: int, padding: int = 0) -> None:
    with table.batch_writer() as batch:
        for number in range(count):
            at = 1750636801 + 10 * number
            like = {"PK": post_id, "SK": f"LIKE#USER#{number:04}", "likedAt": at}
            batch.put_item(Item={**like, "note": "x" * padding} if padding else like)


def _post(table: Any, post_id: str, **attributes: Any) -> None:
    table.put_item(Item={"PK": post_id, "SK": "META", "body": "Hello", **attributes})


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


# --- 1.1 ----------------------------------------------------------------------------------------


def check_count_likes(count_likes: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    _post(table, _SMALL)
    _likes(table, _SMALL, 7)
    table.put_item(Item={"PK": _SMALL, "SK": "COMMENT#0001", "body": "Nice"})
    _post(table, _NEW)
    _post(table, _LARGE)
    _likes(table, _LARGE, 30, padding=40_000)
    small = _expect_count(trial, count_likes, table, _SMALL, 7)
    _expect_count(trial, count_likes, table, _NEW, 0)
    with trial.bill() as charges:
        counted = trial.call(count_likes, table, _LARGE)
    _refuse_scan(charges)
    if counted != 30:
        first = next((c for c in charges if c.operation == "Query"), None)
        one_page = first is not None and counted in (first.returned, first.evaluated)
        raise Refused(
            f"A post has 30 likes of 40 KB, more than 1 MB in all; count_likes returned {counted}.",
            "That is the first page. What does the reply say about the rest?"
            if one_page
            else "Which items does each page of your Query hold?",
        )
    units = sum(charge.read_units for charge in charges)
    remark = ""
    if sum(charge.evaluated for charge in small) > 7:
        remark = (
            "your Query also evaluates, and pays for, what is no like. "
            "A condition on the sort key leaves it out."
        )
    elif any(charge.operation == "Query" and charge.detail != "COUNT" for charge in charges):
        remark = (
            "your Query carries every like to you. Select='COUNT' sends the number alone; "
            "the read units are the same."
        )
    pages = len(charges)
    return Passed(
        f"Right on one page and on {pages}. Seven small likes cost "
        f"{sum(c.read_units for c in small):g} read units, the 30 large ones {units:g}.",
        remark,
    )


def _expect_count(
    trial: Trial, count_likes: Any, table: Any, post_id: str, wanted: int
) -> Sequence[Charge]:
    with trial.bill() as charges:
        counted = trial.call(count_likes, table, post_id)
    if not _is_whole(counted):
        raise Refused(
            f"count_likes(table, {post_id!r}) returned {type(counted).__name__}, "
            f"where a whole number is asked for: {wanted}.",
            "Which part of the reply is the number?",
        )
    _refuse_scan(charges)
    if counted == wanted:
        return charges
    extra = {wanted + 1: "META was", wanted + 2: "META and a comment were"}.get(int(counted))
    raise Refused(
        f"The post {post_id} has {wanted} likes; count_likes returned {counted}.",
        f"It looks as if {extra} counted too: what do the sort keys of likes begin with?"
        if extra
        else "Which items of the post's item collection are likes?",
    )


def _refuse_scan(charges: Sequence[Charge]) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        evaluated = sum(charge.evaluated for charge in scans)
        units = sum(charge.read_units for charge in scans)
        raise Refused(
            f"A Scan read all {evaluated} items of the table, of every post: {units:g} read "
            "units. The filter throws items away after they are paid for.",
            "Which request reads one item collection?",
        )


# --- 1.2 -----------------------------------------------------------------------------------------

# Sizes that fill a page of 1 MB exactly, or stay on one page: whether the item that crosses
# 1 MB is on the page is not documented, and does not matter for these.
_COSTS = ((7, 60), (68, 60), (69, 60), (0, 60), (1, 8_192), (1_000, 64), (16_384, 64), (16_385, 64))
_MILLION = (1_000_000, 64)


def check_count_cost(count_cost: Any, trial: Trial) -> Passed:
    for likes, like_bytes in (*_COSTS, _MILLION):
        for consistent in (False, True):
            _expect_cost(trial, count_cost, likes, like_bytes, consistent)
    table = trial.table("Social")
    _likes(table, _SMALL, 120, padding=150)
    size = capacity.item_size(
        {
            "PK": {"S": _SMALL},
            "SK": {"S": "LIKE#USER#0000"},
            "likedAt": {"N": "1750636801"},
            "note": {"S": "x" * 150},
        }
    )
    with trial.bill() as charges:
        table.query(
            Select="COUNT",
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": _SMALL, ":like": "LIKE#"},
        )
    million = capacity.query_units(*_MILLION)
    return Passed(
        f"All sizes agree. Measured: 120 likes of {size} bytes cost "
        f"{charges[0].read_units:g} read units. A million likes of 64 bytes: {million:,g}."
    )


def _expect_cost(
    trial: Trial, count_cost: Any, likes: int, like_bytes: int, consistent: bool
) -> None:
    wanted = capacity.query_units(likes, like_bytes, consistent=consistent)
    options = {"consistent": True} if consistent else {}
    cost = trial.call(count_cost, likes, like_bytes, **options)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal):
        raise Refused(
            f"count_cost({likes}, {like_bytes}) returned {type(cost).__name__}; "
            "read units are a number.",
            "Return the units: 0.5, 6, 7324.5 are possible answers.",
        )
    if cost == wanted:
        return
    call = f"count_cost({likes:_}, {like_bytes}{', consistent=True' if consistent else ''})"
    raise Refused(
        f"{call} returned {cost}; DynamoDB bills {wanted:g}.",
        _cost_question(float(cost), likes, like_bytes, consistent),
    )


def _cost_question(cost: float, likes: int, like_bytes: int, consistent: bool) -> str:
    half = 1.0 if consistent else 0.5
    if likes == 0:
        return "What does a Query that finds nothing cost? It still looks."
    if cost == likes * half * max(1, -(-like_bytes // 4096)) and likes > 1:
        return (
            "That rounds each like up by itself, as BatchGetItem does. "
            "What does a Query round: each item, or the sum of a page?"
        )
    if abs(cost - likes * like_bytes / 4096 * half) < 1e-9:
        return "Can a part of 4 KB be billed? Look at what is rounded up."
    if cost == max(1, -(-likes * like_bytes // 4000)) * half:
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if (likes, like_bytes) == _COSTS[0] and cost in (0.5, 1.0):
        return "Which of the two reads costs half: the eventually or the strongly consistent one?"
    return "Bytes of a page, rounded up to 4,096, then halved where the read is eventual."


# --- 1.3 ------------------------------------------------------------------------------------------


def check_read_tally(read_tally: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    _post(table, _SMALL, likeTally=3)
    _post(table, _NEW)
    _post(table, _LARGE, likeTally=0)
    _likes(table, _SMALL, 3)
    with trial.bill() as charges:
        tally = trial.call(read_tally, table, _SMALL)
    if tally != 3 or not _is_whole(tally):
        raise Refused(
            f"META of {_SMALL} says likeTally 3; read_tally returned {tally!r}.",
            "The tally is one attribute of one item: which key does that item have?",
        )
    reads = [charge for charge in charges if charge.operation != "GetItem"]
    if reads or len(charges) != 1:
        units = sum(charge.read_units for charge in charges)
        operations = ", ".join(charge.operation for charge in charges)
        raise Refused(
            f"The tally is right; it took {operations}: {units:g} read units.",
            "One GetItem of META costs 0.5. What is its whole key?",
        )
    for post_id, wanted, what in (
        (_NEW, 0, "is there and was never liked, so it has no likeTally"),
        (_LARGE, 0, "has a likeTally of 0"),
        (_NONE, None, "does not exist"),
    ):
        got = trial.call(read_tally, table, post_id)
        if got != wanted or isinstance(got, bool) or (wanted is not None and got is None):
            raise Refused(
                f"The post {post_id} {what}; read_tally returned {got!r}, not {wanted!r}.",
                "A post without a tally and no post at all are two answers. "
                "How does the reply tell them apart?",
            )
    units = charges[0].read_units
    remark = (
        ""
        if units == 0.5
        else (
            "a strongly consistent read costs twice as much. A page that shows a number of likes "
            "seldom needs it."
        )
    )
    return Passed(f"One GetItem, {units:g} read units, however many likes there are.", remark)


# --- 1.4 ---------------------------------------------------------------------------------------


def check_post_page(post_page: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    _post(table, _LARGE)
    _likes(table, _LARGE, 60, padding=500)
    _post(table, _SMALL)
    _likes(table, _SMALL, 2)
    with trial.bill() as charges:
        page = trial.call(post_page, table, _LARGE, 3)
    post, likers = _page(page, _LARGE)
    units = sum(charge.read_units for charge in charges)
    if post is None or post.get("SK") != "META":
        raise Refused(
            f"post_page(table, {_LARGE!r}, 3) gave no post: {post!r}.",
            "The sort keys of likes come before META in the alphabet. "
            "From which end would you read to meet META first?",
        )
    if len(likers) == 2:
        raise Refused(
            f"Three likers are asked for; post_page gave {likers!r}.",
            "How many items does Limit count, and is META one of them?",
        )
    if (
        len(likers) != 3
        or len(set(likers)) != 3
        or not all(isinstance(liker, str) and liker.startswith("USER#") for liker in likers)
    ):
        raise Refused(
            f"The likers are {likers!r}; three different users are asked for, each as 'USER#0007'.",
            "A like's sort key holds the user: what stands before it?",
        )
    if len(charges) > 1:
        operations = " and ".join(charge.operation for charge in charges)
        raise Refused(
            f"The page is right, and took {len(charges)} requests: {operations}.",
            "Post and likes share a partition key. Can one Query bring both?",
        )
    if charges[0].evaluated > 4:
        raise Refused(
            f"The page is right, and read {charges[0].evaluated} items for it: "
            f"{units:g} read units.",
            "Slicing comes after paying. Which parameter ends a Query early?",
        )
    post, likers = _page(trial.call(post_page, table, _SMALL, 5), _SMALL)
    if post is None or sorted(likers) != ["USER#0000", "USER#0001"]:
        raise Refused(
            f"{_SMALL} has two likers and was asked for five; post_page returned {likers!r}.",
            "Fewer likes than asked for is no error: give what there is.",
        )
    nobody = trial.call(post_page, table, _NONE, 3)
    if tuple(nobody) != (None, []):
        raise Refused(
            f"There is no post {_NONE}; post_page returned {nobody!r}.",
            "Return (None, []) there.",
        )
    return Passed(f"One Query, {charges[0].evaluated} items, {units:g} read units.")


def _page(page: Any, post_id: str) -> tuple[Any, list[Any]]:
    if not isinstance(page, tuple) or len(page) != 2 or not isinstance(page[1], list):
        raise Refused(
            f"post_page(table, {post_id!r}, …) returned {type(page).__name__}; a tuple of two is "
            "asked for: the post's item, and a list of users.",
            "return post, likers",
        )
    return page[0], page[1]


EXERCISES = (
    Exercise(
        "1.1",
        check_count_likes,
        hints=(
            "A Query takes one partition key, and a condition on the sort key: begins_with.",
            "Select='COUNT' leaves the items out of the reply; Count is the number on this page.",
            "A reply with LastEvaluatedKey has more behind it: "
            "hand that key back as ExclusiveStartKey.",
        ),
        explanation="A Query evaluates the likes and nothing else. Each page holds up to 1 MB; "
        "the loop ends where LastEvaluatedKey is gone, not where a page is short.",
    ),
    Exercise(
        "1.2",
        check_count_cost,
        hints=(
            "A Query adds up the sizes of what it evaluates, and rounds the sum up to 4,096 bytes.",
            "Each 4,096 bytes are one read unit, or half a unit where the read is eventual.",
            "A page ends at 1 MB, 256 times 4,096 bytes. An empty result costs the minimum.",
        ),
        explanation="The sum is rounded, not each like. So counting grows in a straight line with "
        "the likes, and COUNT costs what reading costs: DynamoDB evaluates every item either way.",
    ),
    Exercise(
        "1.3",
        check_read_tally,
        hints=(
            "table.get_item(Key={...}) with the partition key of the post and the sort key META.",
            'Test for "Item" in the reply first. Only then ask the item for likeTally, '
            "with 0 where it has none.",
        ),
        explanation="One item of up to 4 KB, read eventually: half a unit, with ten likes or ten "
        "million. What keeps the tally right is the subject of the next labs.",
    ),
    Exercise(
        "1.4",
        check_post_page,
        hints=(
            "One Query on the partition key alone meets META and the likes.",
            "ScanIndexForward=False reads from the end of the alphabet: META stands after LIKE#.",
            "Limit counts what is evaluated: one for META, and one for each liker.",
        ),
        explanation="What is shown together shares a partition key, so one Query brings it. "
        "The order of the sort keys decides what Limit cuts off.",
    ),
)
