"""Exercise 7.4: a high score and all of its copies, whoever meets whom, and whoever dies where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab07.high_scores import ALICE, AT, BOB, CHUCK, LATER, Game, chuck
from dynalab.exercises.lab07.record_schedules import (
    hold_called_again,
    hold_late,
    hold_lost,
    hold_new_friend,
    hold_one_death,
    hold_two_writers,
    hold_unfriended,
)
from dynalab.exercises.lab07.score_services import copies_throttled, followers_of
from dynalab.exercises.lab07.score_services import record as record_another
from dynalab.exercises.words import how_it_ended, in_write_units
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial

_MANY = 120


def check_record_high_score(record: Any, trial: Trial) -> Passed:
    game = Game.empty(trial)
    game.put(None, {ALICE: None, BOB: None})
    _expect_recorded(trial, _recorded(trial, record, game, 30), "Chuck never played.", 30)
    remark = _expect_lower_is_false(trial, record, game)
    _expect_recorded(trial, _recorded(trial, record, game, 50), "HighScore was 30.", 50)
    hold_one_death(trial, record)
    hold_called_again(trial, record)
    _expect_flag_stays_up(trial, record)
    _expect_overtaken_is_true(trial, record)
    hold_lost(trial, record)
    charges = _expect_many(trial, record)
    hold_new_friend(trial, record)
    hold_unfriended(trial, record)
    extent = hold_two_writers(trial, record)
    hold_late(trial, record)
    units = write_units(charges)
    return Passed(
        f"30 and 50 at once, one death anywhere, then the recovery, {extent}: every copy is the "
        f"high score, and no flag is left. {_MANY} followers: {in_write_units(units)}.",
        remark,
    )


def _recorded(trial: Trial, record: Any, game: Game, score: int, at: int = AT) -> Attempt:
    return trial.attempt(record, game.scores, game.copies, followers_of(game), CHUCK, score, at)


def _expect_recorded(trial: Trial, attempt: Attempt, situation: str, score: int) -> None:
    player = chuck(trial)
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        raise Refused(f"{text}.", "Which of your three steps raised it, and why?")
    if player.score != score or player.stale():
        raise Refused(
            f"{text}, and then: {player.said()}.",
            "begin stores the score, fan_out copies it. Which followers did you pass to it?",
        )
    if player.flag:
        raise Refused(
            f"{text}, and then: {player.said()}. A recovery will do all of this again.",
            "Every copy is done. Which step says so?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{text}, and all of it is done.",
            "The caller wants to know whether it was a new high score: True or False.",
        )


def _expect_lower_is_false(trial: Trial, record: Any, game: Game) -> str:
    before = chuck(trial)
    with trial.bill() as charges:
        attempt = _recorded(trial, record, game, 20)
    player = chuck(trial)
    text = f"HighScore is 30. {attempt.text} {how_it_ended(attempt)}"
    if player != before:
        raise Refused(
            f"{text}, and then: {player.said()}.", "What does begin return for this score?"
        )
    if attempt.raised is not None or attempt.returned is not False:
        raise Refused(
            f"{text}, and nothing changed, which is right.",
            "It was not a new high score. What does begin return for it, and what do you return "
            "then?",
        )
    return _remark(charges)


def _remark(charges: Sequence[Charge]) -> str:
    if len(charges) <= 1:
        return ""
    return (
        f"a score that is not better took {len(charges)} requests. Most games end so, and begin "
        "knows it after the first."
    )


def _expect_flag_stays_up(trial: Trial, record: Any) -> None:
    """An error is not a death: the process lives on, and must not clean up."""
    game = Game.empty(trial)
    game.put(10, {ALICE: 10, BOB: 10})
    with copies_throttled(game):
        attempt = _recorded(trial, record, game, 30)
    player = chuck(trial)
    if player.stale() and not player.flag:
        raise Refused(
            f"DynamoDB throttled every write to FriendScore. {attempt.text} "
            f"{how_it_ended(attempt).partition(':')[0]}, and then: {player.said()}.",
            "The copies are not done, and nobody will look for them. In which one case may the "
            "flag come off?",
        )
    if player.stale() and attempt.raised is None:
        raise Refused(
            f"DynamoDB throttled every write to FriendScore. {attempt.text} "
            f"{how_it_ended(attempt)}, and then: {player.said()}.",
            "A failed condition means that there is nothing to do. Who has to learn of any other "
            "error?",
        )


def _expect_overtaken_is_true(trial: Trial, record: Any) -> None:
    """The writer of 50 comes by while the copies of 30 are written: finish has nothing to do."""
    game = Game.empty(trial)
    game.put(10, {ALICE: 10})
    begun: list[bool] = []

    def overtaken(user_id: str) -> list[str]:
        begun.append(chuck(trial).score == 30)
        record_another(game, user_id, 50, LATER)
        return [ALICE]

    attempt = trial.attempt(record, game.scores, game.copies, overtaken, CHUCK, 30, AT)
    if begun[:1] == [True] and attempt.returned is False:
        raise Refused(
            "HighScore was 10. While 30 was recorded, another writer recorded 50, from begin to "
            f"finish. {attempt.text} returned False, but 30 was a new high score when it came.",
            "finish says whether this request took the flag off. Is that what record_high_score "
            "must return?",
        )


def _expect_many(trial: Trial, record: Any) -> list[Charge]:
    game = Game.empty(trial)
    game.put(10, {f"f{number:03}": 10 for number in range(_MANY)})
    with trial.bill() as charges:
        attempt = _recorded(trial, record, game, 30)
    if attempt.raised is not None:
        raise Refused(
            f"Chuck has {_MANY} followers. {attempt.text} {how_it_ended(attempt)}.",
            "How many items can one request carry? begin, fan_out and finish write one item at a "
            "time.",
        )
    _expect_recorded(trial, attempt, f"Chuck has {_MANY} followers.", 30)
    return charges
