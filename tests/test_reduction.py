"""The reduced search finds what a search of every schedule finds, on small random programs."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given, settings
from hypothesis import strategies as st

from dynalab.schedules.choices import Choice
from dynalab.schedules.outcome import Outcome
from dynalab.schedules.scene import Branches, Clients, Scene, staged
from dynalab.schedules.search import End, Search
from tests.worlds import social


@dataclass
class Program:
    """A client made of a few requests; what it read decides what it writes later."""

    table: Any
    ops: Sequence[Sequence[str]]
    last: Any = None
    told: list[Any] = field(default_factory=list)

    def run(self) -> list[Any]:
        self.last, self.told = None, []
        for name, key in self.ops:
            try:
                self.told.append(OPS[name](self, key))
            except ClientError as error:
                self.told.append(error.response["Error"]["Code"])
        return self.told

    def key(self, name: str) -> dict[str, str]:
        return {"PK": name[0], "SK": name}

    def update(self, key: str, expression: str, **options: Any) -> Any:
        return self.table.update_item(
            Key=self.key(key), UpdateExpression=expression, ReturnValues="ALL_NEW", **options
        )["Attributes"]

    def transact(self, key: str, **options: Any) -> None:
        name = self.table.name
        self.table.meta.client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": name,
                        "Item": self.key(f"{key}like"),
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                },
                {
                    "Update": {
                        "TableName": name,
                        "Key": self.key(key),
                        "UpdateExpression": "ADD n :n",
                        "ExpressionAttributeValues": {":n": 1},
                    }
                },
            ],
            **options,
        )

    def get(self, key: str) -> Any:
        self.last = self.table.get_item(Key=self.key(key)).get("Item", {}).get("n")
        return self.last

    def get_consistently(self, key: str) -> Any:
        found = self.table.get_item(Key=self.key(key), ConsistentRead=True)
        self.last = found.get("Item", {}).get("n")
        return self.last

    def scan(self, key: str) -> Any:
        return [item["SK"] for item in self.table.scan()["Items"]]

    def query(self, key: str) -> Any:
        return self.table.query(
            KeyConditionExpression="PK = :p", ExpressionAttributeValues={":p": key[0]}
        )["Items"]

    def add(self, key: str) -> Any:
        return self.update(key, "ADD n :n", ExpressionAttributeValues={":n": 1})

    def put_one(self, key: str) -> None:
        self.table.put_item(Item={**self.key(key), "n": 1})

    def write_what_was_read(self, key: str) -> Any:
        value = 1 if self.last is None else self.last + 1
        return self.update(key, "SET n = :n", ExpressionAttributeValues={":n": value})

    def write_if_unchanged(self, key: str) -> Any:
        values = {":n": 5, ":old": 0 if self.last is None else self.last}
        return self.update(
            key, "SET n = :n", ConditionExpression="n = :old", ExpressionAttributeValues=values
        )

    def put_if_absent(self, key: str) -> None:
        self.table.put_item(Item=self.key(key), ConditionExpression="attribute_not_exists(PK)")

    def delete_table(self, key: str) -> None:
        self.table.delete()

    def delete(self, key: str) -> None:
        self.table.delete_item(Key=self.key(key))

    def like(self, key: str) -> None:
        self.transact(key)

    def like_with_token(self, key: str) -> None:
        self.transact(key, ClientRequestToken="the same")


OPS = {
    name: method
    for name, method in vars(Program).items()
    if callable(method) and name[0] != "_" and name not in ("run", "key", "update", "transact")
}
EVERY = [f"{op} {key}" for op in sorted(OPS) if op != "delete_table" for key in ("a1", "a2", "b1")]


def seen(outcome: Outcome) -> str:
    """All that an invariant can tell two outcomes apart by, as the sentence of a broken rule."""
    raised = {name: repr(error) for name, error in outcome.raised.items()}
    text = repr((outcome.tables, outcome.returned, raised, outcome.died))
    return sha256(text.encode()).hexdigest()


def some_break(outcome: Outcome) -> str | None:
    """A rule that a third of all outcomes keep, at random, but always the same ones."""
    return seen(outcome) if int(seen(outcome), 16) % 3 else None


def every_schedule(scene: Scene) -> list[tuple[tuple[Choice, ...], str | None]]:
    """Each schedule with what it breaks, by a search that knows no state, nor what a client did."""
    scene = replace(scene, sharing=True)
    found = []
    waiting: list[tuple[Choice, ...]] = [()]
    while waiting:
        path = waiting.pop()
        with scene.begun() as run:
            for choice in path:
                run.carry_out(choice)
            while choices := scene.possible(run):
                first, *others = choices
                waiting += [(*path, other) for other in others]
                run.carry_out(first)
                path = (*path, first)
            found.append((path, scene.finish(run)[0]))
    return found


def ends(search: Search, target: Any, known: dict[Any, Counter[str | None]]) -> Counter[str | None]:
    """How many schedules of a search end with which broken rule."""
    if isinstance(target, End):
        return Counter([target.broken])
    if target not in known:
        edges = search.nodes[target].values()
        known[target] = sum((ends(search, edge, known) for edge in edges), Counter())
    return known[target]


def compare(clients: Clients, branches: Branches, recover: Callable[[], Any] | None) -> None:
    with staged(clients, seen, recover, branches) as scene:
        full = every_schedule(scene)
        search = Search(scene, reduced=True)
        assert search.walk(most=10_000)
        assert ends(search, search.root, {}) == Counter(broken for _, broken in full)
    with staged(clients, some_break, recover, branches) as scene:
        search = Search(scene, reduced=True)
        assert search.walk(most=10_000)
        failing = [path for path, broken in full if broken and int(broken, 16) % 3]
        count = search.count()
        assert (count.schedules, count.failing) == (len(full), len(failing))
        assert count.shortest == min(map(len, failing), default=None)
        if failing:
            assert search.shortest() in map(list, failing)
            assert len(search.shortest()) == count.shortest


ops = st.sampled_from(EVERY)
# What may go wrong, and the most requests of client A and of client B: a full search takes long.
BRANCHES = {
    "none": (Branches(), 3, 3),
    "crash": (Branches(crash=True), 2, 2),
    "lost": (Branches(lost=True), 2, 1),
    "late": (Branches(late=True), 2, 1),
    "stale": (Branches(stale=True), 2, 3),
    "crash and late": (Branches(crash=True, late=True), 2, 1),
    "all": (Branches(crash=True, lost=True, late=True, stale=True), 1, 1),
}


@contextmanager
def programs(*requests: str) -> Iterator[dict[str, Callable[[], Any]]]:
    """Clients A, B, … from texts such as "get a1, add a2", on a table that holds a1."""
    with social({"PK": "a", "SK": "a1", "n": 3}) as table:
        yield {
            client: Program(table, [op.split() for op in text.split(", ") if op]).run
            for client, text in zip("ABCD", requests, strict=False)
        }


@pytest.mark.parametrize("name", BRANCHES)
@settings(max_examples=3)
@given(data=st.data())
def test_the_reduced_search_finds_every_outcome_and_counts_every_schedule(
    name: str, data: st.DataObject
) -> None:
    branches, *most = BRANCHES[name]
    texts = [", ".join(data.draw(st.lists(ops, min_size=1, max_size=size))) for size in most]
    with programs(*texts, data.draw(st.sampled_from(["", *EVERY]))) as clients:
        recover = clients.pop("C")
        compare(clients, branches, recover)


@pytest.mark.parametrize(
    ("branches", "requests"),
    [
        pytest.param(
            Branches(stale=True),
            ["add a2", "add b1", "get a2"],
            id="which write came last, for a stale read",
        ),
        pytest.param(
            Branches(crash=True, late=True),
            ["get a1, write_what_was_read a2", "add a1"],
            id="what a client asked for that died, where it lands later",
        ),
        pytest.param(
            Branches(late=True),
            ["like a1", "put_if_absent a1like, delete a1like, delete a1like, put_one a1"],
            id="whether a token was applied, where its request is sent again",
        ),
        pytest.param(
            Branches(lost=True), ["delete_table a1", "scan a1"], id="which tables there are"
        ),
    ],
)
def test_a_state_tells_apart(branches: Branches, requests: list[str]) -> None:
    with programs(*requests) as clients:
        compare(clients, branches, None)
