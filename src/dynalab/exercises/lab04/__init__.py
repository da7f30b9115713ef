"""Lab 04, Unlike: a like is taken back once, toggled, counted again, and a drift repaired."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab04.audit import check_audit
from dynalab.exercises.lab04.repair import check_repair
from dynalab.exercises.lab04.toggle import check_toggle
from dynalab.exercises.lab04.unlike import check_unlike
from dynalab.exercises.social import TABLE
from dynalab.exercises.tables import PK_SK

TABLES = {TABLE: PK_SK}

EXERCISES = (
    Exercise(
        "4.1",
        check_unlike,
        hints=(
            "A transaction of two actions, as in like: a Delete where like has a Put, and an "
            "Update of META.",
            "Each action has a condition of its own: the like has to be there, and so has the "
            "post. attribute_exists(PK) says so of either.",
            "Two ADDs stand in one expression, with a comma: ADD likeTally :minus, rev :one.",
            "Catch TransactionCanceledException. Look at META's reason first, then at the like's; "
            "a bare raise for everything else.",
        ),
        explanation="The condition on the like makes the delete and the subtraction happen once, "
        "however often somebody taps. The tally cannot go below zero by itself, because each "
        "subtraction has a like that was counted. A floor would only keep quiet where one was not.",
    ),
    Exercise(
        "4.2",
        check_toggle,
        hints=(
            "like returns False where the like is there already: then it is to be taken back.",
            "unlike can return False too: somebody has been there between your two calls. "
            "What is the state then, and what would turn it?",
            "Two answers of False mean: try again. A loop around both ends as soon as one is True.",
        ),
        explanation="Each of like and unlike changes the state once or not at all, and says which. "
        "The loop ends with the first True, so every call changes the state exactly once, and "
        "two calls look as if one had come after the other.",
    ),
    Exercise(
        "4.3",
        check_audit,
        hints=(
            "For each post: one get_item of META, then a Query with Select='COUNT', all pages.",
            "Both take ConsistentRead=True.",
            "META first. Then whatever lands during the count has raised rev above the one that "
            "you hold.",
        ),
        explanation="rev was read before the count. If META still has that rev later, nothing "
        "landed in between, and the count is what it was. Counted first, a like can slip in "
        "before META is read, and rev looks up to date while the count is not.",
    ),
    Exercise(
        "4.4",
        check_repair,
        hints=(
            "One update_item of META: SET likeTally = :counted ADD rev :one.",
            "Its ConditionExpression compares rev with the rev that the audit saw.",
            "ConditionalCheckFailedException means that META moved: return False. "
            "Everything else goes on.",
        ),
        explanation="rev only rises, so one that is unchanged means that nothing happened since "
        "the audit read it. A stored value that is unchanged means no such thing: it may have "
        "gone away and come back.",
    ),
)
