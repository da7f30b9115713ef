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
            "Two numbers, the larger one counts: by size, by throughput.",
            "rcu / 3,000 + wcu / 1,000 is (rcu + 3 * wcu) / 3,000: one sum of whole numbers, one "
            "division.",
            "-(-a // b) is a / b rounded up, in whole numbers. max takes three values as well.",
        ),
        explanation="Units were split evenly, so each partition that was added made every "
        "partition's share smaller. A table that grew by size served its hot key less than before.",
    ),
    Exercise(
        "12.2",
        check_cached_reader,
        hints=(
            "cachetools.TTLCache(maxsize=1_000, ttl=ttl, timer=clock) is a dict that forgets. "
            "It is not thread-safe: hold a threading.Lock around each use.",
            "cache[post_id] raises KeyError where there is no entry. So None can be an entry: "
            "“there is no such post”. Look once, and catch the KeyError: after an `in` the entry "
            "may expire before you take it.",
            "Keep a dict of the loads that are under way: post_id → concurrent.futures.Future. "
            "Under the lock, whoever finds no entry and no load puts one there and becomes the "
            "one who loads; everybody else waits for its result(), without the lock. Both looks "
            "are one step, under one lock.",
            "The one who loads calls get_item(..., ConsistentRead=True) without the lock, and then "
            "does three things, failed or not: fill the cache (only if it went well), take its "
            "load out of the dict, and set the result or the exception.",
        ),
        explanation="An item costs one strong read every ttl seconds, however many ask for it. "
        "One load for all who wait is called request coalescing, or single flight: without it "
        "every reader of a hot key misses in the moment in which its entry expires, and the table "
        "meets them all at once.",
    ),
    Exercise(
        "12.3",
        check_invalidate,
        hints=(
            "A collections.Counter of generations, post_id → how often it was invalidated. Under "
            "the lock, invalidate adds one and drops the entry.",
            "A load notes the generation under the lock before it reads. Afterwards it looks again "
            "and fills, both under one lock, and only where the generation is still the same.",
            "invalidate also takes the load that is under way out of the dict, so that whoever "
            "comes later starts one of their own. Then the old load must not take out a newer one: "
            "it looks whether the one in the dict is its own.",
        ),
        explanation="Deleting an entry does nothing about a load that has read and not yet filled. "
        "A generation only rises, so a fill can tell that a write came in between, however many "
        "loads and writes there were. The load itself may go on: whoever began to wait before the "
        "write may have what was true then.",
    ),
)
