"""One open lab: its tables, its meter, its checks, and what they look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from dynalab import course, drawn, exercises
from dynalab.backends.entry import enter
from dynalab.backends.lacking import lacking
from dynalab.engine.connect import connect
from dynalab.engine.partitions import partitioned
from dynalab.engine.prices import ON_DEMAND, dollars
from dynalab.lab_tables import LabTables
from dynalab.meter import Meter
from dynalab.schedules.outcome import Outcome
from dynalab.storm import storm
from dynalab.trial import NotAttempted, attempted
from dynalab.tutor import Tutor
from dynalab.views.bill import Bill
from dynalab.views.card import Card
from dynalab.views.display import display
from dynalab.views.head import Head, Note
from dynalab.views.heatmap import HeatMap
from dynalab.views.items import Items
from dynalab.views.progress_bar import ProgressBar
from dynalab.views.quiz import Quiz
from dynalab.views.stepper import Stepper
from dynalab.views.storm_report import StormReport
from dynalab.views.timeline import Timeline

_UNWRITTEN = "The function is not written yet: write it, run its cell, then this one."
_PRICES = f"{ON_DEMAND.region} {ON_DEMAND.mode}, prices of {ON_DEMAND.since:%Y-%m}"


def open_lab(number: int | str) -> Lab:
    """Opens a lab: "01", 1 or "01_count_on_read". Its tables are made anew, and empty.

    Raises CourseError for a lab that there is not, and NoEndpoint where the endpoint of
    DYNALAB_ENDPOINT does not answer or AWS is not agreed to; each is one sentence.
    """
    lab = Lab(course.load().lab(number))
    display(lab.head())
    return lab


class Lab:
    """A lab as a notebook uses it. `dynamodb` and `client` are boto3's own."""

    def __init__(self, entry: course.Lab) -> None:
        module = exercises.load(entry.label)
        self._connection = connection = connect()
        self._tutor = Tutor(entry, module)
        enter(connection, entry.label, module.TABLES)
        self.dynamodb: Any = connection.resource()
        self.client: Any = connection.client()
        self._tables = LabTables(entry.label, module.TABLES, connection, self.dynamodb)
        self._meter = Meter()
        if connection.embedded:
            self._meter.attach(connection.engine.store)
        else:
            for client in (self.dynamodb.meta.client, self.client):
                self._meter.watch(client, unless=lambda: connection.embedded_only)
        self._tables.make()
        self._lacking = lacking(connection, self.client, entry.label, module.TABLES)

    def head(self) -> Head:
        """The lab's number and title, its exercises with their state, the engine."""
        said = " ".join(filter(None, [self._tables.shared, self._lacking]))
        return self._tutor.head(self._connection.describe(), said)

    # --- tables ---------------------------------------------------------------------------

    def table(self, name: str) -> Any:
        """The lab's table as a boto3 Table. Raises CourseError where the lab has no such table."""
        return self._tables.table(name)

    def show(self, *names: str) -> Items:
        """The items of the lab's tables, or of those named; what changed since the last look."""
        return self._tables.look(names)

    # --- bills -----------------------------------------------------------------------------

    @contextmanager
    def meter(self, per: str = "page view") -> Iterator[Bill]:
        """The bill of a block: `with lab.meter() as bill: …`, then `bill`.

        A block that meets a function which is not written yet ends there, quietly, so that an
        unsolved lab runs to its end; the bill says so.
        """
        with self._meter.recording() as charges:
            bill = Bill(charges, dollars, _PRICES, per=per)
            try:
                yield bill
            except NotImplementedError:
                bill.nothing = _UNWRITTEN

    # --- time --------------------------------------------------------------------------------

    def advance(self, seconds: float) -> Note:
        """Moves the embedded engine's clock on, without waiting. Raises ValueError below 0."""
        if not self._connection.embedded:
            return Note(f"Nobody can move the clock of {self._connection.endpoint}; wait for it.")
        self._connection.engine.store.clock.advance(seconds)
        return Note(f"The engine's clock is {seconds:g} seconds further on.")

    # --- streams -----------------------------------------------------------------------------

    def split_shard(self, name: str, into: int = 1) -> Note:
        """Closes each open shard of a table's stream, as DynamoDB does every few hours.

        into: how many children each of them gets; 2 is what the split of a partition does.
        """
        self.table(name)
        if not self._connection.embedded:
            return Note(f"Nobody can split a shard of {self._connection.endpoint}; wait for it.")
        stream = self._connection.engine.store.backend.table(name).shards
        if stream is None:
            return Note(f"{name} has no stream, so it has no shards.")
        stream.split(into)
        shards = stream.shards
        return Note(
            f"The stream of {name} has {sum(shard.closed for shard in shards)} closed and "
            f"{sum(not shard.closed for shard in shards)} open shards now."
        )

    # --- partitions --------------------------------------------------------------------------

    @contextmanager
    def partitions(
        self, scale: float = 100, spread: Mapping[str, int] | None = None
    ) -> Iterator[HeatMap]:
        """Partitions that serve so much and no more, for a block; their heat map, then `heat`.

        scale, spread: as for Partitions of dynalab.engine.partitions. The engine's clock stands
        still, but for what boto3 sleeps and for storms.
        """
        engine = self._connection.engine
        with (
            self._here(),
            partitioned(engine, scale, spread) as traffic,
            suppress(NotImplementedError),
        ):
            yield HeatMap(traffic)

    def storm(
        self, table: str, call: Callable[[Any], Any], *, calls: int, per_second: float
    ) -> StormReport | Note:
        """Calls `call(table)` so often, so many a second, each as a client that waits by itself.

        They share one boto3 client, made for this storm, so boto3's retries start afresh.
        """
        fresh = self._connection.resource().Table(table)
        bar = ProgressBar(calls, "call")
        display(bar)
        try:
            with self._here():
                return StormReport(
                    storm(
                        self._connection.engine,
                        lambda: call(fresh),
                        calls=calls,
                        per_second=per_second,
                        progress=bar.move_to,
                    )
                )
        except NotImplementedError:
            return Note(_UNWRITTEN)

    @contextmanager
    def _here(self) -> Iterator[None]:
        """The embedded engine for a block, wherever the tables are; what it writes is kept."""
        with self._tables.here(back=True) as store:
            if not store.listeners:  # carried over for this block
                self._meter.attach(store)
            yield

    # --- exercises and predictions ---------------------------------------------------------

    def check(self, exercise_id: str, answer: object) -> Card | Note:
        """Checks an answer and gives the card with the verdict. Never raises for an answer."""
        return self._tutor.check(exercise_id, answer)

    def hint(self, exercise_id: str) -> Note:
        """The hints so far, and the next one."""
        return self._tutor.hint(exercise_id)

    def solution(self, exercise_id: str) -> Note:
        """One way to write it: after success, or from the third try on."""
        return self._tutor.solution(exercise_id)

    def predict(
        self, number: str, question: str, options: Sequence[str], answer: str | None = None
    ) -> Quiz | Note:
        """Asks before you run: pick an option, or give it as `answer`. It stays on this machine."""
        return self._tutor.predict(number, question, options, answer)

    def predicted(self, number: str, measured: object) -> Note:
        """What you predicted, beside what was measured; None where there was nothing to measure."""
        if measured is None:
            return Note(_UNWRITTEN)
        return self._tutor.predicted(number, measured)

    # --- schedules ------------------------------------------------------------------------------

    def explore(
        self,
        clients: Mapping[str, Callable[[], Any]],
        invariant: Callable[[Outcome], Any],
        recover: Callable[[], Any] | None = None,
        **options: Any,
    ) -> Timeline | Note:
        """Every order of the clients' requests, drawn; the options are those of dynalab.explore.

        A note in its place where a client calls a function that is not written yet.
        """
        try:
            with self._tables.here():
                timeline = drawn.explore(clients, attempted(invariant), recover, **options)
        except NotAttempted:
            return Note(_UNWRITTEN)
        if timeline.searched is not None and timeline.searched.failure is not None:
            self._tutor.failure = timeline.searched.failure
        return timeline

    def replay(self, schedule: str | None = None) -> Stepper | Note:
        """Steps through the schedule that the last check or search drew, its items beside it.

        schedule: its text, as the card shows it. To replay with functions of your own, use
        `dynalab.replay`.
        """
        failure = self._tutor.failure
        if failure is None or schedule not in (None, failure.text):
            last = "no schedule failed yet" if failure is None else f"the last was {failure.text!r}"
            return Note(
                f"There is no {schedule or 'schedule'} to step through ({last}); "
                "run the check or the search again, or use dynalab.replay."
            )
        return Stepper(failure)
