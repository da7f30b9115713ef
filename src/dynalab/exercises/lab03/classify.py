"""Exercise 3.2: what an error of boto3's asks of the caller, in one of four words."""

from __future__ import annotations

import copy
from typing import Any

from botocore.exceptions import ConnectTimeoutError, ParamValidationError, ReadTimeoutError

from dynalab.check import Passed
from dynalab.exercises.canned_errors import cancelled, refused
from dynalab.exercises.lab03.guarded_like import new_post
from dynalab.exercises.lab03.taps import impatient
from dynalab.telling import told
from dynalab.trial import Refused, Trial

_CANCELED = "TransactionCanceledException"

_OK, _FAILED, _CONFLICT = "None", "ConditionalCheckFailed", "TransactionConflict"
_THROTTLED, _OVER = "ThrottlingError", "ProvisionedThroughputExceeded"
_ANSWERS = ("retry", "already", "missing", "raise")

_WHICH = "The reasons are in the order of the transaction's actions: whose condition failed?"
_MIXED = (
    "A failed condition is an answer, whatever happened to the other item. What would another "
    "attempt find?"
)
_PASSES = "This passes by itself, and nothing was written. What should the caller do?"
_ALONE = (
    "'None' does not count: that action did not fail. The other reason passes by itself, and "
    "nothing was written. What should the caller do?"
)
_HALF = "One reason passes by itself, the other does not. When may the same request be sent again?"
_UNKNOWN = (
    "No reply came: the request may have been carried out, or not. With one token for all "
    "attempts, is it safe to send it again?"
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
_REWORDED = "The transaction was cancelled: [None, TransactionConflict] happened earlier."


def check_classify(classify: Any, trial: Trial) -> Passed:
    cases = _errors(impatient(new_post(trial)))
    with trial.bill() as charges:
        for what, error, wanted, ask in cases:
            _expect_class(trial, classify, what, error, wanted, ask)
    if charges:
        raise Refused(
            f"classify made {len(charges)} requests to DynamoDB.",
            "All that it needs is in the error: in which part?",
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
            "The answer is a word, and the caller acts on it: which word fits here?"
            if itself
            else "Is every exception a ClientError, and does every response have reasons?"
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
