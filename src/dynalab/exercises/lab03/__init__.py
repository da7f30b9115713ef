"""Lab 03, Double-count guards: a like counts once, however often its request is sent."""

from __future__ import annotations

import copy
from typing import Any

from botocore.exceptions import ConnectTimeoutError, ParamValidationError, ReadTimeoutError

from dynalab.check import Exercise, Passed
from dynalab.exercises.canned_errors import cancelled, refused
from dynalab.exercises.lab03.guarded_like import (
    AT,
    DELETED_POST,
    NO_POST,
    OTHER,
    POST,
    USER,
    ended,
    expect_answer,
    expect_conflict_apart,
    expect_count,
    expect_first,
    expect_guarded,
    expect_key,
    expect_no_such_post,
    expect_post_to_win,
    found,
    found_in,
    hold_two_devices,
    new_post,
    one_like,
    total,
)
from dynalab.exercises.lab03.like_surely import check_like_surely, impatient
from dynalab.exercises.social import TABLE, delete_post, in_words
from dynalab.exercises.tables import PK_SK
from dynalab.faults.intercept import Call, Fault, client_of, opened
from dynalab.schedules.outcome import Outcome
from dynalab.telling import told
from dynalab.trial import Refused, Trial

TABLES = {TABLE: PK_SK}

_CANCELED = "TransactionCanceledException"
_MISMATCH = "IdempotentParameterMismatchException"

# --- 3.1 ---------------------------------------------------------------------------------------


def check_like(like: Any, trial: Trial) -> Passed:
    table = new_post(trial)
    sent: list[Any] = []

    def note(call: Call, fault: Fault) -> None:
        sent.append(call.body.get("TransactItems"))

    with trial.bill() as charges, opened(client_of(table), note):
        first = trial.attempt(like, table, POST, USER, AT)
    expect_first(trial, first)
    expect_guarded(trial, trial.attempt(like, table, POST, USER, AT + 10))
    expect_key(trial)
    other = trial.attempt(like, table, POST, OTHER, AT + 20)
    expect_count(trial, 2, f"{other.text}, a second user's like", "Whose like does it write?")
    expect_answer(True, other, "A second user's like is new", "Whose like does it look at?")
    expect_no_such_post(trial, trial.attempt(like, table, NO_POST, USER, AT))
    expect_conflict_apart(trial, table, lambda user: trial.attempt(like, table, POST, user, AT))
    table = new_post(trial)
    clients = {
        "A": lambda: like(table, POST, USER, AT),
        "B": lambda: like(table, POST, USER, AT + 10),
    }
    extent = hold_two_devices(trial, trial.explore(clients, one_like, crash=True))
    expect_post_to_win(
        trial, table, lambda: trial.attempt(like, table, DELETED_POST, USER, AT + 30)
    )
    _hold_deleted_post(trial, like)
    reads, writes = total(charges)
    return Passed(
        f"Two devices, deaths included, {extent}: one True, one like item, tally 1. "
        f"{writes:g} write units a like.",
        _remark(reads, sent),
    )


def _hold_deleted_post(trial: Trial, like: Any) -> None:
    """While A likes the post, B deletes it."""
    table = new_post(trial)

    def no_ghost(outcome: Outcome) -> str | None:
        post = found_in(outcome)
        return f"The deleted post is back: {in_words(post.meta)}." if post.is_ghost else None

    clients = {
        "A": lambda: like(table, POST, USER, AT),
        "B": lambda: delete_post(table, POST),
    }
    trial.hold(
        trial.explore(clients, no_ghost),
        "The post is deleted while A likes it",
        "You looked for the post first, and wrote afterwards. "
        "What is tested in the same step as the write?",
    )


def _remark(reads: float, sent: list[Any]) -> str:
    if reads:
        return (
            f"looking first costs {reads:g} read units with every like, and decides nothing: "
            "the condition does."
        )
    if any(items and "Update" in items[0] for items in sent):
        return (
            "your transaction names META first. From 3.2 on the like comes first, and so does "
            "its reason."
        )
    return ""


# --- 3.2 ---------------------------------------------------------------------------------------

