"""Answers to lab 03."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from typing import Any

from boto3.dynamodb.conditions import Attr
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    ReadTimeoutError,
)


class NoSuchPost(Exception):
    """What the lab's notebook defines."""


ONE = {":one": 1}
THERE = "attribute_exists(PK)"
NOT_THERE = "attribute_not_exists(PK)"


def put(table: Any, post_id: str, user_id: str, at: Any, **more: Any) -> dict[str, Any]:
    item = {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": at}
    return {"Put": {"TableName": table.name, "Item": item, **more}}


def add(table: Any, post_id: str, **more: Any) -> dict[str, Any]:
    update = {
        "TableName": table.name,
        "Key": {"PK": post_id, "SK": "META"},
        "UpdateExpression": "ADD likeTally :one",
        "ConditionExpression": THERE,
        "ExpressionAttributeValues": ONE,
    }
    return {"Update": {**update, **more}}


def send(table: Any, *items: dict[str, Any], **more: Any) -> None:
    table.meta.client.transact_write_items(TransactItems=list(items), **more)


def guarded(table: Any, post_id: str, user_id: str, at: Any, **more: Any) -> None:
    like = put(table, post_id, user_id, at, ConditionExpression=NOT_THERE)
    send(table, like, add(table, post_id), **more)


def codes(error: ClientError) -> list[str]:
    return [reason["Code"] for reason in error.response.get("CancellationReasons", [])]


FAILED = "ConditionalCheckFailed"


def answered(run: Callable[[], None], like: int = 0, meta: int = 1) -> bool:
    """True; False where the like was there; NoSuchPost; everything else goes on."""
    try:
        run()
    except ClientError as error:
        reasons = codes(error)
        if reasons and reasons[meta] == FAILED:
            raise NoSuchPost from None
        if reasons and reasons[like] == FAILED:
            return False
        raise
    return True


# --- 3.1 like -------------------------------------------------------------------------------


def no_guard(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return answered(lambda: send(table, put(table, post_id, user_id, at), add(table, post_id)))


def guard_on_the_tally(table: Any, post_id: str, user_id: str, at: int) -> bool:
    meta = table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True).get("Item")
    if meta is None:
        raise NoSuchPost
    seen = meta.get("likeTally", 0)
    condition = "likeTally = :seen OR attribute_not_exists(likeTally)"
    values = {**ONE, ":seen": seen}
    update = add(table, post_id, ConditionExpression=condition, ExpressionAttributeValues=values)
    send(table, put(table, post_id, user_id, at), update)
    return True


def looks_first(table: Any, post_id: str, user_id: str, at: int) -> bool:
    key = {"PK": post_id, "SK": f"LIKE#{user_id}"}
    if "Item" in table.get_item(Key=key, ConsistentRead=True):
        return False
    return no_guard(table, post_id, user_id, at)


def time_in_the_key(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return answered(lambda: guarded(table, post_id, f"{user_id}#{at}", at))


def every_cancellation_is_already(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" not in table.get_item(Key={"PK": post_id, "SK": "META"}):
        raise NoSuchPost
    try:
        guarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException:
        return False
    return True


def every_other_cancellation_is_no_post(table: Any, post_id: str, user_id: str, at: int) -> bool:
    try:
        guarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        if codes(error) == [FAILED, "None"]:
            return False
        raise NoSuchPost from None
    return True


def any_failed_condition_is_already(table: Any, post_id: str, user_id: str, at: int) -> bool:
    try:
        guarded(table, post_id, user_id, at)
    except ClientError as error:
        if FAILED in codes(error):
            return False
        raise
    return True


def looks_for_the_post_first(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" not in table.get_item(Key={"PK": post_id, "SK": "META"}):
        raise NoSuchPost
    return no_condition_on_meta(table, post_id, user_id, at)


def already_is_an_error(table: Any, post_id: str, user_id: str, at: int) -> bool:
    guarded(table, post_id, user_id, at)
    return True


def says_nothing(table: Any, post_id: str, user_id: str, at: int) -> None:
    answered(lambda: guarded(table, post_id, user_id, at))


def like_then_tally(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" not in table.get_item(Key={"PK": post_id, "SK": "META"}):
        raise NoSuchPost
    item = {"PK": post_id, "SK": f"LIKE#{user_id}", "likedAt": at}
    try:
        table.put_item(Item=item, ConditionExpression=NOT_THERE)
    except table.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    key = {"PK": post_id, "SK": "META"}
    table.update_item(Key=key, UpdateExpression="ADD likeTally :one", ExpressionAttributeValues=ONE)
    return True


def no_condition_on_meta(table: Any, post_id: str, user_id: str, at: int) -> bool:
    update = add(table, post_id)
    del update["Update"]["ConditionExpression"]
    like = put(table, post_id, user_id, at, ConditionExpression=NOT_THERE)
    return answered(lambda: send(table, like, update))


def its_own_time(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return answered(lambda: guarded(table, post_id, user_id, int(time.time())))


def meta_first(table: Any, post_id: str, user_id: str, at: int) -> bool:
    like = put(table, post_id, user_id, at, ConditionExpression="attribute_not_exists(SK)")
    return answered(lambda: send(table, add(table, post_id), like), like=1, meta=0)


def low_level(table: Any, post_id: str, user_id: str, at: int, **more: Any) -> bool:
    import boto3

    client = boto3.client("dynamodb")
    meta = {"PK": {"S": post_id}, "SK": {"S": "META"}}
    like = {"PK": {"S": post_id}, "SK": {"S": f"LIKE#{user_id}"}, "likedAt": {"N": str(at)}}
    try:
        client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": "Social",
                        "Item": like,
                        "ConditionExpression": "attribute_not_exists(#k)",
                        "ExpressionAttributeNames": {"#k": "SK"},
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
                {
                    "Update": {
                        "TableName": "Social",
                        "Key": meta,
                        "UpdateExpression": "SET likeTally = if_not_exists(likeTally, :no) + :one",
                        "ConditionExpression": "attribute_exists(body)",
                        "ExpressionAttributeValues": {":no": {"N": "0"}, ":one": {"N": "1"}},
                    }
                },
            ],
            **more,
        )
    except client.exceptions.TransactionCanceledException as error:
        like_reason, meta_reason = error.response["CancellationReasons"]
        if meta_reason["Code"] == FAILED:
            raise NoSuchPost(post_id) from error
        if like_reason["Code"] == FAILED:
            return False
        raise
    return True


def look_before_a_guard(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" not in table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True):
        raise NoSuchPost
    if "Item" in table.get_item(Key={"PK": post_id, "SK": f"LIKE#{user_id}"}):
        return False
    return meta_first(table, post_id, user_id, at)


def already_wins(table: Any, post_id: str, user_id: str, at: int) -> bool:
    try:
        guarded(table, post_id, user_id, at)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        like, meta = codes(error)
        if like == FAILED:
            return False
        if meta == FAILED:
            raise NoSuchPost(post_id) from error
        raise
    return True


def looks_for_the_like_alone(table: Any, post_id: str, user_id: str, at: int) -> bool:
    if "Item" in table.get_item(Key={"PK": post_id, "SK": f"LIKE#{user_id}"}):
        return False
    return meta_first(table, post_id, user_id, at)


def a_token_for_all(table: Any, post_id: str, user_id: str, at: int) -> bool:
    return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken="like"))


def a_token_for_each_user(table: Any, post_id: str, user_id: str, at: int) -> bool:
    token = f"{user_id}-{at}"
    return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=token))


def a_token_for_each_body(table: Any, post_id: str, user_id: str, at: int) -> bool:
    token = f"{post_id}{user_id}{at}"
    return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=token))


