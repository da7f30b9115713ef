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
            "Each action has a condition of its own: the like must exist, and the post must "
            "exist. attribute_exists(PK) says so for both.",
            "One expression takes both additions, with a comma: ADD likeTally :minus, rev :one.",
            "Catch TransactionCanceledException. Look at META's reason first, then at the like's; "
            "a bare raise for everything else.",
        ),
        explanation="The condition on the like makes the delete and the subtraction happen once, "
        "however often somebody taps. The tally cannot fall below zero by itself, because each "
        "subtraction has a like that was counted. If one was not counted, a floor at zero would "
        "only hide that.",
    ),
    Exercise(
        "4.2",
        check_toggle,
        hints=(
            "like returns False if the like is there already: then take it back.",
            "unlike can return False too: another call came between your two. What is the state "
            "then, and what would change it?",
            "If both return False, try again. A loop around both ends as soon as one returns True.",
        ),
        explanation="like and unlike each change the state once or not at all, and their answer "
        "says which. The loop ends with the first True. So every call changes the state exactly "
        "once, and two calls look as if one came after the other.",
    ),
    Exercise(
        "4.3",
        check_audit,
        hints=(
            "For each post: one get_item of META, then a Query with Select='COUNT', all pages.",
            "Both take ConsistentRead=True.",
            "Read META first. Then every change during the count raises rev above the one that "
            "you have read.",
        ),
        explanation="rev is read before the count. If META still has that rev later, nothing "
        "changed in between, and the count is still right. If you count first, a like can come "
        "before META is read. Then rev is up to date and the count is not.",
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
        explanation="rev only rises. So if rev is unchanged, nothing happened since the audit "
        "read it. If likeTally is unchanged, that proves nothing: it may have changed and changed "
        "back.",
    ),
)
