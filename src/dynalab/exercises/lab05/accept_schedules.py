"""An accept of exercise 5.5 in every schedule: it dies, and meets other writes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dynalab.exercises.lab05.games import ACCEPTED, GAME, GAMES, LATER, pending_game, status_date
from dynalab.exercises.words import first_raised, in_words
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def _agrees(game: dict[str, Any]) -> bool:
    return str(game.get("statusDate")).startswith(f"{game.get('status')}#")


def _in_short(game: dict[str, Any] | None) -> str:
    return in_words({name: (game or {}).get(name) for name in ("status", "statusDate")})


def hold_death(trial: Trial, accept: Any) -> None:
    table = pending_game(trial)

    def together(outcome: Outcome) -> str | None:
        game = outcome.item(GAMES, PK=GAME) or {}
        return None if _agrees(game) else f"{_in_short(game)}."

    trial.hold(
        trial.explore({"A": lambda: accept(table, GAME, ACCEPTED)}, together, crash=True),
        "The process may die at any point of accept",
        "status and statusDate say the same thing twice. How many updates does it take to change "
        "two attributes of one item?",
    )


def hold_two_clients(trial: Trial, accept: Any) -> str:
    table = pending_game(trial)
    times = {"A": ACCEPTED, "B": LATER}

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
        "What you read before a write may have changed when you write. What is evaluated in the "
        "same step as the write?",
    )


def _accepting(accept: Any, table: Any, when: datetime) -> Any:
    return lambda: accept(table, GAME, when.astimezone(UTC))


def hold_other_attribute(trial: Trial, accept: Any) -> None:
    table = pending_game(trial)

    def kept(outcome: Outcome) -> str | None:
        board = (outcome.item(GAMES, PK=GAME) or {}).get("board")
        return first_raised(outcome) or (
            None if board == "d2d4" else f"B had set board to d2d4; it is {board}."
        )

    trial.hold(
        trial.explore(
            {
                "A": lambda: accept(table, GAME, ACCEPTED),
                "B": lambda: table.update_item(
                    Key={"PK": GAME},
                    UpdateExpression="SET board = :board",
                    ExpressionAttributeValues={":board": "d2d4"},
                ),
            },
            kept,
        ),
        "B sets another attribute of the game while A accepts it",
        "A put of the whole item writes back all that you read, and it may be out of date. Which "
        "operation names only what it changes?",
    )


def hold_deleted_game(trial: Trial, accept: Any) -> None:
    table = pending_game(trial)

    def no_ghost(outcome: Outcome) -> str | None:
        game = outcome.item(GAMES, PK=GAME)
        return None if game is None else f"the deleted game is back: {_in_short(game)}."

    trial.hold(
        trial.explore(
            {
                "A": lambda: accept(table, GAME, ACCEPTED),
                "B": lambda: table.delete_item(Key={"PK": GAME}),
            },
            no_ghost,
        ),
        "B deletes the game while A accepts it",
        "A test before the write may be out of date when you write. Which condition does the "
        "write itself need?",
    )
