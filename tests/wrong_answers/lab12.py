"""Answers to lab 12."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError
from cachetools import LRUCache, TTLCache, cached

# --- 12.1 partitions --------------------------------------------------------------------------


def rounded_down(gb: int, rcu: int, wcu: int) -> int:
    return max(1, gb // 10, (rcu + 3 * wcu) // 3000)


def to_the_nearest(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(gb / 10), round(rcu / 3000 + wcu / 1000))


def one_more(gb: int, rcu: int, wcu: int) -> int:
    return max(1, gb // 10 + 1, (rcu + 3 * wcu) // 3000 + 1)


def each_rounded(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(gb / 10), math.ceil(rcu / 3000) + math.ceil(wcu / 1000))


def largest_of_three(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(gb / 10), math.ceil(rcu / 3000), math.ceil(wcu / 1000))


def swapped(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(gb / 10), math.ceil(rcu / 1000 + wcu / 3000))


def added_up(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(gb / 10) + math.ceil(rcu / 3000 + wcu / 1000))


def one_more_than_the_larger(gb: int, rcu: int, wcu: int) -> int:
    return 1 + max(math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000))


def printed(gb: int, rcu: int, wcu: int) -> None:
    print(max(1, math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000)))


def as_text(gb: int, rcu: int, wcu: int) -> str:
    return str(max(1, math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000)))


def the_smaller(gb: int, rcu: int, wcu: int) -> int:
    return max(1, min(math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000)))


def size_ignored(gb: int, rcu: int, wcu: int) -> int:
    return max(1, math.ceil(rcu / 3000 + wcu / 1000))


def none_for_nothing(gb: int, rcu: int, wcu: int) -> int:
    return max(math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000))


def a_float(gb: int, rcu: int, wcu: int) -> float:
    return max(1.0, gb / 10, rcu / 3000 + wcu / 1000)


def whole_float(gb: int, rcu: int, wcu: int) -> float:
    return float(max(1, -(-gb // 10), -(-(rcu + 3 * wcu) // 3000)))


def by_reciprocals(gb: int, rcu: int, wcu: int) -> int:
    return max(1, -(-gb // 10), math.ceil(rcu * (1 / 3000) + wcu * 0.001))


def by_fractions(gb: int, rcu: int, wcu: int) -> int:
    units = Fraction(rcu, 3000) + Fraction(wcu, 1000)
    return max(math.ceil(Fraction(gb, 10)), math.ceil(units), 1)


def by_decimals(gb: int, rcu: int, wcu: int) -> int:
    units = math.ceil((Decimal(rcu) + 3 * Decimal(wcu)) / 3000)
    return max(1, units, math.ceil(Decimal(gb) / 10))


def by_quotients(gb: int, rcu: int, wcu: int) -> int:
    """The formula as it stood. Its sum is right for every table that could be had."""
    return max(1, math.ceil(gb / 10), math.ceil(rcu / 3000 + wcu / 1000))


def by_divmod(gb: int, rcu: int, wcu: int) -> int:
    whole, rest = divmod(rcu + wcu * 3, 3000)
    return max(whole + bool(rest), (gb + 9) // 10, 1)


# --- 12.2 cached_reader -----------------------------------------------------------------------

MISSED = object()


def load(table: Any, post_id: str) -> Any:
    reply = table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True)
    return reply.get("Item")


class Flights:
    """A right reader, whose steps a wrong one replaces."""

    def __init__(self, table: Any, ttl: float, clock: Callable[[], float]) -> None:
        self.table, self.ttl, self.clock = table, ttl, clock
        self.cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
        self.loading: dict[str, Any] = {}
        self.generations: Counter[str] = Counter()
        self.lock = threading.Lock()

    def load(self, post_id: str) -> Any:
        return load(self.table, post_id)

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        self.cache[post_id] = item

    def land(self, post_id: str, flight: Any) -> None:
        self.loading.pop(post_id, None)

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
                generation = self.generations[post_id]
        if mine:
            try:
                item = self.load(post_id)
            except BaseException as error:
                with self.lock:
                    self.land(post_id, flight)
                flight.set_exception(error)
                raise
            with self.lock:
                self.fill(post_id, item, flight, generation)
                self.land(post_id, flight)
            flight.set_result(item)
        return flight.result()


def no_cache(table: Any, ttl: float, clock: Any) -> Any:
    return SimpleNamespace(get=lambda post_id: load(table, post_id))


def only_the_function(table: Any, ttl: float, clock: Any) -> Any:
    return Flights(table, ttl, clock).get


def nothing_returned(table: Any, ttl: float, clock: Any) -> None:
    Flights(table, ttl, clock)


def never_loads(table: Any, ttl: float, clock: Any) -> Any:
    return SimpleNamespace(get=TTLCache(maxsize=10, ttl=ttl, timer=clock).get)


class WholeReply(Flights):
    def load(self, post_id: str) -> Any:
        return self.table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True)


class MissingRaises(Flights):
    def load(self, post_id: str) -> Any:
        reply = self.table.get_item(Key={"PK": post_id, "SK": "META"}, ConsistentRead=True)
        return reply["Item"]


class Eventual(Flights):
    def load(self, post_id: str) -> Any:
        return self.table.get_item(Key={"PK": post_id, "SK": "META"}).get("Item")


class Scans(Flights):
    def load(self, post_id: str) -> Any:
        items = self.table.scan(ConsistentRead=True)["Items"]
        return next((item for item in items if item["PK"] == post_id), None)


class ReadsTwice(Flights):
    def load(self, post_id: str) -> Any:
        return load(self.table, post_id) and load(self.table, post_id)


class MissingNotKept(Flights):
    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if item is not None:
            self.cache[post_id] = item


def by_get(table: Any, ttl: float, clock: Any) -> Any:
    """None from the cache is taken for a miss."""
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)

    def get(post_id: str) -> Any:
        item = cache.get(post_id)
        if item is None:
            item = cache[post_id] = load(table, post_id)
        return item

    return SimpleNamespace(get=get)


class MissingIsEmpty(Flights):
    def load(self, post_id: str) -> Any:
        return load(self.table, post_id) or {}


_everywhere: dict[str, Any] = {}


class OneCacheForAll(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.cache = _everywhere


class OneEntry(Flights):
    def get(self, post_id: str) -> Any:
        return super().get("POST#a91f")


class NeverExpires(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.cache = LRUCache(maxsize=1_000)


def by_lru_cache(table: Any, ttl: float, clock: Any) -> Any:
    return SimpleNamespace(get=lru_cache(maxsize=None)(lambda post_id: load(table, post_id)))


class OwnClock(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.cache = TTLCache(maxsize=1_000, ttl=ttl)


class Sliding(Flights):
    def get(self, post_id: str) -> Any:
        item = super().get(post_id)
        with self.lock:
            self.cache[post_id] = item
        return item


class HalfTheTime(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl / 2, clock)


def herd(table: Any, ttl: float, clock: Any) -> Any:
    """Looks and fills under a lock, and loads whatever it does not find."""
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    lock = threading.Lock()

    def get(post_id: str) -> Any:
        with lock, suppress(KeyError):
            return cache[post_id]
        item = load(table, post_id)
        with lock:
            cache[post_id] = item
        return item

    return SimpleNamespace(get=get)


def cached_with_a_lock(table: Any, ttl: float, clock: Any) -> Any:
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    return SimpleNamespace(
        get=cached(cache, lock=threading.Lock())(lambda post_id: load(table, post_id))
    )


def checks_before_the_lock(table: Any, ttl: float, clock: Any) -> Any:
    """Waits for its turn, and then loads without looking again."""
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    locks: dict[str, threading.Lock] = defaultdict(threading.Lock)

    def get(post_id: str) -> Any:
        with suppress(KeyError):
            return cache[post_id]
        with locks[post_id]:
            item = cache[post_id] = load(table, post_id)
        return item

    return SimpleNamespace(get=get)


def one_lock_for_all(table: Any, ttl: float, clock: Any) -> Any:
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    lock = threading.Lock()

    def get(post_id: str) -> Any:
        with lock:
            try:
                return cache[post_id]
            except KeyError:
                item = cache[post_id] = load(table, post_id)
                return item

    return SimpleNamespace(get=get)


class FailureLeftBehind(Flights):
    """Nobody takes a load back that failed."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = threading.Event()
        if mine:
            item = self.load(post_id)
            with self.lock:
                self.cache[post_id] = item
                del self.loading[post_id]
            flight.set()
            return item
        flight.wait()
        with self.lock:
            return self.cache[post_id]


