"""Exercise 5.6: a status in the table's own sort key changes by a delete and a put."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.lab05.games import (
    ACCEPTED,
    ACTIVE_KEY,
    BOARD,
    BY_STATUS,
    GAME,
    LATER,
    MARA,
    NINE,
    NO_GAME,
    OTHER_GAME,
    PENDING_KEY,
    TOM,
    pending_by_status,
    put_by_status,
)
from dynalab.exercises.lab05.move_schedules import (
    hold_death,
    hold_fresh,
    hold_other_attribute,
    hold_two_clients,
)
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended, in_read_units, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.telling import advice
from dynalab.trial import Attempt, Refused, Trial

_THROTTLED = 20  # times in a row, for who never stops asking


def check_move(move: Any, trial: Trial) -> Passed:
    table = pending_by_status(trial)
    put_by_status(table, TOM, "PENDING", NINE, GAME, board="other")
    put_by_status(table, MARA, "PENDING", NINE, OTHER_GAME, board="other")
    others = [item for item in trial.items(BY_STATUS) if item.get("board") == "other"]
    with trial.bill() as charges:
        attempt = trial.attempt(move, table, MARA, GAME, NINE, ACCEPTED)
    _refuse_batch(charges)
    _expect_moved(trial, attempt, others)
    _expect_false(trial, move, table, GAME, f"{GAME} was moved, and is not pending any more.")
    _expect_false(trial, move, table, NO_GAME, f"There is no game {NO_GAME}.")
    _expect_conflict_is_no_answer(trial, move)
    _expect_throttle_through(trial, move)
    hold_fresh(trial, move)
    hold_death(trial, move)
    hold_other_attribute(trial, move)
    extent = hold_two_clients(trial, move)
    return Passed(
        f"Two clients, {extent}, deaths included: one of them moves the game, it is stored "
        f"exactly once at all times, and no update is lost. {_cost(charges)}."
    )


def _cost(charges: Sequence[Charge]) -> str:
    writes = write_units(charges)
    reads = read_units(charges)
    return f"{in_write_units(writes)} and {in_read_units(reads)} a move"


def _refuse_batch(charges: Sequence[Charge]) -> None:
    if any(charge.operation == "BatchWriteItem" for charge in charges):
        raise Refused(
            "move sent a BatchWriteItem. It may write one item and return the other as "
            "unprocessed, and it takes no condition.",
            "Which request carries a delete and a put, both or neither?",
        )


def _expect_moved(trial: Trial, attempt: Attempt, others: Sequence[dict[str, Any]]) -> None:
    text = attempt.text
    refuse_slip(attempt)
    if attempt.raised is not None:
        part_of_key = "This attribute is part of the key" in str(attempt.raised)
        raise Refused(
            f"{GAME} is pending. {text} {how_it_ended(attempt)}.",
            "A key says where an item is, and an update cannot change the key. Which two actions "
            "move an item to another key?"
            if part_of_key
            else advice(attempt.raised) or "What stopped it?",
        )
    items = trial.items(BY_STATUS)
    if [item for item in items if item.get("board") == "other"] != list(others):
        raise Refused(
            f"{text} changed a game that it was not asked to move.",
            "Two games can be pending since the same millisecond, and other users have games with "
            "this id. What is the whole key of yours?",
        )
    mine = [item for item in items if item.get("board") != "other"]
    keys = ", ".join(item["SK"] for item in mine) or "nowhere"
    if len(mine) != 1 or {name: mine[0][name] for name in ("PK", "SK")} != ACTIVE_KEY:
        raise Refused(
            f"After {text} the game is at {keys}.",
            "It must be at one key, with the new status, the instant `when`, and its own id. What "
            "does your key contain?"
            if len(mine) == 1
            else "It must be at one key, the new one. What happens to the item at the old key?",
        )
    _expect_item(text, mine[0])
    if attempt.returned is not True:
        raise Refused(
            f"{text} moved the game, but returned {attempt.returned!r}.",
            "The caller wants to know whether it was this call: True or False.",
        )


def _expect_item(text: str, game: dict[str, Any]) -> None:
    if game.get("board") != BOARD or game.get("chat") != ["hi"]:
        raise Refused(
            f"After {text} the game is {in_words(game)}: other attributes are lost.",
            "Which item do you put, a new one, or the one that you have read?",
        )
    if game.get("status") != "ACTIVE":
        raise Refused(
            f"After {text} the key says ACTIVE, and the attribute status is {game.get('status')}.",
            "Where else is the status stored?",
        )
    if game.get("version") != 2:
        raise Refused(
            f"The game's version was 1. After {text} it is {game.get('version')}.",
            "Each change adds one to it, also a move.",
        )


def _expect_false(trial: Trial, move: Any, table: Any, game_id: str, situation: str) -> None:
    before = trial.items(BY_STATUS)
    attempt = trial.attempt(move, table, MARA, game_id, NINE, LATER)
    refuse_slip(attempt)
    if new := [item for item in trial.items(BY_STATUS) if item not in before]:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)} and wrote {new[0]['SK']}.",
            "A Put creates an item in any case. What do you know if your read found none?",
        )
    if attempt.returned is not False or attempt.raised is not None:
        raise Refused(
            f"{situation} {attempt.text} {how_it_ended(attempt)}.",
            "No game is pending at that key. A reply without an Item says so: what do you return?",
        )


def _expect_conflict_is_no_answer(trial: Trial, move: Any) -> None:
    """Another transaction is under way on an item: that says nothing about the game."""
    table = pending_by_status(trial)
    for codes in (("TransactionConflict",), ("None", "TransactionConflict")):
        with cancelling(table, *codes) as fault:
            attempt = trial.attempt(move, table, MARA, GAME, NINE, ACCEPTED)
        if not fault.hits or trial.item(BY_STATUS, **PENDING_KEY) is None:
            return  # a client of the learner's own, or one that tried again
        if attempt.raised is None:
            raise Refused(
                f"{GAME} is pending. Another transaction was at work on one of the items, so this "
                f"one was cancelled with TransactionConflict, and {attempt.text} "
                f"{how_it_ended(attempt)}.",
                "A transaction is cancelled for more than one reason. Which of them says that the "
                "game has changed, and does any of them say that it is not pending?",
            )


def _expect_throttle_through(trial: Trial, move: Any) -> None:
    """A hot key says nothing about the game either, and asking on and on keeps it hot."""
    table = pending_by_status(trial)
    with cancelling(table, "ThrottlingError", times=_THROTTLED) as fault:
        attempt = trial.attempt(move, table, MARA, GAME, NINE, ACCEPTED)
    if fault.hits and attempt.raised is None:
        asked = f"{fault.hits} transaction{'' if fault.hits == 1 else 's'} with ThrottlingError"
        raise Refused(
            f"{GAME} is pending. DynamoDB cancelled {asked}. {attempt.text} asked "
            f"{fault.attempts} times and {how_it_ended(attempt)}; the caller did not see the "
            "error.",
            "Which of DynamoDB's refusals is a reason to read again? Every other one goes on to "
            "the caller.",
        )
