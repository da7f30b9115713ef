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
            "author is a dict of two: what of the profile will still be worth reading in a year? "
            "authorName stands beside it, since an index takes in whole attributes only.",
            "attribute_not_exists(PK) as the put's condition; a ConditionalCheckFailedException "
            "means that the post is there, and that is fine.",
        ),
        explanation="Whoever opens the post reads one item. The tags belong to it and go with it. "
        "The author's tier is a snapshot, and stays what it was. The name is a copy, and will have "
        "to follow; the version that came with it tells, whenever somebody asks, whether it has.",
    ),
    Exercise(
        "10.2",
        check_list_posts,
        hints=(
            "table.query takes an IndexName; the key condition is GSI1PK = :post.",
            "ScanIndexForward=False reads from the newest end, and Limit ends the Query early.",
            "An entry has the table's keys, the index's key, title and authorName: the id is "
            "what follows POST# in PK.",
        ),
        explanation="The copies are there for this: the names come with the entries, in one "
        "request. Without them each page would look up a profile for each of its authors, and each "
        "of those is rounded up by itself.",
    ),
    Exercise(
        "10.3",
        check_plan_rename,
        hints=(
            "Read the profile with ConsistentRead=True. Where it has another name, its change is "
            "the first in the plan, with nameVersion + 1.",
            "Query GSI2 with GSI2PK = AUTHOR#<id>, all pages. An entry has authorName and "
            "authorNameVersion.",
            "A post is in the plan where its authorNameVersion is lower than the plan's version, "
            "whatever its name. Of an entry's keys the plan needs PK and SK.",
        ),
        explanation="A plan is a list that can be read, stored, counted and carried out twice. The "
        "version makes old and new a matter of comparing numbers: a copy that says the right name "
        "under an old number is still in it, for somebody who is slow may yet write over it. And a "
        "plan that is empty says that nothing is left.",
    ),
    Exercise(
        "10.4",
        check_apply_rename,
        hints=(
            "One update_item a change, with a condition: the version that is there is lower than "
            "that of the change. SET takes name and version, with a comma.",
            "A post's ConditionalCheckFailedException means done: it has this name, or a newer "
            "one, or is gone. Catch it inside the loop.",
            "The profile's refusal has two meanings. Where name and version are the plan's own, an "
            "earlier attempt has written them: go on. Else raise Overtaken, before any post.",
            'ReturnValuesOnConditionCheckFailure="ALL_OLD" brings the profile along with the '
            "error, in error.response, in the typed form of the low-level client. A strongly "
            "consistent GetItem tells it too.",
        ),
        explanation="The profile's write hands out the version: of two plans with the same number "
        "one gets it. From then on a number stands for one name, so each copy only has to take the "
        "higher one, and it does not matter who comes when, how often, or dies where.",
    ),
    Exercise(
        "10.5",
        check_rename_cost,
        hints=(
            "A write unit is 1,024 bytes, rounded up: of the whole post, however little changes.",
            "Each index that includes authorName writes its entry too, rounded up by itself.",
            "authorName is no key of an index, so an entry is written once, not taken out and put "
            "in.",
        ),
        explanation="A copy is paid for where it is written: once in the table, and once in each "
        "index that includes it. An index that leaves it out costs nothing for it.",
    ),
)