class ErrorKept(Flights):
    def load(self, post_id: str) -> Any:
        try:
            return load(self.table, post_id)
        except Exception:
            return None


class ErrorStays(Flights):
    """The failed load stays where it is, and everybody gets its error."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
        if mine:
            try:
                item = self.load(post_id)
            except Exception as error:
                flight.set_exception(error)
                raise
            with self.lock:
                self.cache[post_id] = item
                del self.loading[post_id]
            flight.set_result(item)
        return flight.result()


class WaitersGetNothing(Flights):
    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            if post_id in self.loading:
                return None
            self.loading[post_id] = True
        try:
            item = self.load(post_id)
            with self.lock:
                self.cache[post_id] = item
            return item
        finally:
            with self.lock:
                del self.loading[post_id]


class OnlyClientErrors(Flights):
    """A read that times out leaves its load where it is."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
        if mine:
            try:
                item = self.load(post_id)
            except ClientError as error:
                with self.lock:
                    del self.loading[post_id]
                flight.set_exception(error)
                raise
            with self.lock:
                self.cache[post_id] = item
                del self.loading[post_id]
            flight.set_result(item)
        return flight.result()


class OldOnError(Flights):
    """Serves what has expired where the read fails."""

    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.old: dict[str, Any] = {}

    def load(self, post_id: str) -> Any:
        try:
            item = self.old[post_id] = load(self.table, post_id)
        except Exception:
            if post_id in self.old:
                return self.old[post_id]
            raise
        return item