def tries_again_after_a_conflict(table: Any, post_id: str, user_id: str, at: int) -> bool:
    for _ in range(3):
        try:
            return answered(lambda: guarded(table, post_id, user_id, at))
        except ClientError as error:
            if "TransactionConflict" not in codes(error):
                raise
    raise RuntimeError("It is busy.")


# --- 3.2 classify -----------------------------------------------------------------------------

RETRY = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
RETRY_CODES = {
    "TransactionInProgressException",
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "InternalServerError",
}


def classify(error: BaseException) -> str:
    if isinstance(error, ReadTimeoutError | ConnectTimeoutError | ConnectionClosedError):
        return "retry"
    if not isinstance(error, ClientError):
        return "raise"
    reasons = codes(error)
    if not reasons:
        return "retry" if error.response["Error"]["Code"] in RETRY_CODES else "raise"
    like, meta = reasons
    if meta == FAILED:
        return "missing"
    if like == FAILED:
        return "already"
    return "retry" if set(reasons) <= RETRY | {"None"} else "raise"


def any_condition_is_already(error: Any) -> str:
    return "already" if FAILED in codes(error) else classify(error)


def positions_swapped(error: Any) -> str:
    swapped = {"already": "missing", "missing": "already"}
    answer = classify(error)
    return swapped.get(answer, answer)


