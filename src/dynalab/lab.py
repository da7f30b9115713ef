"""One open lab: its tables, its meter, its checks, and what they look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from dynalab import course, exercises
from dynalab.check import Exercise, Verdict, judge
from dynalab.course import CourseError, ExerciseEntry
from dynalab.engine.connect import NoEndpoint, connect
from dynalab.engine.partitions import Partitions, partitioned
from dynalab.engine.prices import ON_DEMAND, dollars
from dynalab.explore import explore as explored
from dynalab.explore import replay as replayed
from dynalab.meter import Meter
from dynalab.outcome import Outcome, items_of
from dynalab.progress import Progress
from dynalab.storm import storm
from dynalab.trial import NotAttempted
from dynalab.views.bill import Bill
from dynalab.views.card import Card
from dynalab.views.head import Head, Note
from dynalab.views.heatmap import HeatMap
from dynalab.views.items import Items, TableItems
from dynalab.views.progress_bar import ProgressBar
from dynalab.views.quiz import Quiz
from dynalab.views.storm_report import StormReport

_TRIES_BEFORE_SOLUTION = 3
_UNWRITTEN = "The function is not written yet: write it, run its cell, then this one."
_PRICES = f"{ON_DEMAND.region} {ON_DEMAND.mode}, prices of {ON_DEMAND.since:%Y-%m}"


def open_lab(number: int | str) -> Lab:
    """Opens a lab: "01", 1 or "01_count_on_read". Its tables are made anew, and empty.

    Raises CourseError for a lab that there is not, and NoEndpoint where the endpoint of
    DYNALAB_ENDPOINT does not answer; each is one sentence.
    """
    lab = Lab(course.load().lab(number))
    _display(lab.head())
    return lab


class Lab:
    """A lab as a notebook uses it. `dynamodb` is boto3's own resource."""

    def __init__(self, entry: course.Lab) -> None:
        self._entry = entry
        self._module = exercises.load(entry.label)
        self._connection = connect()
        self._progress = Progress()
        self._looks: Items | None = None
        self.dynamodb: Any = self._connection.resource()
        self.client: Any = self._connection.client()
        self._meter = Meter()
        if self._connection.embedded:
            self._meter.attach(self._connection.engine.store)
        else:
            self._meter.watch(self.dynamodb.meta.client)
            self._meter.watch(self.client)
        self._make_tables()

    # --- tables ---------------------------------------------------------------------------

    def _make_tables(self) -> None:
        client = self.dynamodb.meta.client
        try:
            there = client.list_tables()["TableNames"]
        except Exception as error:
            raise NoEndpoint(
                f"No DynamoDB answers at {self._connection.endpoint} ({type(error).__name__}); "
                "start it, or unset DYNALAB_ENDPOINT."
            ) from None
        for name, definition in self._module.TABLES.items():
            if name in there:
                client.delete_table(TableName=name)
                client.get_waiter("table_not_exists").wait(TableName=name)
            client.create_table(TableName=name, **definition)
            client.get_waiter("table_exists").wait(TableName=name)

    def table(self, name: str) -> Any:
        """The lab's table as a boto3 Table. Raises CourseError where the lab has no such table."""
        if name not in self._module.TABLES:
            known = ", ".join(self._module.TABLES)
            raise CourseError(f"Lab {self._entry.label} has no table {name!r}; it has {known}.")
        return self.dynamodb.Table(name)

    def show(self, *names: str) -> Items:
        """The items of the lab's tables, or of those named; what changed since the last look."""
        wanted = names or tuple(self._module.TABLES)
        shown = {name: self._table_items(name) for name in wanted}
        self._looks = Items(shown, before=self._looks)
        return self._looks

    def _table_items(self, name: str) -> TableItems:
        table = self.table(name)
        keys = [each["AttributeName"] for each in self._module.TABLES[name]["KeySchema"]]
        store = self._connection.engine.store
        embedded = self._connection.embedded
        found = items_of(store, name) if embedded else table.scan()["Items"]
        return TableItems(keys[0], keys[1] if len(keys) > 1 else None, found)

    # --- bills -----------------------------------------------------------------------------

    @contextmanager
    def meter(self, per: str = "page view") -> Iterator[Bill]:
        """The bill of a block: `with lab.meter() as bill: …`, then `bill`.

        A block that meets a function which is not written yet ends there, quietly, so that an
        unsolved lab runs to its end.
        """
        with self._meter.recording() as charges, suppress(NotImplementedError):
            yield Bill(charges, dollars, _PRICES, per=per)

    # --- time --------------------------------------------------------------------------------

    def advance(self, seconds: float) -> Note:
        """Moves the embedded engine's clock on, without waiting. Raises ValueError below 0."""
        if not self._connection.embedded:
            return Note(f"Nobody can move the clock of {self._connection.endpoint}; wait for it.")
        self._connection.engine.store.clock.advance(seconds)
        return Note(f"The engine's clock is {seconds:g} seconds further on.")

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
        with partitioned(engine, scale, spread) as traffic, suppress(NotImplementedError):
            yield HeatMap(traffic)

    def storm(
        self, table: str, call: Callable[[Any], Any], *, calls: int, per_second: float
    ) -> StormReport | Note:
        """Calls `call(table)` so often, so many a second, each as a client that waits by itself.

        They share one boto3 client, made for this storm, so boto3's retries start afresh.
        """
        fresh = self._connection.resource().Table(table)
        bar = ProgressBar(calls, "call")
        _display(bar)
        try:
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

    # --- exercises ---------------------------------------------------------------------------

    def head(self) -> Head:
        """The lab's number and title, its exercises with their state, the engine."""
        states = [(each.id, each.title, self._state(each.id)) for each in self._entry.exercises]
        return Head(
            self._entry.label,
            self._entry.title,
            self._connection.describe(),
            states,
            self._progress.notice,
        )

    def _state(self, exercise_id: str) -> str:
        if self._progress.solved(exercise_id):
            return "correct"
        return "tried" if self._progress.tries(exercise_id) else "not attempted"

    def _exercise(self, exercise_id: str) -> tuple[Exercise, ExerciseEntry]:
        entry = self._entry.exercise(str(exercise_id))
        for exercise in self._module.EXERCISES:
            if exercise.id == entry.id:
                return exercise, entry
        raise CourseError(f"Exercise {entry.id} has no check.")

    def check(self, exercise_id: str, answer: object) -> Card | Note:
        """Checks an answer and gives the card with the verdict. Never raises for an answer."""
        try:
            exercise, entry = self._exercise(exercise_id)
        except CourseError as error:
            return Note(str(error))
        verdict = judge(exercise, answer, self._module.TABLES)
        if verdict.outcome != "not attempted":
            self._progress.record(entry.id, verdict.outcome == "correct")
        return self._card(exercise, entry, verdict)

    def _card(self, exercise: Exercise, entry: ExerciseEntry, verdict: Verdict) -> Card:
        lines = list(verdict.lines)
        step = verdict.ask
        if verdict.outcome == "not attempted":
            lines.append(
                "Write the body above, run the cell, run this one again. "
                f'First hint: lab.hint("{entry.id}")'
            )
        elif verdict.outcome == "correct":
            lines.append(f"Why it works: {exercise.explanation}")
        elif self._progress.tries(entry.id) >= _TRIES_BEFORE_SOLUTION:
            step = f'{step} Or read one way to do it: lab.solution("{entry.id}")'.strip()
        return Card(entry.id, entry.title, verdict.outcome, lines, view_of(verdict.picture), step)

    def hint(self, exercise_id: str) -> Note:
        """The next hint; after the last one, that one again."""
        try:
            exercise, entry = self._exercise(exercise_id)
        except CourseError as error:
            return Note(str(error))
        seen = self._progress.hints_seen.get(entry.id, 0)
        number = min(seen, len(exercise.hints) - 1)
        self._progress.hints_seen[entry.id] = number + 1
        return Note(f"Hint {number + 1} of {len(exercise.hints)}: {exercise.hints[number]}")

    def solution(self, exercise_id: str) -> Note:
        """One way to write it: after success, or from the third try on."""
        try:
            _, entry = self._exercise(exercise_id)
            tries = self._progress.tries(entry.id)
            if not self._progress.solved(entry.id) and tries < _TRIES_BEFORE_SOLUTION:
                left = _TRIES_BEFORE_SOLUTION - tries
                return Note(
                    f"The solution of {entry.id} is shown after success, or after {left} more "
                    f'{"try" if left == 1 else "tries"}. Until then: lab.hint("{entry.id}")'
                )
            from dynalab.authoring import solution_of  # nbformat: a fifth of the time to open

            return Note(f"One way to write {entry.id}:", code=solution_of(entry.id))
        except (CourseError, LookupError, OSError) as error:
            return Note(str(error))

    # --- predictions ----------------------------------------------------------------------------

    def predict(
        self, number: str, question: str, options: Sequence[str], answer: str | None = None
    ) -> Quiz | Note:
        """Asks before you run: pick an option, or give it as `answer`. It is kept on this machine."""
        if answer is not None:
            if answer not in options:
                return Note(f"{answer!r} is none of the options: {', '.join(options)}.")
            self._progress.predictions[number] = answer
        picked = self._progress.predictions.get(number)
        return Quiz(number, question, options, self._keep_prediction(number), picked)

    def _keep_prediction(self, number: str) -> Callable[[str], None]:
        def keep(option: str) -> None:
            self._progress.predictions[number] = option

        return keep

    def predicted(self, number: str, measured: object) -> Note:
        """What you predicted, beside what was measured."""
        picked = self._progress.predictions.get(number)
        said = "You made no prediction." if picked is None else f"You predicted: {picked}."
        return Note(f"{said} Measured: {measured}.")

    # --- schedules ------------------------------------------------------------------------------

    def explore(
        self,
        clients: Mapping[str, Callable[[], Any]],
        invariant: Callable[[Outcome], Any],
        recover: Callable[[], Any] | None = None,
        **options: Any,
    ) -> Any:
        """Every order of the clients' requests, drawn; the options are those of dynalab.explore.

        A note in its place where a client calls a function that is not written yet.
        """

        def written(outcome: Outcome) -> Any:
            if any(isinstance(error, NotImplementedError) for error in outcome.raised.values()):
                raise NotAttempted
            return invariant(outcome)

        try:
            return explore(clients, written, recover, **options)
        except NotAttempted:
            return Note(_UNWRITTEN)