class OneRoom(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.cache = TTLCache(maxsize=1, ttl=ttl, timer=clock)


class HundredRooms(Flights):
    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.cache = TTLCache(maxsize=100, ttl=ttl, timer=clock)


class LooksTwice(Flights):
    """The entry can expire between `in` and `[]`, also under the lock."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            if post_id in self.cache:
                return self.cache[post_id]
        return super().get(post_id)


def unguarded(table: Any, ttl: float, clock: Any) -> Any:
    """A lock a post, and a TTLCache that all of them share."""
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    locks: dict[str, threading.Lock] = {}

    def get(post_id: str) -> Any:
        with locks.setdefault(post_id, threading.Lock()):
            if post_id not in cache:
                cache[post_id] = load(table, post_id)
            return cache[post_id]

    return SimpleNamespace(get=get)


def by_pool(table: Any, ttl: float, clock: Any) -> Any:
    """A thread of its own makes the read."""
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    loading: dict[str, Any] = {}
    lock = threading.Lock()
    pool = ThreadPoolExecutor(4)

    def loaded(post_id: str) -> Any:
        try:
            item = load(table, post_id)
            with lock:
                cache[post_id] = item
            return item
        finally:
            with lock:
                del loading[post_id]

    def get(post_id: str) -> Any:
        with lock:
            with suppress(KeyError):
                return cache[post_id]
            future = loading.get(post_id)
            if future is None:
                future = loading[post_id] = pool.submit(loaded, post_id)
        return future.result()

    return SimpleNamespace(get=get)


class WaitsInTheLock(Flights):
    """Whoever waits keeps the lock, and the one who loads needs it."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            if post_id in self.loading:
                return self.loading[post_id].result()
            flight = self.loading[post_id] = Future()
        try:
            item = self.load(post_id)
        except BaseException as error:
            with self.lock:
                del self.loading[post_id]
            flight.set_exception(error)
            raise
        with self.lock:
            self.cache[post_id] = item
            del self.loading[post_id]
        flight.set_result(item)
        return item


class TwoSections(Flights):
    """Looks for an entry, lets the lock go, and looks for a load."""

    def get(self, post_id: str) -> Any:
        with self.lock, suppress(KeyError):
            return self.cache[post_id]
        with self.lock:
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
        if mine:
            try:
                item = self.load(post_id)
            except BaseException as error:
                with self.lock:
                    self.land(post_id, flight)
                flight.set_exception(error)
                raise
            with self.lock:
                self.cache[post_id] = item
                self.land(post_id, flight)
            flight.set_result(item)
        return flight.result()


class TidiesFirst(Flights):
    """Takes the load out before the item is in the cache."""

    def load(self, post_id: str) -> Any:
        item = load(self.table, post_id)
        with self.lock:
            self.loading.pop(post_id).set_result(item)
        return item

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
        if not mine:
            return flight.result()
        try:
            item = self.load(post_id)
        except BaseException as error:
            with self.lock:
                del self.loading[post_id]
            flight.set_exception(error)
            raise
        with self.lock:
            self.cache[post_id] = item
        return item


class Projected(Flights):
    def load(self, post_id: str) -> Any:
        reply = self.table.get_item(
            Key={"PK": post_id, "SK": "META"},
            ConsistentRead=True,
            ProjectionExpression="PK, SK, body",
        )
        return reply.get("Item")


def by_condition(table: Any, ttl: float, clock: Any) -> Any:
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)

    @cached(cache, condition=threading.Condition())
    def get(post_id: str) -> Any:
        return load(table, post_id)

    return SimpleNamespace(get=get)


