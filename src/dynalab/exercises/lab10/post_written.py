"""Exercise 10.1: a post with its tags and its author in one item, found by two indexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.lab10.posts import AT, MARA, TABLE, TOM, post_key, put_profile, settled
from dynalab.exercises.lab10.rename_services import THROTTLES, renaming, throttled_writes
from dynalab.exercises.lab10.stored_post import Given, expect_post
from dynalab.exercises.slips import refuse_slip
from dynalab.exercises.words import (
    first_raised,
    how_it_ended,
    in_read_units,
    in_write_units,
    operations,
)
from dynalab.faults import throttle
from dynalab.meter import Charge
from dynalab.schedules.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

_POST = "a91f"
_GIVEN = Given("On trees", "Hello", ("trees", "b", "a"), AT)


def check_new_post(new_post: Any, trial: Trial) -> Passed:
    table = _world(trial)
    attempt, charges = _made(trial, new_post, table, _POST, MARA, _GIVEN)
    _expect_made(attempt)
    expect_post(trial, attempt, charges, _POST, _GIVEN, ("Mara", 3, "gold", MARA))
    bare = Given("Empty", "", (), AT + 10)
    second, more = _made(trial, new_post, table, "77b0", TOM, bare)
    _expect_made(second)
    expect_post(trial, second, more, "77b0", bare, ("Tom", 1, "basic", TOM))
    _expect_no_such_user(trial, new_post, table)
    _expect_kept(trial, new_post, table)
    _expect_throttle_through(trial, new_post)
    _hold_lost_and_late(trial, new_post)
    extent = _hold_rename(trial, new_post)
    reads, writes = read_units(charges), write_units(charges)
    shares = ": the item, and an entry in each index" if writes == 3 else ""
    return Passed(
        f"Post, tags and author are one GetItem. A post costs {in_write_units(writes)}{shares}. "
        f"Made while Mara is renamed, with one death anywhere, then a later plan, {extent}: each "
        "copy is her name.",
        _remark(attempt, charges, reads, writes),
    )


def _world(trial: Trial) -> Any:
    table = trial.table(TABLE)
    put_profile(table, MARA, "Mara", 3)
    put_profile(table, TOM, "Tom", 1, tier="basic")
    return table


def _made(
    trial: Trial, new_post: Any, table: Any, post_id: str, user_id: str, given: Given
) -> tuple[Attempt, list[Charge]]:
    arguments = (given.title, given.body, list(given.tags), given.at)
    with trial.bill() as charges:
        attempt = trial.attempt(new_post, table, post_id, user_id, *arguments)
    return attempt, charges


def _expect_made(attempt: Attempt) -> None:
    if attempt.raised is None:
        return
    refuse_slip(attempt)
    ask = advice(attempt.raised)
    if "empty" in str(attempt.raised) and "set" in str(attempt.raised):
        ask = "A post may have no tags, and DynamoDB has no empty set. Which type may be empty?"
    raise Refused(f"{attempt.text} raised {told(attempt.raised)}", ask)


def _expect_no_such_user(trial: Trial, new_post: Any, table: Any) -> None:
    before = trial.items(TABLE)
    attempt, _ = _made(trial, new_post, table, "0c3d", "f00d", _GIVEN)
    if trial.items(TABLE) != before:
        raise Refused(
            f"There is no user f00d. {attempt.text} {how_it_ended(attempt)}, and stored a post.",
            "Whose name does it show? What does the reply of a GetItem say if there is no item?",
        )
    if attempt.raised_name() != "NoSuchUser":
        refuse_slip(attempt)
        raise Refused(
            f"There is no user f00d. {attempt.text} {how_it_ended(attempt)}.",
            "The docstring names the exception for it. Where do you notice that there is no "
            "profile?",
        )


def _expect_kept(trial: Trial, new_post: Any, table: Any) -> None:
    before = trial.items(TABLE)
    another = Given("Another", "Hello again", (), AT + 20)
    attempt, _ = _made(trial, new_post, table, _POST, MARA, another)
    if trial.items(TABLE) != before:
        raise Refused(
            f"There is a post {_POST} already. {attempt.text} wrote over it: it is called "
            f"{(trial.item(TABLE, **post_key(_POST)) or {}).get('title')!r} now.",
            "A PutItem replaces what it finds, and a late retry finds a post that has changed "
            "since. Which condition lets it write only if there is nothing?",
        )
    if attempt.raised is not None:
        raise Refused(
            f"There is a post {_POST} already. {attempt.text} {how_it_ended(attempt)}.",
            "If a reply is lost, boto3 tries again, and finds its own post. Is that an error for "
            "the caller?",
        )


def _expect_throttle_through(trial: Trial, new_post: Any) -> None:
    table = _world(trial)
    with throttled_writes(table, "POST#"):
        attempt, _ = _made(trial, new_post, table, _POST, MARA, _GIVEN)
    there = trial.item(TABLE, **post_key(_POST)) is not None
    if attempt.raised_name() in (None, "NoSuchUser") and not there:
        raise Refused(
            f"DynamoDB throttled every write to a post. {attempt.text} {how_it_ended(attempt)}, "
            "and there is no post.",
            "A failed condition means that the post is there. What does any other error mean, and "
            "who has to learn of it?",
        )
    table = _world(trial)
    with throttle(table, times=THROTTLES):
        attempt, _ = _made(trial, new_post, table, _POST, MARA, _GIVEN)
    there = trial.item(TABLE, **post_key(_POST)) is not None
    if attempt.raised_name() in (None, "NoSuchUser") and not there:
        raise Refused(
            f"DynamoDB throttled every read, and Mara's profile is there. {attempt.text} "
            f"{how_it_ended(attempt)}.",
            "A failed read does not say whether there is a profile. Which reply says that there "
            "is none?",
        )


def _hold_lost_and_late(trial: Trial, new_post: Any) -> None:
    table = _world(trial)

    def made() -> None:
        new_post(table, _POST, MARA, "On trees", "Hello", [], AT)

    def one_post(outcome: Outcome) -> str | None:
        if outcome.item(TABLE, **post_key(_POST)) is None and "A" in outcome.returned:
            return "there is no post."
        return first_raised(outcome)

    trial.hold(
        trial.explore({"A": made}, one_post, lost=True),
        "A request or a reply is lost, and boto3 sends it again by itself",
        "The second attempt finds what the first one wrote. What does it mean that the post is "
        "there?",
    )

    def made_and_renamed() -> None:
        made()
        renaming(table, "Lind")()

    trial.hold(
        trial.explore({"A": made_and_renamed}, settled, late=True),
        "Mara posts, and renames herself to Lind; one request arrives late",
        "The late request carries the old name. Which condition stops it if the post is there?",
    )


def _hold_rename(trial: Trial, new_post: Any) -> str:
    table = _world(trial)
    clients = {
        "A": renaming(table, "Lind"),
        "D": lambda: new_post(table, _POST, MARA, "On trees", "Hello", [], AT),
    }
    return trial.hold(
        trial.explore(clients, settled, renaming(table, None)),
        "Mara renames herself while a post of hers is made, one of the two may die, then a later "
        "plan is carried out",
        "If a copy has a new version and an old name, nobody ever corrects it. Do name and "
        "version come from the same read?",
    )


def _remark(attempt: Attempt, charges: Sequence[Charge], reads: float, writes: float) -> str:
    if writes > 3:
        return (
            f"it took {operations(charges)}, {in_write_units(writes)}. A plain PutItem with a "
            "condition costs 3, indexes included; a later plan finds a copy that is old."
        )
    if reads > 1:
        return (
            f"it took {operations(charges)}, {in_read_units(reads)}: one read of the profile "
            "costs 1."
        )
    if attempt.returned is not None:
        return f"it returned a {type(attempt.returned).__name__}; the docstring says None."
    return ""
