"""Exercise 7.1: a new high score and the flag that its copies are not done, in one write."""

from __future__ import annotations

from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.lab07.begin_schedules import (
    hold_lost_reply,
    hold_one_write,
    hold_two_writers,
)
from dynalab.exercises.lab07.high_scores import (
    AT,
    CHUCK,
    FLAG_ATTRIBUTES,
    FLAGS,
    LATER,
    SCORES,
    Game,
    Player,
    chuck,
    more_requests,
)
from dynalab.exercises.words import how_it_ended, in_words, in_write_units
from dynalab.trial import Attempt, Refused, Trial


def check_begin(begin: Any, trial: Trial) -> Passed:
    game = Game.empty(trial)
    game.put_score(CHUCK, 10)
    with trial.bill() as charges:
        attempt = trial.attempt(begin, game.scores, CHUCK, 30, AT)
    _expect_begun(trial, "HighScore was 10.", attempt, 30, AT)
    hold_one_write(trial, begin)
    _expect_first_score(trial, begin)
    _expect_overtaken(trial, begin)
    _expect_nothing_begun(trial, begin)
    _expect_resumed(trial, begin)
    extent = hold_two_writers(trial, begin)
    hold_lost_reply(trial, begin)
    _expect_throttle_through(trial, begin)
    units = write_units(charges)
    return Passed(
        f"Scores 30 and 50 at once, deaths included, {extent}: 50 stays, and its flag is up. "
        f"{in_write_units(units)}, of which one is the index entry.",
        more_requests(charges, "One UpdateItem can compare, set and return the result."),
    )


def _expect_begun(trial: Trial, situation: str, attempt: Attempt, score: int, at: int) -> None:
    player = chuck(trial)
    text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        raise Refused(f"{text}.", _why_refused(attempt))
    if player.item is None or player.item.get("name") != "Chuck":
        raise Refused(
            f"{text}, and what is left of the item is: {in_words(dict(player.item or {}))}.",
            "Which operation changes some attributes of an item and leaves the others as they are?",
        )
    if player.score != score:
        raise Refused(
            f"{text}, and HighScore is {'none' if player.score is None else player.score}.",
            "A missing attribute is neither less nor more: the comparison is false. How does a "
            "first score pass your condition?"
            if player.score is None
            else "The score is better than the stored one. What stopped the write?",
        )
    _expect_flag(text, player, score, at)
    if attempt.returned is not True:
        raise Refused(
            f"{text}. The score and its flag are stored.",
            "The caller has to know whether there is something to copy: True or False.",
        )


def _why_refused(attempt: Attempt) -> str:
    if attempt.raised_name() == "ConditionalCheckFailedException":
        return "The score is a new one. Is your condition true if an attribute does not exist yet?"
    if "Index Key" in str(attempt.raised):
        return "updating is the key of an index. Which attribute type does that key have?"
    return "What did DynamoDB refuse, and why?"


def _expect_flag(text: str, player: Player, score: int, at: int) -> None:
    flag = player.flag
    if not flag:
        raise Refused(
            f"{text}. The score is stored, and no flag is up.",
            "If you die now, what in the table says that there are copies to change?",
        )
    if flag.get("updating") not in FLAGS:
        raise Refused(
            f"{text}, and updating is {flag.get('updating')!r}. The recovery asks the index for "
            f"{' and '.join(FLAGS)}, so it never finds this one.",
            "Which function of the lab gives a player's flag?",
        )
    wanted = {"updatingScore": score, "updatingSince": at}
    for name, value in wanted.items():
        if flag.get(name) != value:
            raise Refused(
                f"{text}, and {name} is {flag.get(name, 'not there')}.",
                f"It must be {value}: which argument is that?",
            )


