"""Streams as labs use them: shards that split, a reader among the clients of a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from dynalab import open_lab
from dynalab.check import Exercise, Passed, judge
from dynalab.exercises.tables import PK_SK
from dynalab.schedules.exploration import explore, replay
from dynalab.trial import Trial
from tests.worlds import KEY, social, write

STREAM = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}}


@pytest.fixture
def table() -> Iterator[Any]:
    with social({**KEY, "likeTally": 0}, **STREAM) as made:
        yield made


def shards_of(streams: Any, arn: str) -> list[dict[str, Any]]:
    return list(streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"])


def reader(table: Any) -> Any:
    """A client that returns how many records the first shard holds."""
    streams, arn = boto3.client("dynamodbstreams"), table.latest_stream_arn

    def read() -> int:
        iterator = streams.get_shard_iterator(
            StreamArn=arn,
            ShardId=shards_of(streams, arn)[0]["ShardId"],
            ShardIteratorType="TRIM_HORIZON",
        )["ShardIterator"]
        return len(streams.get_records(ShardIterator=iterator)["Records"])

    return read


def test_a_reader_of_a_stream_sees_what_others_wrote_before(table: Any) -> None:
    found = set()
    explore(
        {"A": reader(table), "B": lambda: write(table, 1)},
        lambda outcome: found.add(outcome.returned["A"]),
    )
    assert found == {1, 2}


def test_a_reader_of_a_stream_can_die_and_its_requests_change_nothing(table: Any) -> None:
    read = reader(table)
    searched = explore({"A": read}, lambda outcome: None, crash=True, lost=True, late=True)
    assert searched.schedules == 4  # no read is lost or late: three deaths, or none


def test_a_read_of_a_stream_tells_how_many_records_it_found(table: Any) -> None:
    def write_and_read() -> None:
        write(table, 1)
        read()

    read = reader(table)
    told = [str(words) for words in replay("", {"A": write_and_read}).words()]
    assert told == [
        "UpdateItem META  likeTally = 1",
        "DescribeStream",
        "GetShardIterator",
        "GetRecords  2 records",
    ]


def test_a_check_can_split_the_shards_of_its_tables() -> None:
    def check(answer: Any, trial: Trial) -> Passed:
        arn = trial.table("Votes").latest_stream_arn
        trial.split_shard("Votes", into=2)
        trial.split_shard("Votes")
        parents = [
            shard.get("ParentShardId", "none")[-1:]
            for shard in shards_of(boto3.client("dynamodbstreams"), arn)
        ]
        return Passed(" ".join(parents))

    verdict = judge(Exercise("9.9", check, (), ""), len, {"Votes": {**PK_SK, **STREAM}})
    assert verdict.lines == ("e 1 1 2 3",)


def test_a_lab_splits_a_shard_and_says_what_is_there_now(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lab = open_lab("13")
    assert "1 closed and 2 open shards" in repr(lab.split_shard("Ballots", into=2))
    assert "3 closed and 2 open shards" in repr(lab.split_shard("Ballots"))
    assert "Results has no stream" in repr(lab.split_shard("Results"))
