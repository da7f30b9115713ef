"""A plan that is carried out, in every schedule: it dies, comes again, meets another rename."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab10.posts import (
    MARA,
    TABLE,
    Author,
    mara,
    post_key,
    profile_key,
    settled,
    unexpected,
)
from dynalab.exercises.lab10.rename_services import plan_for, put_new_post, renaming
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_BOTH = {"a91f": ("Mara", 3), "77b0": ("Mara", 3)}
_ONE = {"a91f": ("Mara", 3)}
_MOST = 100  # runs; whoever asks far more than is needed gets some of the schedules, drawn


def hold_renames(trial: Trial, apply_rename: Any) -> str:
    """How much two renames at once were tried; Refused at the first schedule that fails."""
    _hold_death(trial, apply_rename)
    _hold_death_and_later_plan(trial, apply_rename)
    _hold_lost(trial, apply_rename)
    _hold_others_writes(trial, apply_rename)
    _hold_same_version(trial, apply_rename)
    _hold_two_alive(trial, apply_rename)
    _hold_back_again(trial, apply_rename)
    _hold_late(trial, apply_rename)
    _hold_new_post(trial, apply_rename)
    return _hold_two(trial, apply_rename)


def _hold_death(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _BOTH)
    plan = plan_for("Lind", dict.fromkeys(_BOTH, "Mara"))

    def call() -> Any:
        return apply_rename(table, plan)

    def lind(outcome: Outcome) -> str | None:
        author = Author.of(outcome.items(TABLE))
        if author.profile != ("Lind", 4):
            return f"{author.said()}."
        return settled(outcome)

    trial.hold(
        trial.explore({"A": call}, lind, call),
        "The process dies at any point, and the same plan is carried out again",
        "The second attempt finds what the first one wrote. What is done already, and what is not?",
    )


def _hold_death_and_later_plan(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)
    later = renaming(table, None, apply=apply_rename)
    trial.hold(
        trial.explore(
            {"A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"}))}, settled, later
        ),
        "The process dies at any point, and a later plan is carried out, for the name that the "
        "profile has",
        "The later plan looks only at versions. Which death leaves a name without its version? "
        "How many writes do you make for one item?",
    )


def _hold_lost(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)
    clients = {"A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"}))}

    def done(outcome: Outcome) -> str | None:
        return first_raised(outcome) or settled(outcome)

    trial.hold(
        trial.explore(clients, done, lost=True),
        "One request or reply is lost, and boto3 sends it again by itself",
        "The second attempt finds the new name of this very plan. Who has written it?",
    )
    trial.hold(
        trial.explore(clients, done, lost=True, stale=True),
        "One reply is lost, boto3 sends the write again by itself, and a read that is not strongly "
        "consistent comes from before the last write",
        "The write of the profile was refused because it has this plan's name and version "
        "already. Which read sees the last write?",
    )


def _hold_others_writes(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)

    def follow_and_edit() -> None:
        table.update_item(
            Key=profile_key(MARA),
            UpdateExpression="ADD followers :one",
            ExpressionAttributeValues={":one": 1},
        )
        table.update_item(
            Key=post_key("a91f"),
            UpdateExpression="SET body = :text",
            ExpressionAttributeValues={":text": "Edited"},
        )

    def kept(outcome: Outcome) -> str | None:
        followers = (outcome.item(TABLE, **profile_key(MARA)) or {}).get("followers")
        body = (outcome.item(TABLE, **post_key("a91f")) or {}).get("body")
        if (followers, body) == (813, "Edited"):
            return unexpected(outcome)
        return f"the profile has {followers} followers, of 813; the post says {body}, not Edited."

    trial.hold(
        trial.explore(
            {
                "A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"})),
                "F": follow_and_edit,
            },
            kept,
        ),
        "Meanwhile somebody follows Mara, who had 812 followers, and edits a91f",
        "If you read an item and put it back whole, you overwrite what others have written "
        "meanwhile, and the version does not show it. Which write sends only what changes?",
    )


def _hold_same_version(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)
    clients = {
        "A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"})),
        "B": lambda: apply_rename(table, plan_for("Berg", {"a91f": "Mara"})),
    }
    trial.hold(
        trial.explore(clients, settled),
        "Two plans were made at the same time, so both have version 4",
        "One of them gets the version, the other does not. Which write decides, and what must the "
        "other plan do?",
    )


def _hold_two_alive(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)
    clients = {
        "A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"})),
        "B": renaming(table, "Berg", apply=apply_rename),
    }
    trial.hold(
        trial.explore(clients, settled),
        "A carries out Lind, B plans Berg and carries it out, and nobody dies",
        "There are two ways to this. Berg was refused because the copy had changed since the plan "
        "was made, and you took that for done. Or Lind overwrote Berg after a read. Which of the "
        "two names is the later one, and what can test that in the same step as the write?",
    )


def _hold_back_again(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)
    clients = {
        "A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"})),
        "B": renaming(table, "Mara", apply=apply_rename),
    }
    trial.hold(
        trial.explore(clients, settled),
        "A renames Mara to Lind, and B plans and carries out the way back meanwhile",
        "A post that still says Mara, with the old version, is left as it is, and A writes to it "
        "later. Which copies take the new version?",
    )


def _hold_late(trial: Trial, apply_rename: Any) -> None:
    table = mara(trial, _ONE)

    def lind_then_berg() -> None:
        apply_rename(table, plan_for("Lind", {"a91f": "Mara"}))
        renaming(table, "Berg", apply=apply_rename)()

    trial.hold(
        trial.explore({"A": lind_then_berg}, settled, late=True),
        "Mara becomes Lind, then Berg, and one request arrives late",
        "A late request still carries the old name. Which condition stops it, on a post and on "
        "the profile?",
    )


def _hold_new_post(trial: Trial, apply_rename: Any) -> None:
    """A post whose maker has read the old name; its entry may be late. A later plan finds it."""
    table = mara(trial, {"77b0": ("Mara", 3)})
    clients = {
        "A": renaming(table, "Lind", apply=apply_rename),
        "D": lambda: put_new_post(table, "a91f", "Mara", 3),
    }
    later = renaming(table, None, apply=apply_rename)
    trial.hold(
        trial.explore(clients, settled, later, crash=False, stale=True),
        "A post is made while the rename runs, with the old name, and the index may be late; then "
        "a later plan is carried out",
        "The later plan has only posts, because the profile has the name already. What does your "
        "function do with such a plan?",
    )


def _hold_two(trial: Trial, apply_rename: Any) -> str:
    table = mara(trial, _ONE)
    clients = {
        "A": lambda: apply_rename(table, plan_for("Lind", {"a91f": "Mara"})),
        "B": lambda: apply_rename(table, plan_for("Berg", {"a91f": "Mara"}, version=5)),
    }
    later = renaming(table, None, apply=apply_rename)
    return trial.hold(
        trial.explore(clients, settled, later, most=_MOST),
        "A carries out Lind, version 4, and B Berg, version 5; one of the two may die, then a "
        "later plan",
        "Only the version says which copy is older. Which condition compares it, in the same step "
        "as the write?",
    )
