"""A record_high_score of exercise 7.4 in every schedule: it dies, comes again, meets others."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab07.high_scores import (
    ALICE,
    AT,
    BOB,
    CHUCK,
    DAVE,
    LATER,
    Game,
    findable,
    settled,
)
from dynalab.exercises.lab07.score_services import befriend, followers_of, recover, unfriend
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_MUCH_LATER = AT + 1000


def hold_one_death(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10, BOB: 10})
    call = _client(record, game, 30, AT)
    trial.hold(
        trial.explore({"A": call}, findable, crash=True),
        "The process may die at any point",
        "From the first write to the last copy, something in the table must say that the copies "
        "are not done. When does the flag go up, and when may it come off?",
    )


def _client(record: Any, game: Game, score: int, at: int) -> Any:
    return lambda: record(game.scores, game.copies, followers_of(game), CHUCK, score, at)


def hold_called_again(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})
    call = _client(record, game, 30, AT)
    trial.hold(
        trial.explore({"A": call}, settled, call),
        "A dies at any point, and its caller makes the same call again",
        "begin returns True for a score whose own flag is up. Does your call go on from there?",
    )


def hold_lost(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})

    def done(outcome: Outcome) -> str | None:
        if outcome.returned.get("A") is not True:
            return first_raised(outcome) or f"A returned {outcome.returned.get('A')}."
        return settled(outcome)

    trial.hold(
        trial.explore({"A": _client(record, game, 30, AT)}, done, lost=True),
        "One request or reply is lost, and boto3 sends it again by itself",
        "The second attempt finds what the first one wrote. Which of your steps takes that for "
        "another writer's work?",
    )


def hold_two_writers(trial: Trial, record: Any) -> str:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})

    def all_alike(outcome: Outcome) -> str | None:
        if outcome.returned.get("B") is False:
            return "50 is the best score, but B returned False."
        return settled(outcome) or first_raised(outcome)

    clients = {
        "A": _client(record, game, 30, AT),
        "B": _client(record, game, 50, LATER),
    }
    return trial.hold(
        trial.explore(clients, all_alike, lambda: recover(game, _MUCH_LATER)),
        "Chuck scores 30 and 50, one of the two may die, then the recovery comes",
        "Each writer finds the other's writes. Which step of yours writes without asking whether "
        "its score is still the best, or whether the flag is its own?",
    )


def hold_late(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})

    def thirty_then_fifty() -> None:
        for score, at in ((30, AT), (50, LATER)):
            record(game.scores, game.copies, lambda user_id: [ALICE], CHUCK, score, at)

    trial.hold(
        trial.explore({"A": thirty_then_fifty}, settled, late=True),
        "Chuck scores 30, then 50, and one request arrives late",
        "A late request still carries the old score. Which condition stops it?",
    )


def hold_new_friend(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {})
    clients = {
        "A": _client(record, game, 30, AT),
        "D": lambda: befriend(game, DAVE, CHUCK),
    }
    trial.hold(
        trial.explore(clients, settled),
        "dave befriends Chuck while A records 30",
        "dave's copy holds the old score. He is in the list if you read it after begin, and a "
        "friend who comes later copies the new score. When do you read the list?",
    )


def hold_unfriended(trial: Trial, record: Any) -> None:
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})
    clients = {
        "A": _client(record, game, 30, AT),
        "D": lambda: unfriend(game, ALICE, CHUCK),
    }
    trial.hold(
        trial.explore(clients, settled),
        "alice unfriends Chuck while A records 30",
        "Which condition lets a write change only a copy that exists, and is its failure an error?",
    )
