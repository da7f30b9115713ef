"""What `dynalab clean` deletes on a server, and what it leaves there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dynalab.backends.own_tables import described, has_own_name, has_tag, names_of_tables, removed
from dynalab.engine.connect import Connection
from dynalab.engine.table_names import TableNames


@dataclass(frozen=True)
class Found:
    """own: this user's tables of labs. left: names like those, and why they stay. others: a count.

    All names are the server's.
    """

    own: list[str]
    left: dict[str, str]
    others: int


def look(connection: Connection, client: Any) -> Found:
    """Looks through the server's tables. At AWS a table is DynaLab's by its name and its tag."""
    connection.names = TableNames()  # every table, by the name that it has there
    names = names_of_tables(client)
    own, left = [], {}
    for name in names:
        if not name.startswith("dynalab-"):
            continue
        table = described(client, name) if has_own_name(name) else None
        if not has_own_name(name):
            left[name] = "not a table of yours"
        elif table is not None and connection.destination.aws and not has_tag(client, table):
            left[name] = "no tag DynaLab, so no lab made it"
        elif table is not None:
            own.append(name)
    return Found(own, left, len(names) - len(own) - len(left))


def delete(client: Any, name: str) -> None:
    """Deletes one of the tables that `look` found to be the user's own."""
    assert has_own_name(name)
    removed(client, name)
