"""What is said and asked before anything is made at AWS: account, region, tables, cost."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from dynalab.engine.connect import Connection, NoEndpoint
from dynalab.engine.prices import ON_DEMAND, dollars

# What a run of any lab stays below, from its first cell to its last, checks apart: they run on the
# embedded engine. A test runs each of them and counts.
MOST_READ_UNITS = 10_000
MOST_WRITE_UNITS = 30_000

_agreed: set[str] = set()  # the labs that this process may make tables for
_PATIENCE = Config(connect_timeout=3, read_timeout=3, retries={"total_max_attempts": 1})


def agree(connection: Connection, label: str, tables: Collection[str]) -> None:
    """Asks once a process and lab whether to go on. Raises NoEndpoint unless the answer is yes.

    DYNALAB_YES=1 answers it, for machines.
    """
    if label in _agreed:
        return
    connection.place = place()
    if os.environ.get("DYNALAB_YES") != "1":
        _ask(question(connection.place, label, tables))
    _agreed.add(label)


def place() -> str:
    """The account and the region that a boto3 client would use, in words.

    Raises NoEndpoint, in a sentence, where the settings of AWS do not lead to any.
    """
    import boto3

    try:
        session = boto3.session.Session()
        credentials = session.get_credentials()
    except BotoCoreError as error:
        raise NoEndpoint(f"AWS cannot be used: {error}; see AWS_PROFILE.") from None
    if credentials is None:
        raise NoEndpoint("There are no credentials for AWS; set AWS_PROFILE, or unset DYNALAB_AWS.")
    if session.region_name is None:
        raise NoEndpoint("There is no region for AWS; set AWS_DEFAULT_REGION to one.")
    account = _account(session)
    where = f"account {account}" if account else "an account that did not tell its number"
    return f"AWS, {where}, region {session.region_name}"


def _account(session: Any) -> str | None:
    """The account's number, from whoever tells it: STS asks for no permission."""
    try:
        return str(session.client("sts", config=_PATIENCE).get_caller_identity()["Account"])
    except (BotoCoreError, ClientError, KeyError):
        known = session.get_credentials().account_id
        return None if known is None else str(known)


def question(where: str, label: str, tables: Collection[str]) -> str:
    """What is asked, in words."""
    most = dollars(MOST_READ_UNITS, MOST_WRITE_UNITS)
    made = "makes the table" if len(tables) == 1 else "makes anew the tables"
    return (
        f"Lab {label} {made} {', '.join(tables)} in {where}: on demand, below {most:.2f} dollars "
        f"a run at the prices of {ON_DEMAND.region}, {ON_DEMAND.since:%Y-%m}. "
        "`dynalab clean` removes what is left. Go on? [y/N] "
    )


def _ask(text: str) -> None:
    try:
        answer = input(text)
    except (EOFError, OSError, NotImplementedError):  # no terminal, and a kernel that cannot ask
        raise NoEndpoint(
            "Nobody can answer here whether to use AWS, so nothing was made; set DYNALAB_YES=1 if "
            "you want that, or unset DYNALAB_AWS."
        ) from None
    if answer.strip().lower() not in ("y", "yes"):
        raise NoEndpoint("Nothing was made at AWS; unset DYNALAB_AWS for the embedded engine.")
