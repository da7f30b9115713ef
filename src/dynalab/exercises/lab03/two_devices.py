"""Two devices of one user like one post, in every schedule: one of them makes the like."""

from __future__ import annotations

from dynalab.exercises.lab03.guarded_like import found_in
from dynalab.exercises.words import first_raised
from dynalab.schedules.exploration import Exploration
from dynalab.schedules.outcome import Outcome
from dynalab.trial import Trial


def one_like(outcome: Outcome) -> str | None:
    """An invariant: of two devices of USER that like POST, one makes the like, and it says so."""
    post = found_in(outcome)
    likes, nobody_died = len(post.likers), not outcome.died
    answers = ", ".join(f"{name} {value}" for name, value in outcome.returned.items())
    made = sum(value is True for value in outcome.returned.values())
    if likes != post.tally or likes > 1 or (nobody_died and likes != 1):
        return f"{post.counted()}; returned: {answers or 'nothing'}."
    if outcome.raised:
        return first_raised(outcome)
    if made > likes or (nobody_died and made != 1):
        return f"{post.counted()}, made by one of them; returned: {answers}."
    return None


def hold_two_devices(trial: Trial, exploration: Exploration) -> str:
    """The evidence, where one_like holds in each schedule."""
    situation = "One user likes one post from two devices"
    return trial.hold(exploration, situation, _two_devices_ask(exploration))


def _two_devices_ask(exploration: Exploration) -> str:
    failure = exploration.failure
    if failure is not None and failure.outcome.died:
        return (
            "The process can die between two requests. "
            "Which one request makes the like and counts it, or does neither?"
        )
    if failure is not None and any(s.operation in ("GetItem", "Query") for s in failure.steps):
        return (
            "You looked first, and wrote afterwards. What can the other device do in between? "
            "A condition is tested by DynamoDB in the same step as the write."
        )
    if failure is not None and found_in(failure.outcome).counted() == "likes 1, likeTally 1":
        return (
            "The data is right, but the answers are not. A like that is there already may come "
            "from this call or from the other device: what tells them apart?"
        )
    return "Which condition, on which item, lets only one of them through?"
