"""Every schedule of some clients: how many there are, which one fails, and what is left alone."""

import _thread
import itertools
import os
import random
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from dynalab.engine.clock import Clock
from dynalab.engine.connect import connect
from dynalab.engine.engine import SCRATCH_TIME
from dynalab.schedules.ending import Unfit
from dynalab.schedules.exploration import Exploration, explore, replay
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.scene import Branches, staged
from dynalab.schedules.search import drawn
from tests.worlds import KEY, add, keyed, read, read_and_write, social, write


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}) as made:
        yield made


def tally(outcome: Outcome) -> Any:
    item = outcome.item("Social", **KEY)
    return None if item is None else item.get("likeTally")


def tally_is_two(outcome: Outcome) -> str | None:
    return None if tally(outcome) == 2 else f"the tally is {tally(outcome)}, not 2"


def likes_are_counted(outcome: Outcome) -> str | None:
    likes = [item for item in outcome.items("Social") if item["SK"].startswith("LIKE#")]
    if len(likes) == tally(outcome):
        return None
    return f"likes: {len(likes)}, likeTally: {tally(outcome)}"


def like(table: Any, user: str, **options: Any) -> None:
    table.meta.client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "Social", "Item": {"PK": KEY["PK"], "SK": f"LIKE#{user}"}}},
            {
                "Update": {
                    "TableName": "Social",
                    "Key": KEY,
                    "UpdateExpression": "ADD likeTally :one",
                    "ExpressionAttributeValues": {":one": 1},
                }
            },
        ],
        **options,
    )


def like_in_two_steps(table: Any, user: str = "7c20") -> None:
    table.put_item(Item={"PK": KEY["PK"], "SK": f"LIKE#{user}"})
    add(table)


def five_requests(table: Any, user: str) -> None:
    read(table)
    table.put_item(Item={"PK": KEY["PK"], "SK": f"LIKE#{user}"})
    read(table, {"PK": user, "SK": "PROFILE"})
    add(table)
    read(table, {"PK": KEY["PK"], "SK": f"LIKE#{user}"})


def counts(exploration: Exploration) -> tuple[int, int]:
    return exploration.schedules, exploration.failing


def failing_text(exploration: Exploration) -> str:
    assert exploration.failure is not None
    return exploration.failure.text


# --- interleavings --------------------------------------------------------------------------------


def test_two_read_modify_writes_lose_an_update_in_four_of_six_schedules(table: Any) -> None:
    client = {"A": lambda: read_and_write(table), "B": lambda: read_and_write(table)}
    found = explore(client, tally_is_two)
    assert counts(found) == (6, 4)
    assert not found.holds
    assert (found.one_by_one, found.extent()) == (True, "6 schedules")
    assert found.failure is not None
    assert (found.failure.text, found.failure.broken) == ("A1 B1 A2 B2", "the tally is 1, not 2")
    assert found.failure.outcome.item("Social", **KEY) == {**KEY, "likeTally": Decimal(1)}


def test_two_adds_lose_nothing(table: Any) -> None:
    found = explore({"A": lambda: add(table), "B": lambda: add(table)}, tally_is_two)
    assert counts(found) == (2, 0)
    assert found.holds and found.failure is None


def test_two_clients_of_five_requests_meet_in_252_schedules_but_few_states(table: Any) -> None:
    clients = {"A": lambda: five_requests(table, "a"), "B": lambda: five_requests(table, "b")}
    found = explore(clients, likes_are_counted)
    assert counts(found) == (252, 0)
    assert found.extent() == f"252 schedules through {found.states} states"
    assert found.states < 70


def test_three_clients_meet_in_every_order(table: Any) -> None:
    clients = {name: lambda: read_and_write(table) for name in "ABC"}
    found = explore(clients, lambda outcome: tally(outcome) == 3)
    assert counts(found) == (90, 84)  # 3! = 6 orders one after the other are right


