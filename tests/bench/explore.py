"""How long explorations take beside their bars: python -m tests.bench.explore"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from dynalab.schedules.exploration import Exploration, explore
from dynalab.schedules.scene import Branches, staged
from dynalab.schedules.search import Search
from tests.worlds import KEY, add, read, read_and_write, social

Clients = Mapping[str, Callable[[], Any]]


def five_requests(table: Any, user: str) -> None:
    """A like that looks before and after."""
    read(table)
    table.put_item(Item={"PK": KEY["PK"], "SK": f"LIKE#{user}"})
    read(table, {"PK": user, "SK": "PROFILE"})
    add(table)
    read(table, {"PK": KEY["PK"], "SK": f"LIKE#{user}"})


def recovery(table: Any) -> None:
    """Six requests that may be made twice: four copies get a score, the flag goes."""
    score = table.get_item(Key={"PK": "chuck", "SK": "SCORE"}, ConsistentRead=True)["Item"]["score"]
    for friend in ("alice", "bob", "carol", "dan"):
        table.update_item(
            Key={"PK": friend, "SK": "FRIEND#chuck"},
            UpdateExpression="SET score = :score",
            ExpressionAttributeValues={":score": score},
        )
    table.update_item(Key={"PK": "chuck", "SK": "SCORE"}, UpdateExpression="REMOVE updating")


def one_by_one(clients: Clients) -> str:
    with staged(clients, lambda outcome: True, None, Branches()) as scene:
        search = Search(scene, reduced=False)
        search.walk(most=10_000)
    return f"{search.runs} runs"


def said(found: Exploration) -> str:
    some = "1 fails" if found.failing == 1 else f"{found.failing:,} fail"
    return f"{found.extent()}, {some}"


def main() -> None:
    started = {"PK": "chuck", "SK": "SCORE", "score": 30, "updating": "UPDATING#1"}
    with social({**KEY, "likeTally": 0}, started) as table:
        fives = {name: lambda name=name: five_requests(table, name) for name in "AB"}
        recoveries = {name: lambda: recovery(table) for name in "AB"}
        counts_both = lambda o: o.item("Social", **KEY)["likeTally"] == 2  # noqa: E731
        measured: list[tuple[str, str, Callable[[], str]]] = [
            (
                "two read-modify-writes",
                "",
                lambda: said(
                    explore(dict.fromkeys("AB", lambda: read_and_write(table)), counts_both)
                ),
            ),
            (
                "two ADDs",
                "",
                lambda: said(explore(dict.fromkeys("AB", lambda: add(table)), counts_both)),
            ),
            ("two of five requests, each schedule", "3 s", lambda: one_by_one(fives)),
            ("two of five requests", "0.5 s", lambda: said(explore(fives, counts_both))),
            (
                "two of five requests, one may die",
                "3 s",
                lambda: said(explore(fives, lambda o: True, crash=True)),
            ),
            (
                "two recoveries of six requests",
                "3 s",
                lambda: said(explore(recoveries, lambda o: True)),
            ),
            (
                "two recoveries, one may die",
                "3 s",
                lambda: said(explore(recoveries, lambda o: True, crash=True)),
            ),
            (
                "a recovery that may die, another after it, a late request",
                "3 s",
                lambda: said(
                    explore({"A": recoveries["A"]}, lambda o: True, recoveries["B"], late=True)
                ),
            ),
        ]
        for name, bar, measure in measured:
            begin, busy = time.perf_counter(), time.process_time()
            result = measure()
            took = f"{time.perf_counter() - begin:.2f} s"
            busy = time.process_time() - busy
            print(
                f"{name:58} {took:>7}  {f'bar {bar}' if bar else '':9}  {busy:.2f} s busy  {result}"
            )


if __name__ == "__main__":
    main()