def by_locks(table: Any, ttl: float, clock: Any) -> Any:
    """A lock a post, held while it is loaded; who had to wait looks again."""
    entries: dict[str, tuple[Any, float]] = {}
    guard = threading.Lock()
    locks: dict[str, threading.Lock] = {}

    def kept(post_id: str) -> Any:
        item, until = entries.get(post_id, (None, -math.inf))
        return item if clock() < until else MISSED

    def get(post_id: str) -> Any:
        item = kept(post_id)
        if item is not MISSED:
            return item
        with guard:
            lock = locks.setdefault(post_id, threading.Lock())
        with lock:
            item = kept(post_id)
            if item is MISSED:
                item = load(table, post_id)
                entries[post_id] = item, clock() + ttl
            return item

    return SimpleNamespace(get=get)


class Polling(Flights):
    """By the low-level way, and by waiting in small steps."""

    def load(self, post_id: str) -> Any:
        reply = self.table.meta.client.batch_get_item(
            RequestItems={
                self.table.name: {
                    "Keys": [{"PK": post_id, "SK": "META"}],
                    "ConsistentRead": True,
                }
            }
        )
        return next(iter(reply["Responses"][self.table.name]), None)

    def get(self, post_id: str) -> Any:
        while True:
            with self.lock:
                with suppress(KeyError):
                    return self.cache[post_id]
                if post_id not in self.loading:
                    self.loading[post_id] = True
                    break
            time.sleep(0.01)
        try:
            item = self.load(post_id)
            with self.lock:
                self.cache[post_id] = item
            return item
        finally:
            with self.lock:
                del self.loading[post_id]


class ByQuery(Flights):
    def load(self, post_id: str) -> Any:
        page = self.table.query(
            KeyConditionExpression=Key("PK").eq(post_id) & Key("SK").eq("META"),
            ConsistentRead=True,
        )
        return page["Items"][0] if page["Items"] else None


# --- 12.3 invalidate --------------------------------------------------------------------------


class Invalidated(Flights):
    """Right: a generation for each post, and nobody joins a load of an older one."""

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if self.generations[post_id] == generation:
            self.cache[post_id] = item

    def land(self, post_id: str, flight: Any) -> None:
        if self.loading.get(post_id) is flight:
            del self.loading[post_id]

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)


class NoGeneration(Invalidated):
    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        self.cache[post_id] = item


class NotDropped(Invalidated):
    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.loading.pop(post_id, None)


class Joined(Invalidated):
    """Whoever comes after the write still joins the load from before it."""

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache.pop(post_id, None)


class OnlyUnread(Invalidated):
    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            del self.cache[post_id]
            self.loading.pop(post_id, None)


class ThrowsOutAll(Invalidated):
    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache.clear()
            self.loading.clear()


class SetsNone(Invalidated):
    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache[post_id] = None
            self.loading.pop(post_id, None)


