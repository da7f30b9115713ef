"""What is explored: clients on a store, what may go wrong, and what must hold at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from botocore.retries.quota import RetryQuota

from dynalab.engine.clock import Clock
from dynalab.engine.connect import Connection, connect
from dynalab.engine.engine import Store
from dynalab.schedules.choices import Choice, Fate
from dynalab.schedules.clients import Client
from dynalab.schedules.ending import Unfit
from dynalab.schedules.lives import Lives
from dynalab.schedules.outcome import Outcome, PlainItems, verdict
from dynalab.schedules.replicas import Replicas, is_read
from dynalab.schedules.run import Run
from dynalab.schedules.state import contents, memory

Clients: TypeAlias = Mapping[str, Callable[[], Any]]
Invariant: TypeAlias = Callable[[Outcome], Any]
Recovery: TypeAlias = Callable[[], Any] | None

RECOVERY = "R"


@dataclass(frozen=True)
class Branches:
    """What may go wrong: one client's death, one request's loss or delay, stale reads."""

    crash: bool = False
    lost: bool = False
    late: bool = False
    stale: bool = False


@dataclass(frozen=True)
class Scene:
    """Clients on a store, what must hold at the end, and the recovery before it.

    lives: what is known of how the clients and the recovery go on. sharing: whether that is of no
    use, since the clients share more than the tables, so that each run runs their code anew.
    """

    connection: Connection
    lives: Lives
    clients: Clients
    invariant: Invariant
    recover: Recovery
    branches: Branches
    base: Store
    sharing: bool = False
    plain: PlainItems = field(default_factory=PlainItems)

    @contextmanager
    def begun(self, watch: Callable[[], None] = lambda: None) -> Iterator[Run]:
        """A run on a copy of the store, its clients at their first requests."""
        store = self.base.copy()
        store.listeners = []
        replicas = Replicas(self.connection.engine, self.base, behind=self.branches.stale)
        run = Run(store, self.lives, replicas, watch)
        with self.connection.engine.on(store), self.lives.anew() if self.sharing else nullcontext():
            for name, function in self.clients.items():
                run.start(name, function)
            yield run

    @contextmanager
    def resumed(self, run: Run) -> Iterator[Run]:
        """A copy of a run, where it stands."""
        other = run.copy()
        with self.connection.engine.on(other.store):
            yield other

    def possible(self, run: Run, branches: Branches | None = None) -> list[Choice]:
        """What can happen next; empty once every client is done and nothing is on its way.

        branches: other ones than the scene's own.
        """
        may = self.branches if branches is None else branches
        fates_so_far = {step.choice.fate for step in run.steps}
        nothing_lost = not fates_so_far & {"lost request", "lost reply", "late"}
        choices: list[Choice] = []
        for client in run.clients.values():
            if client.pending is None:
                continue
            operation, request, _ = client.pending
            fates: list[Fate] = ["served"]
            if may.stale and run.replicas.differ(operation, request):
                fates.append("stale")
            if nothing_lost and not is_read(operation):
                fates += ["lost request", "lost reply"] if may.lost else []
                fates += ["late"] if may.late else []
            if may.crash and "dies" not in fates_so_far:
                fates.append("dies")
            choices += [Choice(client.name, client.requests, fate) for fate in fates]
        return choices + [Choice(late.client, late.number, "lands") for late in run.floating]

    def state(self, run: Run) -> Any:
        """What the rest of a run depends on: where this is the same, the same can follow."""
        if run.replicas.redefined:
            return tuple(step.choice for step in run.steps)
        store, past = run.store, run.replicas.past
        fates = {step.choice.fate for step in run.steps}
        return (
            contents(store, self.base),
            memory(store, self.base, run.tokens),
            None if past is None else past.contents,
            tuple(_client_state(client, run) for client in run.clients.values()),
            tuple((late.client, late.number, late.text) for late in run.floating),
            "dies" in fates,
            bool(fates & {"lost request", "lost reply", "late"}),
        )

    def recovered(self, run: Run) -> None:
        """Runs the recovery to its end."""
        if self.recover is not None:
            client = run.start(RECOVERY, self.recover)
            while client.pending is not None:
                run.carry_out(Choice(RECOVERY, client.requests, "served"))

    def finish(self, run: Run) -> tuple[str | None, Outcome]:
        """Runs the recovery to its end, then asks the invariant: what broke, and the outcome."""
        self.recovered(run)
        outcome = Outcome.of(run, self.plain)
        return verdict(self.invariant, outcome), outcome


def _client_state(client: Client, run: Run) -> Any:
    """A client that died is as good as any other that did; what it asked for may still land.

    The replies that a client got decide the rest, unless it does something else each time: so
    that this shows where it runs anew, what it asks for and how it ended are in here too.
    """
    if client.died:
        return None
    if client.pending is not None:
        return client.place.history, client.pending[0], run.anonymous(client)
    return client.place.history, *client.place.ending


@contextmanager
def staged(
    clients: Clients, invariant: Invariant, recover: Recovery, branches: Branches
) -> Iterator[Scene]:
    """A scene that starts from the tables as they are now. Raises Unfit for what is no client."""
    _refuse_bad_clients(clients)
    connection = connect()
    base = connection.engine.store.copy()
    base.clock = Clock(at=base.clock())
    lives = Lives(connection)
    with connection.all_embedded(), _unspent_retries(), lives.open():
        yield Scene(connection, lives, clients, invariant, recover, branches, base)


@contextmanager
def _unspent_retries() -> Iterator[None]:
    """boto3 stops trying again once a client's quota is spent; each run must meet a full one."""

    def acquire(quota: RetryQuota, capacity_amount: int) -> bool:
        return True

    kept = RetryQuota.acquire
    RetryQuota.acquire = acquire  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        RetryQuota.acquire = kept  # type: ignore[method-assign]


def _refuse_bad_clients(clients: Clients) -> None:
    if not clients:
        raise Unfit('Give explore at least one client: {"A": a_function_without_arguments}.')
    for name, function in clients.items():
        if not (isinstance(name, str) and name.isalpha() and name != RECOVERY):
            raise Unfit(f"Name clients with letters, not {name!r}; {RECOVERY} is the recovery.")
        if not callable(function):
            raise Unfit(
                f"Client {name} is not a function; wrap the call: lambda: like(table, ...)."
            )
