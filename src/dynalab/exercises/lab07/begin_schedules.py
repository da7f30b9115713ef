"""A begin of exercise 7.1 in every schedule: it dies, meets another, and its reply is lost."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab07.high_scores import AT, CHUCK, LATER, Game, Player
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_one_write(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 10)

    def both_or_neither(outcome: Outcome) -> str | None:
        player = Player.of(outcome.items)
        if (player.score == 30) == ("updating" in player.flag):
            return None
        return f"{player.said()}."

    trial.hold(
        trial.explore(
            {"A": lambda: begin(game.scores, CHUCK, 30, AT)}, both_or_neither, crash=True
        ),
        "The process may die at any point of begin",
        "Nobody looks for a score without its flag, and nobody can finish a flag without its "
        "score. Which one write carries both?",
    )


def hold_two_writers(trial: Trial, begin: Any) -> str:
    game = Game.empty(trial)
    game.put_score(CHUCK, 10)

    def best_stays(outcome: Outcome) -> str | None:
        player = Player.of(outcome.items)
        done = [score for client, score in (("A", 30), ("B", 50)) if client in outcome.returned]
        if "B" in outcome.returned and outcome.returned["B"] is not True:
            return f"B's 50 is the best score, but begin returned {outcome.returned['B']}."
        if done and (player.score < max(done) or player.flag.get("updatingScore") != player.score):
            return f"{player.said()}; but {max(done)} was scored."
        return first_raised(outcome)

    clients = {
        "A": lambda: begin(game.scores, CHUCK, 30, AT),
        "B": lambda: begin(game.scores, CHUCK, 50, LATER),
    }
    return trial.hold(
        trial.explore(clients, best_stays, crash=True),
        "Two games end at the same time, with 30 and 50",
        "What you read may be out of date when you write. What is compared in the same step as "
        "the write?",
    )


def hold_lost_reply(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 10)
    clients = {"A": lambda: begin(game.scores, CHUCK, 30, AT)}

    def begun(outcome: Outcome) -> str | None:
        if "A" in outcome.returned and outcome.returned["A"] is not True:
            said = Player.of(outcome.items).said()
            return f"{said}, and begin returned {outcome.returned['A']}."
        return first_raised(outcome)

    trial.hold(
        trial.explore(clients, begun, lost=True, stale=True),
        "A request or a reply may be lost, and boto3 sends it again by itself; a read may be stale",
        "The second attempt finds the flag of the first. Whose flag is it, and which read sees it?",
    )