class Reloads(Invalidated):
    def invalidate(self, post_id: str) -> None:
        super().invalidate(post_id)
        item = load(self.table, post_id)
        with self.lock:
            self.cache[post_id] = item


class NeverAgain(Invalidated):
    """Fills only what was never invalidated."""

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if self.generations[post_id] == 0:
            self.cache[post_id] = item


class Dirty(Invalidated):
    """A mark in place of a generation; the first load that sees it takes it off."""

    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.dirty: set[str] = set()

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if post_id in self.dirty:
            self.dirty.discard(post_id)
        else:
            self.cache[post_id] = item

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            if post_id in self.loading:
                self.dirty.add(post_id)
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)


class NotedTooLate(Invalidated):
    """Notes the generation once the reply is there."""

    def load(self, post_id: str) -> Any:
        item = load(self.table, post_id)
        self.noted = self.generations[post_id]
        return item

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if self.generations[post_id] == self.noted:
            self.cache[post_id] = item


class TakesOutTheNewer(Invalidated):
    def land(self, post_id: str, flight: Any) -> None:
        del self.loading[post_id]


class WaitsForTheLoad:
    """A lock a post, for the load as for invalidating."""

    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        self.table = table
        self.cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
        self.locks: dict[str, threading.Lock] = defaultdict(threading.Lock)

    def get(self, post_id: str) -> Any:
        with self.locks[post_id]:
            try:
                return self.cache[post_id]
            except KeyError:
                item = self.cache[post_id] = load(self.table, post_id)
                return item

    def invalidate(self, post_id: str) -> None:
        with self.locks[post_id]:
            self.cache.pop(post_id, None)


class EventualAndInvalidated(Invalidated):
    def load(self, post_id: str) -> Any:
        return self.table.get_item(Key={"PK": post_id, "SK": "META"}).get("Item")


class Toggled(Invalidated):
    """A generation that comes back after two writes."""

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] ^= 1
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)


class Stamped(Invalidated):
    """The time of the last write as a generation."""

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] = self.clock()
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)


class FillsApart(Flights):
    """Looks at the generation, and takes the lock for the fill only."""

    def get(self, post_id: str) -> Any:
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            flight = self.loading.get(post_id)
            mine = flight is None
            if mine:
                flight = self.loading[post_id] = Future()
                noted = self.generations[post_id]
        if not mine:
            return flight.result()
        try:
            item = self.load(post_id)
        except BaseException as error:
            with self.lock:
                if self.loading.get(post_id) is flight:
                    del self.loading[post_id]
            flight.set_exception(error)
            raise
        self.fill(post_id, item, flight, noted)
        with self.lock:
            if self.loading.get(post_id) is flight:
                del self.loading[post_id]
        flight.set_result(item)
        return item

    def fill(self, post_id: str, item: Any, flight: Any, noted: int) -> None:
        if self.generations[post_id] == noted:
            with self.lock:
                self.cache[post_id] = item

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)


class FillsInALine(FillsApart):
    """Without a lock, and in one line: only the cache's look at the clock is in between."""

    def fill(self, post_id: str, item: Any, flight: Any, noted: int) -> None:
        self.cache.update({post_id: item} if self.generations[post_id] == noted else {})


class NoLockToInvalidate(Invalidated):
    def invalidate(self, post_id: str) -> None:
        self.generations[post_id] += 1
        self.cache.pop(post_id, None)
        self.loading.pop(post_id, None)


class DropsThenCounts(Invalidated):
    """Two steps: in between a load fills what was dropped, by the generation of before."""

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.cache.pop(post_id, None)
            self.loading.pop(post_id, None)
        with self.lock:
            self.generations[post_id] += 1


def no_lock_anywhere(table: Any, ttl: float, clock: Any) -> Any:
    cache: Any = TTLCache(maxsize=1_000, ttl=ttl, timer=clock)
    generations: Counter[str] = Counter()

    def get(post_id: str) -> Any:
        with suppress(KeyError):
            return cache[post_id]
        generation = generations[post_id]
        item = load(table, post_id)
        if generations[post_id] == generation:
            cache[post_id] = item
        return item

    def invalidate(post_id: str) -> None:
        generations[post_id] += 1
        cache.pop(post_id, None)

    return SimpleNamespace(get=get, invalidate=invalidate)


