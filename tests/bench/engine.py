"""Prints the engine's bars as ratios, side by side in one run: python -m tests.bench.engine

Each ratio is of medians, from rounds in which both sides take turns, each in a process of its
own where the two cannot share one. Nothing fails here: a bar that is missed says MISSED.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

from tests.bench import start

_MANY = 20_000
_ROUNDS = 15


class Worker:
    """A process of tests.bench.worker."""

    def __init__(self, *kind: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.worker", *kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __call__(self, job: str, post: str, times: int, wall: bool = False) -> float:
        """Seconds of one call, from this many; `fill` gives a post this many likes."""
        asked = {"job": job, "post": post, "times": times, "wall": wall}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


Side: TypeAlias = tuple[Worker, str, str, int]  # worker, job, post, calls a round


@dataclass(frozen=True)
class Bar:
    """A ratio and its bound: at most `bound`, or at least where `least` says so."""

    name: str
    ratio: float
    bound: float
    least: bool = False

    def __str__(self) -> str:
        met = self.ratio >= self.bound if self.least else self.ratio <= self.bound
        sign = "≥" if self.least else "≤"
        return (
            f"{'ok' if met else 'MISSED':7} {self.ratio:8.2f}  {sign} {self.bound:<5g} {self.name}"
        )


def ratio(one: Side, other: Side, rounds: int = _ROUNDS) -> float:
    """The median of one side over the median of the other; the sides take turns."""
    ones: list[float] = []
    others: list[float] = []
    for _ in range(rounds):
        for (worker, job, post, times), seconds in ((one, ones), (other, others)):
            seconds.append(worker(job, post, times))
    return median(ones) / median(others)


def bars() -> Iterator[Bar]:
    with ExitStack() as stack:
        ours, crowded, moto, botocore = (
            stack.enter_context(closing(Worker(kind)))
            for kind in ("ours", "ours", "moto", "botocore")
        )
        for post, likes in (("NEW", 0), ("SMALL", 25)):
            ours("fill", post, likes)
        crowded("fill", "HUGE", _MANY)
        moto("fill", "NEW", 0)
        yield Bar(
            "a transactional like on a post with 20,000 likes / on an empty one",
            ratio((crowded, "like", "HUGE", 20), (ours, "like", "NEW", 20)),
            1.3,
        )
        yield Bar(
            "a Query of one item in a table of 20,000 / in a table of 1",
            ratio((crowded, "query", "HUGE", 100), (ours, "query", "NEW", 100)),
            1.3,
        )
        yield Bar(
            "a page of 25 in a collection of 20,000 / in one of 25",
            ratio((crowded, "page", "HUGE", 50), (ours, "page", "SMALL", 50)),
            1.5,
        )
        for job in ("get", "put", "update"):
            sides = ratio((ours, job, "NEW", 100), (moto, job, "NEW", 100))
            yield Bar(f"ours / plain moto, {job} with the meter on", sides, 0.8)
        yield Bar(
            "ours / botocore with a canned reply, get",
            ratio((ours, "get", "NEW", 200), (botocore, "get", "NEW", 200)),
            1.5,
        )
        for worker in (ours, moto):
            worker("fill", "LIKED", 5_000)
        yield Bar(
            "plain moto / ours, a like at 5,000 likes",
            ratio((moto, "like", "LIKED", 1), (ours, "like", "LIKED", 20), rounds=5),
            100,
            least=True,
        )
    yield Bar(
        "open_lab to the first item read / bare boto3 + moto doing the same", start.ratio(), 1.25
    )


def main() -> None:
    for bar in bars():
        print(bar, flush=True)


if __name__ == "__main__":
    main()
