"""Exercise 10.3: what a rename will change, as data, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.given import given
from dynalab.exercises.lab10.plan_schedules import hold_plans
from dynalab.exercises.lab10.planned_changes import expect_form, expect_plan
from dynalab.exercises.lab10.posts import (
    AT,
    BY_AUTHOR,
    MARA,
    TABLE,
    TOM,
    Author,
    mara,
    post_item,
    post_key,
    profile_key,
    put_posts,
    put_profile,
)
from dynalab.exercises.lab10.rename_services import THROTTLES
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import how_it_ended, in_read_units, operations
from dynalab.faults import throttle
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

# 0c3d was missed by an earlier rename.
_COPIES = {"a91f": ("Mara", 3), "77b0": ("Mara", 3), "0c3d": ("Mara K", 2)}
# A page ends at 1 MB, so ten of these posts fill one; the later plan's are on the second page
# from either end.
_MANY, _TITLE, _BEHIND = 30, 100_000, range(13, 17)


def check_plan_rename(plan_rename: Any, trial: Trial) -> Passed:
    table = _world(trial)
    before = trial.items(TABLE)
    with trial.bill() as charges:
        attempt = trial.attempt(plan_rename, table, MARA, "Lind")
    if attempt.raised is not None:
        refuse_slip(attempt)
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    if trial.items(TABLE) != before:
        raise Refused(
            f"{attempt.text} wrote to the table: {Author.of(trial.items(TABLE)).said()}.",
            "Somebody wants to look at the plan first. Which function carries it out?",
        )
    expect_form(attempt)
    expect_plan(attempt, "Lind", 4, dict(_COPIES), ("Mara", 3))
    _refuse_wide_reads(charges)
    _expect_back_to_an_old_name(trial, plan_rename)
    _expect_nothing_left(trial, plan_rename)
    _expect_alone(trial, plan_rename)
    _expect_no_such_user(trial, plan_rename)
    _expect_throttle_through(trial, plan_rename)
    _expect_all_pages(trial, plan_rename)
    extent = hold_plans(trial, plan_rename)
    reads = read_units(charges)
    return Passed(
        f"{len(_COPIES)} posts in {operations(charges)}, {in_read_units(reads)}, nothing written. "
        f"Two renames planned and carried out at once, one death anywhere, then a later plan, "
        f"{extent}: each copy is the profile's name.",
        _remark(charges),
    )


def _world(trial: Trial) -> Any:
    """Mara's posts, and those of another user who is called Mara as well."""
    table = mara(trial, _COPIES)
    put_profile(table, TOM, "Mara", 1)
    put_posts(table, TOM, {"beef": ("Mara", 1)})
    return table


def _refuse_wide_reads(charges: Sequence[Charge]) -> None:
    for charge in charges:
        if charge.operation == "Scan" or charge.evaluated > len(_COPIES):
            raise Refused(
                f"The plan is right, but it took {operations(charges)}: the {charge.operation} "
                f"read {charge.evaluated} items or entries, for {len(_COPIES)} posts of Mara's.",
                "Before the filter you pay for everybody's posts. Which index has only hers?",
            )


def _expect_back_to_an_old_name(trial: Trial, plan_rename: Any) -> None:
    """From Lind back to Mara: a copy that says Mara is of an older version all the same."""
    table = trial.table(TABLE)
    put_profile(table, MARA, "Lind", 4)
    copies = {"a91f": ("Lind", 4), "77b0": ("Mara", 3)}
    put_posts(table, MARA, copies)
    attempt = _planned(trial, plan_rename, table, "Mara")
    expect_plan(attempt, "Mara", 5, copies, ("Lind", 4))


def _planned(trial: Trial, plan_rename: Any, table: Any, new_name: str) -> Attempt:
    attempt = trial.attempt(plan_rename, table, MARA, new_name)
    if attempt.raised is not None:
        refuse_slip(attempt)
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    expect_form(attempt)
    return attempt