def _expect_first_score(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, None)
    attempt = trial.attempt(begin, game.scores, CHUCK, 30, AT)
    _expect_begun(trial, "Chuck never played.", attempt, 30, AT)
    attempt = trial.attempt(begin, game.scores, "dora", 0, AT)
    dora = Player.of(trial.items, "dora")
    if attempt.returned is not True or dora.score != 0 or not dora.flag:
        raise Refused(
            f"HighScore has no item for dora. {attempt.text} {how_it_ended(attempt)}, and then: "
            f"{dora.said()}.",
            "Nobody has a score before the first game, and 0 is a score. Which condition is true "
            "if nothing is stored?",
        )


# What is stored, since when its flag is up, and a score that is nothing to begin.
_NOTHING_TO_BEGIN = (
    (
        (30, None, 20),
        "HighScore is 30, and every copy says so.",
        "Which condition is true for a better score, and for no other?",
    ),
    (
        (30, None, 30),
        "HighScore is 30, no flag is up, and every copy says 30.",
        "It is the same score, and all of its copies are done. Is it a better one, and is its "
        "flag up?",
    ),
    (
        (50, LATER, 30),
        "HighScore is 50, and the flag is that of 50.",
        "A flag is up, but it belongs to another score. Which score's copies would you change?",
    ),
)


def _expect_nothing_begun(trial: Trial, begin: Any) -> None:
    """False, and nothing written."""
    for (stored, since, score), situation, ask in _NOTHING_TO_BEGIN:
        game = Game.empty(trial)
        game.put_score(CHUCK, stored, since=since)
        before = trial.items(SCORES)
        attempt = trial.attempt(begin, game.scores, CHUCK, score, LATER)
        text = f"{situation} {attempt.text} {how_it_ended(attempt)}"
        if trial.items(SCORES) != before:
            raise Refused(f"{text}, and then: {chuck(trial).said()}.", ask)
        if attempt.raised is not None:
            raise Refused(f"{text}.", _why_raised(attempt.raised))
        if attempt.returned is not False:
            raise Refused(f"{text}, and wrote nothing.", ask)


def _why_raised(raised: BaseException) -> str:
    missing = raised.args[0] if isinstance(raised, KeyError) else None
    if missing in FLAG_ATTRIBUTES:
        return f"This item has no flag, so it has no {missing} either. What do you return then?"
    return (
        "A score that is not better is not an error: most games end so. Which exception says so, "
        "and what do you return then?"
    )


def _expect_resumed(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 30, since=AT)
    attempt = trial.attempt(begin, game.scores, CHUCK, 30, LATER)
    text = (
        "begin has stored 30 and its flag, and the reply was lost. Ten seconds later it is called "
        f"again: {attempt.text} {how_it_ended(attempt)}"
    )
    if attempt.raised is not None or attempt.returned is not True:
        raise Refused(
            f"{text}. The caller has begun, and now believes that there is nothing to do; the "
            "flag stays, and no copy changes.",
            "The write was refused. What in the item tells you that this flag is your own?",
        )
    player = chuck(trial)
    if player.score != 30 or player.flag.get("updatingScore") != 30:
        raise Refused(f"{text}, and then: {player.said()}.", "What is left to change then?")
    if (since := player.flag.get("updatingSince")) != AT:
        raise Refused(
            f"{text}, and updatingSince is {since}; it was {AT}. A recovery looks at this time, "
            "so it does not find a flag whose time is set anew again and again.",
            "Since when have its copies been waiting? What is left to write then?",
        )


def _expect_overtaken(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 30, since=AT)
    attempt = trial.attempt(begin, game.scores, CHUCK, 50, LATER)
    _expect_begun(trial, "HighScore was 30, its flag was up.", attempt, 50, LATER)


def _expect_throttle_through(trial: Trial, begin: Any) -> None:
    game = Game.empty(trial)
    game.put_score(CHUCK, 10)
    with faults.throttle(game.scores, times=None):
        attempt = trial.attempt(begin, game.scores, CHUCK, 30, AT)
    if attempt.raised is None and chuck(trial).score == 10:
        raise Refused(
            f"HighScore was 10, and DynamoDB answered ThrottlingException. {attempt.text} "
            f"returned {attempt.returned!r}, and 30 is lost.",
            "Which one of DynamoDB's refusals says that the score is not better?",
        )
