"""Exercise 4.3: an audit whose report stays true as long as META keeps its rev."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from dynalab.check import Passed
from dynalab.exercises.bills import read_units
from dynalab.exercises.counted_posts import (
    DELETED_POST,
    LARGE,
    OTHER_POST,
    POST,
    make_large,
    put_liked,
    users,
)
from dynalab.exercises.given import given
from dynalab.exercises.lab04.audit_schedules import hold_in_order, hold_up_to_date
from dynalab.exercises.social import TABLE, put_post
from dynalab.exercises.words import in_read_units
from dynalab.meter import Charge
from dynalab.telling import told
from dynalab.trial import Refused, Trial

_DRIFTED = {
    OTHER_POST: (7, 9, 4),
    DELETED_POST: (1, 6, 3),
    "POST#5e5e": (-2, 8, 4),
    LARGE: (2, 8, 5),
}
_FINE = (POST, "POST#0001")
_BARE = {"POST#0b0b": (0, 2, 2)}  # META without a likeTally


def check_audit(audit: Any, trial: Trial) -> Passed:
    table = trial.table(TABLE)
    put_liked(table, POST, users(3), rev=5)
    put_liked(table, "POST#0001", ())
    for post_id, (tally, rev, likes) in _DRIFTED.items():
        put_liked(table, post_id, users(likes), tally=tally, rev=rev)
    for post_id, (_, rev, likes) in _BARE.items():
        put_liked(table, post_id, users(likes))
        put_post(table, post_id, rev=rev)
    for post_id in (POST, DELETED_POST, "POST#0001"):
        given(table, {"PK": post_id, "SK": "COMMENT#0001", "body": "Nice"})
    make_large(table)
    small_ones = {post_id: drift for post_id, drift in _DRIFTED.items() if post_id != LARGE}
    with trial.bill() as charges:
        found = trial.call(audit, table, [_FINE[0], *small_ones, _FINE[1]])
    _expect_reads_only(charges)
    _expect_drifts(found, small_ones)
    _expect_drifts(_of_many_pages(trial, audit, table), {LARGE: _DRIFTED[LARGE]})
    _expect_drifts(_without_a_tally(trial, audit, table), _BARE)
    with trial.bill() as small:
        fine = trial.call(audit, table, list(_FINE))
    if fine != {}:
        raise Refused(
            f"All posts agree with their likes; audit returned {fine!r}.",
            "What does an audit return if there is nothing to report?",
        )
    hold_up_to_date(trial, audit)
    extent = hold_in_order(trial, audit)
    units = read_units(small)
    return Passed(
        f"All drifts found, and nothing else. Beside likes and unlikes, {extent}: a report is true "
        f"as long as META keeps its rev. Two small posts cost {in_read_units(units)}."
    )


def _of_many_pages(trial: Trial, audit: Any, table: Any) -> Any:
    """The audit of the large post, whose META stands behind its likes."""
    attempt = trial.attempt(audit, table, [LARGE])
    if attempt.raised is not None:
        raise Refused(
            f"Smaller posts went well. {attempt.text} raised {told(attempt.raised)}",
            "On which page is META if the likes fill more than 1 MB?",
        )
    return attempt.returned


def _without_a_tally(trial: Trial, audit: Any, table: Any) -> Any:
    """The audit of a post that was liked, and whose likes nobody counted."""
    attempt = trial.attempt(audit, table, list(_BARE))
    if attempt.raised is not None:
        raise Refused(
            f"{attempt.text} was asked about a META that has no likeTally, and raised "
            f"{told(attempt.raised)}",
            "A post that nobody has counted yet has none. Which number does this mean?",
        )
    return attempt.returned


def _expect_reads_only(charges: Sequence[Charge]) -> None:
    writes = [charge.operation for charge in charges if charge.write_units]
    if writes:
        raise Refused(
            f"audit sent {writes[0]}.",
            "An audit only reads, and the reader of its report decides what to do. Can someone "
            "without permission to write use yours?",
        )
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"A Scan read {sum(charge.evaluated for charge in scans)} items of the table, those "
            "of every post.",
            "The posts are given. Which request reads one item collection?",
        )


def _expect_drifts(found: Any, wanted: Mapping[str, tuple[int, int, int]]) -> None:
    if not isinstance(found, Mapping):
        raise Refused(
            f"audit returned {type(found).__name__}.",
            "It returns a dict: from the post id to the numbers that disagree.",
        )
    for post_id in _FINE:
        if post_id in found:
            drift = found[post_id]
            agrees = isinstance(drift, tuple | list) and len(drift) == 3 and drift[0] == drift[2]
            raise Refused(
                f"{post_id} has as many likes as its likeTally says; audit reports {drift!r}.",
                "A report names only the posts whose numbers disagree. Which condition leaves the "
                "others out?"
                if agrees
                else "The collection of a post holds more than likes. What did you count?",
            )
    for post_id, (tally, rev, likes) in wanted.items():
        if post_id not in found:
            raise Refused(
                f"{post_id} has likeTally {tally} and {likes} likes, but audit does not report it.",
                "A drift can go both ways, and below zero. When are two numbers not equal?",
            )
        _expect_drift(post_id, found[post_id], (tally, rev, likes))
    if extra := set(found) - set(wanted):
        raise Refused(
            f"audit reports {', '.join(map(str, extra))}, which is not in post_ids.",
            "Which posts are in post_ids?",
        )


def _expect_drift(post_id: str, drift: Any, wanted: tuple[int, int, int]) -> None:
    if not isinstance(drift, tuple | list) or len(drift) != 3:
        raise Refused(
            f"audit gives {drift!r} for {post_id}.",
            "A repair needs three numbers: the stored tally, rev, and the counted likes.",
        )
    if not all(isinstance(n, int | Decimal) and not isinstance(n, bool) for n in drift):
        raise Refused(f"audit gives {drift!r} for {post_id}.", "All three are whole numbers.")
    if tuple(drift) == wanted:
        return
    stored, rev, counted = drift
    truth = "likeTally {}, rev {}, and {} likes".format(*wanted)
    if post_id == LARGE and (stored, rev) != wanted[:2]:
        ask = "On which page is META if the likes fill more than 1 MB?"
    elif post_id == LARGE and counted != wanted[2] and stored == wanted[0]:
        ask = "Its likes are larger than one page of 1 MB. What does a reply say about the rest?"
    elif counted in (wanted[2] + 1, wanted[2] + 2):
        ask = "META, or a comment, was counted too. What do the sort keys of likes begin with?"
    elif sorted(map(int, drift)) == sorted(wanted):
        ask = "The order is (stored, rev, counted)."
    else:
        ask = "Which of the three comes from META, and which from counting?"
    raise Refused(f"{post_id} has {truth}; audit gives ({stored}, {rev}, {counted}).", ask)
