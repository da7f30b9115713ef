"""Lab 07, Many items, one truth: a score and its copies agree in the end, whoever dies where."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab07.begin_update import check_begin
from dynalab.exercises.lab07.fan_out import check_fan_out
from dynalab.exercises.lab07.finish_update import check_finish
from dynalab.exercises.lab07.high_scores import TABLES
from dynalab.exercises.lab07.record_high_score import check_record_high_score
from dynalab.exercises.lab07.recover_flags import check_recover

__all__ = ["EXERCISES", "TABLES"]

EXERCISES = (
    Exercise(
        "7.1",
        check_begin,
        hints=(
            "One update_item of HighScore: SET takes all four attributes, with commas.",
            "Its condition asks whether there is no score yet, or a lower one: two tests and an "
            "OR.",
            "Where the condition fails, look at the item that stood in the way: "
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" brings it along with the error, in '
            "error.response, in the typed form of the low-level client. A strongly consistent "
            "GetItem tells it too.",
            "True if that item's updatingScore is your score, else False. Other errors go on.",
        ),
        explanation="Score and flag are one write, so there is no moment at which a score is "
        "stored and nobody knows that its copies are not. The condition lets a score only rise, "
        "and a late or repeated request finds nothing to do. Where it meets its own flag, it goes "
        "on instead of giving up: the work may not be done.",
    ),
    Exercise(
        "7.2",
        check_fan_out,
        hints=(
            "A loop over the followers, with one update_item for each.",
            "The condition has two parts: the copy is there, and it has no highScore or a lower "
            "one. Put the second part in parentheses, and you need not think about which binds "
            "closer.",
            "ConditionalCheckFailedException means that this copy needs nothing: catch it inside "
            "the loop. Everything else goes on to the caller.",
        ),
        explanation="Each write compares and sets in one step, so a copy only rises, in whatever "
        "order writers, retries and late requests arrive. It is repeatable: a second run changes "
        "nothing. And a failed condition is an answer, not an error.",
    ),
    Exercise(
        "7.3",
        check_finish,
        hints=(
            "One update_item: REMOVE takes the three attributes of the flag away.",
            "Its condition compares updatingScore with the score that you were called with.",
            "ConditionalCheckFailedException means that the flag is another score's, or off: "
            "return False.",
        ),
        explanation="The flag says whose work it stands for. A writer that was overtaken leaves "
        "it up, and whoever overtook takes it off, or dies and leaves it to a recovery.",
    ),
    Exercise(
        "7.4",
        check_record_high_score,
        hints=(
            "Your three functions, in the order in which a crash between any two of them leaves "
            "the flag up.",
            "Where begin is False there is nothing to do.",
            "followers_of(user_id) comes after begin: a friend who is new by then has copied the "
            "new score, or is in the list.",
            "No try, no finally: an error in the fan-out has to leave the flag up.",
        ),
        explanation="The flag is up from the first write to the last copy, so at every moment "
        "either all copies are right or the flag says that they may not be. Each step may be "
        "repeated, and no step takes back what a better score did.",
    ),
    Exercise(
        "7.5",
        check_recover,
        hints=(
            "flagged(scores, older_than) gives the players. For each of them, what would the "
            "writer have done after begin?",
            "The index is behind, and holds no score: get_item from HighScore with "
            "ConsistentRead=True.",
            "fan_out to followers_of(user_id), then finish with the score that you have read; "
            "count where finish returns True.",
        ),
        explanation="A recovery is a writer who comes late. It reads the score once, strongly, "
        "and everything after that is for this score: copies only rise, and the flag comes off "
        "only if it is still this score's. That is why two of them, or one beside a writer who "
        "was only slow, need no lock. A value that can also go down needs a version (lab 10).",
    ),
)
