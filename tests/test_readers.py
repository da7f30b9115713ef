"""A reader beside writers: the same schedules, failures and outcomes as a client of its own."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynalab.schedules.ending import Unfit
from dynalab.schedules.exploration import explore
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.readers import Beside
from dynalab.schedules.scene import Branches, staged
from dynalab.schedules.search import Search
from tests.test_reduction import EVERY, ends, programs, seen, some_break
from tests.worlds import KEY, add, read, social, write

reads = st.sampled_from([op for op in EVERY if op.split("_")[0].split()[0] in ("get", "query")])
writes = st.lists(st.sampled_from(EVERY), min_size=1, max_size=2)


def beside(
    clients: Any, readers: Any, invariant: Any, branches: Branches, recover: Any = None
) -> Search:
    with staged({**clients, **readers}, invariant, recover, branches) as scene:
        search = Search(replace(scene, clients=clients), reduced=True, keeps=True)
        assert search.walk(most=10_000)
        return Beside(scene, search, readers).schedules()


@settings(max_examples=5)
@given(
    texts=st.tuples(writes, writes, st.lists(reads, min_size=1, max_size=3)),
    late=st.booleans(),
    recover=st.sampled_from(["", *EVERY]),
)
def test_a_reader_meets_what_a_client_meets_that_never_dies(
    texts: Any, late: bool, recover: str
) -> None:
    branches = Branches(late=late)
    with programs(*map(", ".join, texts), recover) as clients:
        recovery = clients.pop("D")
        readers = {"C": clients["C"]}
        writers = {"A": clients["A"], "B": clients["B"]}
        found: list[Counter[Any]] = []
        for rule in (seen, some_break):
            with staged(clients, rule, recovery, branches) as scene:
                whole = Search(scene, reduced=True)
                assert whole.walk(most=10_000)
            search = beside(writers, readers, rule, branches, recovery)
            found = [ends(each, each.root, {}) for each in (whole, search)]
            assert found[0] == found[1]
            assert whole.count() == search.count()


def tallies(table: Any) -> Callable[[], Any]:
    return lambda: (read(table), read(table))


def never_back(outcome: Outcome) -> str | None:
    first, second = outcome.returned.get("Q", (0, 0))
    return None if first <= second else f"Q read {first}, then {second}"


def test_the_failure_is_drawn_with_the_readers_requests() -> None:
    with social({**KEY, "likeTally": 0}) as table:
        clients = {"A": lambda: (add(table), write(table, 0))}
        found = explore(clients, never_back, readers={"Q": tallies(table)})
    assert found.failure is not None
    assert found.failure.text == "A1 Q1 A2 Q2"
    assert found.failure.broken == "Q read 1, then 0"
    assert (found.schedules, found.failing) == (6, 1)


def test_a_reader_reads_on_after_a_writer_died_and_before_the_recovery() -> None:
    with social({**KEY, "likeTally": 0}) as table:
        clients = {"A": lambda: (add(table), add(table))}

        def saw_no_recovery(outcome: Outcome) -> bool:
            return max(outcome.returned.get("Q", (0,))) < 5

        found = explore(
            clients, saw_no_recovery, lambda: write(table, 5), readers={"Q": tallies(table)}
        )
    assert found.holds
    # Two requests and a death after none, one, or never; two reads anywhere between.
    assert found.schedules == 6 + 3 + 6


def test_a_reader_misses_what_was_deleted() -> None:
    seen_by_q: set[Any] = set()

    def note(outcome: Outcome) -> None:
        seen_by_q.add(outcome.returned["Q"])

    with social({**KEY, "likeTally": 0}) as table:
        clients = {"A": lambda: table.delete_item(Key=KEY)}
        explore(clients, note, readers={"Q": tallies(table)})
    assert seen_by_q == {(0, 0), (0, None), (None, None)}


def test_two_readers_go_their_own_ways() -> None:
    with social({**KEY, "likeTally": 0}) as table:
        clients = {"A": lambda: add(table)}
        readers = {"P": lambda: read(table), "Q": lambda: read(table)}

        def alike(outcome: Outcome) -> bool:
            return outcome.returned["P"] == outcome.returned["Q"]

        found = explore(clients, alike, readers=readers)
    assert (found.schedules, found.failing) == (6, 2)


def test_what_a_reader_raises_is_in_the_outcome() -> None:
    def give_up() -> None:
        raise LookupError(read(table))

    with social({**KEY, "likeTally": 0}) as table:
        found = explore(
            {"A": lambda: add(table)},
            lambda outcome: str(outcome.raised.get("Q")) != "1",
            readers={"Q": give_up},
        )
    assert (found.schedules, found.failing) == (2, 1)


def test_the_tables_are_as_they_were() -> None:
    with social({**KEY, "likeTally": 0}) as table:
        explore({"A": lambda: add(table)}, lambda outcome: None, readers={"Q": tallies(table)})
        assert read(table) == 0


def test_a_reader_that_writes_is_refused() -> None:
    with (
        social({**KEY, "likeTally": 0}) as table,
        pytest.raises(Unfit, match="Q is a reader, and asked for UpdateItem; make it a client"),
    ):
        explore({"A": lambda: add(table)}, lambda o: None, readers={"Q": lambda: add(table)})


def test_a_reader_that_keeps_state_outside_is_refused() -> None:
    calls: list[int] = []

    def less_each_time() -> None:
        calls.append(0)
        for _ in range(3 - len(calls)):
            read(table)

    with (
        social({**KEY, "likeTally": 0}) as table,
        pytest.raises(Unfit, match="did something else"),
    ):
        explore({"A": lambda: add(table)}, lambda o: None, readers={"Q": less_each_time})


def test_a_writer_that_drops_a_table_is_refused_beside_a_reader() -> None:
    with (
        social({**KEY, "likeTally": 0}) as table,
        pytest.raises(Unfit, match="makes or drops tables"),
    ):
        explore({"A": table.delete}, lambda o: None, readers={"Q": tallies(table)})


def test_beyond_the_bound_readers_are_clients_of_the_schedules_that_are_drawn() -> None:
    with social({**KEY, "likeTally": 0}) as table:
        clients = {name: lambda: (add(table), add(table)) for name in "AB"}
        found = explore(clients, never_back, readers={"Q": tallies(table)}, most=3, crash=True)
    assert found.seed is not None and found.holds