_OK, _FAILED, _CONFLICT = "None", "ConditionalCheckFailed", "TransactionConflict"
_THROTTLED, _OVER = "ThrottlingError", "ProvisionedThroughputExceeded"
_ANSWERS = ("retry", "already", "missing", "raise")

_WHICH = "The reasons stand in the order of the transaction's actions: whose condition failed?"
_MIXED = (
    "A condition that failed is an answer, whatever the other item met. "
    "What would another attempt find?"
)
_PASSES = "This passes by itself, and nothing was written. What should the caller do?"
_ALONE = (
    "'None' does not count: that action was in nobody's way. The other reason passes by itself, "
    "and nothing was written. What should the caller do?"
)
_HALF = "One reason passes by itself, the other does not. When may the same request be sent again?"
_UNKNOWN = (
    "Nobody answered: it may have landed or not. With one token for all attempts, "
    "is it safe to send it again?"
)
_NEVER = "The same request would be refused again, and no condition failed. Which word is left?"

# The codes of the like and of META, what the caller should do, and a question where it does not.
_REASONS: tuple[tuple[str, str, str, str], ...] = (
    (_CONFLICT, _OK, "retry", _ALONE),
    (_FAILED, _OK, "already", _WHICH),
    (_OK, _FAILED, "missing", _WHICH),
    (
        _FAILED,
        _FAILED,
        "missing",
        "There can be no like of a post that is not there. Which answer tells the caller more?",
    ),
    (_OK, _CONFLICT, "retry", _ALONE),
    (_THROTTLED, _OK, "retry", _ALONE),
    (_OK, _OVER, "retry", _ALONE),
    (_CONFLICT, _FAILED, "missing", _MIXED),
    (_FAILED, _CONFLICT, "already", _MIXED),
    (_FAILED, _THROTTLED, "already", _MIXED),
    (_OVER, _FAILED, "missing", _MIXED),
    (_OK, "ValidationError", "raise", _NEVER),
    (_CONFLICT, "ValidationError", "raise", _HALF),
    ("ItemCollectionSizeLimitExceeded", _OK, "raise", _NEVER),
)
_CODES: tuple[tuple[str, int, str, str], ...] = (
    (
        "TransactionInProgressException",
        400,
        "retry",
        "The first attempt with this token is still running. What should the caller do?",
    ),
    ("ThrottlingException", 400, "retry", _PASSES),
    ("ProvisionedThroughputExceededException", 400, "retry", _PASSES),
    ("InternalServerError", 500, "retry", _UNKNOWN),
    ("ValidationException", 400, "raise", _NEVER),
    ("IdempotentParameterMismatchException", 400, "raise", _NEVER),
    ("AccessDeniedException", 400, "raise", _NEVER),
    ("ResourceNotFoundException", 400, "raise", _NEVER),
)
_BUG = "That is a mistake in the program, and nothing was sent. Who should see it?"
_TEXT = "The text is for people and may change. Which part of the response is for programs?"
_URL = "https://dynamodb.invalid/"
_REWORDED = "The transaction was cancelled: [None, TransactionConflict] is a thing of the past."


def check_classify(classify: Any, trial: Trial) -> Passed:
    cases = _errors(impatient(new_post(trial)))
    with trial.bill() as charges:
        for what, error, wanted, ask in cases:
            _expect_class(trial, classify, what, error, wanted, ask)
    if charges:
        raise Refused(
            f"classify made {len(charges)} requests to DynamoDB.",
            "Everything that it needs is in the error: which part of it?",
        )
    return Passed(
        f"{len(cases)} errors of boto3: conditions, conflicts, throttles, time-outs, mixed "
        "reasons. Nothing was read from the text."
    )