class LandsOnTheNewer(Invalidated):
    """Takes out whatever load is under way."""

    def land(self, post_id: str, flight: Any) -> None:
        self.loading.pop(post_id, None)


class FailsOnTheNewer(FillsApart):
    """The same, where the load failed."""

    def get(self, post_id: str) -> Any:
        try:
            return super().get(post_id)
        except ClientError:
            with self.lock:
                self.loading.pop(post_id, None)
            raise

    def fill(self, post_id: str, item: Any, flight: Any, noted: int) -> None:
        with self.lock:
            if self.generations[post_id] == noted:
                self.cache[post_id] = item


class AloneAfterAWrite(Invalidated):
    """Tells nobody of a load, once its post was invalidated."""

    def get(self, post_id: str) -> Any:
        if not self.generations[post_id]:
            return super().get(post_id)
        with self.lock:
            with suppress(KeyError):
                return self.cache[post_id]
            generation = self.generations[post_id]
        item = self.load(post_id)
        with self.lock:
            self.fill(post_id, item, None, generation)
        return item


class PopsALoad(Invalidated):
    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.generations[post_id] += 1
            self.cache.pop(post_id, None)
            self.loading.pop(post_id)


class GivesUp(Invalidated):
    """Refuses whoever asked before the write."""

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if self.generations[post_id] != generation:
            raise RuntimeError("stale")
        self.cache[post_id] = item


def nothing_kept(table: Any, ttl: float, clock: Any) -> Any:
    return SimpleNamespace(
        get=lambda post_id: load(table, post_id), invalidate=lambda post_id: None
    )


class ByFlight(Invalidated):
    """The load itself is the generation: it fills where it still is the one under way."""

    def fill(self, post_id: str, item: Any, flight: Any, generation: int) -> None:
        if self.loading.get(post_id) is flight:
            self.cache[post_id] = item


class OneNumber(Counter[str]):
    """A Counter whose keys share one number."""

    def __getitem__(self, post_id: str) -> int:
        return super().__getitem__("all")

    def __setitem__(self, post_id: str, number: int) -> None:
        super().__setitem__("all", number)


class OneGenerationForAll(Invalidated):
    """Bounded: one number. A write to any post keeps every load under way from filling."""

    def __init__(self, table: Any, ttl: float, clock: Any) -> None:
        super().__init__(table, ttl, clock)
        self.generations = OneNumber()


def by_locks_and_generations(table: Any, ttl: float, clock: Any) -> Any:
    """Who comes after the write waits for the older load, and then loads anew."""
    entries: dict[str, tuple[Any, float]] = {}
    generations: Counter[str] = Counter()
    guard = threading.RLock()
    locks: dict[str, threading.Lock] = {}

    def kept(post_id: str) -> Any:
        with guard:
            item, until = entries.get(post_id, (None, -math.inf))
        return item if clock() < until else MISSED

    def get(post_id: str) -> Any:
        item = kept(post_id)
        if item is not MISSED:
            return item
        with guard:
            lock = locks.setdefault(post_id, threading.Lock())
        with lock:
            item = kept(post_id)
            if item is not MISSED:
                return item
            with guard:
                generation = generations[post_id]
            since = clock()
            item = load(table, post_id)
            with guard:
                if generations[post_id] == generation:
                    entries[post_id] = item, since + ttl
            return item

    def invalidate(post_id: str) -> None:
        with guard:
            generations[post_id] += 1
            entries.pop(post_id, None)

    return SimpleNamespace(get=get, invalidate=invalidate)


def by_condition_and_generations(table: Any, ttl: float, clock: Any) -> Any:
    """Who waits is woken by whoever loads, and looks again."""
    cache: Any = TTLCache(maxsize=500, ttl=ttl, timer=clock)
    changed = threading.Condition()
    generations: dict[str, int] = {}
    loading: set[tuple[str, int]] = set()

    def get(post_id: str) -> Any:
        with changed:
            while True:
                found = cache.get(post_id, MISSED)
                if found is not MISSED:
                    return found
                flight = post_id, generations.get(post_id, 0)
                if flight not in loading:
                    loading.add(flight)
                    break
                changed.wait()
        try:
            item = load(table, post_id)
            with changed:
                if generations.get(post_id, 0) == flight[1]:
                    cache[post_id] = item
            return item
        finally:
            with changed:
                loading.discard(flight)
                changed.notify_all()

    def invalidate(post_id: str) -> None:
        with changed:
            generations[post_id] = generations.get(post_id, 0) + 1
            cache.pop(post_id, None)

    return SimpleNamespace(get=get, invalidate=invalidate)


