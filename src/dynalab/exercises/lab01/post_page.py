"""Exercise 1.4, post_page: a post and some of its likers in one Query."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab01.posts import LARGE, NONE, SMALL, put_likes, put_post
from dynalab.exercises.words import in_read_units
from dynalab.trial import Refused, Trial


def check_post_page(post_page: Any, trial: Trial) -> Passed:
    table = trial.table("Social")
    put_post(table, LARGE)
    put_likes(table, LARGE, 60, padding=500)
    put_post(table, SMALL)
    put_likes(table, SMALL, 2)
    with trial.bill() as charges:
        page = trial.call(post_page, table, LARGE, 3)
    post, likers = _page(page, LARGE)
    units = read_units(charges)
    if post is None or post.get("SK") != "META":
        raise Refused(
            f"post_page(table, {LARGE!r}, 3) gave no post: {post!r}.",
            "The sort keys of likes come before META in the alphabet. From which end do you read "
            "to find META first?",
        )
    if len(likers) == 2:
        raise Refused(
            f"The call asks for three likers; post_page returned {likers!r}.",
            "How many items does Limit count, and is META one of them?",
        )
    if (
        len(likers) != 3
        or len(set(likers)) != 3
        or not all(isinstance(liker, str) and liker.startswith("USER#") for liker in likers)
    ):
        raise Refused(
            f"The likers are {likers!r}; the call asks for three different users, each as "
            "'USER#0007'.",
            "A like's sort key holds the user: what stands before it?",
        )
    if len(charges) > 1:
        operations = " and ".join(charge.operation for charge in charges)
        raise Refused(
            f"The page is right, but it took {len(charges)} requests: {operations}.",
            "Post and likes share a partition key. Can one Query bring both?",
        )
    if charges[0].evaluated > 4:
        raise Refused(
            f"The page is right, but the Query read {charges[0].evaluated} items for it: "
            f"{in_read_units(units)}.",
            "You pay before you slice. Which parameter ends a Query early?",
        )
    post, likers = _page(trial.call(post_page, table, SMALL, 5), SMALL)
    if post is None or sorted(likers) != ["USER#0000", "USER#0001"]:
        raise Refused(
            f"{SMALL} has two likers and the call asks for five; post_page returned {likers!r}.",
            "Fewer likes than the call asks for is not an error: return those that there are.",
        )
    nobody = trial.call(post_page, table, NONE, 3)
    if tuple(nobody) != (None, []):
        raise Refused(
            f"There is no post {NONE}; post_page returned {nobody!r}.",
            "Return (None, []) then.",
        )
    return Passed(f"One Query, {charges[0].evaluated} items, {in_read_units(units)}.")


def _page(page: Any, post_id: str) -> tuple[Any, list[Any]]:
    if not isinstance(page, tuple) or len(page) != 2 or not isinstance(page[1], list):
        raise Refused(
            f"post_page(table, {post_id!r}, …) returned {type(page).__name__}; the answer is a "
            "tuple of two: the post's item, and a list of users.",
            "return post, likers",
        )
    return page[0], page[1]
