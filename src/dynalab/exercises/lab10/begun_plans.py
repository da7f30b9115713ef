"""A plan of which a part is done already: by itself before, by somebody who died, or by chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.exercises.lab10.posts import (
    MARA,
    TABLE,
    Author,
    mara,
    post_key,
    put_posts,
    put_profile,
)
from dynalab.exercises.lab10.rename_services import carried_out, plan_for
from dynalab.exercises.words import how_it_ended, in_words
from dynalab.trial import Refused, Trial

# 0c3d was missed by an earlier rename.
COPIES = {"a91f": ("Mara", 3), "77b0": ("Mara", 3), "0c3d": ("Mara K", 2)}
_REFUSED_POST = (
    "A copy that has the name already, or is gone, is done. This is not an error, and the other "
    "posts are still to do. Where do you catch the refusal, and can one refusal undo the other "
    "writes?"
)


def plan_of(copies: Mapping[str, tuple[str, int]]) -> list[dict[str, Any]]:
    """Mara becomes Lind, version 4."""
    return plan_for("Lind", {post_id: name for post_id, (name, _) in copies.items()})


def _now(trial: Trial) -> Author:
    return Author.of(trial.items(TABLE))


def expect_again(trial: Trial, apply_rename: Any, table: Any, plan: list[Any]) -> None:
    before = trial.items(TABLE)
    attempt = carried_out(trial, apply_rename, table, plan)
    text = f"The same plan was carried out before. {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None or trial.items(TABLE) != before:
        raise Refused(
            f"{text}, and {_now(trial).said()}.",
            "If a client is not sure that a plan was carried out to its end, it carries it out "
            "again. "
            + (
                "What must the profile say then: is the name of this version the plan's own?"
                if attempt.raised_name() == "Overtaken"
                else "What does it mean if a write is refused because the name is there already?"
            ),
        )
    if attempt.returned != 0:
        raise Refused(
            f"{text}.",
            "No post has changed this time. Which condition refuses a change that is done "
            "already, and what do you count then?",
        )
    if (left := trial.attempt(apply_rename, table, [])).returned != 0:
        raise Refused(f"{left.text} {how_it_ended(left)}.", "No change is left to make: 0.")


def expect_rest_done(trial: Trial, apply_rename: Any) -> None:
    """Somebody has begun this plan, and died; the rest is done, and no more."""
    _expect_all_posts(trial, apply_rename)
    _expect_what_is_left(trial, apply_rename)


def _expect_all_posts(trial: Trial, apply_rename: Any) -> None:
    """Somebody died after the profile, before any post."""
    table = mara(trial, COPIES)
    put_profile(table, MARA, "Lind", 4)
    with trial.bill() as charges:
        attempt = carried_out(trial, apply_rename, table, plan_of(COPIES))
    if attempt.raised is not None or not _now(trial).is_settled:
        raise Refused(
            f"An earlier attempt of this plan died right after the profile. {attempt.text} "
            f"{how_it_ended(attempt)}, and {_now(trial).said()}.",
            _REFUSED_POST
            if any(charge.operation == "TransactWriteItems" for charge in charges)
            else "The profile has this plan's own name and version, because that attempt wrote "
            "them. Which posts are still to do?",
        )
    if attempt.returned != len(COPIES):
        raise Refused(
            f"An earlier attempt of this plan died right after the profile. {attempt.text} "
            f"{how_it_ended(attempt)}; {len(COPIES)} posts have changed.",
            "It returns how many posts this call has changed.",
        )


def _expect_what_is_left(trial: Trial, apply_rename: Any) -> None:
    """Somebody died after the profile and one post; another post was deleted since."""
    table = mara(trial, COPIES)
    plan = plan_of(COPIES)
    put_profile(table, MARA, "Lind", 4)
    put_posts(table, MARA, {"a91f": ("Lind", 4)})
    table.delete_item(Key=post_key("77b0"))
    attempt = carried_out(trial, apply_rename, table, plan)
    author = _now(trial)
    text = (
        "An earlier attempt died after the profile and a91f; 77b0 was deleted since. "
        f"{attempt.text} {how_it_ended(attempt)}"
    )
    if len(author.copies) > 2 or trial.item(TABLE, **post_key("77b0")):
        raise Refused(
            f"{text}, and made an item of 77b0 again: "
            f"{in_words(trial.item(TABLE, **post_key('77b0')))}.",
            "PutItem and UpdateItem create what they do not find. What does your condition say if "
            "there is no post?",
        )
    if attempt.raised is not None or author.copies.get("0c3d") != ("Lind", 4):
        raise Refused(
            f"{text}, and {author.said()}.",
            _REFUSED_POST,
        )
    if attempt.returned != 1:
        raise Refused(f"{text}. One post has changed.", "A refused write changes nothing.")


def expect_same_name_taken(trial: Trial, apply_rename: Any) -> None:
    """A copy has the new name already, under an old number."""
    copies = {"a91f": ("Lind", 1), "77b0": ("Mara", 3)}
    table = mara(trial, copies)
    attempt = carried_out(trial, apply_rename, table, plan_of(copies))
    author = _now(trial)
    text = (
        f"Mara was called Lind once, and a91f still says so: Lind (1). {attempt.text} "
        f"{how_it_ended(attempt)}, and {author.said()}."
    )
    if attempt.raised is not None or not author.is_settled:
        raise Refused(
            text,
            "A slow client may still have a plan from the rename to Mara, with a version above 1, "
            "and overwrite this post later. So a copy with the right name must take the new "
            "version too: what in your code prevents it?",
        )
    if attempt.returned != len(copies):
        raise Refused(text, "Both posts have changed: one its name, and both their version.")
