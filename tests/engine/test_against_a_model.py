"""Any run of writes, good and bad, leaves what a plain dict says; indexes follow the items."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.engine.calls import Db, Refused, Wire, item, values

Key: TypeAlias = tuple[str, int]
Index: TypeAlias = tuple[tuple[str, ...], tuple[str, ...] | None]  # keys, projected (None: all)

_INDEXES: dict[str, Index] = {
    "by_l": (("pk", "l"), ("pk", "sk", "l")),
    "by_g": (("g", "sk"), ("pk", "sk", "g", "n")),
    "by_n": (("n",), None),
}
_KEYS = st.tuples(st.sampled_from("ab"), st.integers(0, 3))
_ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "l": st.sampled_from("xy"),
        "g": st.sampled_from("xy"),
        "n": st.integers(0, 2),
        "other": st.sampled_from(["", "x" * 2000]),
    },
)
_CONDITIONS = st.sampled_from([None, "attribute_exists(pk)", "attribute_not_exists(pk)"])
# An update is also tried where it cannot be applied: n is missing, or l would not be text.
_UPDATES = st.sampled_from(
    ["SET n = n + :one", "ADD n :one", "REMOVE l, g", "SET l = :text", "SET g = l", "SET l = n"]
)
_ACTIONS = st.one_of(
    st.tuples(st.just("Put"), _KEYS, _CONDITIONS, _ATTRIBUTES),
    st.tuples(st.just("Update"), _KEYS, _CONDITIONS, _UPDATES),
    st.tuples(st.just("Delete"), _KEYS, _CONDITIONS, st.none()),
    st.tuples(st.just("ConditionCheck"), _KEYS, st.just("attribute_exists(pk)"), st.none()),
)
Action: TypeAlias = tuple[str, Key, "str | None", Any]


class _Fails(Exception):
    """The model's word for a write that DynamoDB refuses."""


def changed(before: dict[str, Any] | None, action: Action) -> dict[str, Any] | None:
    """The attributes beside the key after an action, None for no item; raises _Fails."""
    kind, _, condition, what = action
    if condition is not None and (before is None) == (condition == "attribute_exists(pk)"):
        raise _Fails
    if kind == "Put":
        return dict(what)
    if kind == "Delete":
        return None
    if kind == "ConditionCheck":
        return before
    after = dict(before or {})
    if what == "REMOVE l, g":
        if before is None:
            return None
        after.pop("l", None)
        after.pop("g", None)
    elif what == "ADD n :one":
        after["n"] = after.get("n", 0) + 1
    elif what == "SET l = :text":
        after["l"] = "z"
    elif what == "SET l = n" or (what == "SET n = n + :one" and "n" not in after):
        raise _Fails
    elif what == "SET n = n + :one":
        after["n"] += 1
    elif "l" not in after:
        raise _Fails
    else:
        after["g"] = after["l"]
    return after


def request_of(action: Action) -> Wire:
    kind, (pk, sk), condition, what = action
    request: Wire = {"TableName": "Things"}
    if kind == "Put":
        request["Item"] = item(pk=pk, sk=sk, **what)
    else:
        request["Key"] = item(pk=pk, sk=sk)
    if condition is not None:
        request["ConditionExpression"] = condition
    if kind == "Update":
        request["UpdateExpression"] = what
        given = {"one": 1, "text": "z"}
        used = {name: value for name, value in given.items() if f":{name}" in what}
        if used:
            request["ExpressionAttributeValues"] = values(**used)
    return request


