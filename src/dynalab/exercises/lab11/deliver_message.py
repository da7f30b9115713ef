"""Exercise 11.2, deliver: the body first, the header last, and no message without its body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab11.deliver_trouble import expect_whole_in_trouble
from dynalab.exercises.lab11.mail import AT, BODIES, INBOX, MARA, TOM, body_key, header_key, keys_of
from dynalab.exercises.words import in_write_units
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.telling import told
from dynalab.trial import Attempt, Refused, Trial

_ID, _SUBJECT, _TEXT = "m0001", "The plan", "Meet me at nine."
_LARGE = 262_144  # characters of text: with its keys a little more than 256 KB
_TOO_LARGE = 409_601
_HEADER = header_key(MARA, _ID, AT)
_WANTED = {"messageId": _ID, "sender": TOM, "subject": _SUBJECT, "sentAt": AT}


def check_deliver(deliver: Any, trial: Trial) -> Passed:
    with trial.bill() as charges:
        attempt = _delivered(trial, deliver, "x" * _LARGE)
    _expect_items(trial, attempt)
    _refuse_one_batch(charges)
    extent = _hold_one_death(trial, deliver)
    _expect_nothing_of_a_refused_body(trial, deliver)
    _hold_called_again(trial, deliver)
    expect_whole_in_trouble(trial, deliver)
    _expect_another_message(trial, deliver)
    units = _expect_units(charges)
    return Passed(
        f"{extent[0].upper()}{extent[1:]}, deaths included: no header is without its body. A "
        f"message of 256 KB costs {in_write_units(units)}; one transaction costs {2 * units:g}."
    )


def _delivered(trial: Trial, deliver: Any, body: str) -> Attempt:
    inbox, bodies = trial.table(INBOX), trial.table(BODIES)
    attempt = trial.attempt(deliver, inbox, bodies, MARA, _ID, AT, TOM, _SUBJECT, body)
    text = f"deliver(…, {MARA!r}, {_ID!r}, …) with a text of {len(body):,} characters"
    return replace(attempt, text=text)


def _expect_items(trial: Trial, attempt: Attempt) -> None:
    if attempt.raised is not None:
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", "Which request was refused?")
    headers, bodies = trial.items(INBOX), trial.items(BODIES)
    body = trial.item(BODIES, **body_key(_ID))
    header = trial.item(INBOX, **_HEADER)
    there = f"Inbox holds {keys_of(headers)}; Bodies holds {keys_of(bodies)}"
    if header is None or body is None or len(headers) != 1 or len(bodies) != 1:
        raise Refused(
            f"After {attempt.text}: {there}.",
            f"There must be one item in each: {_HEADER['PK']} / {_HEADER['SK']} in Inbox, and "
            "MESSAGE#m0001 / BODY in Bodies. Which one is missing, or not needed?",
        )
    text = body.get("body")
    if not isinstance(text, str) or len(text) != _LARGE:
        seen = f"has {', '.join(sorted(body))}"
        if text is not None:
            kind = f"{len(text):,} characters" if isinstance(text, str) else type(text).__name__
            seen = f"has {kind} in the attribute `body`"
        raise Refused(
            f"After {attempt.text} the item in Bodies {seen}.",
            "Its attribute `body` must hold the whole text as it was given, as a string.",
        )
    wrong = [name for name, value in _WANTED.items() if header.get(name) != value]
    if wrong:
        raise Refused(
            f"After {attempt.text} the header has {wrong[0]} = {header.get(wrong[0])!r}.",
            f"{', '.join(_WANTED)}: which argument goes where?",
        )
    if any(len(str(value)) > 200 for value in header.values()):
        raise Refused(
            "The header holds the text too, so every list of the inbox pays for it again.",
            "What does a list of messages show?",
        )


def _refuse_one_batch(charges: Sequence[Charge]) -> None:
    for charge in charges:
        if charge.operation == "BatchWriteItem" and "," in charge.table:
            raise Refused(
                "Body and header went in one BatchWriteItem. A batch is not a transaction, and "
                "has no order: DynamoDB may store the header, and return the body as unprocessed.",
                "Which of the two must be stored before the other, and how do you know that it is?",
            )


def _expect_nothing_of_a_refused_body(trial: Trial, deliver: Any) -> None:
    attempt = _delivered(trial, deliver, "x" * _TOO_LARGE)
    if trial.item(INBOX, **_HEADER) is not None and trial.item(BODIES, **body_key(_ID)) is None:
        raise Refused(
            f"A body of {_TOO_LARGE:,} characters is more than an item holds, and DynamoDB refused "
            "it. The header is there: Mara sees a message that nobody can open.",
            "The header says that there is a message. When is that true?",
        )
    stored = trial.item(BODIES, **body_key(_ID))
    if attempt.raised is None and stored is not None:
        raise Refused(
            f"A body of {_TOO_LARGE:,} characters is more than an item holds. {attempt.text} "
            f"stored {len(str(stored.get('body', ''))):,} of them, and raised nothing.",
            "A message without its end looks complete to its reader. Who has to learn that it "
            "does not fit?",
        )
    if attempt.raised is None:
        raise Refused(
            f"A body of {_TOO_LARGE:,} characters is more than an item holds, and DynamoDB "
            f"refused it. {attempt.text} returned {attempt.returned!r}, without an error.",
            "Who has to learn that nothing was delivered?",
        )


def _expect_another_message(trial: Trial, deliver: Any) -> None:
    """Messages of two inboxes, one of them long ago and empty: nothing is fixed but the forms."""
    inbox, bodies = trial.table(INBOX), trial.table(BODIES)
    given = ((MARA, "m0001", AT, _TEXT), (TOM, "m0002", 981173106, ""), (MARA, "m0003", AT, "Hi"))
    for user, message, at, text in given:
        trial.call(deliver, inbox, bodies, user, message, at, "zoe", _SUBJECT, text)
    told = f"Inbox holds {keys_of(trial.items(INBOX))}; Bodies holds {keys_of(trial.items(BODIES))}"
    for user, message, at, text in given:
        key = header_key(user, message, at)
        header, body = trial.item(INBOX, **key), trial.item(BODIES, **body_key(message))
        if header is None or header.get("messageId") != message or header.get("sentAt") != at:
            raise Refused(
                f"Three messages were delivered, {message} to {user}, at {at}. {told}.",
                f"The key of its header is {key['PK']} / {key['SK']}: which argument goes where, "
                "and how many digits must a time have, so that the order of the texts is the "
                "order in time?",
            )
        if body is None or body.get("body") != text:
            raise Refused(
                f"Three messages were delivered, {message} with the text {text!r}. {told}.",
                "Its header is there. Under which key is its body, even if it is empty?",
            )


def _whole(outcome: Outcome) -> str | None:
    header = outcome.item(INBOX, **_HEADER)
    body = outcome.item(BODIES, **body_key(_ID))
    if header is not None and (body is None or body.get("body") != _TEXT):
        return "Mara's inbox lists a message that has no body."
    return None


def _clients(trial: Trial, deliver: Any) -> Any:
    inbox, bodies = trial.table(INBOX), trial.table(BODIES)
    return {"A": lambda: deliver(inbox, bodies, MARA, _ID, AT, TOM, _SUBJECT, _TEXT)}


def _hold_one_death(trial: Trial, deliver: Any) -> str:
    return trial.hold(
        trial.explore(_clients(trial, deliver), _whole, crash=True),
        "The process may die at any point",
        "The header says that there is a message. Which of the two items may exist without the "
        "other?",
    )


def _hold_called_again(trial: Trial, deliver: Any) -> None:
    """Whoever calls it once more after a death has the whole message, once."""
    clients = _clients(trial, deliver)

    def delivered(outcome: Outcome) -> str | None:
        if "R" in outcome.raised:
            return f"The second call raised {type(outcome.raised['R']).__name__}."
        headers, bodies = outcome.items(INBOX), outcome.items(BODIES)
        if len(headers) != 1 or len(bodies) != 1:
            return f"Inbox holds {keys_of(headers)}; Bodies holds {keys_of(bodies)}."
        return _whole(outcome)

    trial.hold(
        trial.explore(clients, delivered, clients["A"]),
        "The process dies at any point, and its caller makes the same call again",
        "The second call finds what the first one wrote. Does a Put of the same item do harm?",
    )


def _expect_units(charges: Sequence[Charge]) -> float:
    units = write_units(charges)
    least = 1 + -(-(_LARGE + 25) // 1024)
    if any(charge.operation == "TransactWriteItems" for charge in charges):
        raise Refused(
            f"It is right in every schedule, but costs {in_write_units(units)}; {least} are "
            "enough. In a transaction you pay twice for each item, also for the large one.",
            "It prevents two states: a header alone, and a body alone. Which of them does nobody "
            "ever see?",
        )
    if units > least:
        operations = ", ".join(f"{c.operation} {c.write_units:g}" for c in charges if c.write_units)
        raise Refused(
            f"It is right in every schedule, but costs {in_write_units(units)} ({operations}); "
            f"{least} are enough.",
            "You pay for the whole item with each write. Which of your writes is not needed?",
        )
    return units
