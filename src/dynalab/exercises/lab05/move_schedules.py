"""A move of exercise 5.6 in every schedule: it reads late, dies, and meets other writes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dynalab.exercises.lab05.games import (
    ACCEPTED,
    BOARD,
    BY_STATUS,
    GAME,
    LATER,
    MARA,
    NINE,
    PENDING_KEY,
    pending_by_status,
    put_by_status,
)
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def _places(outcome: Outcome) -> str:
    keys = [item["SK"] for item in outcome.items(BY_STATUS)]
    return f"the game is at {' and '.join(keys)}" if keys else "the game is gone"


def _once(outcome: Outcome) -> str | None:
    if len(outcome.items(BY_STATUS)) == 1:
        return None
    return f"{_places(outcome)}."


def _moving(move: Any, table: Any, when: datetime) -> Any:
    return lambda: move(table, MARA, GAME, NINE, when)


def hold_fresh(trial: Trial, move: Any) -> None:
    table = trial.table(BY_STATUS)

    def challenge_and_move() -> Any:
        put_by_status(table, MARA, "PENDING", NINE, GAME, board=BOARD)
        return move(table, MARA, GAME, NINE, ACCEPTED)

    def true_answer(outcome: Outcome) -> str | None:
        if outcome.returned.get("A") is True:
            return None
        return first_raised(outcome) or f"A returned False, and {_places(outcome)}."

    trial.hold(
        trial.explore({"A": challenge_and_move}, true_answer, stale=True),
        "A game became pending a moment ago, and is moved; an eventually consistent read may not "
        "find it yet",
        "False says that no such game is pending, and that must be true. Which read is never out "
        "of date?",
    )


def hold_death(trial: Trial, move: Any) -> None:
    table = pending_by_status(trial)
    trial.hold(
        trial.explore({"A": _moving(move, table, ACCEPTED)}, _once, crash=True),
        "The process may die at any point of a move",
        "A process can always die between two requests. Which one request carries the delete and "
        "the put?",
    )


def hold_two_clients(trial: Trial, move: Any) -> str:
    table = pending_by_status(trial)

    def one_wins(outcome: Outcome) -> str | None:
        answers = list(outcome.returned.values())
        if answers.count(True) > 1:
            return f"both returned True, and {_places(outcome)}."
        if len(answers) == 2 and True not in answers:
            return f"both returned False, and {_places(outcome)}."
        if answers and "ACTIVE" not in _places(outcome):
            return f"{' and '.join(outcome.returned)} returned, and the game is pending."
        return _once(outcome) or first_raised(outcome)

    return trial.hold(
        trial.explore(
            {"A": _moving(move, table, ACCEPTED), "B": _moving(move, table, LATER)},
            one_wins,
            crash=True,
        ),
        "Two clients move the same game",
        "What you read may have changed when your transaction comes. Which of its actions can "
        "notice that, and what do you find when you read again?",
    )


def hold_other_attribute(trial: Trial, move: Any) -> None:
    table = pending_by_status(trial)

    def set_board() -> bool:
        try:
            table.update_item(
                Key=PENDING_KEY,
                UpdateExpression="SET board = :board ADD version :one",
                ConditionExpression="attribute_exists(PK)",
                ExpressionAttributeValues={":board": "d2d4", ":one": 1},
            )
        except table.meta.client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def kept(outcome: Outcome) -> str | None:
        if problem := _once(outcome) or first_raised(outcome):
            return problem
        [game] = outcome.items(BY_STATUS)
        board = game.get("board")
        if outcome.returned["B"] and board != "d2d4":
            return f"B's update was carried out, board was d2d4; after A's move it is {board}."
        if outcome.returned["A"] is not True or game["status"] != "ACTIVE":
            return f"A returned {outcome.returned['A']}, and the game is {game['status']}."
        if game["version"] != 2 + outcome.returned["B"]:
            return f"version is {game['version']}, after {1 + outcome.returned['B']} changes."
        return None

    exploration = trial.explore({"A": _moving(move, table, ACCEPTED), "B": set_board}, kept)
    trial.hold(
        exploration,
        "B sets another attribute of the game, and adds one to version, while A moves it",
        "The put writes back what you read, and B has written since. What did B's update change "
        "that your delete can compare, and what do you do if it differs?",
    )
