"""An audit of exercise 14.2 in every schedule: no copy is newer than the profile beside it."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.counted_posts import OTHER_POST, POST
from dynalab.exercises.lab14.audited_posts import SARA, put_audited, put_profile, rename
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def hold_up_to_date(trial: Trial, audit: Any) -> None:
    """One client renames and then audits; nobody else writes."""
    for copying, wanted in ((True, []), (False, [(POST, "stale", 1, "Sarah", 2)])):
        table = trial.table(TABLE)
        put_profile(table, SARA, "Sara", 1)
        put_audited(table, POST)

        def rename_then_audit(copying: bool = copying, table: Any = table) -> Any:
            rename(table, SARA, "Sarah", 2, *([POST] if copying else []))
            return [tuple(row) for row in audit(table, [POST])]

        def as_it_is(outcome: Outcome, wanted: Any = wanted) -> str | None:
            if outcome.raised:
                return first_raised(outcome)
            report = outcome.returned["A"]
            return None if report == wanted else f"the audit reported {report}."

        copied = "and her posts' copies were set" if copying else "and no copy was set yet"
        trial.hold(
            trial.explore({"A": rename_then_audit}, as_it_is, stale=True),
            f"Sara was renamed, {copied}; then the audit runs, and nobody else writes",
            "A read that is not strongly consistent may not show the last write. Which of your "
            "reads are like that?",
        )


def hold_source_last(trial: Trial, audit: Any) -> str:
    """Sara is renamed while two posts of hers are audited; no copy is newer than her profile."""
    table = trial.table(TABLE)
    put_profile(table, SARA, "Sara", 1)
    for post_id in (POST, OTHER_POST):
        put_audited(table, post_id)

    def never_behind(outcome: Outcome) -> str | None:
        for post_id, _, copied, _, version in outcome.returned.get("A", ()):
            if version is None or (copied is not None and version < copied):
                return (
                    f"the audit reported that the copy on {post_id} has version {copied} and the "
                    f"profile {version}. No copy is ever newer than its profile."
                )
        return first_raised(outcome)

    clients = {
        "A": lambda: [tuple(row) for row in audit(table, [POST, OTHER_POST])],
        "B": lambda: rename(table, SARA, "Sarah", 2, POST, OTHER_POST),
    }
    return trial.hold(
        trial.explore(clients, never_behind),
        "Two posts of Sara's are audited. Meanwhile her profile is renamed, and then her copies",
        "The profile was read, then it was renamed and copied, then a copy was read. A copy can "
        "only be older than a profile that you read after it. Which do you read first? And if two "
        "posts have one profile, after which of them?",
    )
