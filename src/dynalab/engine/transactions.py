"""TransactWriteItems: all of its writes or none, at a cost that follows the items it touches.

moto copies every table that is named, so a like grows dearer with each like before it, and
it ignores ClientRequestToken. Here nothing is written before every condition was tested.
"""

from __future__ import annotations

import json
from typing import Any

from dynalab.engine import limits
from dynalab.engine.errors import (
    IdempotentParameterMismatch,
    Invalid,
    MockValidationException,
    TransactionCanceledException,
)
from dynalab.engine.ledger import Ledger, Write
from dynalab.engine.tables import Backend
from dynalab.engine.writes import Change, apply

_KINDS = ("ConditionCheck", "Put", "Delete", "Update")


class Tokens:
    """The ClientRequestTokens of the last ten minutes, with what each one wrote."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, float, list[Write], list[Write]]] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def replays(self, ledger: Ledger, now: float) -> bool:
        """Whether this very request was answered within ten minutes: then it is not applied again.

        The ledger gets the images of the first call, which a replay is billed for in read units.
        Raises IdempotentParameterMismatch where the token came with another request.
        """
        token = ledger.request.get("ClientRequestToken")
        if token is None:
            return False
        if not 1 <= len(token) <= limits.TOKEN_CHARACTERS:
            raise Invalid(
                f"1 validation error detected: Value '{token}' at 'clientRequestToken' failed to "
                "satisfy constraint: Member must have length less than or equal to "
                f"{limits.TOKEN_CHARACTERS}"
            )
        seen = self._seen.get(token)
        if seen is None or now - seen[1] > limits.TOKEN_SECONDS:
            return False
        body, _, writes, checked = seen
        if body != _body(ledger):
            raise IdempotentParameterMismatch()
        ledger.replayed = True
        ledger.writes, ledger.checked = list(writes), list(checked)
        return True

    def remember(self, ledger: Ledger, now: float) -> None:
        """Notes what the request has written, if it has a token; forgets what is too old."""
        token = ledger.request.get("ClientRequestToken")
        for old in [
            old for old, seen in self._seen.items() if now - seen[1] > limits.TOKEN_SECONDS
        ]:
            del self._seen[old]
        if token is not None:
            self._seen[token] = (_body(ledger), now, list(ledger.writes), list(ledger.checked))

    def trace(self) -> list[tuple[str, str, float]]:
        """Each token with the body that it came with, and when."""
        return [(token, body, at) for token, (body, at, _, _) in self._seen.items()]

    def copy(self) -> Tokens:
        tokens = Tokens()
        tokens._seen = dict(self._seen)
        return tokens


def _body(ledger: Ledger) -> str:
    return json.dumps(ledger.request["TransactItems"], sort_keys=True)


def transact_write_items(
    backend: Backend, ledger: Ledger, now: float, tokens: Tokens
) -> dict[str, Any]:
    """Tests every condition, then writes. Raises TransactionCanceledException with the reasons."""
    if tokens.replays(ledger, now):
        return {}
    actions = ledger.request["TransactItems"]
    changes = [_change(backend, action) for action in actions]
    if len({(change.table.name, change.key) for change in changes}) < len(changes):
        raise Invalid("Transaction request cannot include multiple operations on one item")
    results = [_reason(change) for change in changes]
    if any(code is not None for code, _, _ in results):
        raise TransactionCanceledException(results)
    _refuse_too_large(changes)
    for change in changes:
        if change.kind == "ConditionCheck":
            ledger.checked.append(Write(change.table, change.before, change.before))
        else:
            apply(change, ledger, now)
    tokens.remember(ledger, now)
    return {}


def _change(backend: Backend, action: dict[str, Any]) -> Change:
    if len(action) != 1 or next(iter(action)) not in _KINDS:
        raise Invalid("TransactItems can only contain one of Check, Put, Update or Delete")
    [(kind, request)] = action.items()
    if kind == "ConditionCheck" and not request.get("ConditionExpression"):
        raise Invalid(
            "The parameter 'ConditionExpression' is required but was not present in the request"
        )
    return Change(backend, kind, request)


_Reason = tuple["str | None", "str | None", Any]


def _reason(change: Change) -> _Reason:
    """Why this action cancels the transaction: code, message, item; all None for no reason."""
    if not change.condition_holds():
        return "ConditionalCheckFailed", "The conditional request failed", change.old_image()
    try:
        _ = change.after
    except MockValidationException as error:  # moto raises it as is; AWS cancels the transaction
        return "ValidationError", error.exception_msg, None
    return None, None, None


def _refuse_too_large(changes: list[Change]) -> None:
    total = 0
    for change in changes:
        total += change.after.size if change.after is not None else 0
    if total > limits.TRANSACTION_BYTES:
        raise Invalid("Transaction request size exceeded the maximum allowed size of 4 MB")