def _expect_nothing_left(trial: Trial, plan_rename: Any) -> None:
    """The profile has the name already: what is left, and then nothing."""
    table = trial.table(TABLE)
    put_profile(table, MARA, "Lind", 4)
    put_posts(table, MARA, {"a91f": ("Lind", 4), "77b0": ("Mara", 3)})
    attempt = _planned(trial, plan_rename, table, "Lind")
    expect_plan(attempt, "Lind", 4, {"77b0": ("Mara", 3)}, None)
    table.delete_item(Key=post_key("77b0"))
    attempt = _planned(trial, plan_rename, table, "Lind")
    expect_plan(attempt, "Lind", 4, {}, None)


def _expect_alone(trial: Trial, plan_rename: Any) -> None:
    table = mara(trial, {})
    attempt = _planned(trial, plan_rename, table, "Lind")
    expect_plan(attempt, "Lind", 4, {}, ("Mara", 3))


def _expect_no_such_user(trial: Trial, plan_rename: Any) -> None:
    table = trial.table(TABLE)
    attempt = trial.attempt(plan_rename, table, "f00d", "Lind")
    if attempt.raised_name() != "NoSuchUser":
        refuse_slip(attempt)
        raise Refused(
            f"There is no user f00d. {attempt.text} {how_it_ended(attempt)}.",
            "The docstring names the exception for it. Where do you notice that there is no "
            "profile?",
        )


def _expect_throttle_through(trial: Trial, plan_rename: Any) -> None:
    table = _world(trial)
    with throttle(table, times=THROTTLES):
        attempt = trial.attempt(plan_rename, table, MARA, "Lind")
    if attempt.raised_name() in (None, "NoSuchUser") and not attempt.returned:
        raise Refused(
            f"DynamoDB throttled every read, and Mara's profile is there. {attempt.text} "
            f"{how_it_ended(attempt)}.",
            "A failed read does not say whether there is a profile. Which reply says that there "
            "is none?",
        )


def _expect_all_pages(trial: Trial, plan_rename: Any) -> None:
    table = mara(trial, {})
    _put_long_posts(table, dict.fromkeys(range(_MANY), ("Mara", 3)))
    found = _planned_posts(_planned(trial, plan_rename, table, "Lind"))
    if len(found) != _MANY:
        raise Refused(
            f"Mara has {_MANY} posts with long titles. plan_rename(table, '{MARA}', 'Lind') "
            f"returned a plan for {len(found)} of them.",
            "A page ends at 1 MB. How does a reply say that there is more to read?",
        )
    put_profile(table, MARA, "Lind", 4)
    done = [number for number in range(_MANY) if number not in _BEHIND]
    _put_long_posts(table, dict.fromkeys(done, ("Lind", 4)))
    found = _planned_posts(_planned(trial, plan_rename, table, "Lind"))
    if found != {f"POST#{number:04}" for number in _BEHIND}:
        raise Refused(
            f"Mara's profile says Lind already, and {len(_BEHIND)} of {_MANY} posts with long "
            f"titles, in the middle, still have an old version. plan_rename(table, '{MARA}', "
            f"'Lind') returned a plan for {len(found)} posts.",
            "A page ends after 1 MB was read, and the filter comes after that: a page may be "
            "empty and not be the last. Which part of a reply tells you which page is the last?",
        )


def _put_long_posts(table: Any, copies: Mapping[int, tuple[str, int]]) -> None:
    for number, copy in copies.items():
        at = AT + 10 * number
        given(table, post_item(f"{number:04}", MARA, *copy, at, title="x" * _TITLE))


def _planned_posts(attempt: Attempt) -> set[str]:
    return {each["item"]["PK"] for each in attempt.returned if each["item"] != profile_key(MARA)}


def _remark(charges: Sequence[Charge]) -> str:
    reads = read_units(charges)
    if len(charges) <= 2:
        return ""
    return (
        f"it took {operations(charges)}, {in_read_units(reads)} for {len(_COPIES)} posts. An entry "
        f"of {BY_AUTHOR} has the name and its version already, and applying asks again anyway."
    )
