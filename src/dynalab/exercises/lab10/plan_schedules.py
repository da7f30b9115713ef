"""A plan of exercise 10.3 that is carried out, in every schedule: renames meet, reads are late."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab10.posts import BY_AUTHOR, TABLE, Author, mara, settled
from dynalab.exercises.lab10.rename_services import (
    applied,
    plan_for,
    planned,
    put_new_post,
    renaming,
)
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial

_ONE = {"a91f": ("Mara", 3)}


def hold_plans(trial: Trial, plan_rename: Any) -> str:
    """How much two renames at once were tried; Refused at the first schedule that fails."""
    _hold_and_back_again(trial, plan_rename)
    _hold_late_profile(trial, plan_rename)
    _hold_late_index(trial, plan_rename)
    return _hold_two(trial, plan_rename)


def _hold_and_back_again(trial: Trial, plan_rename: Any) -> None:
    """A renames to Lind and is slow; B renames back, and some copies still say Mara."""
    table = mara(trial, _ONE)
    lind = plan_for("Lind", dict.fromkeys(_ONE, "Mara"))
    clients = {
        "A": lambda: applied(table, lind),
        "B": renaming(table, "Mara", plan=plan_rename),
    }
    trial.hold(
        trial.explore(clients, settled),
        "A renames Mara to Lind, and B plans and carries out the way back meanwhile",
        "A post that still says Mara, with the old version, is left out of B's plan, and A writes "
        "to it later. What does the version of a copy say that its name does not?",
    )


def _hold_late_profile(trial: Trial, plan_rename: Any) -> None:
    table = mara(trial, {})

    def there_and_back() -> None:
        applied(table, plan_for("Lind", {}))
        renaming(table, "Mara", plan=plan_rename)()

    def is_mara(outcome: Outcome) -> str | None:
        author = Author.of(outcome.items(TABLE))
        return None if author.profile == ("Mara", 5) else f"{author.said()}."

    trial.hold(
        trial.explore({"A": there_and_back}, is_mara, stale=True),
        "Mara has become Lind, and wants to be Mara again; a read may not show the last write yet",
        "The plan took the old name for the current one, and found nothing to do. Which read of "
        "the profile sees the last write?",
    )


def _hold_late_index(trial: Trial, plan_rename: Any) -> None:
    """The index does not have the newest post yet; a later plan finds it."""
    table = mara(trial, {"77b0": ("Mara", 3)})

    def post_and_rename() -> None:
        put_new_post(table, "a91f", "Mara", 3)
        renaming(table, "Lind", plan=plan_rename)()

    later = renaming(table, None, plan=plan_rename)
    found = trial.explore({"A": post_and_rename}, settled, later, crash=False, stale=True)
    looked = found.failure is not None and any(
        isinstance(error, KeyError) for error in found.failure.outcome.raised.values()
    )
    trial.hold(
        found,
        "The index may not have a post that was made a moment ago; a later plan is carried out",
        "You read a post from the table, and that read may be older than the index. An entry of "
        f"{BY_AUTHOR} has the name and its version already: what do you look up?"
        if looked
        else "The profile has the new name already when the later plan is made. What does it look "
        "for?",
    )


def _hold_two(trial: Trial, plan_rename: Any) -> str:
    table = mara(trial, _ONE)
    clients = {
        "A": renaming(table, "Lind", plan=plan_rename),
        "B": renaming(table, "Berg", plan=planned),
    }
    return trial.hold(
        trial.explore(clients, settled, renaming(table, None, plan=plan_rename)),
        "Two renames are planned and carried out at once, one may die, then a later plan",
        "Which versions do your changes have, and which posts are in the later plan?",
    )