def conflict_wins(error: Any) -> str:
    reasons = codes(error) if isinstance(error, ClientError) else []
    return "retry" if "TransactionConflict" in reasons else classify(error)


def every_cancellation_is_final(error: Any) -> str:
    return "raise" if classify(error) == "retry" and codes(error) else classify(error)


def every_cancellation_is_already_there(error: Any) -> str:
    return "already" if type(error).__name__ == "TransactionCanceledException" else classify(error)


def validation_is_tried_again(error: Any) -> str:
    reasons = codes(error) if isinstance(error, ClientError) else []
    return "retry" if "ValidationError" in reasons else classify(error)


def conflict_beside_an_invalid_write(error: Any) -> str:
    answer = classify(error)
    if answer == "raise" and isinstance(error, ClientError) and set(codes(error)) & RETRY:
        return "retry"
    return answer


def no_response_no_answer(error: Any) -> str:
    if error.response["Error"]["Code"] == "TransactionCanceledException":
        return classify(error)
    return "retry" if error.response["Error"]["Code"] in RETRY_CODES else "raise"


def time_out_is_raised(error: Any) -> str:
    return classify(error) if isinstance(error, ClientError) else "raise"


def all_of_botocore_is_tried_again(error: Any) -> str:
    return "retry" if isinstance(error, BotoCoreError) else classify(error)


def all_is_tried_again(error: Any) -> str:
    answer = classify(error)
    return "retry" if answer == "raise" else answer


def from_the_text(error: Any) -> str:
    text = str(error)
    if "[" not in text or not isinstance(error, ClientError):
        return classify(error)
    found = text[text.index("[") + 1 : text.index("]")].split(", ")
    like, meta = found
    if meta == FAILED:
        return "missing"
    if like == FAILED:
        return "already"
    return "retry" if set(found) <= RETRY | {"None"} else "raise"


def raises_by_itself(error: Any) -> str:
    answer = classify(error)
    if answer == "raise":
        raise error
    return answer


def a_bool(error: Any) -> bool:
    return classify(error) == "retry"


def takes_reasons_out(error: Any) -> str:
    answer = classify(error)
    if isinstance(error, ClientError):
        error.response.pop("CancellationReasons", None)
    return answer


def by_match(error: BaseException) -> str:
    response: Any = getattr(error, "response", None)
    if response is None:
        return "retry" if "Timeout" in type(error).__name__ else "raise"
    match [each["Code"] for each in response.get("CancellationReasons", ())]:
        case [_, "ConditionalCheckFailed"]:
            return "missing"
        case ["ConditionalCheckFailed", _]:
            return "already"
        case []:
            return "retry" if response["Error"]["Code"] in RETRY_CODES else "raise"
        case reasons if all(code in RETRY for code in reasons if code != "None"):
            return "retry"
    return "raise"


# --- 3.3 like_surely --------------------------------------------------------------------------


def surely(
    *,
    token: Callable[[Any, str, str, int, Any], str] | None = lambda *_: str(uuid.uuid4()),
    pause: Callable[[Any, int], float] = lambda rng, attempt: rng.uniform(0, 0.05 * 2**attempt),
    judge: Callable[[Any], str] = classify,
    one_token: bool = True,
    extra: int = 0,
    sleep_last: bool = False,
    exhausted: Any = None,
    guard: bool = True,
    real_sleep: bool = False,
) -> Callable[..., Any]:
    """A like_surely, right by default; each option spoils one thing."""

    def like_surely(
        table: Any,
        post_id: str,
        user_id: str,
        at: int,
        *,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
        rng: Any = random,
    ) -> Any:
        def options() -> dict[str, Any]:
            return (
                {}
                if token is None
                else {"ClientRequestToken": token(table, post_id, user_id, at, rng)}
            )

        condition = {"ConditionExpression": NOT_THERE} if guard else {}
        items = [put(table, post_id, user_id, at, **condition), add(table, post_id)]
        kept = options()
        for attempt in range(attempts + extra):
            try:
                send(table, *items, **(kept if one_token else options()))
                return True
            except Exception as error:
                answer = judge(error)
                if answer == "already":
                    return False
                if answer == "missing":
                    raise NoSuchPost from None
                last = attempt + 1 == attempts + extra
                if answer == "raise" or (last and not sleep_last):
                    if exhausted is not None and answer != "raise":
                        return exhausted[0]
                    raise
                (time.sleep if real_sleep else sleep)(pause(rng, attempt))
                if last:
                    raise
        return None

    return like_surely


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    function.__name__ = name
    return function


