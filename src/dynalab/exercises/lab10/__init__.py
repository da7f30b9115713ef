"""Lab 10, Embed or duplicate: a name is copied to where it is read, and follows its source."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab10.post_list import check_list_posts
from dynalab.exercises.lab10.post_written import check_new_post
from dynalab.exercises.lab10.posts import TABLES
from dynalab.exercises.lab10.rename_applied import check_apply_rename
from dynalab.exercises.lab10.rename_bill import check_rename_cost
from dynalab.exercises.lab10.rename_plan import check_plan_rename

__all__ = ["EXERCISES", "TABLES"]

EXERCISES = (
    Exercise(
        "10.1",
        check_new_post,
        hints=(
            "One get_item of the profile, one put_item of the post. Name and version come from "
            "the same reply.",
            "author is a dict of two values: which values of the profile are still worth reading "
            "in a year? authorName is an attribute beside it, because an index includes only "
            "whole attributes.",
            "attribute_not_exists(PK) as the put's condition; a ConditionalCheckFailedException "
            "means that the post exists, and that is fine.",
        ),
        explanation="To open the post takes one read of one item. The tags belong to the post and "
        "are stored in it. The author's tier is a snapshot, and never changes. The name is a "
        "copy, and must follow the profile. The version beside it tells whether the copy is up to "
        "date.",
    ),
    Exercise(
        "10.2",
        check_list_posts,
        hints=(
            "table.query takes an IndexName; the key condition is GSI1PK = :post.",
            "ScanIndexForward=False reads the newest first, and Limit ends the Query early.",
            "An entry has the table's keys, the index's key, title and authorName: the id is "
            "what follows POST# in PK.",
        ),
        explanation="The copies exist for this: the names come with the entries, in one request. "
        "Without copies each page needs a read of the profile of each of its authors, and each of "
        "these reads is rounded up by itself.",
    ),
    Exercise(
        "10.3",
        check_plan_rename,
        hints=(
            "Read the profile with ConsistentRead=True. If it has another name, its change is the "
            "first in the plan, with nameVersion + 1.",
            "Query GSI2 with GSI2PK = AUTHOR#<id>, all pages. An entry has authorName and "
            "authorNameVersion.",
            "A post is in the plan if its authorNameVersion is lower than the plan's version, "
            "whatever its name is. Of an entry's keys the plan needs only PK and SK.",
        ),
        explanation="A plan is a list that you can read, store, count and carry out twice. To see "
        "whether a copy is old, compare two numbers. A copy with the right name and an old number "
        "is still in the plan, because a slow writer may still overwrite it. An empty plan says "
        "that nothing is left to do.",
    ),
    Exercise(
        "10.4",
        check_apply_rename,
        hints=(
            "One update_item for each change, with a condition: the stored version is lower than "
            "that of the change. SET takes name and version, with a comma.",
            "For a post, ConditionalCheckFailedException means that it is done: it has this name, "
            "or a newer one, or it is gone. Catch it inside the loop.",
            "For the profile, a refusal has two meanings. If name and version are those of the "
            "plan, an earlier attempt has written them: go on. Else raise Overtaken, before you "
            "write any post.",
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" returns the profile with the error, in '
            "error.response, in the typed form of the low-level client. A strongly consistent "
            "GetItem shows it too.",
        ),
        explanation="The write of the profile decides who gets the version: of two plans with the "
        "same number only one gets it. From then on each number stands for one name, so each copy "
        "only has to take the higher number. It does not matter in which order plans are carried "
        "out, how often, or where a process dies.",
    ),
    Exercise(
        "10.5",
        check_rename_cost,
        hints=(
            "A write unit is 1,024 bytes of the whole post, rounded up, even if little changes.",
            "Each index that includes authorName writes its entry too, rounded up by itself.",
            "authorName is not a key of an index, so an entry is written once, not deleted and "
            "put again.",
        ),
        explanation="You pay for each place where a copy is written: once in the table, and once "
        "in each index that includes it. An index without this attribute costs nothing for it.",
    ),
)
