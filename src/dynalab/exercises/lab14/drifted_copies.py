"""Exercise 14.2: copies that disagree with their source are missing, stale or orphaned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.lab14.audited_posts import put_audited
from dynalab.exercises.lab14.copied_posts import (
    AUTHORS,
    DRIFTED,
    FINE,
    FINE_TOO,
    GONE,
    NAME,
    NO_COPY,
    SHAPE,
    expect_rows,
    put_posts,
)
from dynalab.exercises.lab14.copy_schedules import hold_source_last, hold_up_to_date
from dynalab.exercises.lab14.reports import (
    called,
    expect_errors_through,
    refuse_a_raise,
    refuse_strangers,
    refuse_writes_and_scans,
    rows_of,
)
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.trial import Refused, Trial


def check_drifted_copies(drifted_copies: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_posts(table)
    asked = [FINE, *DRIFTED, FINE_TOO, NO_COPY]
    with trial.bill() as charges:
        rows = rows_of(NAME, called(trial, drifted_copies, table, asked), SHAPE)
    refuse_writes_and_scans(NAME, charges)
    refuse_strangers(NAME, rows, asked)
    expect_rows(rows)
    _refuse_likes_read(charges, len(asked))
    expect_errors_through(trial, drifted_copies, table, asked)
    _expect_gone_left_out(trial, drifted_copies, table)
    _expect_many(trial, drifted_copies, table)
    hold_up_to_date(trial, drifted_copies)
    extent = hold_source_last(trial, drifted_copies)
    units = read_units(charges)
    remark = ""
    if units > len(asked) + AUTHORS:
        remark = (
            f"{len(asked)} posts by {AUTHORS} authors took {in_read_units(units)}; to read each "
            f"META and each author once costs {len(asked) + AUTHORS}."
        )
    return Passed(
        f"All kinds found, and nothing else. Beside a rename, {extent}: no copy is reported that "
        f"is newer than the profile beside it. {len(asked)} posts cost {in_read_units(units)}, "
        "however many likes they have.",
        remark,
    )


def _refuse_likes_read(charges: Sequence[Charge], posts: int) -> None:
    evaluated = sum(charge.evaluated for charge in charges)
    if evaluated > 2 * posts + AUTHORS:
        raise Refused(
            f"{posts} posts by {AUTHORS} authors took {evaluated} items: their likes were read, "
            "too.",
            "The copy is on META only. Which request reads one item of a collection?",
        )


def _expect_gone_left_out(trial: Trial, drifted_copies: Any, table: Any) -> None:
    asked = [GONE, "POST#5a02"]
    attempt = trial.attempt(drifted_copies, table, asked)
    refuse_a_raise(
        attempt,
        f"{GONE} was deleted since somebody listed the posts.",
        "In which reply is something missing that you expected there?",
    )
    rows = rows_of(NAME, attempt.returned, SHAPE)
    if set(rows) != {"POST#5a02"}:
        raise Refused(
            f"Asked about {', '.join(asked)}, of which only POST#5a02 has a META, {NAME} reports "
            f"{sorted(map(str, rows)) or 'nothing'}.",
            "A post that is gone has no copy, but the others are still there.",
        )
    attempt = trial.attempt(drifted_copies, table, [])
    refuse_a_raise(attempt, "Asked about no post:", "What do you request for an empty set of keys?")
    if rows_of(NAME, attempt.returned, SHAPE):
        raise Refused(
            f"Asked about no post, {NAME} reports rows.",
            "Whose rows are they? A report is only about the posts in post_ids.",
        )


def _expect_many(trial: Trial, drifted_copies: Any, table: Any) -> None:
    """More posts than a batch takes, and a batch that is served in part."""
    many = [f"POST#m{number:03}" for number in range(105)]
    for post_id in many:
        put_audited(table, post_id, copy=("Sara", 3))
    put_audited(table, many[-1], copy=("Sarah", 2))
    attempt = trial.attempt(drifted_copies, table, many)
    refuse_a_raise(
        attempt,
        "105 posts, one of them with a stale copy.",
        "A batch takes 100 keys, and each key only once. How many batches do you need?",
    )
    rows = rows_of(NAME, attempt.returned, SHAPE)
    if set(rows) != {many[-1]}:
        raise Refused(
            f"Of 105 posts the last has a stale copy; {NAME} reports {len(rows)} rows.",
            "Which posts does your last request ask for?",
        )
    few = ["POST#5a01", "POST#5a02", "POST#5a03"]
    with faults.unprocessed(table, keep=1) as fault:
        attempt = trial.attempt(drifted_copies, table, few)
    if fault.hits and attempt.raised is None:
        rows = rows_of(NAME, attempt.returned, SHAPE)
        if {post_id: row[1:] for post_id, row in rows.items()} != {p: DRIFTED[p] for p in few}:
            raise Refused(
                "DynamoDB answered one key of a batch and returned the others as unprocessed. "
                f"{NAME} reports {list(rows.values())}.",
                "It is not an error if a batch is answered only in part. Where are the "
                "unprocessed keys?",
            )
