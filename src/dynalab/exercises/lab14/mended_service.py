"""Exercise 14.4: the one function that lets tallies drift is named, and mended.

`merge` moves a like from one account to another: a delete and an unguarded put in one transaction,
which leave META alone. Where both accounts like a post, two likes become one and the tally stays;
and a move that no rev tells of makes an audit count a like too few or too many.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from dynalab import faults
from dynalab.check import Passed
from dynalab.exercises.bills import write_units
from dynalab.exercises.counted_posts import POST, users
from dynalab.exercises.lab14.audited_posts import put_audited
from dynalab.exercises.lab14.merge_schedules import NEW, OLD, hold_merges
from dynalab.exercises.social import TABLE, Post
from dynalab.exercises.words import how_it_ended, in_words, in_write_units
from dynalab.telling import told
from dynalab.trial import Attempt, Refused, Trial

CULPRIT = "merge"
_PARAMETERS = ["table", "post_id", "old_id", "new_id"]
_WITHOUT_BLAME = {
    "like": "Posts that were only liked and unliked agree with their likes.",
    "unlike": "Posts that were only liked and unliked agree with their likes.",
    "edit": "Some of the posts with an editedAt agree, and posts without one have drifted.",
    "ban": "Some of the posts with a bannedAt agree, and posts without one have drifted.",
    "rename": "It writes only names: no like, no tally and no rev.",
}


def check_mended(answer: Any, trial: Trial) -> Passed:
    merge = _named(answer)
    table = trial.table(TABLE)
    put_audited(table, POST, (*users(2), OLD))
    like_before = _like_of(trial, OLD)
    _expect_moved(trial, trial.attempt(merge, table, POST, OLD, NEW), like_before)
    _expect_both_become_one(trial, merge)
    _expect_nothing_to_merge(trial, merge)
    _expect_errors_through(trial, merge)
    extent = hold_merges(trial, merge)
    units = _expect_rev_raised(trial, merge)
    return Passed(
        f"It was merge. Beside taps, a second merge, and audits with their repairs, deaths "
        f"included, {extent}: the tally is the likes. {in_write_units(units)} for a post "
        "that both accounts like."
    )


def _named(answer: Any) -> Callable[..., Any]:
    """The function that the answer gives for `merge`; Refused for any other answer."""
    if not isinstance(answer, Mapping):
        raise Refused(
            "This check needs a dict of one name and one function, and got "
            f"{type(answer).__name__}.",
            'Give the name of the function in the service, and your function for it: {"like": '
            "like}.",
        )
    if len(answer) != 1:
        raise Refused(
            f"The answer names {', '.join(map(str, answer)) or 'nothing'}; one function lets "
            "the tallies drift.",
            "Which trace do all the drifted posts have?",
        )
    [(name, function)] = answer.items()
    if name in _WITHOUT_BLAME:
        raise Refused(
            f"It is not {name}. {_WITHOUT_BLAME[name]}",
            "Group the posts by the traces that the functions leave. Which trace do all the "
            "drifted posts have?",
        )
    if name != CULPRIT:
        raise Refused(
            f"The service has no function {name!r}.",
            "It has like, unlike, ban, merge, edit, rename.",
        )
    if not callable(function):
        raise Refused(
            f"The answer gives {type(function).__name__} for merge.",
            "Leave the parentheses off: the check calls your function.",
        )
    merge: Callable[..., Any] = function
    _refuse_another_order(merge)
    return merge


def _refuse_another_order(merge: Callable[..., Any]) -> None:
    try:
        taken = list(inspect.signature(merge).parameters)
    except (TypeError, ValueError):
        return
    if taken != _PARAMETERS and sorted(taken) == sorted(_PARAMETERS):
        raise Refused(
            f"Your function takes ({', '.join(taken)}).",
            f"The service calls merge({', '.join(_PARAMETERS)}), in this order.",
        )


def _like_of(trial: Trial, user_id: str) -> dict[str, Any] | None:
    return trial.item(TABLE, PK=POST, SK=f"LIKE#{user_id}")


def _expect_moved(trial: Trial, attempt: Attempt, like_before: Any) -> None:
    """Only the old account likes the post."""
    post = Post.of(trial.items(TABLE), POST)
    situation = f"{OLD} likes {POST}, {NEW} does not. {attempt.text} {how_it_ended(attempt)}"
    if attempt.raised is not None:
        refused = hasattr(attempt.raised, "response")
        raise Refused(
            f"{OLD} likes {POST}, {NEW} does not. {attempt.text} raised {told(attempt.raised)}",
            "What did DynamoDB refuse?"
            if refused
            else "What did this line expect, and what did it get?",
        )
    if OLD in post.likers or NEW not in post.likers or len(post.likers) != 3:
        raise Refused(
            f"{situation}, and the likes are {', '.join(post.likers)}.",
            "From now on the old account's like belongs to the new one.",
        )
    if post.tally != 3 or post.meta is None or "body" not in post.meta:
        raise Refused(
            f"{situation}, and META is {in_words(post.meta)}.",
            "There were three likes before, and three after. What happened to the tally?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{situation}; there was a like to take over.", "merge returns True in this case."
        )
    after = _like_of(trial, NEW) or {}
    if after.get("likedAt") != like_before["likedAt"]:
        raise Refused(
            f"{situation}, and the like's likedAt went from {like_before['likedAt']} to "
            f"{after.get('likedAt')}.",
            "It is the same like. Since when does the user like the post?",
        )


def _expect_both_become_one(trial: Trial, merge: Any) -> None:
    table = trial.table(TABLE)
    put_audited(table, POST, (OLD, NEW, *users(2)))
    attempt = trial.attempt(merge, table, POST, OLD, NEW)
    post = Post.of(trial.items(TABLE), POST)
    situation = (
        f"{OLD} and {NEW} both like {POST}, with likeTally 4. {attempt.text} "
        f"{how_it_ended(attempt)}"
    )
    if attempt.raised is not None or OLD in post.likers or NEW not in post.likers:
        raise Refused(
            f"{situation}, and the likes are {', '.join(post.likers)}.",
            "The user likes the post twice, with two accounts. How often does she like it after "
            "the merge?",
        )
    if post.tally != 3:
        raise Refused(
            f"{situation}, and then: {post.counted()}.",
            "The put replaces a like that is there already, without an error. How do you learn "
            "that two likes have become one, and what changes META then?",
        )
    if attempt.returned is not True:
        raise Refused(
            f"{situation}; the old account's like is gone.", "merge returns True in this case."
        )


def _expect_nothing_to_merge(trial: Trial, merge: Any) -> None:
    """The old account does not like the post: a merge that is done, asked for again."""
    for likers in ((NEW,), ()):
        table = trial.table(TABLE)
        put_audited(table, POST, likers)
        before = trial.items(TABLE)
        attempt = trial.attempt(merge, table, POST, OLD, NEW)
        situation = f"{OLD} does not like {POST}. {attempt.text} {how_it_ended(attempt)}"
        if trial.items(TABLE) != before:
            post = Post.of(trial.items(TABLE), POST)
            raise Refused(
                f"{situation}, and then: {post.counted()}.",
                "If there is nothing to take over, return False and write nothing. Which of your "
                "writes needs the old like?",
            )
        if attempt.returned is not False:
            raise Refused(
                f"{situation}. Nothing was written, as it should be.",
                "What does merge return if there is nothing to take over?",
            )


def _expect_errors_through(trial: Trial, merge: Any) -> None:
    """A merge that was refused for its rate does not say that there was nothing to take over."""
    table = trial.table(TABLE)
    put_audited(table, POST, (OLD, *users(1)))
    for operation in (None, "TransactWriteItems"):
        with faults.throttle(table, times=None, operation=operation) as fault:
            attempt = trial.attempt(merge, table, POST, OLD, NEW)
        if fault.hits and attempt.raised is None:
            raise Refused(
                f"DynamoDB answered {operation or 'every request'} with ThrottlingException. "
                f"{attempt.text} {how_it_ended(attempt)}, and {OLD} still likes {POST}.",
                "Which errors does your function take for a failed condition? All others must go "
                "on to the caller.",
            )


def _expect_rev_raised(trial: Trial, merge: Any) -> float:
    """Write units of a merge of two likes; each way of merging raises rev."""
    units = 0.0
    for likers, before in (((OLD,), "only the old account likes"), ((OLD, NEW), "both like")):
        table = trial.table(TABLE)
        put_audited(table, POST, (*likers, *users(2)))
        with trial.bill() as charges:
            trial.call(merge, table, POST, OLD, NEW)
        units = write_units(charges)
        rev, after = len(likers) + 2, (Post.of(trial.items(TABLE), POST).meta or {}).get("rev")
        if after is None or after <= rev:
            raise Refused(
                f"A post that {before} has rev {rev}; after the merge it has rev {after}.",
                "A repair writes if rev is the one that its audit saw. If rev stays the same, or "
                "returns to an old value, the repair believes that nothing has happened. Must rev "
                "rise or fall?",
            )
    return units
