"""DynamoDB Streams on a bad day: shards in no order and in pages, and empty answers in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dynalab.engine.connect import Go, connect
from dynalab.engine.engine import Reply
from dynalab.exercises.every_client import answering, refusal, served


class BadDay:
    """What readers get for the length of a block. Every answer is one that DynamoDB may give.

    backwards: the last shard is listed first. page: so many shards in an answer, at most.
    records: so many records in an answer, at most.
    trimmed: shards that are no longer listed. expires: the first iterator that comes with records
    is too old when it is used. waits: for a shard, how many empty answers come
    before its first records, before the next ones, and so on. meanwhile: what happens right after
    the shards were listed for the first time.
    `idle` then says how many empty answers each shard has given at its end.
    """

    def __init__(
        self,
        *,
        backwards: bool = False,
        page: int = 100,
        records: int = 1_000,
        trimmed: Sequence[str] = (),
        waits: Mapping[str, Sequence[int]] | None = None,
        meanwhile: Callable[[], None] | None = None,
        expires: bool = False,
    ) -> None:
        self.idle: dict[str, int] = {}
        self._backwards, self._page, self._trimmed = backwards, page, trimmed
        self._most = records
        self._waits = {shard: list(numbers) for shard, numbers in (waits or {}).items()}
        self._meanwhile = meanwhile
        self._expires = expires
        self._expired: str | None = None
        self._shard_of: dict[str, str] = {}  # by iterator
        self._engine = connect().engine

    @contextmanager
    def come(self) -> Iterator[BadDay]:
        with answering(self._answer):
            yield self

    def _answer(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        reply = go()
        if reply.status != 200:
            return reply
        if operation == "DescribeStream":
            return self._described(request)
        if operation == "GetShardIterator":
            iterator = json.loads(reply.body)["ShardIterator"]
            self._shard_of[iterator] = request["ShardId"]
            if iterator == self._expired:
                self._expired = None  # a new one, for the same place
        elif operation == "GetRecords":
            return self._records(request)
        return reply

    def _described(self, request: Mapping[str, Any]) -> Reply:
        whole = self._ask("DescribeStream", {"StreamArn": request["StreamArn"]})
        description = whole["StreamDescription"]
        shards = [each for each in description["Shards"] if each["ShardId"] not in self._trimmed]
        if self._backwards:
            shards.reverse()
        names = [shard["ShardId"] for shard in shards]
        after = request.get("ExclusiveStartShardId")
        start = names.index(after) + 1 if after in names else 0
        end = start + min(self._page, request.get("Limit", self._page))
        description["Shards"] = shards[start:end]
        if end < len(shards):
            description["LastEvaluatedShardId"] = names[end - 1]
        if self._meanwhile is not None:
            happen, self._meanwhile = self._meanwhile, None
            happen()
        return served(whole)

    def _records(self, request: Mapping[str, Any]) -> Reply:
        iterator = request["ShardIterator"]
        if iterator == self._expired:
            return refusal("ExpiredIteratorException")
        shard = self._shard_of[iterator]
        limit = min(self._most, request.get("Limit", self._most))
        page = self._ask("GetRecords", {"ShardIterator": iterator, "Limit": limit})
        waits = self._waits.get(shard, [])
        if page["Records"] and waits and waits[0]:
            waits[0] -= 1
            page = {"Records": [], "NextShardIterator": iterator}
        elif page["Records"]:
            del waits[:1]
        self.idle[shard] = 0 if page["Records"] else self.idle.get(shard, 0) + 1
        if "NextShardIterator" in page:
            self._shard_of[page["NextShardIterator"]] = shard
            if self._expires and page["Records"]:
                self._expires, self._expired = False, page["NextShardIterator"]
        return served(page)

    def _ask(self, operation: str, request: Mapping[str, Any]) -> Any:
        return json.loads(self._engine.answer(operation, request).body)