def test_clients_without_requests_are_one_schedule(table: Any) -> None:
    found = explore({"A": lambda: 1, "B": lambda: 2}, lambda o: o.returned == {"A": 1, "B": 2})
    assert counts(found) == (1, 0)
    assert found.extent() == "1 schedule"


def test_a_client_that_is_made_inside_the_function_is_seen(table: Any) -> None:
    def own() -> None:
        read_and_write(boto3.resource("dynamodb").Table("Social"))

    assert counts(explore({"A": own, "B": own}, tally_is_two)) == (6, 4)


def test_what_the_calls_returned_is_part_of_the_outcome(table: Any) -> None:
    def bump() -> int:
        add(table)
        return int(read(table))

    found = explore({"A": bump, "B": bump}, lambda o: len(set(o.returned.values())) == 2)
    assert counts(found) == (6, 4)  # both read 2 unless one goes after the other
    assert found.failure is not None
    assert found.failure.outcome.returned == {"A": 2, "B": 2}


def test_an_iterator_that_a_client_returns_is_read_by_it_and_every_outcome_has_it(
    table: Any,
) -> None:
    def twice() -> Iterator[int]:
        yield read(table)
        yield read(table)

    def it_never_falls(outcome: Outcome) -> bool:
        first, second = outcome.returned["A"]
        return bool(first <= second)

    found = explore({"A": twice, "B": lambda: add(table)}, it_never_falls)
    assert counts(found) == (3, 0)
    endless = explore({"A": itertools.count}, lambda outcome: len(outcome.returned["A"]) > 1_000)
    assert counts(endless) == (1, 0)


# --- crashes --------------------------------------------------------------------------------------


def test_n_requests_have_n_plus_one_ways_to_die_or_live(table: Any) -> None:
    found = explore({"A": lambda: like_in_two_steps(table)}, likes_are_counted, crash=True)
    assert counts(found) == (3, 1)
    assert found.failure is not None
    assert (found.failure.text, found.failure.broken) == ("A1 A†", "likes: 1, likeTally: 0")
    assert found.failure.outcome.died == ("A",)
    five = explore({"A": lambda: five_requests(table, "a")}, lambda o: True, crash=True)
    assert counts(five) == (6, 0)


def test_a_recovery_begins_at_the_time_of_its_schedule(table: Any) -> None:
    def look() -> tuple[float, Any]:
        return connect().engine.store.clock(), read(table)

    times = set()
    clients = {"A": lambda: add(table)}
    explore(clients, lambda o: times.add(o.returned["R"][0]), look, crash=False, lost=True)
    assert len(times) == 2  # boto3 waits a moment before it sends again


def test_at_most_one_client_dies(table: Any) -> None:
    died = []
    clients = {"A": lambda: add(table), "B": lambda: add(table)}
    found = explore(clients, lambda outcome: died.append(outcome.died), crash=True)
    assert set(died) == {(), ("A",), ("B",)}
    # A and B in both orders; then each may die before its request, before or after the other one.
    assert found.schedules == 6


def test_the_recovery_runs_after_the_clients_and_by_itself_asks_for_a_death(table: Any) -> None:
    def recover() -> str:
        likes = table.query(
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": KEY["PK"], ":like": "LIKE#"},
            ConsistentRead=True,
        )["Count"]
        write(table, likes)
        return "recovered"

    def invariant(outcome: Outcome) -> str | None:
        assert outcome.returned["R"] == "recovered"
        return likes_are_counted(outcome)

    client = {"A": lambda: like_in_two_steps(table)}
    assert counts(explore(client, invariant, recover)) == (3, 0)
    assert counts(explore(client, invariant, recover, crash=False)) == (1, 0)


def test_what_is_dead_writes_no_more_in_a_finally_either(table: Any) -> None:
    def stubborn() -> None:
        try:
            read(table)
        finally:
            add(table)

    found = explore({"A": stubborn}, lambda o: o.died == () or tally(o) == 0, crash=True)
    assert counts(found) == (3, 0)


