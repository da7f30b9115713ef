"""A storm of votes through boto3, 5,000 unless told: python -m tests.bench.storm [N]

Prints how long it takes on one candidate and on ten shards, with the partition model on, and
what the same calls take one after the other without it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import boto3

from dynalab.engine.connect import connect
from dynalab.engine.partitions import partitioned
from dynalab.storm import storm


def votes_on(shards: int) -> Callable[[], Any]:
    table: Any = boto3.resource("dynamodb").Table("Votes")
    rng = random.Random(7)

    def vote() -> None:
        table.update_item(
            Key={"PK": f"CANDIDATE#ada#{rng.randrange(shards):02}"},
            UpdateExpression="ADD votes :one",
            ExpressionAttributeValues={":one": 1},
        )

    return vote


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    engine = connect().engine
    boto3.client("dynamodb").create_table(
        TableName="Votes",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    vote = votes_on(10)
    began = time.perf_counter()
    for _ in range(calls):
        vote()
    took = time.perf_counter() - began
    print(f"{calls:,} votes one after the other, no partitions: {took:.1f} s")
    for shards in (1, 10):
        began = time.perf_counter()
        with partitioned(engine, 100):
            result = storm(engine, votes_on(shards), calls=calls, per_second=80)
        took = time.perf_counter() - began
        print(
            f"{calls:,} votes, 80 a second, {shards} shards: {took:.1f} s; {result.succeeded:,} "
            f"counted, {result.retries:,} retries, {result.seconds:.0f} s of the engine's clock"
        )


if __name__ == "__main__":
    main()
