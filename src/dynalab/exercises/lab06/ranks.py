"""Exercise 6.3: the ranks of scores that are in order, where friends share a score."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

_BOARDS = (
    (),
    (30,),
    (50, 40, 30),
    (50, 50, 30),
    (50, 40, 40, 30),
    (50, 40, 40, 40, 30, 30, 9),
    (0, 0, 0),
)


def check_ranks(ranks: Any, trial: Trial) -> Passed:
    for scores in _BOARDS:
        rows = [(f"p{place}", f"P{place}", score) for place, score in enumerate(scores)]
        with trial.bill() as charges:
            found = _ranks_of(trial, ranks, rows)
        _expect_ranks(found, scores)
        if charges:
            raise Refused(
                f"ranks sent {charges[0].operation} to DynamoDB.",
                "The rows are already read and paid for: what else do you need?",
            )
    return Passed(f"{len(_BOARDS)} boards, with ties at the top, in the middle and everywhere.")


def _ranks_of(trial: Trial, ranks: Any, rows: list[tuple[str, str, int]]) -> Any:
    attempt = trial.attempt(ranks, rows)
    if attempt.raised is not None and not rows:
        raise Refused(
            f"{attempt.text} raised {told(attempt.raised)}",
            "A player may have no friends who have played. What are the ranks of an empty list?",
        )
    if attempt.raised is not None:
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
    return attempt.returned


def _expect_ranks(found: Any, scores: tuple[int, ...]) -> None:
    wanted = [1 + sum(other > score for other in scores) for score in scores]
    if not isinstance(found, list | tuple):
        raise Refused(
            f"For the scores {_listed(scores)} ranks returned {type(found).__name__}.",
            "It returns a list with one int for each row.",
        )
    if list(found) == wanted and all(type(rank) is int for rank in found):
        return
    raise Refused(
        f"For the scores {_listed(scores)} ranks returned {_listed(found)}.",
        _rank_question(list(found), scores, wanted),
    )


def _rank_question(found: list[Any], scores: tuple[int, ...], wanted: list[int]) -> str:
    if len(found) != len(wanted) or not all(type(rank) is int for rank in found):
        return "One int for each row, in the order of the rows: what does yours hold?"
    if found == list(range(1, len(scores) + 1)):
        return "Two friends with the same score share a rank. How do you tell a tie?"
    if found == [1 + len({other for other in scores if other > score}) for score in scores]:
        return (
            "Two are ahead of the third, also if they share a rank. Which rank does the third have?"
        )
    if found == [sum(other >= score for other in scores) for score in scores]:
        return "Friends who tie share the better rank. Is somebody with the same score ahead?"
    if found == [rank - 1 for rank in wanted]:
        return "Nobody is ahead of the best, and the best has rank 1."
    return "A rank is the number of rows with a better score, plus 1."


def _listed(values: Any) -> str:
    return ", ".join(map(str, values)) or "none"
