"""Exercise 5.5: a pending game becomes active once, its two attributes together."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.counted_posts import how_it_ended
from dynalab.exercises.lab05.games import (
    GAME,
    GAMES,
    MARA,
    NINE,
    NO_GAME,
    OTHER_GAME,
    minutes,
    put_game,
    status_date,
)
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.social import first_raised, in_words
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice
from dynalab.trial import Attempt, Refused, Trial

_WHEN, _LATER = minutes(30), minutes(31)
_BOARD = "e2e4"
_WRITES = ("UpdateItem", "PutItem", "TransactWriteItems")


def check_accept(accept: Any, trial: Trial) -> Passed:
    table = _pending_game(trial)
    with trial.bill() as charges:
        attempt = trial.attempt(accept, table, GAME, _WHEN)
    _expect_accepted(trial, attempt)
    _expect_false(trial, accept, table, GAME, "ACTIVE")
    for status in ("DONE", "PENDING_REVIEW"):
        put_game(table, OTHER_GAME, MARA, status, minutes(1))
        _expect_false(trial, accept, table, OTHER_GAME, status)
    _expect_no_such_game(trial, accept, table)
    _expect_other_errors_through(trial, accept)
    _hold_death(trial, accept)
    extent = _hold_two_clients(trial, accept)
    _hold_other_attribute(trial, accept)
    _hold_deleted_game(trial, accept)
    units = sum(charge.write_units for charge in charges)
    remark = ""
    if any(charge.operation == "TransactWriteItems" for charge in charges):
        remark = "a transaction pays twice for the game. One update is all or nothing by itself."
    elif len(charges) > 1:
        operations = " and ".join(charge.operation for charge in charges)
        remark = (
            f"it took {len(charges)} requests: {operations}. One update with a condition decides "
            "by itself; only where that fails is there something to ask."
        )
    return Passed(
        f"Two clients, {extent}, deaths included: one of them wins. {units:g} write units: the "
        "game, and its entries in three indexes.",
        remark,
    )


def _pending_game(trial: Trial) -> Any:
    table = trial.table(GAMES)
    put_game(table, GAME, MARA, "PENDING", NINE, board=_BOARD)
    return table


def _expect_accepted(trial: Trial, attempt: Attempt) -> None:
    text = attempt.text
    refuse_slip(attempt)
    if attempt.raised is not None:
        raise Refused(
            f"{GAME} is pending. {text} {how_it_ended(attempt)}.",
            advice(attempt.raised) or "What stopped it?",
        )
    game = trial.item(GAMES, PK=GAME) or {}
    if game.get("board") != _BOARD or game.get("opponent") != MARA:
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
            f"{text} accepted the game, and returned {attempt.returned!r}.",
            "The caller wants to know whether it was this call: True or False.",
        )


def _expect_status_date(text: str, game: dict[str, Any]) -> None:
    found = str(game.get("statusDate"))
    if found == status_date("ACTIVE", _WHEN):
        return
    if found.startswith("PENDING"):
        ask = (
            "byStatusDate goes by this attribute, so Mara's pending games still have it among "
            "them. What changes together with the status?"
        )
    elif found == status_date("ACTIVE", NINE):
        ask = "That is when it was created. Since when is it active?"
    else:
        ask = "Which function of yours makes this key, and of which instant?"
    raise Refused(f"After {text} status is ACTIVE, and statusDate is {found}.", ask)


def _expect_false(trial: Trial, accept: Any, table: Any, game_id: str, status: str) -> None:
    before = trial.item(GAMES, PK=game_id)
    attempt = trial.attempt(accept, table, game_id, _LATER)
    refuse_slip(attempt)
    situation = f"{game_id} is {status}. {attempt.text} {how_it_ended(attempt)}"
    after = trial.item(GAMES, PK=game_id) or {}
    if after != before:
        raise Refused(
            f"{situation}, and its statusDate is now {after.get('statusDate')}.",
            "PENDING_REVIEW begins with PENDING too. What does your condition compare?"
            if status == "PENDING_REVIEW"
            else "Whoever comes second changes nothing. Which condition holds while it is pending?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"{situation}.",
            "The game is there, so somebody was faster. Which answer is that, and how do you tell "
            "it from a game that does not exist?",
        )
    if attempt.returned is not False:
        raise Refused(f"{situation}, and nothing was changed.", "Was it this call that accepted?")


def _expect_no_such_game(trial: Trial, accept: Any, table: Any) -> None:
    attempt = trial.attempt(accept, table, NO_GAME, _WHEN)
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
            "The condition fails for a game that is not pending, and for one that is not there. "
            "How can you learn which it was?",
        )


def _expect_other_errors_through(trial: Trial, accept: Any) -> None:
    """Every request is throttled, and then the writes alone: who reads afterwards gets a reply."""
    for operations in ((None,), _WRITES):
        table = _pending_game(trial)
        with ExitStack() as stack:
            for operation in operations:
                stack.enter_context(faults.throttle(table, times=None, operation=operation))
            attempt = trial.attempt(accept, table, GAME, _WHEN)
        game = trial.item(GAMES, PK=GAME) or {}
        if game["status"] != "PENDING":
            return  # a client of the learner's own
        if attempt.raised is None or attempt.raised_name() == "NoSuchGame":
            raise Refused(
                f"{GAME} is pending, and DynamoDB answered the write with ThrottlingException. "
                f"{attempt.text} {how_it_ended(attempt)}.",
                "Which one of DynamoDB's refusals says that the condition failed?",
            )


# --- schedules ------------------------------------------------------------------------------------


def _agrees(game: dict[str, Any]) -> bool:
    return str(game.get("statusDate")).startswith(f"{game.get('status')}#")


def _in_short(game: dict[str, Any] | None) -> str:
    return in_words({name: (game or {}).get(name) for name in ("status", "statusDate")})


def _hold_death(trial: Trial, accept: Any) -> None:
    table = _pending_game(trial)

    def together(outcome: Outcome) -> str | None:
        game = outcome.item(GAMES, PK=GAME) or {}
        return None if _agrees(game) else f"{_in_short(game)}."

    trial.hold(
        trial.explore({"A": lambda: accept(table, GAME, _WHEN)}, together, crash=True),
        "The process may die at any point of accept",
        "status and statusDate say the same thing twice. How many updates does it take to change "
        "two attributes of one item?",
    )


def _hold_two_clients(trial: Trial, accept: Any) -> str:
    table = _pending_game(trial)
    times = {"A": _WHEN, "B": _LATER}

    def one_wins(outcome: Outcome) -> str | None:
        game = outcome.item(GAMES, PK=GAME) or {}
        answers = outcome.returned
        won = [client for client, answer in answers.items() if answer is True]
        if len(won) > 1:
            return "A returned True, and B returned True."
        if won and game["statusDate"] != status_date("ACTIVE", times[won[0]]):
            return f"{won[0]} returned True, and the game is {_in_short(game)}."
        if len(answers) == 2 and not won:
            return "A returned False, and B returned False."
        if answers and game["status"] != "ACTIVE":
            return f"{' and '.join(answers)} returned, and the game is {_in_short(game)}."
        return first_raised(outcome)

    return trial.hold(
        trial.explore(
            {client: _accepting(accept, table, when) for client, when in times.items()},
            one_wins,
            crash=True,
        ),
        "Two clients accept the same game",
        "What you read before a write may have changed when the write comes. "
        "What is evaluated in the same step as the write?",
    )


def _accepting(accept: Any, table: Any, when: datetime) -> Any:
    return lambda: accept(table, GAME, when.astimezone(UTC))


def _hold_other_attribute(trial: Trial, accept: Any) -> None:
    table = _pending_game(trial)

    def kept(outcome: Outcome) -> str | None:
        board = (outcome.item(GAMES, PK=GAME) or {}).get("board")
        return first_raised(outcome) or (
            None if board == "d2d4" else f"B had set board to d2d4; it is {board}."
        )

    trial.hold(
        trial.explore(
            {
                "A": lambda: accept(table, GAME, _WHEN),
                "B": lambda: table.update_item(
                    Key={"PK": GAME},
                    UpdateExpression="SET board = :board",
                    ExpressionAttributeValues={":board": "d2d4"},
                ),
            },
            kept,
        ),
        "B sets another attribute of the game while A accepts it",
        "Whoever puts a whole item writes back all that was read, and it may be out of date. "
        "Which operation names what it changes?",
    )


def _hold_deleted_game(trial: Trial, accept: Any) -> None:
    table = _pending_game(trial)

    def no_ghost(outcome: Outcome) -> str | None:
        game = outcome.item(GAMES, PK=GAME)
        return None if game is None else f"the deleted game is back: {_in_short(game)}."

    trial.hold(
        trial.explore(
            {
                "A": lambda: accept(table, GAME, _WHEN),
                "B": lambda: table.delete_item(Key={"PK": GAME}),
            },
            no_ghost,
        ),
        "B deletes the game while A accepts it",
        "A test before the write is out of date when the write comes. "
        "Which condition does the write itself need?",
    )
