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
            "read(table, post_id, ScanIndexForward=False) brings META first, then the likes. "
            "ConsistentRead=True belongs to it.",
            "Two lists: the METAs, and the items whose SK begins with LIKE#. Each goes into a "
            "table of its own: sql(statement, posts=(columns, metas), likes=(columns, likes)).",
            "posts LEFT JOIN likes ON likes.PK = posts.PK GROUP BY posts.PK, and COUNT(likes.SK): "
            "it counts what is not NULL.",
            "COALESCE(likeTally, 0) stands for an absent tally, both in what you report and in the "
            "HAVING that compares.",
        ),
        explanation="META was read before the likes: whatever lands later has raised rev above the "
        "one that the row holds. In SQL, a left join keeps a post without likes, COUNT(likes.SK) "
        "counts none for it, and COALESCE turns an absent tally into a number.",
    ),
    Exercise(
        "14.2",
        check_drifted_copies,
        hints=(
            "META of every post by get_item, then the profile of each different authorId, all with "
            "ConsistentRead=True. A copy is never newer than a profile that is read after it.",
            "posts LEFT JOIN profiles ON profiles.PK = posts.authorId: where there is no profile, "
            "its columns are NULL.",
            "CASE WHEN profiles.PK IS NULL THEN 'orphaned' WHEN authorName IS NULL THEN 'missing' "
            "ELSE 'stale' END.",
            "IS NOT compares as <> does, and takes NULL for a value: authorName IS NOT name OR "
            "authorNameVersion IS NOT nameVersion. Without profile and without copy all are NULL.",
        ),
        explanation="The source is read last, so a copy that differs is older than it, never "
        "newer. In SQL, a left join keeps the post whose author is gone, and IS NOT keeps the one "
        "without a copy, where <> would say NULL.",
    ),
    Exercise(
        "14.3",
        check_repair_all,
        hints=(
            "One update_item for each row, in a try of its own: "
            "ConditionalCheckFailedException means False, and the loop goes on.",
            "A tally: SET likeTally = :counted ADD rev :one, where rev = :rev.",
            "A copy: SET both attributes where META exists, and where its version is absent or not "
            "higher than the one that you write. None as a value would be compared with NULL.",
            "An orphan: REMOVE both attributes, where authorNameVersion is the version that the "
            "report has. Where that is None: where META exists, and has no version still. REMOVE "
            "alone succeeds on a post that is gone, and you would tell it as done.",
        ),
        explanation="Each write carries what the audit saw into its condition, so it lands on that "
        "state or not at all. What has moved is reported and left to the next audit. rev and the "
        "version only rise; a value could have come back.",
    ),
    Exercise(
        "14.4",
        check_mended,
        hints=(
            "Each function leaves a trace: editedAt and bannedAt on META, mergedFrom on a like. "
            "For each trace, count the posts that drifted and those that did not. For the last, "
            "load likes: (PK, SK, mergedFrom).",
            "All drifts are +1: a like is gone, and neither the tally nor rev has heard of it. "
            "Which writes of likes come without META?",
            "like and unlike move a like, its number and rev together, once, and say whether they "
            "did. A merge can be made of the two. In which order, if it may die in between?",
            "Read the old like first, strongly consistent: False where there is none. Its likedAt "
            "is the time of the new one.",
        ),
        explanation="The put was unguarded, so two likes became one in silence; and a move that "
        "leaves rev alone is hidden from every audit that is under way. A merge that is made of "
        "like and unlike has their guards and their rev; one of its own needs both as well. "
        "One door for each invariant.",
        value=True,
    ),
)