def _errors(table: Any) -> list[tuple[str, Exception, str, str]]:
    """Errors of boto3: what each one is, itself, what to do, and a question."""
    errors: list[tuple[str, Exception, str, str]] = []
    for like, meta, wanted, ask in _REASONS:
        what = f"a {_CANCELED} with the reasons [{like}, {meta}], of the like and of META,"
        errors.append((what, cancelled(table, like, meta), wanted, ask))
    for code, status, wanted, ask in _CODES:
        what = f"a ClientError with the code {code}"
        errors.append((what, refused(table, code, status), wanted, ask))
    for time_out in (ReadTimeoutError, ConnectTimeoutError):
        what = f"botocore's {time_out.__name__}"
        errors.append((what, time_out(endpoint_url=_URL), "retry", _UNKNOWN))
    errors.append(("a KeyError", KeyError("likeTally"), "raise", _BUG))
    wrong_call = ParamValidationError(report="Unknown parameter in input")
    errors.append(("botocore's ParamValidationError", wrong_call, "raise", _BUG))
    what = f"a {_CANCELED} whose text AWS has reworded, with the reasons [{_FAILED}, None],"
    reworded = cancelled(table, _FAILED, _OK, message=_REWORDED)
    errors.append((what, reworded, "already", _TEXT))
    return errors


def _expect_class(
    trial: Trial, classify: Any, what: str, error: Exception, wanted: str, ask: str
) -> None:
    response = getattr(error, "response", None)
    before = copy.deepcopy(response)
    attempt = trial.attempt(classify, error)
    if attempt.raised is not None:
        itself = attempt.raised is error
        raised = "raised it again." if itself else f"raised {told(attempt.raised)}"
        missing = isinstance(attempt.raised, AttributeError | LookupError | TypeError)
        raise Refused(
            f"classify was given {what} and {raised}",
            "It answers with a word, and the caller acts on it: which word says that?"
            if itself
            else "Is every exception a ClientError, and has every response reasons?"
            if missing
            else "",
        )
    if attempt.returned not in _ANSWERS:
        raise Refused(
            f"classify was given {what} and returned {attempt.returned!r}.",
            f"The four answers are {', '.join(map(repr, _ANSWERS))}.",
        )
    if attempt.returned != wanted:
        raise Refused(f"classify was given {what} and returned {attempt.returned!r}.", ask)
    if response != before:
        raise Refused(
            f"classify was given {what} and changed its response.",
            "The caller may raise that error: can you read it without changing it?",
        )


# --- 3.4 ---------------------------------------------------------------------------------------

_TOKEN = "tap-7c20-a91f-0001"


def check_like_once(like_once: Any, trial: Trial) -> Passed:
    table = new_post(trial)
    with trial.bill() as first:
        made = trial.attempt(like_once, table, POST, USER, AT, _TOKEN)
    expect_first(trial, made)
    with trial.bill() as second:
        again = trial.attempt(like_once, table, POST, USER, AT, _TOKEN)
    if again.raised_name() == _MISMATCH:
        raise Refused(
            f"{again.text}, called twice, raised {_MISMATCH} the second time.",
            "The token is the same and the body is not. "
            "Which part of your request changes from call to call?",
        )
    ask = (
        "DynamoDB answers a request that it has seen with success, and writes nothing. "
        "Did the token go along, and was the body the same?"
    )
    expect_count(trial, 1, f"two calls {again.text}", ask)
    expect_answer(True, again, "The same token and body again, within ten minutes", ask)
    expect_key(trial)
    _expect_mismatch(trial, like_once, table, USER, AT + 10, "another `at`")
    _expect_mismatch(trial, like_once, table, OTHER, AT, "another user")
    fresh = trial.attempt(like_once, table, POST, USER, AT + 10, "tap-7c20-a91f-0002")
    expect_guarded(trial, fresh)
    nowhere = trial.attempt(like_once, table, NO_POST, USER, AT, "tap-7c20-none-0001")
    expect_no_such_post(trial, nowhere)
    expect_post_to_win(
        trial,
        table,
        lambda: trial.attempt(like_once, table, DELETED_POST, USER, AT, "tap-7c20-0c3d-0001"),
    )
    expect_conflict_apart(
        trial,
        table,
        lambda user: trial.attempt(like_once, table, POST, user, AT, f"tap-{user}"),
    )
    _expect_guard_to_outlive_the_token(trial, like_once)
    reads, writes = total(second)[0], total(first)[1]
    return Passed(
        f"The first call costs {writes:g} write units; its repetition costs {reads:g} read units "
        "and writes nothing. Another body is refused. After ten minutes the guard answers: False, "
        "tally 1."
    )