def explore(
    clients: Mapping[str, Callable[[], Any]],
    invariant: Callable[[Outcome], Any],
    recover: Callable[[], Any] | None = None,
    **options: Any,
) -> Any:
    from dynalab.views.timeline import Timeline

    return Timeline(explored(clients, invariant, recover, **options))


explore.__doc__ = explored.__doc__


def replay(schedule: str, clients: Mapping[str, Callable[[], Any]], *rest: Any) -> Any:
    """One schedule, step by step, with the items beside it."""
    from dynalab.views.stepper import Stepper

    return Stepper(replayed(schedule, clients, *rest))


def view_of(picture: object | None) -> object | None:
    """What a card draws of the evidence: a timeline, a heat map, anything else as it is."""
    from dynalab.explore import Exploration, Schedule

    if isinstance(picture, Exploration | Schedule):
        from dynalab.views.timeline import Timeline

        return Timeline(picture)
    if isinstance(picture, Partitions):
        return HeatMap(picture)
    return picture


def _display(view: object) -> None:
    """Shows a view in a notebook, prints it elsewhere."""
    from IPython import get_ipython  # type: ignore[attr-defined]
    from IPython.display import display

    if get_ipython() is None:  # type: ignore[no-untyped-call]
        print(view)
    else:
        display(view)  # type: ignore[no-untyped-call]
