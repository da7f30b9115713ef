"""An audit of exercise 4.3 in every schedule: reads are late, and likes and unlikes land."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dynalab.exercises.counted_posts import (
    INES,
    LARGE,
    MARA,
    POST,
    TOM,
    Change,
    like,
    make_large,
    put_liked,
    take_back,
    users,
)
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import extent_of, first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_up_to_date(trial: Trial, audit: Any) -> None:
    """One client likes and then audits; nobody else writes."""
    table = trial.table(TABLE)
    put_liked(table, POST, (TOM, INES))

    def like_then_audit() -> Any:
        like(table, POST, MARA)
        return audit(table, [POST])

    def nothing_to_report(outcome: Outcome) -> str | None:
        report = outcome.returned.get("A")
        return None if report == {} else _reported(outcome, report)

    trial.hold(
        trial.explore({"A": like_then_audit}, nothing_to_report, stale=True),
        "A like is stored, then the audit runs, and nobody else writes",
        "A read that is not strongly consistent may not show the last write. Which of your reads "
        "are like that?",
    )


def hold_in_order(trial: Trial, audit: Any) -> str:
    """Two likes, or two unlikes, land at any points of an audit."""
    table = trial.table(TABLE)
    put_liked(table, LARGE, users(5))
    make_large(table)

    def true_while_rev_stands(outcome: Outcome) -> str | None:
        report = outcome.returned.get("A")
        if not isinstance(report, Mapping):
            return _reported(outcome, report)
        post = Post.of(outcome.items(TABLE), LARGE)
        assert post.meta is not None
        for _, rev, counted in report.values():
            if rev == post.meta["rev"] and counted != len(post.likers):
                return (
                    f"{_reported(outcome, report)} META's rev still is {rev}, so a repair would "
                    f"set the tally to {counted}; the likes are {len(post.likers)}."
                )
        return None

    explorations = []
    for change, likers, what in (
        (like, ("USER#0000", "USER#9999"), "likes"),
        (take_back, ("USER#0001", "USER#0005"), "unlikes"),
    ):
        clients: dict[str, Callable[[], Any]] = {
            "A": lambda: audit(table, [LARGE]),
            "B": partial(_each, change, table, LARGE, likers),
        }
        exploration = trial.explore(clients, true_while_rev_stands)
        trial.hold(
            exploration,
            f"Two {what} come while the audit runs, and the tally is right all the time",
            "You read two things, one after the other, and a write came in between. In which "
            "order of the two reads does rev show that?",
        )
        explorations.append(exploration)
    return extent_of(explorations)


def _each(change: Change, table: Any, post_id: str, likers: Sequence[str]) -> None:
    for user_id in likers:
        change(table, post_id, user_id)


def _reported(outcome: Outcome, report: Any) -> str:
    if "A" in outcome.raised:
        return str(first_raised(outcome))
    if isinstance(report, Mapping):
        drifts = (
            f"({', '.join(map(str, drift))}) for {post_id}"
            if isinstance(drift, tuple | list)
            else f"{drift!r} for {post_id}"
            for post_id, drift in report.items()
        )
        return f"audit reported {', '.join(drifts)}."
    return f"audit returned {report!r}."