# --- lost, late and stale -------------------------------------------------------------------------


def test_an_add_whose_reply_is_lost_is_sent_again_by_boto3_and_counts_twice(table: Any) -> None:
    found = explore({"A": lambda: add(table)}, lambda o: tally(o) == 1, lost=True)
    assert counts(found) == (3, 1)
    assert failing_text(found) == "A1~ A2"


def test_a_transaction_whose_reply_is_lost_counts_once_as_boto3_keeps_its_token(table: Any) -> None:
    found = explore({"A": lambda: like(table, "7c20")}, likes_are_counted, lost=True, late=True)
    assert found.holds
    once = explore(
        {"A": lambda: like(table, "7c20", ClientRequestToken="one tap")},
        likes_are_counted,
        lost=True,
        late=True,
    )
    assert counts(once) == counts(found)


def test_two_calls_of_the_application_are_two_tokens(table: Any) -> None:
    def tap_twice() -> None:
        like(table, "7c20")
        like(table, "7c20")

    assert not explore({"A": tap_twice}, likes_are_counted).holds


def test_a_late_request_lands_at_every_later_moment(table: Any) -> None:
    found = explore({"A": lambda: add(table)}, lambda o: tally(o) == 1, late=True)
    # Served; late and landed before the retry, or after it.
    assert counts(found) == (3, 2)
    assert failing_text(found) == "A1… A2 …A1"

    twice = {"A": lambda: [write(table, number) for number in (1, 2)]}
    found = explore(twice, lambda o: tally(o) == 2, late=True)
    assert counts(found) == (6, 1)  # the first lands at three moments, the second at two
    assert failing_text(found) == "A1… A2 A3 …A1"


def test_an_eventual_read_after_a_write_is_right_until_reads_may_be_stale(table: Any) -> None:
    def like_and_look(**options: Any) -> int:
        add(table)
        return int(read(table, **options))

    sees_its_own = lambda o: o.returned["A"] == 1  # noqa: E731
    assert explore({"A": like_and_look}, sees_its_own).holds
    found = explore({"A": like_and_look}, sees_its_own, stale=True)
    assert counts(found) == (2, 1)
    assert failing_text(found) == "A1 A2°"
    strong = {"A": lambda: like_and_look(ConsistentRead=True)}
    assert counts(explore(strong, sees_its_own, stale=True)) == (1, 0)


def test_a_stale_read_is_one_that_would_differ(table: Any) -> None:
    def write_elsewhere() -> None:
        read(table)  # nothing was written yet
        add(table, {"PK": "POST#other", "SK": "META"})
        read(table)  # that write was not here

    assert counts(explore({"A": write_elsewhere}, lambda o: True, stale=True)) == (1, 0)


def test_a_refused_write_leaves_the_last_one_where_it_was(table: Any) -> None:
    def refused_then_read() -> int:
        add(table)
        with pytest.raises(ClientError):
            table.put_item(Item=KEY, ConditionExpression="attribute_not_exists(PK)")
        return int(read(table))

    found = explore({"A": refused_then_read}, lambda o: o.returned["A"] == 1, stale=True)
    assert failing_text(found) == "A1 A2 A3°"