class AgainstAModel(RuleBasedStateMachine):
    @initialize()
    def create(self) -> None:
        self.db = Db()
        self.db.table(
            keys="pk:S sk:N",
            local=[("by_l", "l:S", "KEYS_ONLY")],
            global_=[("by_g", "g:S sk:N", "INCLUDE n"), ("by_n", "n:N", "ALL")],
            stream="NEW_AND_OLD_IMAGES",
        )
        self.model: dict[Key, dict[str, Any]] = {}
        self.changes = 0

    def write(self, actions: list[Action], operation: str, **request: Any) -> None:
        """Send a request that the model applies whole, or refuses whole."""
        try:
            after = {action[1]: changed(self.model.get(action[1]), action) for action in actions}
        except _Fails:
            after = None
        try:
            self.db(operation, **request)
        except Refused:
            assert after is None
            return
        assert after is not None
        for key, attributes in after.items():
            self.changes += attributes != self.model.get(key)
            if attributes is None:
                self.model.pop(key, None)
            else:
                self.model[key] = attributes

    @rule(action=_ACTIONS.filter(lambda action: action[0] != "ConditionCheck"))
    def one(self, action: Action) -> None:
        self.write([action], f"{action[0]}Item", **request_of(action))

    @rule(actions=st.lists(_ACTIONS, min_size=1, max_size=4, unique_by=lambda action: action[1]))
    def transaction(self, actions: list[Action]) -> None:
        asked = [{action[0]: request_of(action)} for action in actions]
        self.write(actions, "TransactWriteItems", TransactItems=asked)

    @rule(keys=st.lists(_KEYS, min_size=1, max_size=4, unique=True), attributes=_ATTRIBUTES)
    def batch(self, keys: list[Key], attributes: dict[str, Any]) -> None:
        actions: list[Action] = [
            ("Put", key, None, attributes) if number % 2 else ("Delete", key, None, None)
            for number, key in enumerate(keys)
        ]
        asked = []
        for action in actions:
            request = request_of(action)
            del request["TableName"]
            asked.append({f"{action[0]}Request": request})
        self.write(actions, "BatchWriteItem", RequestItems={"Things": asked})

    @rule(key=_KEYS)
    def get(self, key: Key) -> None:
        assert self.db.get(*key) == (self.stored(key) if key in self.model else None)

    @rule(pk=st.sampled_from("ab"), limit=st.integers(1, 3), forward=st.booleans())
    def query(self, pk: str, limit: int, forward: bool) -> None:
        found = self.all_pages(
            "Query",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues=values(p=pk),
            Limit=limit,
            ScanIndexForward=forward,
        )
        keys = sorted((key for key in self.model if key[0] == pk), reverse=not forward)
        assert found == [self.stored(key) for key in keys]

    @invariant()
    def the_table_holds_what_the_model_holds(self) -> None:
        held = {(each["pk"]["S"], int(each["sk"]["N"])): each for each in self.all_pages("Scan")}
        assert held == {key: self.stored(key) for key in self.model}

    @invariant()
    def each_index_is_what_the_items_make_of_it(self) -> None:
        for name, (keys, projected) in _INDEXES.items():
            wires = [self.stored(key) for key in self.model]
            entries = [
                {each: wire[each] for each in projected or wire if each in wire}
                for wire in wires
                if all(each in wire for each in keys)
            ]
            found = self.all_pages("Scan", IndexName=name)
            assert sorted(found, key=repr_of) == sorted(entries, key=repr_of)
            for partition in {repr(entry[keys[0]]): entry[keys[0]] for entry in entries}.values():
                self.in_order(name, keys, partition, entries)

    def in_order(self, name: str, keys: tuple[str, ...], partition: Wire, entries: Any) -> None:
        """A Query of an index: one partition's entries, by their sort key."""
        found = self.all_pages(
            "Query",
            IndexName=name,
            KeyConditionExpression="#p = :p",
            ExpressionAttributeNames={"#p": keys[0]},
            ExpressionAttributeValues={":p": partition},
            Limit=2,
        )
        wanted = [entry for entry in entries if entry[keys[0]] == partition]
        assert sorted(found, key=repr_of) == sorted(wanted, key=repr_of)
        if len(keys) == 2:
            order = [next(iter(entry[keys[1]].values())) for entry in found]
            assert order == sorted(order)

    @invariant()
    def the_stream_has_a_record_for_each_change(self) -> None:
        shards = self.db.engine.store.backend.table("Things").shards
        assert shards is not None
        assert sum(len(shard.records) for shard in shards.shards) == self.changes

    def stored(self, key: Key) -> Wire:
        return item(pk=key[0], sk=key[1], **self.model[key])

    def all_pages(self, operation: str, **request: Any) -> list[Wire]:
        pages = self.db.pages(operation, TableName="Things", **request)
        return [each for page in pages for each in page["Items"]]


def repr_of(wire: Wire) -> str:
    return repr(sorted(wire.items()))


AgainstAModel.TestCase.settings = settings(
    max_examples=20, stateful_step_count=30, derandomize=True, database=None, deadline=None
)
TestAgainstAModel = AgainstAModel.TestCase
