"""deliver of exercise 11.2 where DynamoDB refuses, hands back, or answers and is not heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dynalab.exercises.failed_call import failures
from dynalab.exercises.lab11.mail import AT, BODIES, INBOX, MARA, TOM, body_key, header_key
from dynalab.exercises.lab11.trouble import handing_writes_back, losing_replies
from dynalab.trial import Refused, Trial

_ID, _TEXT = "m0001", "Meet me at nine."


def expect_whole_in_trouble(trial: Trial, deliver: Any) -> None:
    _expect_errors_go_on(trial, deliver)
    _expect_batches_looked_at(trial, deliver)
    _expect_unheard_header(trial, deliver)


def _expect_errors_go_on(trial: Trial, deliver: Any) -> None:
    inbox, bodies = trial.table(INBOX), trial.table(BODIES)

    def nothing_there() -> None:
        trial.table(INBOX), trial.table(BODIES)

    arguments = (inbox, bodies, MARA, _ID, AT, TOM, "The plan", _TEXT)
    for what, attempt in failures(trial, nothing_there, deliver, *arguments):
        _refuse_a_lone_header(trial, f"DynamoDB {what}.")
        if attempt.raised is None and not _is_there(trial):
            raise Refused(
                f"DynamoDB {what}. deliver returned {attempt.returned!r}, without an error, but "
                "there is no header.",
                "Who has to learn that nothing was delivered?",
            )


def _expect_batches_looked_at(trial: Trial, deliver: Any) -> None:
    with handing_writes_back():
        trial.attempt(_delivery(trial, deliver))
    _refuse_a_lone_header(
        trial,
        "DynamoDB returned the body in UnprocessedItems, and raised nothing.",
        "What must the reply of a batch say before you may write the header?",
    )


def _expect_unheard_header(trial: Trial, deliver: Any) -> None:
    """The header lands, and no reply to it comes, however often boto3 asks."""

    def is_header(operation: str, request: Mapping[str, Any]) -> bool:
        names = [request.get("TableName"), *request.get("RequestItems", {})]
        return INBOX in names and operation in ("PutItem", "UpdateItem", "BatchWriteItem")

    with losing_replies(is_header):
        trial.attempt(_delivery(trial, deliver))
    _refuse_a_lone_header(
        trial,
        "The header was stored, and every reply to it was lost.",
        "A time-out does not mean that nothing happened. Does the body do harm if you leave it?",
    )


def _delivery(trial: Trial, deliver: Any) -> Callable[[], Any]:
    inbox, bodies = trial.table(INBOX), trial.table(BODIES)
    return lambda: deliver(inbox, bodies, MARA, _ID, AT, TOM, "The plan", _TEXT)


def _is_there(trial: Trial) -> bool:
    return trial.item(INBOX, **header_key(MARA, _ID, AT)) is not None


def _refuse_a_lone_header(trial: Trial, situation: str, ask: str = "") -> None:
    body = trial.item(BODIES, **body_key(_ID)) or {}
    if _is_there(trial) and body.get("body") != _TEXT:
        raise Refused(
            f"{situation} Then Mara's inbox lists a message that has no body.",
            ask or "The header says that there is a message. When is that true?",
        )
