"""Lab 12, Hot keys: what one key can take, and a cache that never serves an old write."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab12.cached_reader import check_cached_reader
from dynalab.exercises.lab12.invalidation import check_invalidate
from dynalab.exercises.lab12.partition_formula import check_partitions
from dynalab.exercises.lab12.posts import TABLES

__all__ = ["EXERCISES", "TABLES"]

EXERCISES = (
    Exercise(
        "12.1",
        check_partitions,
        hints=(
            "Compute two numbers, one by size and one by throughput. The larger one counts.",
            "rcu / 3,000 + wcu / 1,000 is (rcu + 3 * wcu) / 3,000: one sum of whole numbers, one "
            "division.",
            "-(-a // b) is a / b rounded up, in whole numbers. max takes three values as well.",
        ),
        explanation="Units were split evenly, so each new partition made the share of every "
        "partition smaller. If a table grew by size, its hot key got fewer units than before.",
    ),
    Exercise(
        "12.2",
        check_cached_reader,
        hints=(
            "cachetools.TTLCache(maxsize=1_000, ttl=ttl, timer=clock) is a dict that forgets its "
            "entries after ttl seconds. It is not thread-safe: hold a threading.Lock around each "
            "use.",
            "cache[post_id] raises KeyError if there is no entry. So None can be an entry: “there "
            "is no such post”. Look once, and catch the KeyError: after an `in` the entry may "
            "expire before you read it.",
            "Keep a dict of the loads that are under way: post_id → concurrent.futures.Future. A "
            "reader that finds no entry and no load puts a load there and is the one that loads. "
            "It looks for both in one step, under one lock. All others wait for the load's "
            "result(), without the lock.",
            "The one that loads calls get_item(..., ConsistentRead=True) without the lock. Then "
            "it fills the cache, but only after a success. In any case it takes its load out of "
            "the dict, and sets the result or the exception.",
        ),
        explanation="An item costs one strong read every ttl seconds, however many readers ask "
        "for it. One load for all that wait is called request coalescing, or single flight. "
        "Without it every reader of a hot key misses at the moment when its entry expires, and "
        "the table gets all their reads at once.",
    ),
    Exercise(
        "12.3",
        check_invalidate,
        hints=(
            "Keep a collections.Counter of generations, post_id → how often it was invalidated. "
            "Under the lock, invalidate adds one and deletes the entry.",
            "A load notes the generation under the lock before it reads. Afterwards it looks "
            "again and fills the cache, both under one lock, and only if the generation is still "
            "the same.",
            "invalidate also takes the running load out of the dict, so that a later reader "
            "starts a new one. Then the old load must not take out the newer one: it looks "
            "whether the one in the dict is its own.",
        ),
        explanation="To delete the entry is not enough if a load has read already and not yet "
        "filled the cache. A generation only rises, so before it fills, a load can see that a "
        "write came in between, however many loads and writes there were. The load itself may go "
        "on: a reader that began to wait before the write may get the value of that time.",
    ),
)
