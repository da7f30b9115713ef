"""Exercise 7.3: the flag comes off, by nobody but the writer whose flag it is."""

from __future__ import annotations

from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab07.high_scores import (
    AT,
    CHUCK,
    SCORES,
    Game,
    Player,
    chuck,
    more_requests,
)
from dynalab.exercises.lab07.score_services import begin
from dynalab.exercises.words import first_raised, how_it_ended, in_words
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Attempt, Refused, Trial

_LATER = AT + 10


def check_finish(finish: Any, trial: Trial) -> Passed:
    game = Game.empty(trial)
    game.put_score(CHUCK, 30, since=AT)
    with trial.bill() as charges:
        attempt = trial.attempt(finish, game.scores, CHUCK, 30)
    _expect_flag_off(trial, attempt)
    game.put_score(CHUCK, 50, since=AT)
    _expect_kept(trial, finish, game, 30, "50 has overtaken 30, and the flag is that of 50.")
    game.put_score(CHUCK, 30, since=AT)
    _expect_kept(trial, finish, game, 50, "HighScore is 30, and the flag is that of 30.")
    game.put_score(CHUCK, 30)
    _expect_kept(trial, finish, game, 30, "HighScore is 30, and no flag is up.")
    _expect_no_item_made(trial, finish)
    extent = _hold_overtaken(trial, finish)
    _expect_error_through(trial, finish)
    units = write_units(charges)
    return Passed(
        f"Beside a writer of 50, deaths included, {extent}: its flag stays up. {units:g} write "
        "units, of which one is the index entry that goes.",
        more_requests(charges, "One UpdateItem can compare and remove."),
    )


def _expect_flag_off(trial: Trial, attempt: Attempt) -> None:
    player = chuck(trial)
    text = f"HighScore is 30, and its flag is up. {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        raise Refused(
            f"{text}.",
            "The key of an index has a value, or it is missing. Which update removes an attribute?"
            if "ndex" in str(attempt.raised)
            else "The flag belongs to this score. What did DynamoDB refuse?",
        )
    if player.item is None or player.score != 30 or player.item.get("name") != "Chuck":
        raise Refused(
            f"{text}, and what is left of the item is: {in_words(dict(player.item or {}))}.",
            "Only the flag must be removed. Which update removes some attributes and leaves the "
            "others?",
        )
    if player.flag:
        left = in_words(player.flag)
        raise Refused(
            f"{text}, but this is left of the flag: {left}.",
            "The flag is three attributes. Which of them did you name?",
        )
    if attempt.returned is not True:
        raise Refused(f"{text}, and the flag is off.", "Did this call take it off? True or False.")


def _expect_kept(trial: Trial, finish: Any, game: Game, score: int, situation: str) -> None:
    """There is no flag of this score: False, and nothing written."""
    before, stored = trial.items(SCORES), chuck(trial).score
    attempt = trial.attempt(finish, game.scores, CHUCK, score)
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
    if trial.items(SCORES) != before:
        raise Refused(
            f"{text}, and then: {chuck(trial).said()}. If the writer of {stored} dies now, "
            "nobody learns that its copies are not done.",
            "Whose flag is it? Which attribute of the item says so, and what can compare it in "
            "the same step as the write?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"{text}.",
            "To be overtaken is not an error: another writer finishes. What do you return then?",
        )
    if attempt.returned is not False:
        raise Refused(
            f"{text}, but there was no flag of {score} to take off.",
            "Did this call take a flag off? Which attribute exists only while the flag is up?",
        )


def _expect_no_item_made(trial: Trial, finish: Any) -> None:
    game = Game.empty(trial)
    attempt = trial.attempt(finish, game.scores, CHUCK, 30)
    if items := trial.items(SCORES):
        raise Refused(
            f"HighScore has no item for chuck. {attempt.text} {how_it_ended(attempt)} and made "
            f"one: {in_words(items[0])}.",
            "UpdateItem creates what it does not find, unless a condition forbids it. Which "
            "condition fails if there is no item?",
        )


def _hold_overtaken(trial: Trial, finish: Any) -> str:
    game = Game.empty(trial)
    game.put_score(CHUCK, 30, since=AT)

    def flag_of_50_stays(outcome: Outcome) -> str | None:
        player = Player.of(outcome.items)
        if player.score == 50 and player.flag.get("updatingScore") != 50:
            return f"{player.said()}."
        return first_raised(outcome)

    clients = {
        "A": lambda: finish(game.scores, CHUCK, 30),
        "B": lambda: begin(game, CHUCK, 50, _LATER),
    }
    return trial.hold(
        trial.explore(clients, flag_of_50_stays, crash=True),
        "B begins 50 while A finishes 30",
        "What you read may be out of date when you write. What is compared in the same step as "
        "the write?",
    )


def _expect_error_through(trial: Trial, finish: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 30, since=AT)
    with faults.throttle(game.scores, times=None):
        attempt = trial.attempt(finish, game.scores, CHUCK, 30)
    if attempt.raised is None and chuck(trial).flag:
        raise Refused(
            f"The flag of 30 is up, and DynamoDB answered ThrottlingException. {attempt.text} "
            f"returned {attempt.returned!r}, and the flag is still there.",
            "Which one of DynamoDB's refusals says that the flag is not yours?",
        )
