"""A plan that comes too late: newer copies stay, and the loser of a version touches nothing."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab10.posts import (
    MARA,
    TABLE,
    Author,
    in_words,
    mara,
    profile_key,
    put_posts,
    put_profile,
)
from dynalab.exercises.lab10.rename_services import carried_out, plan_for
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended
from dynalab.trial import Refused, Trial

_COPIES = {"a91f": ("Mara", 3), "77b0": ("Mara", 3)}


def expect_newer_kept(trial: Trial, apply_rename: Any) -> None:
    """A later plan, made when the profile said Lind; since then 77b0 has taken a newer name."""
    table = mara(trial, _COPIES)
    plan = plan_for("Lind", dict.fromkeys(_COPIES, "Mara"))[1:]
    put_profile(table, MARA, "Berg", 5)
    put_posts(table, MARA, {"a91f": ("Mara", 3), "77b0": ("Berg", 5)})
    attempt = carried_out(trial, apply_rename, table, plan)
    author = Author.of(trial.items(TABLE))
    text = (
        "The plan has posts only, since the profile said Lind, version 4, when it was made; by now "
        f"Mara is called Berg. {attempt.text} {how_it_ended(attempt)}"
    )
    if author.copies["77b0"] != ("Berg", 5) or author.profile != ("Berg", 5):
        raise Refused(
            f"{text}, and {author.said()}.",
            "An older name has overwritten a newer one. Which condition lets only a higher "
            "version pass?",
        )
    if attempt.raised_name() not in (None, "Overtaken"):
        raise Refused(
            f"{text}.",
            "The plan does not change the profile, and each post has a condition of its own. "
            "Which error is left to report?",
        )


def expect_overtaken(trial: Trial, apply_rename: Any) -> str:
    """Somebody else has renamed Mara since the plan was made. Returns a remark, or nothing."""
    _expect_overtaken(trial, apply_rename, ("Berg", 4), "took the same version first")
    _expect_overtaken(trial, apply_rename, ("Berg", 5), "is newer")
    _expect_overtaken(trial, apply_rename, ("Lind", 5), "has the plan's name under a newer number")
    return _expect_no_profile_made(trial, apply_rename)


def _expect_overtaken(trial: Trial, apply_rename: Any, stands: tuple[str, int], how: str) -> None:
    table = mara(trial, _COPIES)
    plan = plan_for("Lind", dict.fromkeys(_COPIES, "Mara"))
    put_profile(table, MARA, *stands)
    before = trial.items(TABLE)
    attempt = carried_out(trial, apply_rename, table, plan)
    text = (
        "The plan renames Mara to Lind, version 4. Since then the profile says "
        f"{in_words(stands)}, which {how}. {attempt.text} {how_it_ended(attempt)}"
    )
    author = Author.of(trial.items(TABLE))
    if author.profile != stands:
        raise Refused(
            f"{text}, and {author.said()}: a name that was already confirmed to its user is gone.",
            "Two plans may have the same version. Which condition on the profile lets one of them "
            "through, and refuses the other?",
        )
    if trial.items(TABLE) != before:
        raise Refused(
            f"{text}, and {author.said()}.",
            "That is another rename: another plan got this number, and its posts may have it "
            "under another name. What must the profile have in common with the plan before you "
            "write a post?"
            if stands[0] == "Lind"
            else "This plan may not use that version: another plan has it, and writes another "
            "name under the same number. What must the profile say before you write a post?",
        )
    if attempt.raised_name() != "Overtaken":
        refuse_slip(attempt)
        raise Refused(
            f"{text}.",
            "Nothing was written, and the caller has to plan again. Which exception says so?",
        )


def _expect_no_profile_made(trial: Trial, apply_rename: Any) -> str:
    table = mara(trial, _COPIES)
    plan = plan_for("Lind", dict.fromkeys(_COPIES, "Mara"))
    table.delete_item(Key=profile_key(MARA))
    before = trial.items(TABLE)
    attempt = carried_out(trial, apply_rename, table, plan)
    if trial.items(TABLE) != before:
        raise Refused(
            f"Mara's profile was deleted since the plan was made. {attempt.text} "
            f"{how_it_ended(attempt)}, and {Author.of(trial.items(TABLE)).said()}.",
            "No profile has this plan's name and version, and there was no profile to take them. "
            "What has happened to the plan then?",
        )
    if attempt.raised_name() == "Overtaken":
        return ""
    return (
        f"if the profile was deleted meanwhile, it {how_it_ended(attempt)}; the docstring says "
        "that it raises Overtaken."
    )