def _expect_mismatch(
    trial: Trial, like_once: Any, table: Any, user_id: str, at: int, other: str
) -> None:
    attempt = trial.attempt(like_once, table, POST, user_id, at, _TOKEN)
    if attempt.raised_name() != _MISMATCH:
        raise Refused(
            f"The token is that of an earlier call, the body is not: {other}. {attempt.text} "
            f"{ended(attempt)}; {found(trial).counted()}.",
            f"To DynamoDB this is a mistake of the caller's, {_MISMATCH}, and the caller should "
            "hear of it. Did the token reach DynamoDB, and its error the caller?",
        )


def _expect_guard_to_outlive_the_token(trial: Trial, like_once: Any) -> None:
    table, token = new_post(trial), "tap-7c20-a91f-0003"
    trial.attempt(like_once, table, POST, USER, AT, token)
    trial.clock.advance(601)
    late = trial.attempt(like_once, table, POST, USER, AT, token)
    expect_count(
        trial,
        1,
        f"{late.text}, called twice, ten minutes and a second apart",
        "By then DynamoDB has forgotten the token. What is in the data that has not?",
    )
    expect_answer(
        False,
        late,
        "Ten minutes later DynamoDB has forgotten the token, and the like is there",
        "Only what is stored can answer now: which condition, on which item?",
    )


EXERCISES = (
    Exercise(
        "3.1",
        check_like,
        hints=(
            "The Put of the like takes a ConditionExpression. It is tested in the same step as "
            "the write, on the item with the very same key.",
            "A condition on a missing item: attribute_not_exists of any attribute that every "
            "item has, a key attribute for one.",
            "except table.meta.client.exceptions.TransactionCanceledException as error: then "
            'error.response["CancellationReasons"] has one entry an action, each with a Code.',
            "Only ConditionalCheckFailed of the like means False, and only that of META means "
            "NoSuchPost. Everything else goes on to the caller: raise.",
        ),
        explanation="The like's own key says who and what, so the condition on it is tested "
        "against exactly the like that would be counted twice. Test and write are one step.",
    ),
    Exercise(
        "3.2",
        check_classify,
        hints=(
            "Only a ClientError has the response that you want, a dict: isinstance(error, "
            "ClientError). A time-out is none, and nor is a bug.",
            'The code stands in response["Error"]["Code"], the reasons of a cancelled '
            'transaction in response["CancellationReasons"], by position.',
            "Look for a failed condition first, META's before the like's. Then for a reason that "
            "no attempt would change. What is left passes by itself.",
        ),
        explanation="A failed condition is an answer about the data, and it stays one whatever "
        "the other items met. Conflicts, throttles and time-outs say nothing about the data.",
    ),
    Exercise(
        "3.3",
        check_like_surely,
        hints=(
            "for attempt in range(attempts), and in it one try around one transact_write_items.",
            "Draw the token before the loop: str(uuid.uuid4()). Hand it over as "
            "ClientRequestToken; then boto3 draws none of its own.",
            "classify(error) says what to do. Where it says retry, the last attempt raises, and "
            "the others pause.",
            "A pause with full jitter: rng.uniform(0, cap), and the cap doubles each time.",
        ),
        explanation="All attempts are one request to DynamoDB, since they share a token: it is "
        "carried out once, and each repetition is told of that success. The guard answers "
        "everybody else.",
    ),
    Exercise(
        "3.4",
        check_like_once,
        hints=(
            "This is your like of 3.1, and transact_write_items takes ClientRequestToken.",
            "IdempotentParameterMismatchException is another error than "
            "TransactionCanceledException: let it pass.",
            "Keep the condition on the like: it is what is left after ten minutes.",
        ),
        explanation="The token stands for one request, body included, for ten minutes. The like "
        "stands for one user and one post for as long as it is stored. They guard against "
        "different things, so a request has both.",
    ),
)
