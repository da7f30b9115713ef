"""The attempts of exercise 3.3: how many there are at most, and how long the pauses between."""

from __future__ import annotations

from dynalab.exercises.canned_errors import cancelling
from dynalab.exercises.lab03.guarded_like import ended
from dynalab.exercises.lab03.taps import ATTEMPTS, Case, Tap, conflicts
from dynalab.trial import Refused

_BASE = 0.05  # seconds: the cap of the first pause; that of each further one is twice as high
_NO_END = 40  # so often trouble comes; who gets past it does not count


def expect_bounds(case: Case) -> None:
    """Trouble without end: at most `attempts` requests, no pause at the end, and an error."""
    for attempts in (ATTEMPTS, 1, 2):
        case.fresh()
        tap = case.tap(conflicts(_NO_END), attempts=attempts)
        situation = f"Every attempt met a conflict. With attempts={attempts}, like_surely"
        if tap.sent > attempts:
            raise Refused(
                f"{situation} sent {tap.sent if tap.sent <= _NO_END else f'over {_NO_END}'} "
                "requests.",
                "Which count ends the loop, and what does it count: attempts, or retries?",
            )
        if tap.attempt.raised is None:
            raise Refused(
                f"{situation} returned {tap.attempt.returned!r} after {tap.sent}.",
                "Nothing was written, and nobody knows whether the like is stored. What tells a "
                "caller that there is no answer?",
            )
        if len(tap.pauses) >= attempts:
            raise Refused(
                f"{situation} sent {tap.sent} and paused {len(tap.pauses)} times.",
                "A pause after the last attempt makes the caller wait in vain. Between which "
                "attempts does a pause belong?",
            )
    case.fresh()
    tap = case.tap(lambda table: cancelling(table, "None", "ValidationError", times=_NO_END))
    if tap.sent > 1 or tap.attempt.raised is None:
        raise Refused(
            "The transaction was cancelled with ValidationError, which another attempt does not "
            f"change. like_surely sent {tap.sent} and {ended(tap.attempt)}.",
            "Which errors pass by themselves? Every other error goes to the caller at once.",
        )


def expect_backoff(case: Case) -> list[float]:
    """The longest pause before each attempt, over some seeds, where all keep to the contract."""
    taps: list[Tap] = []
    for seed in (1, 2, 3, 4, 5, 5):
        case.fresh()
        taps.append(case.tap(conflicts(_NO_END), seed=seed))
    for tap in taps:
        for number, seconds in enumerate(tap.pauses):
            cap = _BASE * 2**number
            if not 0 <= seconds <= cap * 1.000001:
                raise Refused(
                    f"The pauses between four attempts were {tap.paused} seconds; the limit of "
                    f"pause {number + 1} is {cap:g}.",
                    "The limit begins at 0.05 and doubles; a pause is a random time between 0 and "
                    "its limit.",
                )
    if not any(seconds for tap in taps for seconds in tap.pauses):
        raise Refused(
            "Each pause was 0 seconds long.", "How long does a random pause last on average?"
        )
    *others, last, repeated = taps
    if all(tap.pauses == last.pauses for tap in others):
        raise Refused(
            f"Five callers with five generators made the same pauses: {last.paused} seconds.",
            "Two callers that collided once collide again at each attempt. What makes their "
            "pauses differ?",
        )
    if last.pauses != repeated.pauses:
        raise Refused(
            "Two calls with generators of the same seed paused "
            f"{last.paused} seconds, and {repeated.paused}.",
            "The call gives you a generator, so that a run can be repeated. Where do your pauses "
            "come from?",
        )
    return [max(seconds) for seconds in zip(*(tap.pauses for tap in taps), strict=True)]
