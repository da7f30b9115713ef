"""The time to the first item read in a fresh kernel, with open_lab and with bare boto3 + moto."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

_ROUNDS = 9

# IPython is there before the first cell of a notebook runs.
_KERNEL = """
import sys, time
import IPython.core.interactiveshell

start = time.process_time()
"""
# What a notebook does first: the imports, the table, one item put, one item read.
_LAB = """
from dynalab.lab import open_lab

lab = open_lab("01")
table = lab.dynamodb.Table("Social")
"""
_MOTO = """
import boto3
from moto import mock_aws

mock_aws().start()
table = boto3.resource("dynamodb").create_table(
    TableName="Social",
    KeySchema=[
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    AttributeDefinitions=[
        {"AttributeName": "PK", "AttributeType": "S"},
        {"AttributeName": "SK", "AttributeType": "S"},
    ],
    BillingMode="PAY_PER_REQUEST",
)
"""
_READ = """
key = {"PK": "POST#1", "SK": "META"}
table.put_item(Item={**key, "title": "Hello"})
assert table.get_item(Key=key)["Item"]["title"] == "Hello"
print(time.process_time() - start, file=sys.stderr)
"""


def _seconds(script: str, progress: Path) -> float:
    """CPU seconds that this script takes in a fresh Python."""
    environment = {
        **os.environ,
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-east-1",
        "DYNALAB_PROGRESS": str(progress),
    }
    done = subprocess.run(
        [sys.executable, "-c", _KERNEL + script + _READ],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return float(done.stderr.splitlines()[-1])


def ratio() -> float:
    """The median of the lab's seconds over the median of bare boto3's and moto's."""
    labs: list[float] = []
    motos: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(_ROUNDS):
            for script, seconds in ((_LAB, labs), (_MOTO, motos)):
                seconds.append(_seconds(script, Path(folder) / "progress.json"))
    return median(labs) / median(motos)
