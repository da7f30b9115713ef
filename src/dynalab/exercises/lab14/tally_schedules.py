"""An audit of exercise 14.1 in every schedule: its row is true while META keeps its rev."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dynalab.exercises.counted_posts import LARGE, Change, make_large, users
from dynalab.exercises.lab14.audited_posts import like, put_audited, take_back
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import extent_of, first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_up_to_date(trial: Trial, audit: Any) -> None:
    """One client likes and then audits; nobody else writes. The likes fill two pages."""
    table = trial.table(TABLE)
    put_audited(table, LARGE, users(5))
    make_large(table)

    def like_then_audit() -> Any:
        like(table, LARGE, "USER#0000")
        return list(audit(table, [LARGE]))

    def nothing_to_report(outcome: Outcome) -> str | None:
        report = outcome.returned.get("A")
        return _reported(report) if report else first_raised(outcome)

    trial.hold(
        trial.explore({"A": like_then_audit}, nothing_to_report, stale=True),
        "A like is stored, then the audit runs, and nobody else writes",
        "A read that is not strongly consistent may not show the last write, and this is true for "
        "each page. Which of your reads are like that?",
    )


def hold_in_order(trial: Trial, audit: Any) -> str:
    """Two likes, or two unlikes, land at any points of an audit."""
    table = trial.table(TABLE)
    put_audited(table, LARGE, users(5))
    make_large(table)

    def true_while_rev_stands(outcome: Outcome) -> str | None:
        report = outcome.returned.get("A")
        post = Post.of(outcome.items(TABLE), LARGE)
        assert post.meta is not None
        for _, _, rev, counted in report or ():
            if rev == post.meta["rev"] and counted != len(post.likers):
                return (
                    f"{_reported(report)} META's rev still is {rev}, so a repair would "
                    f"set the tally to {counted}; the likes are {len(post.likers)}."
                )
        return first_raised(outcome)

    explorations = []
    for change, likers, what in (
        (like, ("USER#0000", "USER#9999"), "likes"),
        (take_back, ("USER#0001", "USER#0005"), "unlikes"),
    ):
        exploration = trial.explore(
            {
                "A": lambda: list(audit(table, [LARGE])),
                "B": partial(_each, change, table, likers),
            },
            true_while_rev_stands,
        )
        trial.hold(
            exploration,
            f"Two {what} come while the audit runs, and the tally is right all the time",
            "META and the likes are read one after the other, and sort keys put LIKE#… before "
            "META. In which order of the two reads does rev show a write in between?",
        )
        explorations.append(exploration)
    return extent_of(explorations)


def _each(change: Change, table: Any, likers: Sequence[str]) -> None:
    for user_id in likers:
        change(table, LARGE, user_id)


def _reported(report: Any) -> str:
    rows = (f"({', '.join(map(str, row))})" for row in report)
    return f"the audit reported {', '.join(rows)}."
