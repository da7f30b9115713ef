"""Exercise 10.4: a plan is carried out, over what is older, and by whoever has its version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab10.apply_schedules import hold_renames
from dynalab.exercises.lab10.begun_plans import (
    COPIES,
    expect_again,
    expect_rest_done,
    expect_same_name_taken,
    plan_of,
)
from dynalab.exercises.lab10.overtaken_plans import expect_newer_kept, expect_overtaken
from dynalab.exercises.lab10.posts import TABLE, TOM, Author, in_words, mara, put_posts
from dynalab.exercises.lab10.rename_services import carried_out, throttled_writes
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.whole_numbers import is_whole
from dynalab.exercises.words import how_it_ended, in_read_units, in_write_units
from dynalab.meter import Charge
from dynalab.telling import told
from dynalab.trial import Attempt, Refused, Trial

_VERSION = "authorNameVersion"
_MANY = 101  # more than a transaction takes


def check_apply_rename(apply_rename: Any, trial: Trial) -> Passed:
    table = mara(trial, COPIES)
    put_posts(table, TOM, {"beef": ("Mara", 1)})
    plan = plan_of(COPIES)
    before = trial.items(TABLE)
    _expect_applied(trial, carried_out(trial, apply_rename, table, plan), before, len(COPIES))
    expect_again(trial, apply_rename, table, plan)
    expect_rest_done(trial, apply_rename)
    expect_same_name_taken(trial, apply_rename)
    expect_newer_kept(trial, apply_rename)
    remark = expect_overtaken(trial, apply_rename)
    _expect_throttle_through(trial, apply_rename)
    charges = _expect_many(trial, apply_rename)
    extent = hold_renames(trial, apply_rename)
    writes = write_units(charges)
    return Passed(
        f"Two renames at once, one death anywhere, then a later plan, {extent}: each copy is the "
        f"profile's name. {_MANY} posts and the profile: {in_write_units(writes)}.",
        _remark(charges) or remark,
    )


def _expect_applied(
    trial: Trial, attempt: Attempt, before: Sequence[dict[str, Any]], changed: int
) -> None:
    author = Author.of(trial.items(TABLE))
    text = f"{attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        refuse_slip(attempt)
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", _raised_question(attempt))
    for item in before:
        _expect_untouched(text, item, trial.item(TABLE, PK=item["PK"], SK=item["SK"]) or {})
    if author.profile is None or author.profile[0] != "Lind":
        raise Refused(
            f"{text}, and {author.said()}.",
            "The profile's change is in the plan too. What are its attributes called?",
        )
    if author.profile[1] != 4:
        raise Refused(
            f"{text}, and the profile says {in_words(author.profile)}.",
            "Each change has a version, which is stored in nameVersion. From which number will "
            "the next plan count?",
        )
    for post_id, copy in author.copies.items():
        if copy != ("Lind", 4):
            _refuse_copy(text, author, post_id, copy)
    other = Author.of(trial.items(TABLE), TOM).copies
    if set(other.values()) - {("Mara", 1)}:
        raise Refused(
            f"{text}, and a post by another Mara says {in_words(other['beef'])}.",
            "The plan names the items. Which ones do you write to?",
        )
    if not is_whole(attempt.returned) or attempt.returned != changed:
        raise Refused(
            f"{text}, and {author.said()}. {changed} posts have changed.",
            "It returns how many posts this call has changed; the profile is not a post.",
        )


def _expect_untouched(text: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """What an item has beside a name and its version is as it was."""
    renamed = ("name", "nameVersion") if before["SK"] == "PROFILE" else ("authorName", _VERSION)
    for attribute, value in before.items():
        if attribute not in renamed and after.get(attribute) != value:
            now = f"is {after[attribute]}" if attribute in after else "is gone"
            raise Refused(
                f"{text}, and {before['PK']} is another item now: {attribute} was {value}, and "
                f"{now}.",
                "A plan holds only what changes. Which attributes of an item does a rename write, "
                "and which operation leaves the rest as it is?",
            )


def _raised_question(attempt: Attempt) -> str:
    if attempt.raised_name() == "Overtaken":
        return (
            "The profile was as the plan says. Which answer of DynamoDB's is a refusal, and which "
            "attribute does your condition ask for there: does a profile have it?"
        )
    if "reserved keyword" in str(attempt.raised):
        return (
            "An expression must use another name for it, such as #n. Which parameter says what #n "
            "means?"
        )
    return "What did DynamoDB refuse, and why?"


def _refuse_copy(text: str, author: Author, post_id: str, copy: tuple[Any, Any]) -> None:
    if copy[0] == "Lind":
        raise Refused(
            f"{text}, and {author.said()}.",
            "Name and version belong together: without its new version a copy looks old for ever. "
            "Do you write both, as a number?",
        )
    raise Refused(
        f"{text}, and {author.said()}. {post_id} had version {2 if post_id == '0c3d' else 3}.",
        "It is older than version 4, by one or by two. Which copies does your condition let pass?",
    )


def _expect_throttle_through(trial: Trial, apply_rename: Any) -> None:
    asks = {
        "POST#": "A failed condition means that a copy needs no change.",
        "USER#": "A throttled write says nothing about who has the version.",
    }
    for prefix, ask in asks.items():
        table = mara(trial, COPIES)
        with throttled_writes(table, prefix):
            attempt = carried_out(trial, apply_rename, table, plan_of(COPIES))
        author = Author.of(trial.items(TABLE))
        if attempt.raised_name() in (None, "Overtaken") and not author.is_settled:
            items = "a post" if prefix == "POST#" else "the profile"
            raise Refused(
                f"DynamoDB throttled every write to {items}. {attempt.text} "
                f"{how_it_ended(attempt)}, and {author.said()}.",
                f"{ask} What does every error other than a failed condition mean, and who has to "
                "learn of it?",
            )


def _expect_many(trial: Trial, apply_rename: Any) -> list[Charge]:
    copied = {f"{number:04}": ("Mara", 3) for number in range(_MANY)}
    table = mara(trial, copied)
    with trial.bill() as charges:
        attempt = carried_out(trial, apply_rename, table, plan_of(copied))
    text = f"Mara has {_MANY} posts. {attempt.text} {how_it_ended(attempt)}"
    copies = list(Author.of(trial.items(TABLE)).copies.values())
    if attempt.raised is not None or copies.count(("Lind", 4)) < _MANY:
        raise Refused(
            f"{text}, and {copies.count(('Lind', 4))} of them have the new name.",
            "How many items can one request carry? Each change is an update of its own.",
        )
    return charges


def _remark(charges: Sequence[Charge]) -> str:
    reads, writes = read_units(charges), write_units(charges)
    if not reads and writes <= 3 * _MANY + 1:
        return ""
    extra = f"{in_read_units(reads)} and " if reads else ""
    return (
        f"{_MANY} posts took {len(charges)} requests, {extra}{in_write_units(writes)}. One "
        f"conditional UpdateItem for each change costs {3 * _MANY + 1}, indexes included."
    )
