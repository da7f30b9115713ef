"""The tables of an open lab: made anew, handed out as boto3's Table, and looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from dynalab.backends.carried import carried
from dynalab.backends.own_tables import described, has_tag, made, names_of_tables, removed
from dynalab.backends.silence import silence
from dynalab.check import TableDefinitions
from dynalab.course import CourseError
from dynalab.engine.connect import Connection, NoEndpoint
from dynalab.engine.engine import Store
from dynalab.schedules.outcome import items_of
from dynalab.views.items import Items, TableItems


class LabTables:
    """The tables that one lab defines, on one connection, as this boto3 resource sees them."""

    def __init__(
        self, label: str, definitions: TableDefinitions, connection: Connection, dynamodb: Any
    ) -> None:
        self._label = label
        self._definitions = definitions
        self._connection = connection
        self._dynamodb = dynamodb
        self._client: Any = connection.client()  # nobody's meter watches it
        self._looks: Items | None = None
        self.shared: str | None = None  # a sentence, where another lab has such tables too

    def make(self) -> None:
        """Makes each table anew, and empty. Raises NoEndpoint where nobody answers.

        On a server, what an earlier run of the lab has left goes too; nobody else's tables have
        such names.
        """
        client = self._client
        try:
            there = names_of_tables(client)
        except (BotoCoreError, ClientError) as error:
            raise NoEndpoint(silence(self._connection, error)) from None
        if self._connection.embedded:
            there = [name for name in there if name in self._definitions]
        self._refuse_strangers(there)
        self.shared = self._shared_with_another_lab(there)
        for name in there:
            removed(client, name)
        for name, definition in self._definitions.items():
            made(client, name, definition)

    def _shared_with_another_lab(self, there: list[str]) -> str | None:
        owners = self._connection.owners
        mine = [name for name in self._definitions if name in there]
        others = sorted(
            {owners[name] for name in mine if owners.get(name) not in (None, self._label)}
        )
        owners.update(dict.fromkeys(self._definitions, self._label))
        if not others:
            return None
        return (
            f"Lab {' and '.join(others)} is open in this kernel too and loses its tables "
            f"{', '.join(mine)} to this one; give each lab a notebook of its own."
        )

    def _refuse_strangers(self, names: list[str]) -> None:
        """At AWS a table that no lab made stays, whatever it is called."""
        if not self._connection.destination.aws or self._connection.names is None:
            return
        for name in names:
            table = described(self._client, name)
            if table is not None and not has_tag(self._client, table):
                raise NoEndpoint(
                    f"The table {self._connection.names.prefix}{name} has no tag DynaLab, so it "
                    "is not the lab's; set DYNALAB_USER to another name, or rename the table."
                )

    @contextmanager
    def here(self, *, back: bool = False) -> Iterator[Store]:
        """The tables as they are now, in the embedded engine for a block; yields its store.

        back: whether what the block changed is kept.
        """
        connection = self._connection
        if connection.answers_all:
            yield connection.engine.store
        else:
            with carried(connection, self._client, back=back) as store:
                yield store

    def table(self, name: str) -> Any:
        """The table as boto3 gives it. Raises CourseError where the lab has no such table."""
        if name not in self._definitions:
            known = ", ".join(self._definitions)
            raise CourseError(f"Lab {self._label} has no table {name!r}; it has {known}.")
        return self._dynamodb.Table(name)

    def look(self, names: tuple[str, ...]) -> Items:
        """The items of these tables, or of all; what changed since the last look is marked."""
        wanted = names or tuple(self._definitions)
        for name in wanted:
            self.table(name)
        with self.here() as store:
            self._looks = Items(
                {name: self._items(store, name) for name in wanted}, before=self._looks
            )
        return self._looks

    def _items(self, store: Store, name: str) -> TableItems:
        keys = [each["AttributeName"] for each in self._definitions[name]["KeySchema"]]
        return TableItems.of(keys, items_of(store, name))
