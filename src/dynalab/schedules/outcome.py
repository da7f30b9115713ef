"""What a run left behind: the items, and how each client ended."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boto3.dynamodb.types import TypeDeserializer

from dynalab.engine.engine import Store
from dynalab.engine.tables import Item
from dynalab.engine.values import Wire
from dynalab.schedules.run import Run

_DESERIALIZER = TypeDeserializer()
_SAID = 300  # characters of what an invariant says


@dataclass(frozen=True)
class Outcome:
    """The end of one schedule, as an invariant sees it.

    tables: every table's items, as plain Python values, ordered by key.
    returned: what each client returned, an iterator as a list; a client that died or raised is not
    in it.
    raised: the exceptions that clients let out. died: the clients that died.
    The recovery is the client "R".
    """

    tables: Mapping[str, list[dict[str, Any]]]
    returned: Mapping[str, Any]
    raised: Mapping[str, BaseException]
    died: tuple[str, ...]

    @classmethod
    def of(cls, run: Run, plain: PlainItems) -> Outcome:
        """What a run left that is over."""
        clients = run.clients.values()
        whole = [c for c in clients if c.place.raised is None and not c.died and c.pending is None]
        return cls(
            ItemsByTable(run.store.copy(), plain),
            {client.name: _own(client.place.returned) for client in whole},
            {c.name: c.place.raised for c in clients if c.place.raised is not None},
            tuple(client.name for client in clients if client.died),
        )

    def items(self, table: str) -> list[dict[str, Any]]:
        """The items of one table."""
        return self.tables[table]

    def item(self, table: str, **key: Any) -> dict[str, Any] | None:
        """The item with these key attributes, or None."""
        for item in self.tables[table]:
            if all(item.get(name) == value for name, value in key.items()):
                return item
        return None


def _own(returned: Any) -> Any:
    """A copy of a container: many schedules end with the same one, and an invariant may sort it."""
    return copy.deepcopy(returned) if isinstance(returned, list | dict | set) else returned


def plain_item(wire: Wire) -> dict[str, Any]:
    """An item as boto3's Table gives it."""
    return {name: _DESERIALIZER.deserialize(_bytes_in(value)) for name, value in wire.items()}


def _bytes_in(value: Any) -> Any:
    """The value with base64 text made bytes, as botocore hands it to the deserializer."""
    [(kind, inner)] = value.items()
    if kind == "B":
        return {"B": base64.b64decode(inner)}
    if kind == "BS":
        return {"BS": [base64.b64decode(each) for each in inner]}
    if kind == "L":
        return {"L": [_bytes_in(each) for each in inner]}
    if kind == "M":
        return {"M": {name: _bytes_in(each) for name, each in inner.items()}}
    return value


def items_of(store: Store, name: str) -> list[dict[str, Any]]:
    """All items of a table in a store, ordered by key, as plain Python values."""
    return PlainItems().of(store, name)


class PlainItems:
    """Items as boto3's Table gives them; one without lists, maps and sets is made once.

    What is handed out is the taker's own.
    """

    def __init__(self) -> None:
        self._made: dict[Item, dict[str, Any]] = {}

    def of(self, store: Store, name: str) -> list[dict[str, Any]]:
        """All items of a table, ordered by key."""
        stored = store.backend.table(name).stored
        return [self._plain(stored[key]) for key in sorted(stored)]

    def _plain(self, item: Item) -> dict[str, Any]:
        made = self._made.get(item)
        if made is not None:
            return dict(made)
        made = plain_item(item.wire)
        if not any(isinstance(value, list | dict | set) for value in made.values()):
            self._made[item] = dict(made)
        return made


class ItemsByTable(Mapping[str, list[dict[str, Any]]]):
    """The items of every table in a store, which stays as it is; made when they are looked at."""

    def __init__(self, store: Store, plain: PlainItems) -> None:
        self._store = store
        self._plain = plain
        self._seen: dict[str, list[dict[str, Any]]] = {}

    def __getitem__(self, name: str) -> list[dict[str, Any]]:
        if name not in self._store.backend.tables:
            raise KeyError(name)
        if name not in self._seen:
            self._seen[name] = self._plain.of(self._store, name)
        return self._seen[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.backend.tables)

    def __len__(self) -> int:
        return len(self._store.backend.tables)

    def __repr__(self) -> str:
        return repr(dict(self))


def verdict(invariant: Callable[[Outcome], Any], outcome: Outcome) -> str | None:
    """What is broken, as a sentence; None where the invariant holds.

    An invariant holds when it returns True or None. It is broken when it returns a sentence
    or False, or fails an assertion.
    """
    try:
        answer = invariant(outcome)
    except AssertionError as error:
        answer = str(error).partition("\n")[0]  # pytest adds lines of its own
    if answer is None or answer is True:
        return None
    if isinstance(answer, str) and answer:
        return answer[:_SAID]
    return "the invariant does not hold"