def by_keys_with_generations(table: Any, ttl: float, clock: Any) -> Any:
    """The generation is part of the key: a fill that comes too late fills what nobody asks for."""
    cache: Any = TTLCache(maxsize=5_000, ttl=ttl, timer=clock)
    changed = threading.Condition()
    loading: set[tuple[str, int]] = set()
    generations: Counter[str] = Counter()

    def get(post_id: str) -> Any:
        with changed:
            key = post_id, generations[post_id]
            while True:
                with suppress(KeyError):
                    return cache[key]
                if key not in loading:
                    break
                changed.wait()
            loading.add(key)
        try:
            item = load(table, post_id)
            with changed:
                cache[key] = item
            return item
        finally:
            with changed:
                loading.remove(key)
                changed.notify_all()

    def invalidate(post_id: str) -> None:
        with changed:
            generations[post_id] += 1

    return SimpleNamespace(get=get, invalidate=invalidate)


def until_it_is_new(table: Any, ttl: float, clock: Any) -> Any:
    """A load that was overtaken by a write loads again, or joins one that does."""
    cache: Any = TTLCache(maxsize=5_000, ttl=ttl, timer=clock)
    changed = threading.Condition()
    loading: dict[str, int] = {}
    generations: Counter[str] = Counter()

    def get(post_id: str) -> Any:
        while True:
            with changed:
                while True:
                    with suppress(KeyError):
                        return cache[post_id]
                    if loading.get(post_id, -1) != generations[post_id]:
                        break
                    changed.wait()
                noted = loading[post_id] = generations[post_id]
            try:
                item = load(table, post_id)
                with changed:
                    if generations[post_id] == noted:
                        cache[post_id] = item
                        return item
            finally:
                with changed:
                    if loading.get(post_id) == noted:
                        del loading[post_id]
                    changed.notify_all()

    def invalidate(post_id: str) -> None:
        with changed:
            generations[post_id] += 1
            cache.pop(post_id, None)
            changed.notify_all()

    return SimpleNamespace(get=get, invalidate=invalidate)


class Entry:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.item: Any = None
        self.until: float | None = None


class ByEntries:
    """An entry is its own lock, load and generation; invalidate takes it out as a whole."""

    def __init__(self, table: Any, ttl: float, clock: Callable[[], float]) -> None:
        self.table, self.ttl, self.clock = table, ttl, clock
        self.lock = threading.Lock()
        self.entries: dict[str, Entry] = {}

    def get(self, post_id: str) -> Any:
        with self.lock:
            entry = self.entries.get(post_id)
            if entry is None or (entry.until is not None and self.clock() >= entry.until):
                entry = self.entries[post_id] = Entry()
        with entry.lock:
            if entry.until is None:
                entry.item = load(self.table, post_id)
                entry.until = self.clock() + self.ttl
            return entry.item

    def invalidate(self, post_id: str) -> None:
        with self.lock:
            self.entries.pop(post_id, None)


