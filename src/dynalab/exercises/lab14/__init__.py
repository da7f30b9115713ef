"""Lab 14, Audit and surgical repair: SQL over loaded rows finds drifts; conditions mend them."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab14.drifted_copies import check_drifted_copies
from dynalab.exercises.lab14.drifted_tallies import check_drifted_tallies
from dynalab.exercises.lab14.mended_service import check_mended
from dynalab.exercises.lab14.repair_all import check_repair_all
from dynalab.exercises.social import TABLE
from dynalab.exercises.tables import PK_SK

TABLES = {TABLE: PK_SK}

EXERCISES = (
    Exercise(
        "14.1",
        check_drifted_tallies,
        hints=(
            "read(table, post_id, ScanIndexForward=False) brings META first, then the likes. Add "
            "ConsistentRead=True.",
            "Two lists: the METAs, and the items whose SK begins with LIKE#. Each goes into a "
            "table of its own: sql(statement, posts=(columns, metas), likes=(columns, likes)).",
            "posts LEFT JOIN likes ON likes.PK = posts.PK GROUP BY posts.PK, and COUNT(likes.SK): "
            "it counts what is not NULL.",
            "COALESCE(likeTally, 0) replaces a missing tally. Use it in the columns that you "
            "report and in the HAVING that compares.",
        ),
        explanation="META is read before the likes: every later change raises rev above the one "
        "in the row. In SQL, a left join keeps a post without likes, COUNT(likes.SK) is 0 for it, "
        "and COALESCE turns a missing tally into a number.",
    ),
    Exercise(
        "14.2",
        check_drifted_copies,
        hints=(
            "Read META of every post by get_item, then the profile of each different authorId, "
            "all with ConsistentRead=True. A copy is never newer than a profile that you read "
            "after it.",
            "posts LEFT JOIN profiles ON profiles.PK = posts.authorId: if there is no profile, "
            "its columns are NULL.",
            "CASE WHEN profiles.PK IS NULL THEN 'orphaned' WHEN authorName IS NULL THEN 'missing' "
            "ELSE 'stale' END.",
            "IS NOT compares as <> does, but treats NULL as a value: authorName IS NOT name OR "
            "authorNameVersion IS NOT nameVersion. Without a profile and without a copy all are "
            "NULL.",
        ),
        explanation="The source is read last, so a copy that differs is older than its source, "
        "never newer. In SQL, a left join keeps the post whose author is gone, and IS NOT keeps "
        "the one without a copy. With <> the result would be NULL.",
    ),
    Exercise(
        "14.3",
        check_repair_all,
        hints=(
            "One update_item for each row, in a try of its own: "
            "ConditionalCheckFailedException means False, and the loop goes on.",
            "A tally: SET likeTally = :counted ADD rev :one, if rev = :rev.",
            "A copy: SET both attributes if META exists, and if its version is missing or not "
            "higher than the one that you write. Pass no None as a value: it would be compared as "
            "NULL.",
            "An orphan: REMOVE both attributes, if authorNameVersion is the version in the "
            "report. If that is None: if META exists, and still has no version. REMOVE without a "
            "condition succeeds on a post that is gone, and you would report it as done.",
        ),
        explanation="The condition of each write holds what the audit saw, so the write changes "
        "that state or nothing. If something has changed, it is reported and left to the next "
        "audit. rev and the version only rise; a value could have changed and changed back.",
    ),
    Exercise(
        "14.4",
        check_mended,
        hints=(
            "Three functions leave a trace: editedAt and bannedAt on META, mergedFrom on a like. "
            "For each trace, count the posts that drifted and those that did not. For the last, "
            "load likes: (PK, SK, mergedFrom).",
            "All drifts are +1: a like is gone, but neither the tally nor rev has changed. Which "
            "writes of likes do not write META?",
            "like and unlike change a like, its number and rev together, once, and say whether "
            "they did. You can make a merge of the two. In which order, if it may die in between?",
            "Read the old like first, strongly consistent: if there is none, return False. Its "
            "likedAt is the time of the new one.",
        ),
        explanation="The put had no guard, so two likes became one without notice. And if a move "
        "does not change rev, a running audit cannot see it. A merge made of like and unlike has "
        "their guards and their rev. A merge with its own writes needs both as well. Let only one "
        "pair of functions write what an invariant is about.",
        value=True,
    ),
)
