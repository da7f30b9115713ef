"""What a check works with: tables of its own, bounded calls, bills, and schedules."""

from __future__ import annotations

import copy
import functools
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dynalab.bounded_call import BoundedCall
from dynalab.engine.connect import Connection, connect
from dynalab.engine.engine import Engine
from dynalab.engine.partitions import Partitions, partitioned
from dynalab.engine.tables import Table
from dynalab.engine.transactions import Tokens
from dynalab.meter import Charge, Meter
from dynalab.schedules.ending import Stopped, Unfit
from dynalab.schedules.exploration import Exploration, explore
from dynalab.schedules.outcome import Outcome, items_of
from dynalab.storm import Storm, Stuck, storm
from dynalab.telling import advice, call_text, told


class Refused(Exception):
    """The answer is wrong. seen: what was done and what came of it. ask: a question or a next step.

    picture: something that a view can draw, an Exploration for one.
    """

    def __init__(self, seen: str, ask: str = "", picture: object | None = None) -> None:
        super().__init__(seen)
        self.seen = seen
        self.ask = ask
        self.picture = picture


class NotAttempted(Exception):
    """The stub raised NotImplementedError."""


@dataclass(frozen=True)
class Attempt:
    """How a call ended: what it returned, or the exception that it let out."""

    text: str
    returned: Any
    raised: BaseException | None

    def raised_name(self) -> str | None:
        """The name of the exception's class, by which a notebook's own ones are known."""
        return None if self.raised is None else type(self.raised).__name__


def attempted(invariant: Callable[[Outcome], Any]) -> Callable[[Outcome], Any]:
    """The invariant, but for NotAttempted where a client met a stub."""

    def asked(outcome: Outcome) -> Any:
        if any(isinstance(error, NotImplementedError) for error in outcome.raised.values()):
            raise NotAttempted
        return invariant(outcome)

    return asked


class Trial:
    """Runs a learner's function under watch, on tables that nobody else sees."""

    def __init__(
        self, connection: Connection, definitions: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._connection = connection
        self._definitions = definitions
        self._meter = Meter()
        self._meter.attach(connection.engine.store)
        self.clock = connection.engine.store.clock

    @functools.cached_property
    def dynamodb(self) -> Any:
        """boto3's resource, with a client of its own, whose retries begin afresh."""
        return self._connection.resource()

    def table(self, name: str) -> Any:
        """A boto3 Table of the lab's definition: made empty, or emptied.

        A scenario begins with it, so the tokens of the one before are forgotten too.
        """
        store = self._connection.engine.store
        store.tokens = Tokens()
        store.backend.tables[name] = _empty(name, json.dumps(self._definitions[name])).copy()
        return _table_class()(name, client=self.dynamodb.meta.client)

    def items(self, name: str) -> list[dict[str, Any]]:
        """Everything that a table holds, ordered by key, without a request."""
        return items_of(self._connection.engine.store, name)

    def item(self, name: str, **key: Any) -> dict[str, Any] | None:
        """The item with these key attributes, or None, without a request."""
        for item in self.items(name):
            if all(item.get(attribute) == value for attribute, value in key.items()):
                return item
        return None

    def split_shard(self, name: str, into: int = 1) -> None:
        """Closes each open shard of a table's stream; each of them gets so many children."""
        stream = self._connection.engine.store.backend.table(name).shards
        assert stream is not None, f"{name} has no stream"
        stream.split(into)

    @contextmanager
    def bill(self) -> Iterator[list[Charge]]:
        """The charges of a block."""
        with self._meter.recording() as charges:
            yield charges

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """What the function returns; Refused, in a sentence, where it raises."""
        attempt = self.attempt(function, *arguments, **options)
        if attempt.raised is not None:
            raise Refused(f"{attempt.text} raised {told(attempt.raised)}", advice(attempt.raised))
        return attempt.returned

    def attempt(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Attempt:
        """Calls the function; NotAttempted for a stub, Refused where it cannot be called so,
        never ends, or changes what it was given."""
        text = call_text(function, arguments, options)
        _refuse_signature(function, arguments, options, text)
        given = _copies(arguments, options)
        worker = BoundedCall(self._connection, lambda: function(*arguments, **options))
        worker.run()
        if isinstance(worker.raised, NotImplementedError):
            raise NotAttempted
        if isinstance(worker.raised, Stopped):
            raise Refused(f"{text} was stopped: {worker.raised}", worker.question)
        if given != _copies(arguments, options):
            raise Refused(
                f"{text} changed what it was given.",
                "The caller still uses it: can you work on a copy?",
            )
        return Attempt(text, worker.returned, worker.raised)

    def explore(
        self,
        clients: Mapping[str, Callable[[], Any]],
        invariant: Callable[[Outcome], Any],
        recover: Callable[[], Any] | None = None,
        **branches: Any,
    ) -> Exploration:
        """Every schedule of the clients, from the tables as they are now."""
        try:
            return explore(clients, attempted(invariant), recover, **branches)
        except Unfit as unfit:
            raise Refused(str(unfit)) from None

    def hold(self, exploration: Exploration, situation: str, ask: str) -> str:
        """The evidence where no schedule fails; Refused with the shortest one where any does."""
        failure = exploration.failure
        if failure is None:
            return exploration.extent()
        some = "1 breaks" if exploration.failing == 1 else f"{exploration.failing:,} break"
        raise Refused(
            f"{situation}: {exploration.extent()}, {some}. {_sentence(failure.broken)}",
            ask,
            exploration,
        )

    def storm(
        self, call: Callable[[], Any], *, calls: int, per_second: float
    ) -> tuple[Storm, Partitions]:
        """Many calls at once, and their traffic; a partition serves ten write units a second.

        The traffic is a picture for Refused. Call the function plainly before: this has no bound.
        """
        engine = self._connection.engine
        with partitioned(engine, 100) as traffic:
            try:
                return storm(engine, call, calls=calls, per_second=per_second), traffic
            except Stuck as stuck:
                raise Refused(str(stuck)) from None


@functools.cache
def _empty(name: str, definition: str) -> Table:
    """The table of a definition in JSON. A copy of it takes a hundredth of what making it does."""
    engine = Engine()
    reply = engine.answer("CreateTable", {"TableName": name, **json.loads(definition)})
    assert reply.status == 200, reply.body
    return engine.store.backend.table(name)


@functools.cache
def _table_class() -> type[Any]:
    """boto3's class of a Table, which a resource makes anew for each table that it is asked for."""
    return type(connect().resource().Table("Any"))


def _sentence(broken: str | None) -> str:
    text = broken or ""
    return f"The first: {text}" if text else ""


def _refuse_signature(
    function: Callable[..., Any], arguments: Any, options: Any, text: str
) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments, **options)
    except TypeError:
        taken = ", ".join(signature.parameters)
        raise Refused(
            f"The check calls {text}, and your function takes ({taken}).",
            "Keep the parameters of the task.",
        ) from None


def _copies(arguments: Any, options: Any) -> list[Any]:
    """Copies of the lists, dicts and sets among arguments, to see whether they were changed."""
    values = [*arguments, *options.values()]
    return [copy.deepcopy(v) for v in values if isinstance(v, list | dict | set)]