def test_an_index_is_read_stale_too() -> None:
    index = {
        "IndexName": "bySK",
        "KeySchema": [{"AttributeName": "SK", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    with social({**KEY, "likeTally": 0}, GlobalSecondaryIndexes=[index]) as table:

        def add_and_find() -> int:
            add(table)
            found = table.query(
                IndexName="bySK",
                KeyConditionExpression="SK = :meta",
                ExpressionAttributeValues={":meta": "META"},
            )
            return int(found["Items"][0]["likeTally"])

        found = explore({"A": add_and_find}, lambda o: o.returned["A"] == 1, stale=True)
        assert failing_text(found) == "A1 A2°"


def test_boto3s_retry_quota_is_full_in_every_run(table: Any) -> None:
    clients = {"A": lambda: read_and_write(table), "B": lambda: read_and_write(table)}
    first = explore(clients, tally_is_two, crash=True, lost=True, late=True)
    for _ in range(2):  # on one boto3 client, which would give up trying again half-way
        again = explore(clients, tally_is_two, crash=True, lost=True, late=True)
        assert (counts(again), again.states) == (counts(first), first.states)


# --- what an exploration says ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, None),
        (True, None),
        (False, "the invariant does not hold"),
        ("", "the invariant does not hold"),
        (0, "the invariant does not hold"),
        ("likes and tally differ", "likes and tally differ"),
    ],
)
def test_an_invariant_holds_with_none_or_true_and_breaks_with_a_sentence(
    table: Any, answer: Any, sentence: str | None
) -> None:
    found = explore({"A": lambda: add(table)}, lambda outcome: answer)
    assert (found.failure.broken if found.failure else None) == sentence


def test_what_an_invariant_does_to_its_outcome_no_other_schedule_sees(table: Any) -> None:
    tags = {"PK": KEY["PK"], "SK": "TAGS"}  # no client writes it: in all outcomes it is one item
    table.put_item(Item={**tags, "tags": ["a", "b"]})

    def look() -> list[str]:
        return [str(read(table))]

    def takes(outcome: Outcome) -> bool:
        add(table)  # after the end; the outcome stays as it is
        item = outcome.item("Social", **tags)
        assert item is not None
        there = (item["tags"].pop(), outcome.returned["A"].pop())
        return there in (("b", "0"), ("b", "1")) and tally(outcome) == 1

    found = explore({"A": look, "B": lambda: add(table)}, takes)
    assert counts(found) == (2, 0)


def test_an_invariant_may_assert(table: Any) -> None:
    def asserting(outcome: Outcome) -> None:
        assert tally(outcome) == 5, "the tally should be 5"

    found = explore({"A": lambda: add(table)}, asserting)
    assert found.failure is not None
    assert found.failure.broken == "the tally should be 5"


def test_an_invariant_may_read_with_boto3(table: Any) -> None:
    def invariant(outcome: Outcome) -> bool:
        return bool(read(table) == tally(outcome) == 1)

    assert explore({"A": lambda: add(table)}, invariant).holds


def test_an_error_in_the_invariant_reaches_the_caller_and_leaves_no_trace(table: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        explore({"A": lambda: add(table)}, lambda outcome: 1 / 0)
    assert read(table) == 0
    assert connect().middleware == []


def test_an_exception_of_a_client_is_part_of_the_outcome(table: Any) -> None:
    def fail() -> None:
        add(table)
        raise KeyError("likeTally")

    def leave() -> None:
        add(table)
        raise KeyboardInterrupt

    seen: list[Outcome] = []
    found = explore({"A": fail, "B": leave}, seen.append)
    assert found.schedules == 2
    assert {name: type(error) for name, error in seen[0].raised.items()} == {
        "A": KeyError,
        "B": KeyboardInterrupt,
    }
    assert seen[0].returned == {} and tally(seen[0]) == 2


def test_two_explorations_are_equal_in_every_field(table: Any) -> None:
    clients = {"A": lambda: like_in_two_steps(table, "a"), "B": lambda: add(table)}
    first, second = (
        explore(clients, likes_are_counted, crash=True, lost=True, stale=True) for _ in range(2)
    )
    assert first == second
    assert first.failure is not None and first.failure.frames == second.failure.frames  # type: ignore[union-attr]


def test_the_tables_the_clock_and_random_are_as_they_were(table: Any) -> None:
    store = connect().engine.store
    random.seed(1)
    drawn = random.getstate()
    before, now = table.scan()["Items"], store.clock()

    def change_all() -> None:
        like_in_two_steps(table)
        keyed(table.meta.client, "Other", "id")
        table.delete()

    explore({"A": change_all, "B": lambda: add(table)}, lambda o: True, crash=True)
    assert table.scan()["Items"] == before
    assert connect().engine.store is store
    assert (store.clock(), random.getstate()) == (now, drawn)
    assert table.meta.client.list_tables()["TableNames"] == ["Social"]
    assert connect().middleware == []
    assert connect().embedded_only is False


def test_nobody_is_billed_for_what_an_exploration_asks(table: Any) -> None:
    billed: list[Any] = []
    connect().engine.store.listeners.append(billed.append)
    explore({"A": lambda: add(table), "B": lambda: read(table)}, lambda o: True, stale=True)
    assert billed == []
    add(table)
    assert len(billed) == 1


def test_no_thread_is_left(table: Any) -> None:
    before = threading.active_count()
    clients = {"A": lambda: like_in_two_steps(table, "a"), "B": lambda: five_requests(table, "b")}
    explore(clients, likes_are_counted, crash=True)
    assert threading.active_count() == before


# --- beyond the bound -----------------------------------------------------------------------------


def test_beyond_the_bound_schedules_are_drawn_with_a_seed_and_it_says_so(table: Any) -> None:
    clients = {"A": lambda: five_requests(table, "a"), "B": lambda: five_requests(table, "b")}
    found = explore(clients, likes_are_counted, most=10)
    assert found.extent() == f"{found.schedules} of about 252 schedules, seed 7"
    assert 5 < found.schedules <= 10
    assert explore(clients, likes_are_counted, most=10) == found
    assert "seed 8" in explore(clients, likes_are_counted, most=10, seed=8).extent()


def test_schedules_that_are_drawn_are_carried_out_as_all_others(table: Any) -> None:
    def work() -> str:
        for _ in range(3):
            read(table)
            add(table)
        return "done"

    def all_done(outcome: Outcome) -> bool:
        return all(n in outcome.died or outcome.returned.get(n) == "done" for n in "ABC")

    with staged(dict.fromkeys("ABC", work), all_done, None, Branches(crash=True)) as scene:
        some = drawn(scene, seed=2, count=15)
        anew = drawn(replace(scene, sharing=True), seed=2, count=15)
    assert some == anew
    assert set(some.values()) == {None}


def test_a_failure_that_was_met_before_the_draw_is_not_forgotten(table: Any) -> None:
    def add_five() -> None:
        for _ in range(5):
            add(table)

    def read_five() -> Any:
        first, *_ = [read(table) for _ in range(5)]
        return first

    clients = {"A": add_five, "B": read_five}
    found = explore(clients, lambda o: o.returned["B"] != 5, most=1)
    assert counts(found) == (2, 1)
    assert failing_text(found).startswith("A1 A2 A3 A4 A5 B1")


def test_an_interrupted_search_leaves_the_tables_as_they_were(table: Any) -> None:
    runs = itertools.count()

    def add_and_interrupt() -> None:
        if next(runs) == 1:
            _thread.interrupt_main()
        add(table)
        add(table)

    with pytest.raises(KeyboardInterrupt):
        explore({"A": add_and_interrupt, "B": lambda: add(table)}, lambda outcome: True)
    assert table.get_item(Key=KEY)["Item"]["likeTally"] == 0
    assert counts(explore({"A": lambda: add(table)}, lambda outcome: True)) == (1, 0)


# --- what cannot be explored ----------------------------------------------------------------------


def test_a_client_that_counts_its_own_calls_is_told(table: Any) -> None:
    numbers = itertools.count(1)
    with pytest.raises(Unfit, match="keep no state outside the function"):
        explore({"A": lambda: write(table, next(numbers)), "B": lambda: add(table)}, tally_is_two)


def cached(table: Any) -> tuple[dict[str, Any], Any]:
    """A reads through a cache that its start empties; B writes, and empties it too."""
    cache: dict[str, Any] = {}

    def read_through() -> Any:
        if "tally" not in cache:
            seen = read(table)
            read(table, {"PK": "other", "SK": "META"})  # so that B may come in between
            cache["tally"] = seen
        return cache["tally"]

    def first_read() -> Any:
        cache.clear()
        return read_through()

    def write_and_drop() -> None:
        write(table, 5)
        cache.clear()

    return {"A": first_read, "B": write_and_drop}, read_through


def test_clients_that_share_more_than_the_tables_run_anew_in_each_schedule(table: Any) -> None:
    clients, read_through = cached(table)
    found = explore(
        clients, lambda o: o.returned["R"] == 5, read_through, crash=False, sharing=True
    )
    assert (counts(found), found.one_by_one) == ((3, 1), True)
    assert failing_text(found) == "A1 B1 A2"
    some = explore(
        clients, lambda o: o.returned["R"] == 5, read_through, crash=False, sharing=True, most=2
    )
    assert some.seed == 7


@pytest.mark.parametrize("crash", [False, True])
def test_clients_that_share_something_unsaid_are_told(table: Any, crash: bool) -> None:
    told: list[Any] = []

    def read_and_tell() -> None:
        told.append(read(table))

    def add_if_told() -> None:
        if told:
            read(table)
        add(table)

    with pytest.raises(Unfit, match="keep no state outside the function"):
        explore({"A": read_and_tell, "B": add_if_told}, lambda outcome: True, crash=crash)


def test_a_recovery_that_shares_something_unsaid_is_told(table: Any) -> None:
    clients, read_through = cached(table)
    with pytest.raises(Unfit, match="keep no state outside the function"):
        explore(clients, lambda o: o.returned["R"] == 5, read_through, crash=False)


def test_readers_share_nothing(table: Any) -> None:
    with pytest.raises(Unfit, match="give them as clients where all share something"):
        explore(
            {"A": lambda: add(table)},
            lambda outcome: True,
            readers={"Q": lambda: read(table)},
            sharing=True,
        )


def test_a_client_that_draws_at_random_is_told(table: Any) -> None:
    with pytest.raises(Unfit, match="pass in clocks, sleeps and random generators"):
        explore(
            {
                "A": lambda: write(table, random.SystemRandom().getrandbits(32)),
                "B": lambda: add(table),
            },
            tally_is_two,
        )


def test_a_uuid_is_the_same_in_each_run_and_another_one_for_each_client(table: Any) -> None:
    system, seen = os.urandom, set()

    def put(client: str) -> str:
        mine = str(uuid.uuid4())
        table.put_item(Item={"PK": client, "SK": mine})
        table.put_item(Item={"PK": client, "SK": str(uuid.uuid4())})
        seen.add(mine)
        return mine

    def all_there(outcome: Outcome) -> bool:
        there = [item["SK"] for item in outcome.items("Social") if item["PK"] in ("A", "B")]
        return len(set(there)) == 4 and set(outcome.returned.values()) < set(there)

    found = explore({"A": lambda: put("A"), "B": lambda: put("B")}, all_there)
    assert counts(found) == (6, 0)
    assert len(seen) == 2
    assert os.urandom is system


def test_a_client_that_returns_something_else_each_time_is_told(table: Any) -> None:
    numbers = itertools.count(1)

    def add_and_count() -> int:
        add(table)
        return next(numbers)

    with pytest.raises(Unfit, match="did something else when the same schedule was run again"):
        explore({"A": add_and_count, "B": lambda: five_requests(table, "b")}, tally_is_two)


def test_random_of_the_module_draws_alike_in_each_run(table: Any) -> None:
    def draw() -> int:
        read(table)
        number = random.randrange(10**9)
        write(table, number)
        return number

    numbers = set()
    explore({"A": draw, "B": draw}, lambda o: numbers.add((o.returned["A"], o.returned["B"])))
    assert len(numbers) == 1  # whoever draws first


def test_time_stands_still_unless_a_client_moves_it(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count(SCRATCH_TIME)
    monkeypatch.setattr("dynalab.engine.clock.time.time", lambda: next(seconds))
    connect().engine.store.clock = Clock()
    stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    table.meta.client.update_table(TableName="Social", StreamSpecification=stream)
    clients = {name: lambda: five_requests(table, "a") for name in "AB"}
    assert explore(clients, lambda o: True).schedules == 252


@pytest.mark.parametrize(
    ("clients", "sentence"),
    [
        ({}, "at least one client"),
        ({"A": 5}, "wrap the call"),
        ({"A1": print}, "Name clients with letters, not 'A1'"),
        ({"R": print}, "R is the recovery"),
        ({7: print}, "not 7"),
    ],
)
def test_what_is_no_client_is_refused_in_a_sentence(clients: Any, sentence: str) -> None:
    with pytest.raises(Unfit, match=sentence):
        explore(clients, lambda outcome: True)


# --- replay ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "branches",
    [
        {},
        {"crash": True},
        {"lost": True},
        {"late": True},
        {"stale": True},
        {"late": True, "crash": True},
    ],
    ids=str,
)
def test_a_failing_schedule_is_replayed_from_its_text(table: Any, branches: Any) -> None:
    clients = {"A": lambda: read_and_write(table), "Bea": lambda: add(table)}

    def never_two(outcome: Outcome) -> str | None:
        return f"two: {outcome.returned}" if tally(outcome) == 2 else None

    failure = explore(clients, never_two, **branches).failure
    assert failure is not None
    again = replay(failure.text, clients, never_two)
    assert (again.text, again.broken) == (failure.text, failure.broken)
    assert again.outcome.tables == failure.outcome.tables
    assert again.words() == failure.words()


def test_what_is_left_is_told_also_where_a_table_was_made_anew_with_another_key(table: Any) -> None:
    def make_anew() -> None:
        table.delete()
        keyed(table.meta.client, "Social", "id")
        table.meta.client.put_item(TableName="Social", Item={"id": "a"})

    assert replay("", {"A": make_anew}).left() == {"Social": [{"id": "a"}]}


def test_frames_show_the_items_at_the_start_and_after_each_step(table: Any) -> None:
    clients = {"A": lambda: like_in_two_steps(table)}
    schedule = replay("A1 A†", clients, likes_are_counted, recover=lambda: add(table))
    assert [step.choice.client for step in schedule.steps] == ["A", "A", "R"]
    seen = [
        (len(frame["Social"]), frame["Social"][-1].get("likeTally")) for frame in schedule.frames
    ]
    assert seen == [(1, 0), (2, 0), (2, 0), (2, 1)]
    assert schedule.frames[-1] == schedule.outcome.tables
    assert schedule.keys == {"Social": ("PK", "SK")}


def test_what_a_schedule_leaves_open_is_done_in_order(table: Any) -> None:
    clients = {"A": lambda: read_and_write(table), "B": lambda: add(table)}
    assert replay("", clients).text == "A1 A2 B1"
    assert replay("A1 B1… R1", clients).text == "A1 B1… A2 B2 …B1"


@pytest.mark.parametrize(
    ("schedule", "sentence"),
    [
        ("A1 hello", "'hello' is not a step of a schedule; write steps such as A1, B2 or A†."),
        ("A", "'A' is not a step"),
        ("1A", "'1A' is not a step"),
        ("…A1…", "'…A1…' is not a step"),
        ("A2", r"A2 cannot happen there; what can: A1, A1×, A1~, A1…, A†, B1, "),
        ("C1", "C1 cannot happen there"),
        ("…A1", "…A1 cannot happen there"),
        ("A† B†", r"B† cannot happen there; what can: B1, B1×, B1~, B1…\."),
        ("A1 B1 B2", "B2 cannot happen there; all is done"),
        ("A1°", "A1° cannot happen there"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused_in_a_sentence(
    table: Any, schedule: str, sentence: str
) -> None:
    with pytest.raises(Unfit, match=sentence):
        replay(schedule, {"A": lambda: add(table), "B": lambda: add(table)})
    assert read(table) == 0
