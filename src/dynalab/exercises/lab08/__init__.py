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
            "rng is a random.Random: rng.randrange(shards) gives a number from 0 to shards - 1.",
            'Two digits at least, from 00: f"CANDIDATE#{candidate}#{number:02}".',
            "table.update_item with ADD adds to a number, and starts at 0 if there is no item.",
        ),
        explanation="DynamoDB places an item by a hash of its partition key, so ten partition "
        "keys lie on up to ten partitions, each with a limit of its own. A sort key or another "
        "attribute moves no item to another partition.",
    ),
    Exercise(
        "8.2",
        check_total,
        hints=(
            "table.meta.client.batch_get_item takes RequestItems={table.name: {'Keys': [...]}}, "
            "plain Python values, 100 keys at most. Missing items are not in its Responses.",
            "reply['UnprocessedKeys'] has the form of RequestItems: send it as the next request.",
            "Count the requests of one batch. After the last one raise an error of your own. "
            "Before each further one call sleep, longer each time.",
        ),
        explanation="A batch is not an all-or-nothing read: DynamoDB may answer some keys and "
        "return the others as unprocessed, without an exception. A total that ignores them is "
        "wrong and looks right. Even a full total is not a snapshot: votes go on while you read "
        "it.",
    ),
    Exercise(
        "8.3",
        check_shards_needed,
        hints=(
            "A partition serves 1,000 write units a second.",
            "Write units at the peak: votes per second, times 1 + headroom, times write units per "
            "vote.",
            "math.ceil rounds up to an int; max(1, …) keeps the first shard.",
        ),
        explanation="Random choice loads shards unevenly, and a peak is an estimate. Headroom "
        "covers both. A transaction needs two units of its shard, so it needs twice as many "
        "shards.",
    ),
    Exercise(
        "8.4",
        check_growth,
        hints=(
            "One UpdateItem sets `shards` with a ConditionExpression: there is no number yet, or "
            "a smaller one.",
            "A ConditionalCheckFailedException then means that the number is already that high: "
            "catch this exception, and no other.",
            "total_now reads META with ConsistentRead=True each time, and adds up that many "
            "shards. Use your `total` for that.",
        ),
        explanation="The number only rises, so a voter who knows an old one still votes on a "
        "shard that every total reads. A reader with an old number misses the new shards. So a "
        "reader reads the number every time, and by a strong read.",
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
            "ConditionalCheckFailed means False; raise everything else again.",
        ),
        explanation="The ballot is the guard, and each voter has a ballot under another key, so "
        "the ballots are spread too. The shard can be computed again from the voter, but the "
        "number of shards may change later, so it is stored too. A vote that is sent twice finds "
        "its own ballot.",
    ),
)
