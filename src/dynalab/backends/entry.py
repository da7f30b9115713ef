"""How a lab comes to a server: the question where it costs, and names that are nobody else's."""

from __future__ import annotations

from collections.abc import Collection

from dynalab.backends.consent import agree
from dynalab.backends.own_tables import TAG, prefix_of
from dynalab.engine.connect import Connection
from dynalab.engine.table_names import TableNames


def enter(connection: Connection, label: str, tables: Collection[str]) -> None:
    """Lets a lab's requests through to where DYNALAB_ENDPOINT or DYNALAB_AWS leads.

    Its tables are called dynalab-<user>-<lab>-<name> there, whatever the notebook calls them, so
    that a table of somebody's own is never met. Raises NoEndpoint where the learner does not agree.
    """
    if connection.embedded:
        return
    names = TableNames(prefix_of(label), (TAG, label))
    if connection.destination.aws:
        agree(connection, label, [names.prefix + table for table in tables])
    connection.names = names
