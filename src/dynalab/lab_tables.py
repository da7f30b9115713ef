"""The tables of an open lab: made anew, handed out as boto3's Table, and looked at."""

from __future__ import annotations

from typing import Any

from dynalab.check import TableDefinitions
from dynalab.course import CourseError
from dynalab.engine.connect import Connection, NoEndpoint
from dynalab.schedules.outcome import items_of
from dynalab.views.items import Items, TableItems


class LabTables:
    """The tables that one lab defines, on one connection."""

    def __init__(self, label: str, definitions: TableDefinitions, connection: Connection) -> None:
        self._label = label
        self._definitions = definitions
        self._connection = connection
        self._dynamodb: Any = connection.resource()
        self._looks: Items | None = None

    def make(self) -> None:
        """Makes each table anew, and empty. Raises NoEndpoint where nobody answers."""
        client = self._dynamodb.meta.client
        try:
            there = client.list_tables()["TableNames"]
        except Exception as error:
            raise NoEndpoint(
                f"No DynamoDB answers at {self._connection.endpoint} ({type(error).__name__}); "
                "start it, or unset DYNALAB_ENDPOINT."
            ) from None
        for name, definition in self._definitions.items():
            if name in there:
                client.delete_table(TableName=name)
                client.get_waiter("table_not_exists").wait(TableName=name)
            client.create_table(TableName=name, **definition)
            client.get_waiter("table_exists").wait(TableName=name)

    def table(self, name: str) -> Any:
        """The table as boto3 gives it. Raises CourseError where the lab has no such table."""
        if name not in self._definitions:
            known = ", ".join(self._definitions)
            raise CourseError(f"Lab {self._label} has no table {name!r}; it has {known}.")
        return self._dynamodb.Table(name)

    def look(self, names: tuple[str, ...]) -> Items:
        """The items of these tables, or of all; what changed since the last look is marked."""
        wanted = names or tuple(self._definitions)
        self._looks = Items({name: self._items(name) for name in wanted}, before=self._looks)
        return self._looks

    def _items(self, name: str) -> TableItems:
        table = self.table(name)
        keys = [each["AttributeName"] for each in self._definitions[name]["KeySchema"]]
        store = self._connection.engine.store
        embedded = self._connection.embedded
        found = items_of(store, name) if embedded else table.scan()["Items"]
        return TableItems(keys[0], keys[1] if len(keys) > 1 else None, found)
