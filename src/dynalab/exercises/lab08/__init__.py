"""Lab 08, Sharded voting: more votes than one key takes, and each voter counted once."""

from __future__ import annotations

from dynalab.check import Exercise
from dynalab.exercises.lab08.ballots import check_cast
from dynalab.exercises.lab08.sharded_vote import check_vote
from dynalab.exercises.lab08.shards_for_peak import check_shards_needed
from dynalab.exercises.lab08.vote_growth import check_growth
from dynalab.exercises.lab08.vote_totals import check_total
from dynalab.exercises.tables import PK_SK

TABLES = {"Votes": PK_SK, "Social": PK_SK}

EXERCISES = (
    Exercise(
        "8.1",
        check_vote,
        hints=(
            "rng is a random.Random: rng.randrange(shards) gives each of 0 to shards - 1.",
            'Two digits at least, from 00: f"CANDIDATE#{candidate}#{number:02}".',
            "table.update_item with ADD adds to a number, and starts at 0 where there is no item.",
        ),
        explanation="DynamoDB places an item by a hash of its partition key, so ten partition keys "
        "are ten partitions at best, each with a ceiling of its own. A sort key or an attribute "
        "moves nothing to another partition.",
    ),
    Exercise(
        "8.2",
        check_total,
        hints=(
            "table.meta.client.batch_get_item takes RequestItems={table.name: {'Keys': [...]}}, "
            "plain Python values, 100 keys at most. Missing items are not in its Responses.",
            "reply['UnprocessedKeys'] has the form of RequestItems: it is what to ask for next.",
            "Count the requests of one batch. After the last one raise an error of your own; "
            "before each further one call sleep, longer each time.",
        ),
        explanation="A batch is no all-or-nothing read: DynamoDB may serve some keys and hand back "
        "the others, without an exception. A total that ignores them is wrong and looks right. "
        "Even a full one is no snapshot: votes go on while it is read.",
    ),
    Exercise(
        "8.3",
        check_shards_needed,
        hints=(
            "A partition serves 1,000 write units a second.",
            "Write units at the peak: votes a second, times 1 + headroom, times units a vote.",
            "math.ceil rounds up to an int; max(1, …) keeps the first shard.",
        ),
        explanation="Chance loads shards unevenly, and a peak is an estimate: headroom pays for "
        "both. A transaction asks for two units of its shard, so it needs twice the shards.",
    ),
    Exercise(
        "8.4",
        check_growth,
        hints=(
            "One UpdateItem sets `shards` under a ConditionExpression: where there is no number "
            "yet, or a smaller one.",
            "A ConditionalCheckFailedException then means that the number is as high already: "
            "catch that one, and nothing else.",
            "total_now reads META with ConsistentRead=True each time, and sums up so many shards. "
            "Your `total` is there for that.",
        ),
        explanation="The number only rises, so a voter who knows an old one still votes on a shard "
        "that every total reads. A reader with an old number misses the new shards. So readers "
        "ask for it every time, and strongly.",
        value=True,
    ),
    Exercise(
        "8.5",
        check_cast,
        hints=(
            "One transact_write_items: a Put of the ballot with attribute_not_exists(PK), and an "
            "Update that adds 1 to the shard.",
            "A stable digest: int.from_bytes(hashlib.sha256(voter.encode()).digest(), 'big') "
            "% shards.",
            "On TransactionCanceledException look at the reason at the ballot's place: "
            "ConditionalCheckFailed means False; anything else is raised again.",
        ),
        explanation="The ballot is the guard, and its key is spread like the voters. The shard can "
        "be computed again from the voter, and is stored for the day on which the number of "
        "shards is another one. A vote sent twice finds its own ballot.",
    ),
)
