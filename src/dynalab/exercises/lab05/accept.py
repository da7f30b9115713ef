"""Exercise 5.5: a pending game becomes active once, its two attributes together."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab05.accept_schedules import (
    hold_death,
    hold_deleted_game,
    hold_other_attribute,
    hold_two_clients,
)
from dynalab.exercises.lab05.games import (
    ACCEPTED,
    BOARD,
    GAME,
    GAMES,
    LATER,
    MARA,
    NINE,
    NO_GAME,
    OTHER_GAME,
    minutes,
    pending_game,
    put_game,
    status_date,
)
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended, in_words, in_write_units
from dynalab.telling import advice
from dynalab.trial import Attempt, Refused, Trial

_WRITES = ("UpdateItem", "PutItem", "TransactWriteItems")


def check_accept(accept: Any, trial: Trial) -> Passed:
    table = pending_game(trial)
    with trial.bill() as charges:
        attempt = trial.attempt(accept, table, GAME, ACCEPTED)
    _expect_accepted(trial, attempt)
    _expect_false(trial, accept, table, GAME, "ACTIVE")
    for status in ("DONE", "PENDING_REVIEW"):
        put_game(table, OTHER_GAME, MARA, status, minutes(1))
        _expect_false(trial, accept, table, OTHER_GAME, status)
    _expect_no_such_game(trial, accept, table)
    _expect_other_errors_through(trial, accept)
    hold_death(trial, accept)
    extent = hold_two_clients(trial, accept)
    hold_other_attribute(trial, accept)
    hold_deleted_game(trial, accept)
    units = write_units(charges)
    remark = ""
    if any(charge.operation == "TransactWriteItems" for charge in charges):
        remark = (
            "with a transaction you pay twice for the game. One update is all or nothing by itself."
        )
    elif len(charges) > 1:
        operations = " and ".join(charge.operation for charge in charges)
        remark = (
            f"it took {len(charges)} requests: {operations}. One update with a condition decides "
            "by itself; you need to ask more only if it fails."
        )
    return Passed(
        f"Two clients, {extent}, deaths included: one of them wins. {in_write_units(units)}: the "
        "game, and its entries in three indexes.",
        remark,
    )


def _expect_accepted(trial: Trial, attempt: Attempt) -> None:
    text = attempt.text
    refuse_slip(attempt)
    if attempt.raised is not None:
        raise Refused(
            f"{GAME} is pending. {text} {how_it_ended(attempt)}.",
            advice(attempt.raised) or "What stopped it?",
        )
    game = trial.item(GAMES, PK=GAME) or {}
    if game.get("board") != BOARD or game.get("opponent") != MARA:
        raise Refused(
            f"After {text} the game is {in_words(game)}: other attributes are lost.",
            "Which operation changes two attributes of an item and leaves the others as they are?",
        )
    if game.get("status") != "ACTIVE":
        raise Refused(
            f"After {text} the game's status is {game.get('status')}.",
            "The opponent has accepted. Which word is the new status?",
        )
    _expect_status_date(text, game)
    if attempt.returned is not True:
        raise Refused(
            f"{text} accepted the game, but returned {attempt.returned!r}.",
            "The caller wants to know whether it was this call: True or False.",
        )


def _expect_status_date(text: str, game: dict[str, Any]) -> None:
    found = str(game.get("statusDate"))
    if found == status_date("ACTIVE", ACCEPTED):
        return
    if found.startswith("PENDING"):
        ask = (
            "byStatusDate uses this attribute, so the game is still among Mara's pending games. "
            "What changes together with the status?"
        )
    elif found == status_date("ACTIVE", NINE):
        ask = "That is when it was created. Since when is it active?"
    else:
        ask = "Which function of yours makes this key, and of which instant?"
    raise Refused(f"After {text} status is ACTIVE, and statusDate is {found}.", ask)


def _expect_false(trial: Trial, accept: Any, table: Any, game_id: str, status: str) -> None:
    before = trial.item(GAMES, PK=game_id)
    attempt = trial.attempt(accept, table, game_id, LATER)
    refuse_slip(attempt)
    situation = f"{game_id} is {status}. {attempt.text} {how_it_ended(attempt)}"
    after = trial.item(GAMES, PK=game_id) or {}
    if after != before:
        raise Refused(
            f"{situation}, and its statusDate is now {after.get('statusDate')}.",
            "PENDING_REVIEW begins with PENDING too. What does your condition compare?"
            if status == "PENDING_REVIEW"
            else "The second call changes nothing. Which condition is true only while the game is "
            "pending?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"{situation}.",
            "The game exists, so another call was faster. Which answer is that, and how do you "
            "tell it from a game that does not exist?",
        )
    if attempt.returned is not False:
        raise Refused(f"{situation}, and nothing was changed.", "Was it this call that accepted?")


def _expect_no_such_game(trial: Trial, accept: Any, table: Any) -> None:
    attempt = trial.attempt(accept, table, NO_GAME, ACCEPTED)
    refuse_slip(attempt)
    if ghost := trial.item(GAMES, PK=NO_GAME):
        raise Refused(
            f"There is no game {NO_GAME}. {attempt.text} {how_it_ended(attempt)} and made one: "
            f"{in_words(ghost)}.",
            "UpdateItem creates what it does not find. Which condition fails without an item?",
        )
    if attempt.raised_name() != "NoSuchGame":
        raise Refused(
            f"There is no game {NO_GAME}. {attempt.text} {how_it_ended(attempt)}.",
            "The condition fails if a game is not pending, and if it does not exist. How can you "
            "learn which it was?",
        )


def _expect_other_errors_through(trial: Trial, accept: Any) -> None:
    """Every request is throttled, and then the writes alone: who reads afterwards gets a reply."""
    for operations in ((None,), _WRITES):
        table = pending_game(trial)
        with ExitStack() as stack:
            for operation in operations:
                stack.enter_context(faults.throttle(table, times=None, operation=operation))
            attempt = trial.attempt(accept, table, GAME, ACCEPTED)
        game = trial.item(GAMES, PK=GAME) or {}
        if game["status"] != "PENDING":
            return  # a client of the learner's own
        if attempt.raised is None or attempt.raised_name() == "NoSuchGame":
            raise Refused(
                f"{GAME} is pending, and DynamoDB answered the write with ThrottlingException. "
                f"{attempt.text} {how_it_ended(attempt)}.",
                "Which one of DynamoDB's refusals says that the condition failed?",
            )
