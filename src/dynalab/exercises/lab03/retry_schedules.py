"""The attempts of exercise 3.3 in every schedule: lost, late, and beside another device."""

from __future__ import annotations

from dynalab.exercises.lab03.guarded_like import AT, found_in, unlike
from dynalab.exercises.lab03.taps import Case
from dynalab.exercises.lab03.two_devices import hold_two_devices, one_like
from dynalab.exercises.social import TABLE
from dynalab.exercises.words import first_raised
from dynalab.schedules.outcome import Outcome


def hold_alone(case: Case) -> str:
    case.fresh()

    def made_once(outcome: Outcome) -> str | None:
        post = found_in(outcome)
        if outcome.raised:
            return first_raised(outcome)
        if len(post.likers) != 1 or post.tally != 1:
            return f"{post.counted()}."
        if outcome.returned["A"] is not True:
            return f"A returned {outcome.returned['A']!r}, but A made the like."
        return None

    return case.trial.hold(
        case.explore({"A": case.client(AT, 1)}, made_once),
        "One request is lost, or its reply is lost, or it arrives late",
        "DynamoDB compares tokens to tell a repetition from a new request. Which token does each "
        "attempt have?",
    )


def hold_against_others(case: Case) -> tuple[str, str]:
    """The extents of two searches: beside a device that likes, and beside one that unlikes."""
    case.fresh()
    two = {"A": case.client(AT, 1), "B": case.client(AT + 10, 2)}
    likers = hold_two_devices(case.trial, case.explore(two, one_like))
    case.fresh()
    other = case.trial.dynamodb.Table(TABLE)
    against = case.trial.hold(
        case.explore({"A": case.client(AT, 1), "B": lambda: unlike(other)}, _gone_for_good),
        "A user likes; another device takes the like back",
        "To DynamoDB an attempt with a token of its own is a new request, even if it comes late. "
        "What must the attempts of one tap share?",
    )
    return likers, against


def _gone_for_good(outcome: Outcome) -> str | None:
    """A likes, B unlikes: once B says that it took the like back, it stays away."""
    post = found_in(outcome)
    if outcome.raised:
        return first_raised(outcome)
    if outcome.returned["B"] is True and post.likers:
        return f"B took the like back, and now it is there again: {post.counted()}."
    # B's own request may come late, after its retry found no like: then the like goes, too.
    if len(post.likers) != post.tally:
        return f"{post.counted()}."
    if outcome.returned["A"] is not True:
        return f"A returned {outcome.returned['A']!r}, but A had made the like."
    return None
