"""A storm makes many calls at once on the engine's clock, and repeats itself exactly."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

from dynalab import open_lab
from dynalab import storm as storms
from dynalab.engine.connect import connect
from dynalab.engine.engine import Engine
from dynalab.engine.partitions import CEILING, partitioned
from dynalab.engine.throughput import expected
from dynalab.storm import Storm, Stuck, storm
from dynalab.views.heatmap import NOTHING
from dynalab.views.storm_report import StormReport
from tests.worlds import keyed

ONCE = Config(retries={"total_max_attempts": 1})


@pytest.fixture
def engine() -> Iterator[Engine]:
    """The engine of this process, with an empty table Votes, on a store of its own."""
    engine = connect().engine
    with engine.scratch():
        keyed(boto3.client("dynamodb"), "Votes", "PK")
        yield engine


def voter(shards: int, config: Config | None = None) -> Callable[[], Any]:
    client: Any = boto3.client("dynamodb", config=config)
    rng = random.Random(7)

    def vote() -> None:
        client.update_item(
            TableName="Votes",
            Key={"PK": {"S": f"CANDIDATE#ada#{rng.randrange(shards):02}"}},
            UpdateExpression="ADD votes :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    return vote


def counted() -> int:
    items: Any = boto3.client("dynamodb").scan(TableName="Votes")["Items"]
    return sum(int(item["votes"]["N"]) for item in items)


def figures(result: Storm) -> tuple[Any, ...]:
    return result.succeeded, result.retries, result.absorbed, result.seconds, result.errors


def test_without_partitions_every_call_succeeds_at_its_time(engine: Engine) -> None:
    before = engine.store.clock()
    result = storm(engine, voter(1), calls=50, per_second=10)
    assert figures(result) == (50, 0, 0, pytest.approx(4.9), {})
    assert counted() == 50
    assert engine.store.clock() - before == pytest.approx(4.9)


def test_a_hot_key_fails_what_its_partition_does_not_serve(engine: Engine) -> None:
    with partitioned(engine, 100) as partitions:
        result = storm(engine, voter(1), calls=200, per_second=25)
    assert result.succeeded == counted() == pytest.approx(10 * (200 / 25 + 1), abs=3)
    assert result.failed == 200 - result.succeeded
    assert result.errors == {
        "ThrottlingException (TableWriteKeyRangeThroughputExceeded)": result.failed
    }
    assert type(result.first).__name__ == "ThrottlingException"
    [cells] = partitions.traffic["Votes", None, "Write"].values()
    assert sum(cell.units for cell in cells.values()) == result.succeeded


def test_retries_of_boto3_absorb_a_few_refusals(engine: Engine) -> None:
    with partitioned(engine, 100):
        result = storm(engine, voter(3), calls=300, per_second=30)
    assert (result.succeeded, result.failed) == (300, 0)
    assert 0 < result.refused_first == result.absorbed == result.retried <= result.retries
    assert counted() == 300


def test_a_call_that_waits_does_not_hold_up_the_others(engine: Engine) -> None:
    with partitioned(engine, 100):
        result = storm(engine, voter(1), calls=40, per_second=40)
    assert result.retried > 1
    assert result.seconds < 10


def test_a_storm_repeats_itself_exactly(engine: Engine) -> None:
    runs = []
    for _ in range(2):
        with partitioned(engine, 100):
            runs.append(figures(storm(engine, voter(2), calls=150, per_second=30)))
    assert runs[0] == runs[1]
    assert runs[0][1] > 0


def test_one_call_runs_at_a_time_and_no_thread_is_left(engine: Engine) -> None:
    before = threading.active_count()
    inside: list[int] = []

    def call() -> None:
        inside.append(1)
        assert len(inside) == 1
        inside.clear()

    assert storm(engine, call, calls=20, per_second=5).succeeded == 20
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon:
            thread.join(1)
    assert threading.active_count() <= before


def test_a_call_that_never_ends_is_stopped_and_named(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storms, "STALL_SECONDS", 0.2)

    def endless() -> None:
        while True:
            pass

    with pytest.raises(Stuck, match="does its loop end"):
        storm(engine, endless, calls=3, per_second=1)


def test_a_stub_is_raised_and_a_failure_is_counted(engine: Engine) -> None:
    def stub() -> None:
        raise NotImplementedError

    def broken() -> None:
        raise KeyError("votes")

    with pytest.raises(NotImplementedError):
        storm(engine, stub, calls=3, per_second=1)
    result = storm(engine, broken, calls=3, per_second=1)
    assert (result.failed, result.errors) == (3, {"KeyError": 3})
    with pytest.raises(ValueError, match="at least one call"):
        storm(engine, stub, calls=0, per_second=1)


def test_progress_counts_the_calls_that_ended(engine: Engine) -> None:
    told: list[int] = []
    storm(engine, voter(4), calls=50, per_second=5, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 50


# --- the arithmetic beside it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "per_second", "shards"), [(300, 60, 1), (300, 60, 3), (300, 60, 12), (200, 5, 1)]
)
def test_the_formula_agrees_with_the_engine(
    engine: Engine, calls: int, per_second: float, shards: int
) -> None:
    with partitioned(engine, 100):
        result = storm(engine, voter(shards, ONCE), calls=calls, per_second=per_second)
    told = expected(calls, per_second, shards, scale=100)
    assert told.served == pytest.approx(result.succeeded, rel=0.03)
    assert told.refused == pytest.approx(result.failed, abs=0.03 * calls)


def test_the_formula_takes_a_million_votes() -> None:
    one, many = (expected(1_000_000, 5_000, shards) for shards in (1, 5))
    assert (one.served, one.refused) == (201_000, 799_000)
    assert (many.served, many.refused) == (1_000_000, 0)
    assert (one.seconds, one.per_shard, many.per_shard) == (200, 5_000, CEILING["Write"])
    assert (one.total_read_units, many.total_read_units) == (0.5, 2.5)
    assert expected(1_000_000, 5_000, 5, units=2).served == 502_500


def test_the_formula_refuses_no_shards() -> None:
    with pytest.raises(ValueError, match="at least one shard"):
        expected(10, 1, 0)


# --- in a lab -------------------------------------------------------------------------------------


def test_a_lab_shows_a_storm_and_its_heat_map() -> None:
    lab = open_lab("08")
    with lab.partitions(scale=100) as heat:
        report = lab.storm(
            "Votes",
            lambda table: table.put_item(Item={"PK": "a", "SK": "b"}),
            calls=60,
            per_second=60,
        )
    assert isinstance(report, StormReport)
    assert report.result.failed > 0
    assert "60 calls, 60 a second" in repr(report)
    assert repr(heat).splitlines()[2].endswith("hot")


def test_each_storm_of_a_lab_starts_with_all_of_boto3s_retries() -> None:
    lab = open_lab("08")

    def figures_of_a_storm() -> tuple[Any, ...]:
        with lab.partitions(scale=100):
            report = lab.storm(
                "Votes",
                lambda table: table.put_item(Item={"PK": "a", "SK": "b"}),
                calls=150,
                per_second=50,
            )
        assert isinstance(report, StormReport)
        return figures(report.result)

    assert figures_of_a_storm() == figures_of_a_storm()


def test_a_storm_of_a_stub_is_a_note() -> None:
    def stub(table: Any) -> None:
        raise NotImplementedError

    lab = open_lab("08")
    with lab.partitions() as heat:
        note = lab.storm("Votes", stub, calls=5, per_second=1)
    assert "not written yet" in repr(note)
    assert repr(heat) == NOTHING


def test_a_card_draws_the_traffic_of_a_storm() -> None:
    def on_one_key(table: Any, candidate: str, shards: int, rng: random.Random) -> None:
        table.update_item(
            Key={"PK": f"CANDIDATE#{candidate}", "SK": f"VOTES#{rng.randrange(shards):02}"},
            UpdateExpression="ADD votes :one",
            ExpressionAttributeValues={":one": 1},
        )

    card = open_lab("08").check("8.1", on_one_key)
    assert "8.1 vote · incorrect" in repr(card)
    assert "CANDIDATE#ada" in repr(card) and " hot" in repr(card)
    assert "<figure>" in card._repr_html_()
