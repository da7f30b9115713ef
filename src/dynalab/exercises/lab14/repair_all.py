"""Exercise 14.3: what two audits reported is repaired, unless it has moved since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units, write_units
from dynalab.exercises.counted_posts import users
from dynalab.exercises.lab14.audited_posts import Row, copies_of, put_audited, tallies_of
from dynalab.exercises.lab14.moved_since import expect_moved_left_alone
from dynalab.exercises.lab14.repair_schedules import hold_repairs
from dynalab.exercises.lab14.reported_posts import (
    BOTH,
    FINE,
    HAND,
    HIGH,
    NAME,
    OTHER,
    POSTS,
    TALLY,
    expect_list,
    expect_told,
    metas_of,
    put_posts,
    shown,
)
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import how_it_ended, in_read_units, in_words, in_write_units
from dynalab.meter import Charge
from dynalab.trial import Attempt, Refused, Trial


def check_repair_all(repair_all: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_posts(table)
    before = metas_of(trial)
    tallies, copies = tallies_of(table, POSTS), copies_of(table, POSTS)
    with trial.bill() as charges:
        attempt = trial.attempt(repair_all, table, tallies, copies)
    _expect_repaired(trial, attempt, before, tallies, copies)
    _expect_report(attempt, tallies, copies)
    _expect_empty_again(trial, repair_all, table)
    expect_moved_left_alone(trial, repair_all)
    extent = hold_repairs(trial, repair_all)
    _expect_other_errors_through(trial, repair_all)
    units = write_units(charges)
    return Passed(
        f"{len(tallies) + len(copies)} drifts repaired for {in_write_units(units)}, and a second "
        "audit is empty. Beside likes, unlikes, edits, renames and another repair, deaths "
        f"included, {extent}: a drift stays as it was, or is gone.",
        _remark(charges, len(tallies) + len(copies)),
    )


def _expect_repaired(
    trial: Trial,
    attempt: Attempt,
    before: Mapping[str, Mapping[str, Any]],
    tallies: Sequence[Row],
    copies: Sequence[Row],
) -> None:
    after = metas_of(trial)
    told = f"{attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        raise Refused(
            f"Nobody else wrote anything. {told}.",
            _ask_of(str(attempt.raised)),
        )
    expect_list(attempt)
    for post_id in before:
        if post_id not in after:
            raise Refused(
                f"{post_id} is gone, but only its copy should be removed.",
                "Which operation removes attributes and leaves the item?",
            )
    for row in tallies:
        _expect_tally(after[row[0]], row)
    for row in copies:
        _expect_copy(after[row[0]], before[row[0]], row)
    for post_id, meta in before.items():
        changed = {
            name for name in {*meta, *after[post_id]} if meta.get(name) != after[post_id].get(name)
        }
        if post_id in (FINE, OTHER) and changed:
            raise Refused(
                f"No report names {post_id}, and its META is now {in_words(after[post_id])}.",
                "Where do you get the posts from that you write to?",
            )
        if lost := changed - {TALLY, "rev", NAME, "authorNameVersion"}:
            raise Refused(
                f"{post_id} lost or changed {', '.join(sorted(lost))}: {in_words(after[post_id])}.",
                "Which operation changes two attributes of an item and leaves the others?",
            )


def _expect_tally(meta: Mapping[str, Any], row: Row) -> None:
    post_id, stored, rev, counted = row
    situation = f"The audit reports ({', '.join(map(str, row))}), and nothing has changed since."
    if meta.get(TALLY) != counted:
        raise Refused(
            f"{situation} After the repair {post_id} has likeTally {meta.get(TALLY)}.",
            _ask_of_both(post_id)
            or "Which column is the number of likes? Is your condition true if META has no "
            "likeTally?",
        )
    if post_id != BOTH and meta.get("rev", rev) > rev + 1:
        raise Refused(
            f"{situation} After the repair {post_id} has rev {meta['rev']}.",
            "rev counts changes. How many changes is a repair?",
        )
    if meta.get("rev") == rev:
        raise Refused(
            f"{situation} The repair set likeTally from {stored} to {counted}, and rev is still "
            f"{rev}. A client that read META before sees no change.",
            "A repair is a change. What does every other writer of the tally do to rev?",
        )


def _ask_of(error: str) -> str:
    if "multiple operations on one item" in error:
        return (
            f"A transaction takes each item only once, and {BOTH} has a row in both reports. And "
            "if one row has changed, what happens to the others?"
        )
    if "Float" in error:
        return (
            "The reports have ints, and boto3 does not accept a float. To which type did you "
            "convert them?"
        )
    return (
        "What did DynamoDB, or boto3, refuse? A report has None for a missing copy, for a missing "
        "version, and for a profile that is gone."
    )


def _ask_of_both(post_id: str) -> str:
    if post_id != BOTH:
        return ""
    return (
        "Its name has drifted too, and one of your repairs prevented the other. Which guard "
        "belongs to which repair?"
    )


_NO_VERSION = "It has no version to compare with. What does your condition say about a missing one?"


def _expect_copy(meta: Mapping[str, Any], before: Mapping[str, Any], row: Row) -> None:
    post_id, kind, copied, name, version = row
    situation = f"The audit reports ({', '.join(map(str, row))}), and nothing has changed since."
    left = meta.get(NAME), meta.get("authorNameVersion")
    if left == (name, version):
        return
    if kind == "orphaned":
        if left == (None, None):
            return
        ask = _NO_VERSION if copied is None and meta == before else ""
        ask = (
            ask
            or "An author without a profile has no name to show. Which action removes attributes?"
        )
    elif left[0] == name:
        ask = (
            "You wrote the name without its version, so the next audit finds it again. Which "
            "attributes belong together?"
        )
    elif post_id == HAND:
        ask = (
            "Its version is the profile's, but its name is not. A guard that requires a lower "
            "version refuses it for ever. Which version must you not overwrite: an equal one, or "
            "a higher one?"
        )
    elif copied is None:
        ask = _NO_VERSION
    else:
        ask = _ask_of_both(post_id) or "Which columns of the report are the name and its version?"
    was = shown({n: before[n] for n in (NAME, "authorNameVersion") if n in before})
    now = shown({n: meta[n] for n in (NAME, "authorNameVersion") if n in meta})
    raise Refused(f"{situation} {post_id} had {was}; after the repair it has {now}.", ask)


def _expect_report(attempt: Attempt, tallies: Sequence[Row], copies: Sequence[Row]) -> None:
    wanted = [(row[0], TALLY, True) for row in tallies] + [(row[0], NAME, True) for row in copies]
    expect_told("All was repaired", attempt, wanted)


def _expect_empty_again(trial: Trial, repair_all: Any, table: Any) -> None:
    tallies, copies = tallies_of(table, POSTS), copies_of(table, POSTS)
    left = [*tallies, *copies]
    if left:
        raise Refused(
            f"After the repair a second audit reports {left[0]}.", "Which part was not done?"
        )
    with trial.bill() as charges:
        attempt = trial.attempt(repair_all, table, tallies, copies)
    if attempt.raised is not None or attempt.returned not in ([], ()):
        raise Refused(
            f"There is nothing to repair. {attempt.text} {how_it_ended(attempt)}.",
            "For two empty reports return an empty list.",
        )
    if charges:
        raise Refused(
            f"There is nothing to repair, and {attempt.text} sent {charges[0].operation}.",
            "What is the loop over?",
        )


def _expect_other_errors_through(trial: Trial, repair_all: Any) -> None:
    table = trial.table(TABLE)
    put_audited(table, HIGH, users(4), likeTally=7, rev=9)
    nothing: list[Row] = []
    for some, others in (([(HIGH, 7, 9, 4)], nothing), (nothing, [(HIGH, "stale", 1, "Zoe", 2)])):
        with faults.throttle(table, times=None) as fault:
            attempt = trial.attempt(repair_all, table, some, others)
        if fault.hits and attempt.raised is None:  # a client of the function's own met none
            raise Refused(
                f"DynamoDB answered every write with ThrottlingException. {attempt.text} "
                f"{how_it_ended(attempt)}, as if all had changed.",
                "Which one of DynamoDB's refusals says that the condition failed?",
            )


def _remark(charges: Sequence[Charge], many: int) -> str:
    units = write_units(charges)
    reads = read_units(charges)
    if units <= many and not reads:
        return ""
    more = f" and {in_read_units(reads)}" if reads else ""
    return (
        f"{many} drifts took {in_write_units(units)}{more}. One UpdateItem with a condition "
        "compares and writes in one step, for 1 unit each."
    )