def around_the_like(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    for attempt in range(attempts):
        try:
            return answered(lambda: guarded(table, post_id, user_id, at))
        except NoSuchPost:
            raise
        except Exception as error:
            if classify(error) == "raise" or attempt + 1 == attempts:
                raise
            sleep(rng.uniform(0, 0.05 * 2**attempt))


def knows_its_own_like(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    """The guard alone, and a mark on the like that tells whose it is."""
    mark = f"{rng.getrandbits(100):x}"
    like = put(
        table,
        post_id,
        user_id,
        at,
        ConditionExpression=NOT_THERE,
        ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )
    like["Put"]["Item"]["mark"] = mark
    for attempt in range(attempts):
        try:
            send(table, like, add(table, post_id))
            return True
        except Exception as error:
            answer = classify(error)
            if answer == "already":
                old: Any = error.response["CancellationReasons"][0]["Item"]  # type: ignore[attr-defined]
                return old["mark"] in (mark, {"S": mark})
            if answer == "missing":
                raise NoSuchPost from None
            if answer == "raise" or attempt + 1 == attempts:
                raise
            sleep(rng.uniform(0, 0.05 * 2**attempt))


def already_after_a_time_out_is_mine(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    timed_out = False
    for attempt in range(attempts):
        try:
            guarded(table, post_id, user_id, at)
            return True
        except Exception as error:
            answer = classify(error)
            timed_out = timed_out or isinstance(error, ReadTimeoutError)
            if answer == "already":
                return timed_out
            if answer == "missing":
                raise NoSuchPost from None
            if answer == "raise" or attempt + 1 == attempts:
                raise
            sleep(rng.uniform(0, 0.05 * 2**attempt))
    return None


def looks_after_a_time_out(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    for attempt in range(attempts):
        try:
            return answered(lambda: guarded(table, post_id, user_id, at))
        except NoSuchPost:
            raise
        except Exception as error:
            if classify(error) == "raise" or attempt + 1 == attempts:
                raise
            sleep(rng.uniform(0, 0.05 * 2**attempt))
            key = {"PK": post_id, "SK": f"LIKE#{user_id}"}
            there = table.get_item(Key=key, ConsistentRead=True).get("Item")
            if there is not None and there["likedAt"] == at:
                return True
    return None


def stores_chance_of_the_system(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    class Fresh:
        uniform = rng.uniform

        def getrandbits(self, bits: int) -> int:
            return random.SystemRandom().getrandbits(bits)

    return knows_its_own_like(
        table, post_id, user_id, at, attempts=attempts, sleep=sleep, rng=Fresh()
    )


def until_it_works(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    token, attempt = str(uuid.uuid4()), 0
    while True:
        try:
            return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=token))
        except NoSuchPost:
            raise
        except Exception:
            sleep(rng.uniform(0, min(1.0, 0.05 * 2**attempt)))
            attempt += 1


def only_client_errors(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    token = str(uuid.uuid4())
    for attempt in range(attempts):
        try:
            guarded(table, post_id, user_id, at, ClientRequestToken=token)
            return True
        except ClientError as error:
            answer = classify(error)
            if answer == "already":
                return False
            if answer == "missing":
                raise NoSuchPost from None
            if answer == "raise" or attempt + 1 == attempts:
                raise
            sleep(rng.uniform(0, 0.05 * 2**attempt))


def needs_the_unwritten(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    def unwritten(error: BaseException) -> str:
        raise NotImplementedError

    return surely(judge=unwritten)(
        table, post_id, user_id, at, attempts=attempts, sleep=sleep, rng=rng
    )


_ALWAYS = str(uuid.uuid4())


def by_recursion(
    table: Any,
    post_id: str,
    user_id: str,
    at: int,
    *,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    rng: Any = random,
) -> Any:
    token = uuid.uuid4().hex

    def attempt(number: int) -> bool:
        try:
            like = put(table, post_id, user_id, at, ConditionExpression=Attr("SK").not_exists())
            like["Put"]["ConditionExpression"] = "attribute_not_exists(SK)"
            send(table, add(table, post_id), like, ClientRequestToken=token)
        except ClientError as error:
            reasons = codes(error)
            if reasons and reasons[0] == FAILED:
                raise NoSuchPost(post_id) from None
            if reasons and reasons[1] == FAILED:
                return False
            if number == attempts or (reasons and not set(reasons) <= RETRY | {"None"}):
                raise
        except (ReadTimeoutError, ConnectTimeoutError):
            if number == attempts:
                raise
        else:
            return True
        sleep(rng.random() * 0.05 * 2 ** (number - 1))
        return attempt(number + 1)

    return attempt(1)


# --- 3.4 like_once ----------------------------------------------------------------------------


def token_left_at_home(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    return answered(lambda: guarded(table, post_id, user_id, at))


def its_own_time_with_a_token(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    now = time.time_ns() // 1000
    return answered(lambda: guarded(table, post_id, user_id, now, ClientRequestToken=token))


def updated_at_on_meta(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    like = put(table, post_id, user_id, at, ConditionExpression=NOT_THERE)
    update = add(
        table,
        post_id,
        UpdateExpression="ADD likeTally :one SET updatedAt = :now",
        ExpressionAttributeValues={**ONE, ":now": time.time_ns()},
    )
    return answered(lambda: send(table, like, update, ClientRequestToken=token))


def mismatch_is_already(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    try:
        return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=token))
    except ClientError as error:
        if error.response["Error"]["Code"] == "IdempotentParameterMismatchException":
            return False
        raise


def token_and_no_guard(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    like = put(table, post_id, user_id, at)
    return answered(lambda: send(table, like, add(table, post_id), ClientRequestToken=token))


def token_made_new(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    new = f"{token[:8]}-{uuid.uuid4().hex[:20]}"
    return answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=new))


_seen: dict[str, bool] = {}


def its_own_memory(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    if token not in _seen:
        _seen[token] = answered(lambda: guarded(table, post_id, user_id, at))
    return _seen[token]


def token_on_the_like(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    like = put(
        table,
        post_id,
        user_id,
        at,
        ConditionExpression="attribute_not_exists(PK) OR #t = :t",
        ExpressionAttributeNames={"#t": "token"},
        ExpressionAttributeValues={":t": token},
    )
    like["Put"]["Item"]["token"] = token
    return answered(lambda: send(table, like, add(table, post_id), ClientRequestToken=token))


def always_true(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    answered(lambda: guarded(table, post_id, user_id, at, ClientRequestToken=token))
    return True


def already_wins_once(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    try:
        guarded(table, post_id, user_id, at, ClientRequestToken=token)
    except table.meta.client.exceptions.TransactionCanceledException as error:
        like, meta = codes(error)
        if like == FAILED:
            return False
        if meta == FAILED:
            raise NoSuchPost(post_id) from error
        raise
    return True


def low_level_once(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    return low_level(table, post_id, user_id, at, ClientRequestToken=token)


def meta_first_once(table: Any, post_id: str, user_id: str, at: int, token: str) -> bool:
    like = put(table, post_id, user_id, at, ConditionExpression="attribute_not_exists(SK)")
    update = add(table, post_id)
    short = str(uuid.uuid5(uuid.NAMESPACE_URL, token))
    return answered(lambda: send(table, update, like, ClientRequestToken=short), like=1, meta=0)


WRONG: dict[str, list[tuple[Any, str]]] = {
    "3.1": [
        (no_guard, "Which item says that this user has liked"),
        (guard_on_the_tally, "knows how many, not who"),
        (looks_first, "You looked first, and wrote afterwards"),
        (time_in_the_key, "there are two likes"),
        (every_cancellation_is_already, "cancelled for several reasons"),
        (
            every_other_cancellation_is_no_post,
            "Another transaction was at work on the item of the first action",
        ),
        (any_failed_condition_is_already, "which of them is META's"),
        (already_wins, "old like of it is still there"),
        (looks_for_the_like_alone, "old like of it is still there"),
        (a_token_for_all, "which requests may share one"),
        (a_token_for_each_user, "which requests may share one"),
        (already_is_an_error, "is an answer, not a failure"),
        (says_nothing, "returned None"),
        (like_then_tally, "The process can die between two requests"),
        (no_condition_on_meta, "ADD creates the item"),
        (looks_for_the_post_first, "The deleted post is back"),
        (its_own_time, "the call was given 1750636801"),
    ],
    "3.2": [
        (any_condition_is_already, "[None, ConditionalCheckFailed]"),
        (positions_swapped, "whose condition failed"),
        (conflict_wins, "A failed condition is an answer"),
        (every_cancellation_is_final, "'None' does not count"),
        (every_cancellation_is_already_there, "[TransactionConflict, None]"),
        (validation_is_tried_again, "would be refused again"),
        (conflict_beside_an_invalid_write, "When may the same request be sent again"),
        (no_response_no_answer, "Is every exception a ClientError"),
        (time_out_is_raised, "No reply came"),
        (all_of_botocore_is_tried_again, "botocore's ParamValidationError"),
        (all_is_tried_again, "would be refused again"),
        (from_the_text, "The text is for people"),
        (raises_by_itself, "raised it again"),
        (a_bool, "The four answers are"),
        (takes_reasons_out, "changed its response"),
    ],
    "3.3": [
        (around_the_like, "Which token does each attempt have?"),
        (named("fresh_tokens", surely(one_token=False)), "Which token does each attempt have?"),
        (knows_its_own_like, "B took the like back, and now it is there again"),
        (already_after_a_time_out_is_mine, "The data is right, but the answers are not"),
        (looks_after_a_time_out, "but A made the like"),
        (stores_chance_of_the_system, "Take every other random value from `rng`"),
        (named("no_pause", surely(pause=lambda rng, attempt: 0.0)), "0 seconds long"),
        (named("no_jitter", surely(pause=lambda rng, n: 0.05 * 2**n)), "made the same pauses"),
        (
            named("jitter_of_its_own", surely(pause=lambda rng, n: random.uniform(0, 0.05 * 2**n))),
            "Where do your pauses come from?",
        ),
        (
            named("too_long", surely(pause=lambda rng, n: rng.uniform(0, 4.0**n))),
            "the limit of pause 1 is 0.05",
        ),
        (named("one_more", surely(extra=1)), "attempts, or retries"),
        (until_it_works, "Which count ends the loop"),
        (named("sleeps_at_the_end", surely(sleep_last=True)), "after the last attempt"),
        (named("gives_up_quietly", surely(exhausted=(False,))), "there is no answer"),
        (
            named("real_sleep", surely(real_sleep=True)),
            "Pause with the `sleep` that the call gives you",
        ),
        (
            named("all_again", surely(judge=all_is_tried_again)),
            "which another attempt does not change",
        ),
        (only_client_errors, "timed out, because its request was lost"),
        (
            named("conflicts_are_final", surely(judge=every_cancellation_is_final)),
            "The first attempt met a conflict",
        ),
        (
            named("token_of_names", surely(token=lambda t, post, user, at, rng: post + user)),
            "When do you draw its token?",
        ),
        (
            named("one_token_for_all", surely(token=lambda *_: _ALWAYS)),
            "When do you draw its token?",
        ),
        (
            named("token_of_the_body", surely(token=lambda t, p, user, at, rng: f"{user}-{at}")),
            "all within one second",
        ),
        (named("no_guard_but_a_token", surely(guard=False)), "knows how many, not who"),
        (needs_the_unwritten, "have you written that one and run its cell?"),
    ],
    "3.4": [
        (token_left_at_home, "Did you send the token"),
        (its_own_time_with_a_token, "the call was given 1750636801"),
        (updated_at_on_meta, "Which part of your request changes"),
        (mismatch_is_already, "another `at`"),
        (token_and_no_guard, "Which item says that this user has liked"),
        (token_made_new, "Did you send the token"),
        (its_own_memory, "another `at`"),
        (token_on_the_like, "has forgotten the token"),
        (always_true, "The like was there already"),
        (already_wins_once, "old like of it is still there"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "3.1": [
        meta_first,
        low_level,
        look_before_a_guard,
        tries_again_after_a_conflict,
        a_token_for_each_body,
    ],
    "3.2": [classify, by_match],
    "3.3": [
        named("plain", surely()),
        by_recursion,
        named("equal_jitter", surely(pause=lambda rng, n: 0.05 * 2**n * (1 + rng.random()) / 2)),
        named(
            "token_from_the_generator",
            surely(token=lambda t, p, u, a, rng: f"{rng.getrandbits(100):x}"),
        ),
    ],
    "3.4": [low_level_once, meta_first_once],
}
