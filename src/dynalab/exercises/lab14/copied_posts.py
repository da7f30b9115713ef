"""Posts with every kind of copy, as exercise 14.2's check asks about them, and its first report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynalab.exercises.counted_posts import INES, users
from dynalab.exercises.lab14.audited_posts import BEN, NOBODY, SARA, Row, put_audited, put_profile
from dynalab.exercises.lab14.reports import refuse_no_int
from dynalab.trial import Refused

NAME = "drifted_copies"
SHAPE = "post_id, kind, copied, name, version"

FINE, FINE_TOO, NO_COPY, GONE = "POST#a91f", "POST#be01", "POST#0ff2", "POST#90e0"
AUTHORS = 4  # of whom one has no profile
_STALE, _BARE, _OF_INES = "POST#5a02", "POST#5a05", "POST#1e01"
_BACK = "POST#5a04"  # Sara, Sarah, Sara again: the name of version 1 is the name of version 3
_ORPHAN, _BARE_ORPHAN = "POST#0ff1", "POST#0ff3"
DRIFTED: dict[str, Row] = {
    "POST#5a01": ("missing", None, "Sara", 3),
    _STALE: ("stale", 2, "Sara", 3),
    "POST#5a03": ("stale", 3, "Sara", 3),  # the version is right, and somebody wrote another name
    _BACK: ("stale", 1, "Sara", 3),
    _ORPHAN: ("orphaned", 4, None, None),
    "POST#be02": ("missing", None, "Ben", 12),
    "POST#be03": ("stale", 9, "Ben", 12),
    _BARE: ("stale", None, "Sara", 3),  # the name is right, and there is no version
    _BARE_ORPHAN: ("orphaned", None, None, None),
    _OF_INES: ("stale", 1, "Ines", 2),
}


def put_posts(table: Any) -> None:
    put_profile(table, SARA, "Sara", 3)
    put_profile(table, BEN, "Ben", 12)
    put_profile(table, INES, "Ines", 2)
    put_audited(table, FINE, users(30), copy=("Sara", 3))
    put_audited(table, "POST#5a01", copy=None)
    put_audited(table, _STALE, copy=("Sarah", 2))
    put_audited(table, "POST#5a03", copy=("Zara", 3))
    put_audited(table, _BACK, copy=("Sara", 1))
    put_audited(table, _BARE, copy=("Sara", None))
    put_audited(table, FINE_TOO, users(30), author=BEN, copy=("Ben", 12))
    put_audited(table, "POST#be02", users(30), author=BEN, copy=None)
    put_audited(table, "POST#be03", author=BEN, copy=("Benny", 9))
    put_audited(table, _OF_INES, author=INES, copy=("Inez", 1))
    put_audited(table, _ORPHAN, users(30), author=NOBODY, copy=("Nora", 4))
    put_audited(table, _BARE_ORPHAN, author=NOBODY, copy=("Nora", None))
    put_audited(table, NO_COPY, author=NOBODY, copy=None)
    put_audited(table, "POST#none-asked", copy=("Sarah", 2))


def expect_rows(rows: Mapping[str, Row]) -> None:
    if NO_COPY in rows:
        raise Refused(
            f"{NO_COPY} has no copy, and its author has no profile; {NAME} reports "
            f"{rows[NO_COPY]}.",
            "If there is nothing to copy, nothing is missing. When is a post orphaned?",
        )
    for post_id in (FINE, FINE_TOO):
        if post_id in rows:
            row = rows[post_id]
            refuse_no_int(NAME, row, *(n for n in (row[2], row[4]) if n is not None))
            raise Refused(
                f"The copy on {post_id} has the name and version of its author's profile, but "
                f"{NAME} reports {row}.",
                "A report names only the copies that disagree. What does your condition compare?",
            )
    for post_id, (kind, *_) in DRIFTED.items():
        if post_id not in rows:
            _refuse_join_by_name(post_id, rows)
            case = _CASES.get(post_id) or str(kind)
            what, ask = _UNREPORTED[case]
            raise Refused(f"{post_id} {what}; {NAME} does not report it.", ask)
    for post_id, wanted in DRIFTED.items():
        _expect_row(rows[post_id], wanted)


def _refuse_join_by_name(absent: str, rows: Mapping[str, Row]) -> None:
    """A join that finds the profiles of none but the copies that agree."""
    row = rows.get(_STALE)
    if row is not None and row[1] == "orphaned" and row[3] is None:
        raise Refused(
            f"{NAME} reports {row}, but {absent} not at all. {SARA} wrote both, and has a profile.",
            "Your join found no profile for a copy that differs from it. "
            "Which column of META names its author?",
        )


_CASES = {
    _BACK: "back",
    "POST#5a03": "by hand",
    "POST#be03": "9 and 12",
    _BARE: "no version",
    _BARE_ORPHAN: "bare orphan",
}
_UNREPORTED = {
    "missing": (
        "has no authorName, but its author has a profile",
        "NULL <> 'Sara' is not true: it is NULL, and the row is gone. Which comparison treats "
        "NULL as a value? In SQLite it is IS NOT.",
    ),
    "stale": (
        "has an older name and version than its author's profile",
        "Which of the two, name and version, does your condition compare, and how?",
    ),
    "9 and 12": (
        "has version 9 of its author's name, but the profile has version 12",
        "As text, 9 comes after 12. To which type did you convert boto3's Decimal?",
    ),
    "orphaned": (
        "has an authorName, but its author has no profile",
        "An inner join has a row for each post *with* a profile. "
        "Which join keeps the post that has none?",
    ),
    "no version": (
        "has its author's name, and no authorNameVersion",
        "NULL <> 3 is not true: it is NULL, and the row is gone. Does a copy without a version "
        "agree with the profile?",
    ),
    "bare orphan": (
        "has an authorName without a version, but its author has no profile",
        "It still shows a name. What makes a copy orphaned, its name or its version?",
    ),
    "back": (
        "has version 1 of its author's name, but the profile has the same name as version 3",
        "A late writer of version 2 could still overwrite version 1. Does a copy agree with the "
        "profile if one of the two differs?",
    ),
    "by hand": (
        "has the profile's version, but another name",
        "A version tells which write was last, if every writer uses it. Which of the two do your "
        "readers see?",
    ),
}


def _expect_row(row: Row, wanted: Row) -> None:
    post_id, kind, copied, _, version = row
    if row[1:] == wanted:
        refuse_no_int(NAME, row, *(n for n in (copied, version) if n is not None))
        return
    truth = f"{post_id} should be {(post_id, *wanted)}; {NAME} reports {row}."
    if kind not in ("missing", "stale", "orphaned"):
        raise Refused(truth, "The kinds are the words missing, stale and orphaned.")
    if post_id == _OF_INES and kind == "orphaned":
        raise Refused(
            f"{truth} Its author, {INES}, has a profile.",
            "Whose profiles did you read? The author of a post is on its META.",
        )
    if kind != wanted[0]:
        raise Refused(
            truth,
            "Which of the two is missing, the copy or its source? A CASE takes the first WHEN "
            "that is true.",
        )
    refuse_no_int(NAME, row, *(n for n in (copied, version) if n is not None))
    if copied != wanted[1]:
        raise Refused(truth, "copied is the version on META, or None if there is none.")
    raise Refused(truth, "name and version are the profile's, or None if it is gone.")
