"""Lab 02, The transactional tally: a like and its count land together, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from dynalab import faults
from dynalab.check import Exercise, Passed
from dynalab.engine import capacity
from dynalab.exercises.social import (
    TABLE,
    Post,
    delete_post,
    first_raised,
    in_words,
    put_like,
    put_post,
    tally_equals_likes,
)
from dynalab.exercises.tables import PK_SK
from dynalab.meter import Charge
from dynalab.outcome import Outcome
from dynalab.telling import advice, told
from dynalab.trial import Attempt, Refused, Trial

TABLES = {TABLE: PK_SK}

_OLD, _NEW, _GONE, _NONE = "POST#a91f", "POST#77b0", "POST#0c3d", "POST#none"
_OTHER = "POST#5e5e"  # in no cell of the lab, so that no request can be meant for it alone
_MARA, _TOM = "USER#7c20", "USER#2d11"
_AT = 1750636801
_TOKENS_LIVE = 10 * 60 + 1  # seconds; API reference, TransactWriteItems, ClientRequestToken


def _empty_table(trial: Trial) -> Any:
    """The table for one part of a check; tokens that an answer used in another are forgotten."""
    trial.clock.advance(_TOKENS_LIVE)
    return trial.table(TABLE)


# --- 2.1 ------------------------------------------------------------------------------------------


def check_bump(bump: Any, trial: Trial) -> Passed:
    table = _empty_table(trial)
    put_post(table, _OLD, likeTally=6)
    put_post(table, _NEW)
    with trial.bill() as charges:
        value = _bumped(trial, bump, table, _OLD)
    _expect_value(trial, "bump(table, 'POST#a91f')", value, 6, 7)
    for by, before, after in ((5, 7, 12), (-2, 12, 10)):
        value = _bumped(trial, bump, table, _OLD, by=by)
        _expect_value(trial, f"bump(table, 'POST#a91f', by={by})", value, before, after)
    _expect_start_at_zero(trial, bump, table)
    _expect_no_ghost(trial, trial.attempt(bump, table, _NONE))
    _expect_other_errors_through(trial, bump, table)
    extent = _hold_two_bumps(trial, bump)
    _hold_deleted_post(trial, bump, "bump")
    units = sum(charge.write_units for charge in charges)
    return Passed(
        f"Two clients, {extent}: the tally is exact, and no two calls returned the same value. "
        f"{units:g} write unit a bump.",
        _more_than_one(charges, "One UpdateItem can add, guard and answer."),
    )


def _bumped(trial: Trial, bump: Any, table: Any, post_id: str, **by: int) -> Any:
    """What bump returns; a reply that was not asked to hold attributes gets its own question."""
    before = trial.items(TABLE)
    attempt = trial.attempt(bump, table, post_id, **by)
    _expect_own_post(trial, attempt, post_id, before)
    if attempt.raised is None:
        return attempt.returned
    ask = advice(attempt.raised)
    if isinstance(attempt.raised, KeyError) and attempt.raised.args == ("Attributes",):
        ask = "Your reply holds no attributes; which parameter of UpdateItem asks for them?"
    raise Refused(f"{attempt.text} raised {told(attempt.raised)}", ask)


def _expect_own_post(
    trial: Trial, attempt: Attempt, post_id: str, before: Sequence[dict[str, Any]]
) -> None:
    """No META changed but that of post_id."""
    others = [
        item
        for item in trial.items(TABLE)
        if item not in before and item["PK"] != post_id and "likeTally" in item
    ]
    if others:
        raise Refused(
            f"{attempt.text} changed {_keys(others)}.",
            "Whose META does your Update change, and where does its key come from?",
        )


def _expect_value(trial: Trial, text: str, value: Any, before: int, after: int) -> None:
    post = Post.of(trial.items(TABLE), _OLD)
    if post.meta is None or post.is_ghost:
        raise Refused(
            f"{text} replaced the post: what is left of it is {in_words(post.meta)}.",
            "Which operation changes one attribute and leaves the others as they are?",
        )
    if post.tally != after:
        raise Refused(
            f"The likeTally of {_OLD} was {before}. After {text} it is {post.tally}.",
            "Does your update add to what is there, and is it `by` that it adds?",
        )
    if value is None:
        raise Refused(
            f"{text} counted right, and returned None; the new value is {after}.",
            "UpdateItem's reply holds no attributes unless you ask. "
            "Which of its parameters asks for them?",
        )
    if value == before:
        raise Refused(
            f"{text} returned {value!r}, which is the value from before; the new one is {after}.",
            "UpdateItem can answer with what was, or with what is now. Which did you ask for?",
        )
    if value != after:
        raise Refused(
            f"{text} returned {value!r}; the tally is now {after}.",
            "Which part of the reply is the number?",
        )
    if type(value) is not int:
        raise Refused(
            f"{text} returned {value!r}, which is no int. boto3 reads every Number as a Decimal.",
            "What makes an int of it?",
        )


def _expect_start_at_zero(trial: Trial, bump: Any, table: Any) -> None:
    before = trial.items(TABLE)
    with trial.bill() as charges:
        attempt = trial.attempt(bump, table, _NEW)
    _expect_own_post(trial, attempt, _NEW, before)
    tally = Post.of(trial.items(TABLE), _NEW).tally
    if attempt.raised is None and attempt.returned == 1 and tally == 1:
        return
    refusals = [charge.error for charge in charges if charge.error]
    if attempt.raised_name() == "NoSuchPost" and "ValidationException" in refusals:
        raise Refused(
            f"{_NEW} is there and was never liked, so it has no likeTally yet. "
            f"DynamoDB answered ValidationException, and {attempt.text} raised NoSuchPost.",
            "Which of DynamoDB's errors says that the post is missing? And what was your update "
            "to add to here?",
        )
    came = _refusal(attempt) if attempt.raised else f"returned {attempt.returned!r}"
    raise Refused(
        f"{_NEW} is there and was never liked, so it has no likeTally yet. {attempt.text} {came}, "
        f"and its likeTally is {tally}.",
        "Your condition asks for something that this post has not yet. What has every item?"
        if attempt.raised_name() == "NoSuchPost"
        else "The first like makes it 1. Which way of adding starts at 0?",
    )


def _expect_no_ghost(trial: Trial, attempt: Attempt) -> None:
    meta = Post.of(trial.items(TABLE), _NONE).meta
    if meta is not None:
        came = "raised" if attempt.raised else "returned"
        what = attempt.raised_name() or repr(attempt.returned)
        raise Refused(
            f"There is no post {_NONE}. {attempt.text} {came} {what} and left a post with nothing "
            f"but a tally: {in_words(meta)}.",
            "UpdateItem creates what it does not find, unless a condition forbids it. "
            "Which condition holds for an item that is there, and for no other?",
        )
    if attempt.raised is None:
        raise Refused(
            f"There is no post {_NONE}, and {attempt.text} returned {attempt.returned!r}.",
            "The caller has to learn of it: the docstring says by which exception.",
        )
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"There is no post {_NONE}. {attempt.text} wrote nothing, which is right, and raised "
            f"{attempt.raised_name()}.",
            "Your caller speaks of posts, not of conditions: where can you turn the one into "
            "NoSuchPost?",
        )


def _expect_other_errors_through(trial: Trial, bump: Any, table: Any) -> None:
    """A tally that is a text makes DynamoDB refuse the addition, and the post is there."""
    put_post(table, _GONE, likeTally="5")
    attempt = trial.attempt(bump, table, _GONE)
    if attempt.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {_GONE} is there, and its likeTally is the text '5', to which DynamoDB "
            f"adds nothing (ValidationException). {attempt.text} raised NoSuchPost.",
            "Not every refusal means that the post is missing. Which exception does?",
        )


def _hold_two_bumps(trial: Trial, bump: Any) -> str:
    table = _empty_table(trial)
    put_post(table, _NEW)
    clients = {"A": lambda: bump(table, _NEW), "B": lambda: bump(table, _NEW)}

    def exact(outcome: Outcome) -> str | None:
        tally = Post.of(outcome.items(TABLE), _NEW).tally
        return first_raised(outcome) or (None if tally == 2 else f"likeTally {tally}, not 2.")

    def distinct(outcome: Outcome) -> str | None:
        one, other = outcome.returned["A"], outcome.returned["B"]
        return None if {one, other} == {1, 2} else f"A returned {one}, and B returned {other}."

    trial.hold(
        trial.explore(clients, exact),
        "Two clients bump the same post",
        "Reading, adding and writing back leaves a gap for the other client. "
        "Who else could add for you?",
    )
    return trial.hold(
        trial.explore(clients, distinct),
        "Two clients bump the same post, and the tally is right",
        "Between an update and a read that follows it, others write too. "
        "Can the update itself tell the value that it made?",
    )


def _hold_deleted_post(trial: Trial, call: Callable[..., Any], name: str, *rest: Any) -> None:
    """While `call` works on a post, somebody deletes it: no ghost, and NoSuchPost wrote nothing."""
    table = _empty_table(trial)
    put_post(table, _GONE)

    def invariant(outcome: Outcome) -> str | None:
        post = Post.of(outcome.items(TABLE), _GONE)
        if post.meta is not None:
            return f"The deleted post is back: {in_words(post.meta)}."
        if "A" in outcome.raised and post.likers:
            return f"{name} raised {type(outcome.raised['A']).__name__}, and the like is stored."
        return None

    clients = {
        "A": lambda: call(table, _GONE, *rest),
        "B": lambda: delete_post(table, _GONE),
    }
    trial.hold(
        trial.explore(clients, invariant),
        f"B deletes the post while A calls {name}",
        "A test before the write is out of date when the write comes. "
        "What is evaluated in the same step as the write?",
    )


# --- 2.2 ------------------------------------------------------------------------------------------


def check_like(like: Any, trial: Trial) -> Passed:
    charges = _expect_like(trial, like)
    extent = _hold_both_or_neither(trial, like)
    units = _expect_four_units(charges)
    return Passed(
        f"Two clients, {extent}, deaths included: the tally equals the likes. "
        f"{units:g} write units a like: two items, each rounded up, then doubled.",
        _more_than_one(charges, "A like needs one."),
    )


def _expect_like(trial: Trial, like: Any) -> list[Charge]:
    """One like of a post without a tally, then one of another user; the charges of the first."""
    table = _empty_table(trial)
    put_post(table, _OLD)
    before = trial.items(TABLE)
    with trial.bill() as charges:
        first = trial.attempt(like, table, _OLD, _MARA, _AT)
    _refuse_batch(charges)
    _expect_own_post(trial, first, _OLD, before)
    _refuse_error(first)
    _expect_items(trial, first, charges, {_MARA: _AT})
    second = trial.attempt(like, table, _OLD, _TOM, _AT + 10)
    _refuse_error(second)
    _expect_items(trial, second, charges, {_MARA: _AT, _TOM: _AT + 10})
    put_post(table, _OTHER)
    before = trial.items(TABLE)
    elsewhere = trial.attempt(like, table, _OTHER, _TOM, _AT + 20)
    _expect_own_post(trial, elsewhere, _OTHER, before)
    _refuse_error(elsewhere)
    _expect_items(trial, elsewhere, charges, {_TOM: _AT + 20}, _OTHER)
    return charges


def _refuse_batch(charges: Sequence[Charge]) -> None:
    if any(charge.operation == "BatchWriteItem" for charge in charges):
        raise Refused(
            "like sent a BatchWriteItem. A batch saves round trips and promises nothing: it may "
            "write one item and hand the other back as unprocessed, and it can put and delete, "
            "not add.",
            "Which request writes several items, all or none?",
        )


def _refuse_error(attempt: Attempt) -> None:
    if attempt.raised is None:
        return
    if "does not exist in the item" in f"{attempt.raised} {_reasons(attempt)}":
        raise Refused(
            f"{_OLD} is there and was never liked, so it has no likeTally yet. {attempt.text} "
            f"{_refusal(attempt)}: an attribute that does not exist in the item.",
            "The first like makes it 1. Which way of adding starts at 0?",
        )
    if "Type mismatch for key" in str(attempt.raised) or "MAP" in str(attempt.raised):
        raise Refused(
            f"{attempt.text} raised {told(attempt.raised)}",
            "table.meta.client takes plain Python values and types them for you. "
            "What does your request hold in their place?",
        )
    raise Refused(
        f"{attempt.text} raised {told(attempt.raised)}",
        advice(attempt.raised) or "Run it in a cell of its own: at which line does it stop?",
    )


def _expect_items(
    trial: Trial,
    attempt: Attempt,
    charges: Sequence[Charge],
    likes: dict[str, int],
    post_id: str = _OLD,
) -> None:
    items = [item for item in trial.items(TABLE) if post_id == _OLD or item["PK"] == post_id]
    post = Post.of(items, post_id)
    if not charges:
        raise Refused(
            f"{attempt.text} sent no request.",
            "Building the request is half of it: which method of table.meta.client sends it?",
        )
    if all(charge.error for charge in charges):
        raise Refused(
            f"DynamoDB refused the request ({charges[0].error}), and {attempt.text} returned as "
            "if all were well.",
            "What nobody is told, nobody can put right: what does the exception say?",
        )
    user_id, at = list(likes.items())[-1]
    like = trial.item(TABLE, PK=post_id, SK=f"LIKE#{user_id}")
    if like is None:
        others = [item["SK"] for item in items if item["SK"] != "META"]
        raise Refused(
            f"After {attempt.text} there is no item with the key {post_id}, LIKE#{user_id}. "
            f"Beside its META the post has {', '.join(others) or 'nothing'}.",
            "The docstring gives the key of a like: what is in yours?",
        )
    if like.get("likedAt") != at:
        typed = isinstance(like.get("likedAt"), dict)
        raise Refused(
            f"After {attempt.text} the like's likedAt is {like.get('likedAt')!r}, not {at}.",
            "table.meta.client types plain values for you: who typed this one?"
            if typed
            else "Which argument is the time of the like?",
        )
    if post.meta is None or post.is_ghost:
        raise Refused(
            f"After {attempt.text} the post's META is {in_words(post.meta)}: its body is lost.",
            "Which action changes one attribute of an item and leaves the others as they are?",
        )
    if post.tally != len(likes):
        raise Refused(
            f"After {attempt.text}: {post.counted()}.",
            "The tally stands on the post's own META, in likeTally. "
            "Which part of your request adds to it, and by which key?",
        )
    if len(items) != len(likes) + 1:
        keys = {"META", *(f"LIKE#{user}" for user in likes)}
        extra = [item["SK"] for item in items if item["SK"] not in keys]
        raise Refused(
            f"{attempt.text} also wrote {', '.join(extra)}.",
            "A like is one item and one number. What is the other item for?",
        )


def _hold_both_or_neither(trial: Trial, like: Any) -> str:
    table = _empty_table(trial)
    put_post(table, _OLD)
    agrees = tally_equals_likes(_OLD)

    def invariant(outcome: Outcome) -> str | None:
        likers = Post.of(outcome.items(TABLE), _OLD).likers
        for client, user in (("A", _MARA), ("B", _TOM)):
            if client in outcome.returned and user not in likers:
                return f"{client}'s like returned, and its item is not there."
        return agrees(outcome) or first_raised(outcome)

    clients = {
        "A": lambda: like(table, _OLD, _MARA, _AT),
        "B": lambda: like(table, _OLD, _TOM, _AT + 10),
    }
    trial.hold(
        trial.explore({"A": clients["A"]}, invariant, crash=True),
        "The process may die at any point of a like",
        "Between two requests there is always a place to die. "
        "Which one request carries both writes?",
    )
    return trial.hold(
        trial.explore(clients, invariant, crash=True),
        "Two users like the same post at the same time, and either may die",
        "Reading, adding and writing back leaves a gap for the other client, in a transaction "
        "too. Who else could add for you?",
    )


def _expect_four_units(charges: Sequence[Charge]) -> float:
    units = sum(charge.write_units for charge in charges)
    wanted = 2 * capacity.write_units(1, transactional=True)
    if units != wanted:
        raise Refused(
            f"The like holds in every schedule. It costs {units:g} write units, and {wanted:g} "
            "are enough.",
            "Each item that a transaction names is paid twice, checked ones too. "
            "Which of yours can go?",
        )
    return units


# --- 2.3 ------------------------------------------------------------------------------------------


def check_like_no_such_post(like: Any, trial: Trial) -> Passed:
    _expect_like(trial, like)
    extent = _hold_both_or_neither(trial, like)
    table = _empty_table(trial)
    put_post(table, _OLD)
    put_like(table, _GONE, _MARA, _AT)
    _expect_nothing_written(trial, like, table, _NONE, "There is no post POST#none.")
    _expect_nothing_written(
        trial,
        like,
        table,
        _GONE,
        f"The post {_GONE} was deleted, and {_MARA}'s old like of it is still there.",
    )
    with _another_message(table):
        _expect_nothing_written(
            trial,
            like,
            table,
            _NONE,
            "DynamoDB words its message differently today: its CancellationReasons are the same, "
            "and there is no post POST#none.",
        )
    remark = _expect_only_missing_posts(trial, like, table)
    _hold_deleted_post(trial, like, "like", _MARA, _AT)
    return Passed(
        f"NoSuchPost, and nothing written, also where the post is deleted meanwhile. The rest "
        f"holds as before: {extent}.",
        remark,
    )


def _expect_nothing_written(
    trial: Trial, like: Any, table: Any, post_id: str, situation: str
) -> None:
    before = trial.items(TABLE)
    attempt = trial.attempt(like, table, post_id, _MARA, _AT + 20)
    _expect_own_post(trial, attempt, post_id, before)
    new = [item for item in trial.items(TABLE) if item not in before]
    if new:
        came = "raised" if attempt.raised else "returned"
        what = attempt.raised_name() or repr(attempt.returned)
        raise Refused(
            f"{situation} {attempt.text} {came} {what} and wrote {_keys(new)}.",
            "An Update creates what it does not find, unless a condition forbids it. "
            "Which of your two actions needs one?",
        )
    if attempt.raised is None:
        raise Refused(
            f"{situation} {attempt.text} wrote nothing, which is right, and returned "
            f"{attempt.returned!r}: the caller believes that the like is counted.",
            "Which exception does the docstring promise?",
        )
    if attempt.raised_name() != "NoSuchPost":
        raise Refused(
            f"{situation} {attempt.text} wrote nothing, which is right, and {_refusal(attempt)}.",
            "The reasons stand in the order of your TransactItems. "
            "Which of them speaks of META, and what is its Code?",
        )


def _expect_only_missing_posts(trial: Trial, like: Any, table: Any) -> str:
    """NoSuchPost must not stand for other trouble; the remark on a second like."""
    with faults.conflict(table):
        attempt = trial.attempt(like, table, _OLD, _TOM, _AT + 30)
    if attempt.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {_OLD} is there; another transaction on its items was under way, and the "
            f"reasons were TransactionConflict and None. {attempt.text} raised NoSuchPost.",
            "A transaction is cancelled for more than one reason. Which Code, at which place, "
            "means that the post is missing?",
        )
    for _ in range(2):
        again = trial.attempt(like, table, _OLD, _MARA, _AT + 40)
    if again.raised_name() == "NoSuchPost":
        raise Refused(
            f"The post {_OLD} is there. {_MARA} liked it twice, and the second time like raised "
            "NoSuchPost.",
            "You guard two items. Whose condition failed, and how do the reasons tell?",
        )
    post = Post.of(trial.items(TABLE), _OLD)
    if post.tally == len(post.likers):
        return ""
    return f"the same user liked twice: {post.counted()}. Lab 03 puts a guard into the data."


@contextmanager
def _another_message(table: Any) -> Iterator[None]:
    """What DynamoDB says about a cancelled transaction is put in other words."""

    def reword(parsed: dict[str, Any], **_: Any) -> None:
        if "CancellationReasons" in parsed:
            text = "The transaction was cancelled; its reasons are listed."
            parsed["Error"]["Message"] = parsed["Message"] = text

    events, name = table.meta.client.meta.events, "after-call.dynamodb.TransactWriteItems"
    events.register(name, reword)
    try:
        yield
    finally:
        events.unregister(name, reword)


# --- 2.4 ------------------------------------------------------------------------------------------

# The order tells the usual mistakes apart: each pair is the first that one of them gets wrong.
_COSTS = (
    (600, 700),
    (410, 720),
    (60, 210),
    (5_000, 60),
    (60, 1_024),
    (60, 1_025),
    (60, 3_072),
    (60, 3_073),
    (60, 40_000),
)


def check_like_cost(like_cost: Any, trial: Trial) -> Passed:
    for like_bytes, meta_bytes in _COSTS:
        _expect_cost(trial, like_cost, like_bytes, meta_bytes)
    table = _empty_table(trial)
    put_post(table, _OLD, story="x" * 3_000)
    put_post(table, _NEW)
    big, small = (_measured(trial, table, post_id) for post_id in (_OLD, _NEW))
    return Passed(f"All sizes agree. Measured: {big}; {small}.")


def _measured(trial: Trial, table: Any, post_id: str) -> str:
    with trial.bill() as charges:
        table.meta.client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": TABLE,
                        "Item": {"PK": post_id, "SK": f"LIKE#{_MARA}", "likedAt": _AT},
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": {"PK": post_id, "SK": "META"},
                        "UpdateExpression": "ADD likeTally :one",
                        "ExpressionAttributeValues": {":one": 1},
                    }
                },
            ]
        )
    meta = trial.item(TABLE, PK=post_id, SK="META") or {}
    size = capacity.item_size(
        {k: {"N": str(v)} if isinstance(v, Decimal) else {"S": v} for k, v in meta.items()}
    )
    return f"a like of a post of {size:,} bytes costs {charges[0].write_units:g} write units"


def _expect_cost(trial: Trial, like_cost: Any, like_bytes: int, meta_bytes: int) -> None:
    plain = [capacity.write_units(size) for size in (like_bytes, meta_bytes)]
    wanted = 2 * sum(plain)
    cost = trial.call(like_cost, like_bytes, meta_bytes)
    if isinstance(cost, bool) or not isinstance(cost, int | float | Decimal):
        raise Refused(
            f"like_cost({like_bytes}, {meta_bytes}) returned {type(cost).__name__}; "
            "write units are a number.",
            "Return how many units the transaction costs.",
        )
    if cost != wanted:
        raise Refused(
            f"like_cost({like_bytes:_}, {meta_bytes:_}) returned {cost}; "
            f"DynamoDB bills {wanted:g}.",
            _cost_question(float(cost), like_bytes, meta_bytes, plain),
        )


def _cost_question(cost: float, like_bytes: int, meta_bytes: int, plain: list[float]) -> str:
    both = like_bytes + meta_bytes
    if cost == 2 * plain[0] + 2 and plain[1] > 1:
        return (
            "Only a few bytes of META change. By which size is an update billed: "
            "by the change's, or by the whole item's?"
        )
    if cost == capacity.write_units(both, transactional=True):
        return "That rounds the sum up. Is a transaction rounded once, or item by item?"
    if cost == sum(capacity.write_units(2 * size) for size in (like_bytes, meta_bytes)):
        return "That doubles the bytes and then rounds. Which of the two comes first?"
    if cost == capacity.write_units(2 * both):
        return "That adds and doubles before it rounds. What does DynamoDB round up?"
    if cost == 2 * sum(-(-size // 1000) for size in (like_bytes, meta_bytes)):
        return "How many bytes has a kilobyte here: 1,000 or 1,024?"
    if cost == 2 * sum(-(-size // capacity.READ_UNIT_BYTES) for size in (like_bytes, meta_bytes)):
        return "Reads are billed by 4 KB. By how much are writes?"
    if cost == sum(plain):
        return "That is the bill of two plain writes. What does a transaction do to each of them?"
    if abs(cost - 2 * both / capacity.WRITE_UNIT_BYTES) < 1e-9:
        return "Can a part of a kilobyte be billed? Look at what is rounded up."
    return "Each item has a size of its own: which sizes make this one so dear?"


# --- in words -------------------------------------------------------------------------------------


def _reasons(attempt: Attempt) -> list[dict[str, Any]]:
    response = getattr(attempt.raised, "response", {})
    return list(response.get("CancellationReasons", []))


def _refusal(attempt: Attempt) -> str:
    """ "raised TransactionCanceledException [None, ConditionalCheckFailed]"."""
    error = attempt.raised
    code = getattr(error, "response", {}).get("Error", {}).get("Code", type(error).__name__)
    codes = ", ".join(reason["Code"] for reason in _reasons(attempt))
    return f"raised {code}{f' [{codes}]' if codes else ''}"


def _keys(items: Sequence[dict[str, Any]]) -> str:
    return " and ".join(f"{item['PK']} {item['SK']}" for item in items)


def _more_than_one(charges: Sequence[Charge], enough: str) -> str:
    if len(charges) == 1:
        return ""
    operations = " and ".join(charge.operation for charge in charges)
    reads = sum(charge.read_units for charge in charges)
    extra = f", {reads:g} read units on top" if reads else ""
    return f"it took {len(charges)} requests: {operations}{extra}. {enough}"


EXERCISES = (
    Exercise(
        "2.1",
        check_bump,
        hints=(
            "table.update_item with ADD adds to a number, and starts at 0 where there is none.",
            "A condition on a key attribute tells whether the item is there: attribute_exists(PK). "
            "Where it fails, boto3 raises table.meta.client.exceptions."
            "ConditionalCheckFailedException.",
            "ReturnValues='UPDATED_NEW' puts the changed attributes, as they are now, into "
            "reply['Attributes'].",
        ),
        explanation="DynamoDB applies the writes of one item one after the other, so no client can "
        "stand between reading and adding. The condition is part of that step, and so is the "
        "value in the reply.",
    ),
    Exercise(
        "2.2",
        check_like,
        hints=(
            "table.meta.client.transact_write_items takes TransactItems: a list of dicts such as "
            "{'Put': {...}} and {'Update': {...}}.",
            "Each action names its TableName (table.name). A Put has an Item; an Update has a Key, "
            "an UpdateExpression and ExpressionAttributeValues, as update_item does.",
            "The Put writes the like. The Update adds one to likeTally on META, with ADD.",
        ),
        explanation="All actions of a transaction land together, or none does, so there is no "
        "point at which a like exists that nobody counted. The addition happens in DynamoDB, so "
        "two transactions cannot overwrite each other's number.",
    ),
    Exercise(
        "2.3",
        check_like_no_such_post,
        hints=(
            "An action of a transaction may have a ConditionExpression. Which item must be there?",
            "Catch table.meta.client.exceptions.TransactionCanceledException as error; "
            "error.response['CancellationReasons'] has one dict for each of your actions.",
            "Look at the reason at META's place only. Raise NoSuchPost where its Code is "
            "ConditionalCheckFailed; let everything else go on with a bare raise.",
        ),
        explanation="Reasons stand in the order of the actions, 'None' for the innocent ones. "
        "Looking at META's place first makes a missing post win over whatever else failed. "
        "Conflicts and throttles cancel too, and they say nothing about the post.",
    ),
    Exercise(
        "2.4",
        check_like_cost,
        hints=(
            "Round each item's bytes up to whole kilobytes of 1,024 bytes first: -(-n // 1024).",
            "An update is billed by the whole item, as it is before or after, whichever is larger.",
            "A transaction writes everything twice: once to prepare, once to commit.",
        ),
        explanation="Each item is rounded up by itself, and the sum is doubled. The tally weighs a "
        "few bytes; what a like pays for is the item that the tally stands on.",
    ),
)