WRONG: dict[str, list[Any]] = {
    "12.1": [
        (rounded_down, "do you round up or down?"),
        (to_the_nearest, "do you round up or down?"),
        (one_more, "do exactly 3,000 read and 1,000 write units fill"),
        (each_rounded, "before you add, or after"),
        (largest_of_three, "do you add their shares?"),
        (swapped, "which is 1,000?"),
        (added_up, "at the same time"),
        (one_more_than_the_larger, "one more than the larger"),
        (printed, "returns the number?"),
        (as_text, "this is a str"),
        (the_smaller, "which of the two numbers decides"),
        (size_ignored, "How many gigabytes"),
        (none_for_nothing, "at least one partition"),
        (a_float, "is a whole number"),
        (whole_float, "is an int"),
        (by_reciprocals, "compute with whole numbers only?"),
    ],
    "12.2": [
        (no_cache, "Where do you look before you read"),
        (only_the_function, "it has no method get"),
        (nothing_returned, "returned None; it has no method get"),
        (never_loads, "made no request"),
        (WholeReply, "That is a whole reply"),
        (MissingRaises, "KeyError: 'Item'"),
        (Eventual, "asks for what is stored now"),
        (Scans, "Which read takes a key"),
        (ReadsTwice, "What is the other read for?"),
        (MissingNotKept, "How do you tell one from the other"),
        (by_get, "How do you tell one from the other"),
        (MissingIsEmpty, "returned {}"),
        (OneCacheForAll, "Where is your cache stored?"),
        (OneEntry, "Under which key does your cache keep"),
        (NeverExpires, "Which clock does your cache look at"),
        (by_lru_cache, "Which clock does your cache look at"),
        (OwnClock, "Which clock does your cache look at"),
        (Sliding, "made the entry live longer"),
        (HalfTheTime, "For how long may an item be served"),
        (herd, "thundering herd"),
        (cached_with_a_lock, "thundering herd"),
        (checks_before_the_lock, "thundering herd"),
        (one_lock_for_all, "need not wait for each other"),
        (FailureLeftBehind, "never returned"),
        (ErrorKept, "Which errors of a read may you hide?"),
        (ErrorStays, "for how long should you remember it?"),
        (WaitersGetNothing, "that waited for the load of another?"),
        (OnlyClientErrors, "which is not a ClientError"),
        (OldOnError, "which had expired"),
        (OneRoom, "How many entries does your cache hold"),
        (HundredRooms, "How many entries does your cache hold"),
        (LooksTwice, "How do you ask once for both"),
        (unguarded, "How do you ask once for both"),
        (by_pool, "started a thread of its own for the read"),
        (WaitsInTheLock, "Which lock do you hold while you wait?"),
        (TwoSections, "must be one, under one lock"),
        (TidiesFirst, "must be one, under one lock"),
        (Projected, "what does yours return"),
    ],
    "12.3": [
        (Flights, "it has no method invalidate"),
        (NoGeneration, "What can A note when its load begins"),
        (NotedTooLate, "What can A note when its load begins"),
        (NotDropped, "Which entry of which cache do you delete?"),
        (Joined, "Which loads may a reader wait for?"),
        (OnlyUnread, "What if there is nothing to delete?"),
        (ThrowsOutAll, "also deleted the entry of POST#5e02"),
        (SetsNone, "is an answer too"),
        (Reloads, "What is left for invalidate to do"),
        (NeverAgain, "keeps its item out of the cache"),
        (Dirty, "What never returns to an old value"),
        (TakesOutTheNewer, "is that entry still its own by then"),
        (WaitsForTheLoad, "need not wait for it"),
        (EventualAndInvalidated, "asks for what is stored now"),
        (Toggled, "never comes again"),
        (Stamped, "never comes again"),
        (FillsApart, "get('POST#a91f') was stopped for a moment"),
        (FillsInALine, "must be one, under one lock"),
        (NoLockToInvalidate, "must be one, under one lock"),
        (DropsThenCounts, "invalidate('POST#a91f') was stopped for a moment"),
        (no_lock_anywhere, "it made a request of its own"),
        (LandsOnTheNewer, "which load may remove that note?"),
        (FailsOnTheNewer, "The older load failed"),
        (AloneAfterAWrite, "it made a request of its own"),
        (PopsALoad, "What if there is nothing to delete?"),
        (GivesUp, "Must its get fail"),
        (nothing_kept, "Where do you look before you read"),
    ],
}
RIGHT: dict[str, list[Any]] = {
    "12.1": [by_fractions, by_decimals, by_quotients, by_divmod],
    "12.2": [Flights, by_condition, by_locks, Polling, ByQuery, Invalidated, ByEntries],
    "12.3": [
        Invalidated,
        ByFlight,
        OneGenerationForAll,
        by_locks_and_generations,
        by_condition_and_generations,
        by_keys_with_generations,
        until_it_is_new,
        ByEntries,
    ],
}
