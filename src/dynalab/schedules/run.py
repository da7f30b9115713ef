"""One run of some clients in one chosen order.

A client stands before each of its requests until it is chosen what happens to it: it is
served, its reply is lost, it comes late, or the client dies there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply, Store
from dynalab.schedules.choices import Choice
from dynalab.schedules.clients import Client, Floating, Step
from dynalab.schedules.lives import Lives
from dynalab.schedules.replicas import Replicas
from dynalab.schedules.standing import Standing, Told
from dynalab.schedules.state import anonymous


class Run:
    """Clients on a store, which the engine is on meanwhile: `start` each, then `carry_out` choices.

    watch: called after each step.
    """

    def __init__(
        self, store: Store, lives: Lives, replicas: Replicas, watch: Callable[[], None]
    ) -> None:
        self.store = store
        self.clients: dict[str, Client] = {}
        self.replicas = replicas
        self.floating: list[Floating] = []
        self.steps: list[Step] = []
        self.tokens: dict[str, str] = {}  # each ClientRequestToken → the request it came with first
        self._lives = lives
        self._watch = watch

    def copy(self) -> Run:
        """The same run, free to go another way."""
        store = self.store.copy(touched=True)
        other = Run(store, self._lives, self.replicas.copy(), self._watch)
        other.clients = {name: replace(client) for name, client in self.clients.items()}
        other.floating, other.steps = list(self.floating), list(self.steps)
        other.tokens = dict(self.tokens)
        return other

    def start(self, name: str, function: Callable[[], Any]) -> Client:
        """Lets a client live, up to its first request."""
        place = self._lives.start(name, function, self.store.clock())
        client = self.clients[name] = Client(name, function, place)
        self._arrive(client, place)
        return client

    def carry_out(self, choice: Choice) -> None:
        """Lets one thing happen; its client then stands at its next request, or at its end."""
        if choice.fate == "lands":
            self._land(choice)
        else:
            self._meet(choice)
        self._watch()

    def anonymous(self, client: Client) -> str:
        """The request that a client waits with, as text."""
        assert client.place.asks is not None
        if "ClientRequestToken" not in client.place.asks[1]:
            return client.place.question
        return anonymous(client.place.asks[1], self.tokens)

    def _land(self, choice: Choice) -> None:
        [late] = (
            f for f in self.floating if (f.client, f.number) == (choice.client, choice.number)
        )
        self.floating.remove(late)
        reply = self.replicas.fresh(late.operation, late.request, late.go)
        self.steps.append(Step(choice, late.operation, late.request, reply))

    def _meet(self, choice: Choice) -> None:
        client = self.clients[choice.client]
        assert client.pending is not None
        operation, request, go = client.pending
        if choice.fate == "dies":
            self.steps.append(Step(choice, operation, request, None))
            client.died = True
            self._lives.kill(client.name, client.place)
            return
        if choice.fate == "late":
            late = Floating(
                client.name, client.requests, operation, request, self.anonymous(client), go
            )
            self.floating.append(late)
        reply = self._reply(choice, operation, request, go)
        step = reply if isinstance(reply, Reply) else None
        self.steps.append(Step(choice, operation, request, step))
        told = Told(None if choice.fate == "lost reply" else reply, self.store.clock())
        self._arrive(client, self._lives.after(client.name, client.function, client.place, told))

    def _reply(
        self, choice: Choice, operation: str, request: Mapping[str, Any], go: Go
    ) -> Reply | Exception | None:
        if choice.fate in ("late", "lost request"):
            return None
        try:
            if choice.fate == "stale":
                return self.replicas.stale(operation, request)
            return self.replicas.fresh(operation, request, go)
        except Exception as error:  # the client's, whose request it was
            return error

    def _arrive(self, client: Client, place: Standing) -> None:
        client.place = place
        self.store.clock.advance(place.slept)
        if client.pending is not None and "ClientRequestToken" in client.pending[1]:
            name = f"{client.name}{client.requests}"
            self.tokens.setdefault(client.pending[1]["ClientRequestToken"], name)
