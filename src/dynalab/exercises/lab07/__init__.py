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
            "If the condition fails, look at the stored item: with "
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" it comes with the error, in '
            "error.response, in the typed form of the low-level client. A strongly consistent "
            "GetItem shows it too.",
            "True if that item's updatingScore is your score, else False. Other errors go on.",
        ),
        explanation="Score and flag are one write, so the flag is up as soon as the score is "
        "stored. The condition lets a score only rise, so a late or repeated request has nothing "
        "to do. If begin finds its own flag, it returns True: the work may not be done.",
    ),
    Exercise(
        "7.2",
        check_fan_out,
        hints=(
            "A loop over the followers, with one update_item for each.",
            "The condition has two parts: the copy is there, and it has no highScore or a lower "
            "one. Put the second part in parentheses, because AND binds more tightly than OR.",
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
        explanation="The flag says for which score the work is still to do. A writer that was "
        "overtaken leaves it up. The writer that overtook it takes the flag off, or dies and "
        "leaves it to a recovery.",
    ),
    Exercise(
        "7.4",
        check_record_high_score,
        hints=(
            "Call your three functions, in an order such that a crash between any two of them "
            "leaves the flag up.",
            "If begin returns False, there is nothing to do.",
            "Call followers_of(user_id) after begin: a friend who comes later copies the new "
            "score, and one who came earlier is in the list.",
            "Use no try and no finally: an error in the fan-out must leave the flag up.",
        ),
        explanation="The flag is up from the first write to the last copy, so at every moment all "
        "copies are right, or the flag says that they may not be. Each step may be repeated, and "
        "no step takes back what a better score did.",
    ),
    Exercise(
        "7.5",
        check_recover,
        hints=(
            "flagged(scores, older_than) gives the players. For each of them, what must the "
            "writer still do after begin?",
            "The index is a little late, and it holds no score: use get_item on HighScore with "
            "ConsistentRead=True.",
            "fan_out to followers_of(user_id), then finish with the score that you have read; "
            "count it if finish returns True.",
        ),
        explanation="A recovery is a writer that comes late. It reads the score once, by a strong "
        "read, and then does all its work for this score: copies only rise, and the flag comes "
        "off only if it still belongs to this score. So two recoveries need no lock, nor does a "
        "recovery beside a slow writer. A value that can also fall needs a version (lab 10).",
    ),
)
