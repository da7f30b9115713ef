"""Query and Scan: order, conditions on the sort key, pages, indexes, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.engine.calls import Db, Refused, item, padded, value, values


def fill(db: Db, *sort_keys: Any, partition: Any = "a", **attributes: Any) -> None:
    for sort_key in sort_keys:
        db.put(item(pk=partition, sk=sort_key, **attributes))


def sort_keys(reply: dict[str, Any], name: str = "sk") -> list[Any]:
    """The plain sort keys of a page: text as it is, numbers as their text."""
    return [next(iter(wire[name].values())) for wire in reply["Items"]]


def found(db: Db, condition: str = "pk = :p", **request: Any) -> list[Any]:
    given = {"p": "a", **request.pop("v", {})}
    return sort_keys(db.query(condition, v=given, **request))


def refusal(db: Db, condition: str = "pk = :p", **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        db.query(condition, **request)
    assert refused.value.code == "ValidationException"
    return refused.value.message


# --- order ------------------------------------------------------------------------------------


def test_text_is_ordered_by_its_utf_8_bytes(db: Db) -> None:
    db.table()
    fill(db, "b", "a", "B", "é", "z", "\uffff", "😀", "a#", "aa", "10", "9")
    assert found(db) == ["10", "9", "B", "a", "a#", "aa", "b", "z", "é", "\uffff", "😀"]


def test_numbers_are_ordered_as_numbers(db: Db) -> None:
    db.table(keys="pk:S sk:N")
    texts = ["10", "9", "-1", "-10", "0", "1.5", "1.25", "-0.5", "1E+3", "1E-3"]
    fill(db, *map(Decimal, texts))
    assert found(db) == ["-10", "-1", "-0.5", "0", "0.001", "1.25", "1.5", "9", "10", "1000"]


def test_binary_is_ordered_by_its_bytes(db: Db) -> None:
    db.table(keys="pk:S sk:B")
    keys = [b"\xff", b"\x00", b"a", b"\x7f", b"\x80", b"ab", b"\x00\x00", b">", b"?"]
    fill(db, *keys)
    assert found(db) == [value(key)["B"] for key in sorted(keys)]


def test_times_without_a_fraction_sort_wrongly_and_padded_ones_rightly(db: Db) -> None:
    db.table()
    fill(db, "07:05:28.991Z", "07:05:29Z", "07:05:29.017Z")
    assert found(db) == ["07:05:28.991Z", "07:05:29.017Z", "07:05:29Z"]
    fill(db, "07:05:28.991Z", "07:05:29.000Z", "07:05:29.017Z", partition="b")
    assert found(db, v={"p": "b"}) == ["07:05:28.991Z", "07:05:29.000Z", "07:05:29.017Z"]


def test_unpadded_numbers_in_text_sort_as_text(db: Db) -> None:
    db.table()
    fill(db, "L#9", "L#10", "L#2")
    assert found(db) == ["L#10", "L#2", "L#9"]


def test_backward_and_limit_one_gives_the_latest(db: Db) -> None:
    db.table()
    fill(db, "01", "03", "02")
    assert found(db, ScanIndexForward=False) == ["03", "02", "01"]
    assert found(db, ScanIndexForward=False, Limit=1) == ["03"]


def test_other_partitions_are_not_seen(db: Db) -> None:
    db.table()
    fill(db, "1", "2")
    fill(db, "3", partition="b")
    assert found(db) == ["1", "2"]
    assert found(db, v={"p": "none"}) == []


# --- conditions on the sort key -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "given", "keys"),
    [
        ("sk = :s", {"s": "b"}, ["b"]),
        ("sk < :s", {"s": "b"}, ["a"]),
        ("sk <= :s", {"s": "b"}, ["a", "b"]),
        ("sk > :s", {"s": "b"}, ["bb", "c"]),
        ("sk >= :s", {"s": "b"}, ["b", "bb", "c"]),
        (":s < sk", {"s": "b"}, ["bb", "c"]),
        (":s >= sk", {"s": "b"}, ["a", "b"]),
        ("sk BETWEEN :s AND :t", {"s": "b", "t": "c"}, ["b", "bb", "c"]),
        ("sk BETWEEN :s AND :t", {"s": "b", "t": "b"}, ["b"]),
        ("sk BETWEEN :s AND :t", {"s": "ba", "t": "bz"}, ["bb"]),
        ("begins_with(sk, :s)", {"s": "b"}, ["b", "bb"]),
        ("begins_with(sk, :s)", {"s": "d"}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("forward", [True, False])
def test_each_condition_on_the_sort_key(
    db: Db, condition: str, given: dict[str, Any], keys: list[str], forward: bool
) -> None:
    db.table()
    fill(db, "a", "b", "bb", "c")
    fill(db, "b", partition="other")
    expected = keys if forward else keys[::-1]
    order = {"ScanIndexForward": forward}
    assert found(db, f"pk = :p AND {condition}", v=given, **order) == expected
    assert found(db, f"{condition} AND :p = pk", v=given, **order) == expected
    assert found(db, f"(pk = :p) AND ({condition})", v=given, **order) == expected


@pytest.mark.parametrize(
    ("condition", "given", "keys"),
    [
        ("sk > :s", {"s": -1}, ["-0.5", "2", "10"]),
        ("sk BETWEEN :s AND :t", {"s": -10, "t": 2}, ["-1", "-0.5", "2"]),
        ("sk < :s", {"s": Decimal("2.0")}, ["-1", "-0.5"]),
        ("sk = :s", {"s": Decimal("10.0")}, ["10"]),
    ],
)
def test_conditions_on_numbers(
    db: Db, condition: str, given: dict[str, Any], keys: list[str]
) -> None:
    db.table(keys="pk:S sk:N")
    fill(db, 10, -1, Decimal("-0.5"), 2)
    assert found(db, f"pk = :p AND {condition}", v=given) == keys


def test_a_prefix_may_end_at_the_top_of_unicode(db: Db) -> None:
    db.table()
    top = "\U0010ffff"
    keys = [
        "a",
        "a" + top,
        "a" + top + "x",
        "a" + top + top,
        "b",
        "\ud7ff",
        "\ue000",
        top,
        top + "a",
    ]
    fill(db, *keys)
    for prefix in ("a", "a" + top, top, "\ud7ff", "\ue000"):
        wanted = sorted(key for key in keys if key.startswith(prefix))
        assert found(db, "pk = :p AND begins_with(sk, :s)", v={"s": prefix}) == wanted


def test_a_prefix_of_bytes_may_end_at_255(db: Db) -> None:
    db.table(keys="pk:S sk:B")
    keys = [b"\xff", b"\xff\xff", b"\xff\x00", b"a", b"a\xff", b"a\xffx", b"b"]
    fill(db, *keys)
    for prefix in (b"\xff", b"a\xff", b"a", b"\xff\xff"):
        wanted = [value(key)["B"] for key in sorted(keys) if key.startswith(prefix)]
        assert found(db, "pk = :p AND begins_with(sk, :s)", v={"s": prefix}) == wanted


def test_a_prefix_without_its_delimiter_takes_its_neighbours_in(db: Db) -> None:
    db.table()
    fill(db, "PENDING#1", "PENDING#2", "PENDING_REVIEW#1", "SHIPPED#1")
    begins = "pk = :p AND begins_with(sk, :s)"
    assert len(found(db, begins, v={"s": "PENDING"})) == 3
    assert len(found(db, begins, v={"s": "PENDING#"})) == 2


def test_a_key_condition_may_use_names_and_several_lines(db: Db) -> None:
    db.table()
    fill(db, "a", "b")
    reply = db.query(
        "\n  #p = :p\n  AND #s >= :s\n",
        v={"p": "a", "s": "b"},
        ExpressionAttributeNames={"#p": "pk", "#s": "sk"},
    )
    assert sort_keys(reply) == ["b"]


# --- pages ------------------------------------------------------------------------------------


def test_a_page_holds_at_most_one_mebibyte(db: Db) -> None:
    # 4 items of 256 KB are 1 MiB: 12 pages of 4 and one of 2, at 128 eventual units each.
    db.table()
    for number in range(50):
        db.put(padded(262_144, pk="a", sk=f"{number:02}"))
    pages = list(
        db.pages(
            "Query",
            TableName="Things",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues=values(p="a"),
            ReturnConsumedCapacity="TOTAL",
        )
    )
    assert [page["Count"] for page in pages] == [4] * 12 + [2]
    assert [page["ConsumedCapacity"]["CapacityUnits"] for page in pages] == [128.0] * 12 + [64.0]
    assert sum(page["ConsumedCapacity"]["CapacityUnits"] for page in pages) == 1600.0


def test_an_item_that_crosses_a_mebibyte_is_on_the_next_page(db: Db) -> None:
    db.table()
    for number in range(5):
        db.put(padded(262_144 + (number == 3), pk="a", sk=str(number)))
    pages = list(db.pages("Scan", TableName="Things"))
    assert [page["Count"] for page in pages] == [3, 2]


def test_the_first_page_is_not_the_whole_count(db: Db) -> None:
    db.table()
    for number in range(40):
        db.put(padded(50 * 1024, pk="a", sk=f"{number:02}"))
    counts = [
        page["Count"]
        for page in db.pages(
            "Query",
            TableName="Things",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues=values(p="a"),
            Select="COUNT",
        )
    ]
    assert counts[0] < 40
    assert sum(counts) == 40


@pytest.mark.parametrize("forward", [True, False])
def test_limit_counts_and_pages_go_on_until_no_key_comes_back(db: Db, forward: bool) -> None:
    db.table()
    fill(db, *"abcdefg")
    pages = list(
        db.pages(
            "Query",
            TableName="Things",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues=values(p="a"),
            Limit=3,
            ScanIndexForward=forward,
        )
    )
    assert [page["Count"] for page in pages] == [3, 3, 1]
    keys = [key for page in pages for key in sort_keys(page)]
    assert keys == list("abcdefg" if forward else "gfedcba")
    assert pages[0]["LastEvaluatedKey"] == item(pk="a", sk="c" if forward else "e")


def test_a_limit_met_exactly_at_the_end_leaves_a_key_and_an_empty_page(db: Db) -> None:
    db.table()
    fill(db, "a", "b")
    for operation, more in (
        ("Query", {"KeyConditionExpression": "pk = :p",
                   "ExpressionAttributeValues": values(p="a")}),
        ("Scan", {}),
    ):  # fmt: skip
        pages = list(db.pages(operation, TableName="Things", Limit=2, **more))
        assert [page["Count"] for page in pages] == [2, 0]
        assert "LastEvaluatedKey" in pages[0]


def test_the_filter_comes_after_the_limit(db: Db) -> None:
    db.table()
    for number, kind in enumerate("DLDLDLD"):
        db.put(item(pk="a", sk=str(number), kind=kind))
    request: dict[str, Any] = {"v": {"p": "a", "k": "L"}, "FilterExpression": "kind = :k"}
    whole = db.query("pk = :p", **request)
    assert (whole["Count"], whole["ScannedCount"]) == (3, 7)
    first = db.query("pk = :p", **request, Limit=1)
    assert (first["Count"], first["ScannedCount"], first["Items"]) == (0, 1, [])
    assert first["LastEvaluatedKey"] == item(pk="a", sk="0")
    request["ExpressionAttributeValues"] = values(**request.pop("v"))
    pages = db.pages(
        "Query", TableName="Things", KeyConditionExpression="pk = :p", Limit=1, **request
    )
    assert sum(page["Count"] for page in pages) == 3


def test_a_page_goes_on_after_its_start_key_was_deleted(db: Db) -> None:
    db.table()
    fill(db, *"abcd")
    first = db.query("pk = :p", v={"p": "a"}, Limit=2)
    db("DeleteItem", TableName="Things", Key=first["LastEvaluatedKey"])
    start = {"ExclusiveStartKey": first["LastEvaluatedKey"]}
    assert found(db, **start) == ["c", "d"]
    assert found(db, ScanIndexForward=False, **start) == ["a"]


def test_a_start_key_and_a_condition_narrow_each_other(db: Db) -> None:
    db.table()
    fill(db, *"abcdef")
    start = {"ExclusiveStartKey": item(pk="a", sk="c")}
    between = "pk = :p AND sk BETWEEN :s AND :t"
    assert found(db, between, v={"s": "b", "t": "e"}, **start) == ["d", "e"]
    backward = found(db, between, v={"s": "b", "t": "e"}, ScanIndexForward=False, **start)
    assert backward == ["b"]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_is_one_or_more(db: Db, limit: int) -> None:
    db.table()
    assert refusal(db, v={"p": "a"}, Limit=limit) == (
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
        "Member must have value greater than or equal to 1"
    )


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (item(pk="a"), "The provided starting key is invalid"),
        (item(pk="a", sk="x", n=1), "The provided starting key is invalid"),
        (item(pk="a", no="x"), "The provided starting key is invalid"),
        (item(pk="a", sk=1), "The provided key element does not match the schema"),
        (item(pk="b", sk="x"), "The provided starting key is outside query boundaries based on "
                               "provided conditions"),
    ],
)  # fmt: skip
def test_a_start_key_that_does_not_fit_is_refused(
    db: Db, start: dict[str, Any], message: str
) -> None:
    db.table()
    assert message in refusal(db, v={"p": "a"}, ExclusiveStartKey=start)


def test_a_start_key_outside_the_range_is_refused(db: Db) -> None:
    db.table()
    message = refusal(
        db, "pk = :p AND sk > :s", v={"p": "a", "s": "m"}, ExclusiveStartKey=item(pk="a", sk="b")
    )
    assert message == "The provided starting key does not match the range key predicate"


# --- indexes ----------------------------------------------------------------------------------

SCORES = {"ann": 5, "bob": 10, "cat": -3, "dan": 10, "eve": 0, "fay": Decimal("2.5")}


@pytest.fixture
def ranking(db: Db) -> Db:
    """A game's scores, by player, and by score in a GSI and an LSI."""
    db.table(
        local=[("mine", "score:N", "KEYS_ONLY")], global_=[("ranking", "game:S score:N", "ALL")]
    )
    for name, score in SCORES.items():
        db.put(item(pk="game", sk=name, game="g", score=score))
    return db


def ranked(db: Db, **request: Any) -> dict[str, Any]:
    return db.query("game = :g", v={"g": "g"}, IndexName="ranking", **request)


def test_an_index_is_in_numeric_order_with_every_item_once(ranking: Db) -> None:
    names = sort_keys(ranked(ranking, ScanIndexForward=False))
    assert set(names[:2]) == {"bob", "dan"}
    assert names[2:] == ["ann", "fay", "eve", "cat"]
    assert sort_keys(ranked(ranking))[:3] == ["cat", "eve", "fay"]


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("forward", [True, False])
def test_pages_go_over_ties_without_loss_or_repeat(ranking: Db, limit: int, forward: bool) -> None:
    for index, key, partition in (("ranking", "game", "g"), ("mine", "pk", "game")):
        names: list[str] = []
        for page in ranking.pages(
            "Query",
            TableName="Things",
            IndexName=index,
            KeyConditionExpression=f"{key} = :p",
            ExpressionAttributeValues=values(p=partition),
            Limit=limit,
            ScanIndexForward=forward,
        ):
            names += sort_keys(page)
        assert sorted(names) == sorted(SCORES)


def test_the_key_of_an_index_page_holds_both_keys(ranking: Db) -> None:
    page = ranked(ranking, Limit=1)
    assert page["LastEvaluatedKey"] == item(pk="game", sk="cat", game="g", score=-3)


def test_conditions_on_an_index_take_all_ties(ranking: Db) -> None:
    def names(condition: str, **given: Any) -> set[str]:
        reply = ranking.query(
            f"game = :g AND {condition}", v={"g": "g", **given}, IndexName="ranking"
        )
        return set(sort_keys(reply))

    assert names("score = :s", s=10) == {"bob", "dan"}
    assert names("score > :s", s=5) == {"bob", "dan"}
    assert names("score >= :s", s=10) == {"bob", "dan"}
    assert names("score < :s", s=10) == {"ann", "cat", "eve", "fay"}
    assert names("score <= :s", s=10) == set(SCORES)
    assert names("score BETWEEN :s AND :t", s=5, t=10) == {"ann", "bob", "dan"}


def test_a_rank_is_the_count_of_better_scores_and_one(ranking: Db) -> None:
    ranks = {
        name: 1
        + ranking.query(
            "game = :g AND score > :s",
            v={"g": "g", "s": score},
            IndexName="ranking",
            Select="COUNT",
        )["Count"]
        for name, score in SCORES.items()
    }
    assert ranks == {"bob": 1, "dan": 1, "ann": 3, "fay": 4, "eve": 5, "cat": 6}


def test_an_index_is_sparse(ranking: Db) -> None:
    ranking.put(item(pk="game", sk="gus", game="g"))
    assert "gus" not in sort_keys(ranked(ranking))
    assert ranking.get("game", "gus") is not None
    ranking.update(item(pk="game", sk="gus"), "SET score = :s", values=values(s=1))
    assert "gus" in sort_keys(ranked(ranking))
    ranking.update(item(pk="game", sk="gus"), "REMOVE score")
    assert "gus" not in sort_keys(ranked(ranking))


def test_an_index_follows_every_write(ranking: Db) -> None:
    assert len(sort_keys(ranked(ranking))) == 6  # the order is kept from here on
    ranking.put(item(pk="game", sk="ann", game="g", score=99))
    ranking("DeleteItem", TableName="Things", Key=item(pk="game", sk="bob"))
    ranking.put(item(pk="game", sk="cat", game="other", score=1))
    assert sort_keys(ranked(ranking, ScanIndexForward=False)) == ["ann", "dan", "fay", "eve"]


def test_an_lsi_may_be_read_consistently_and_a_gsi_not(ranking: Db) -> None:
    reply = ranking.query("pk = :p", v={"p": "game"}, IndexName="mine", ConsistentRead=True)
    assert reply["Count"] == 6
    with pytest.raises(Refused) as refused:
        ranked(ranking, ConsistentRead=True)
    message = "Consistent reads are not supported on global secondary indexes"
    assert refused.value.message == message
    with pytest.raises(Refused, match=message):
        ranking("Scan", TableName="Things", IndexName="ranking", ConsistentRead=True)


def test_an_lsi_fetches_what_it_does_not_project(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "KEYS_ONLY")])
    db.put(item(pk="a", sk="1", n=1, title="Ann", x=1))

    def read(**request: Any) -> Any:
        return db.query("pk = :p", v={"p": "a"}, IndexName="by_n", **request)["Items"]

    assert read() == [item(pk="a", sk="1", n=1)]
    assert read(ProjectionExpression="title") == [item(title="Ann")]
    assert read(Select="ALL_ATTRIBUTES") == [item(pk="a", sk="1", n=1, title="Ann", x=1)]
    assert read(Select="ALL_PROJECTED_ATTRIBUTES") == [item(pk="a", sk="1", n=1)]


def test_a_gsi_does_not_fetch(db: Db) -> None:
    db.table(global_=[("g", "kind:S", "INCLUDE x")])
    db.put(item(pk="a", sk="1", kind="k", x=1, y=1))

    def read(**request: Any) -> dict[str, Any]:
        return db.query("kind = :k", v={"k": "k"}, IndexName="g", **request)

    assert read()["Items"] == [item(pk="a", sk="1", kind="k", x=1)]
    with pytest.raises(Refused) as refused:
        read(Select="ALL_ATTRIBUTES")
    assert refused.value.message == (
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
        "for global secondary index g because its projection type is not ALL"
    )
    with pytest.raises(Refused, match=r"Global secondary index g does not project \[y\]"):
        read(ProjectionExpression="x, y")


# --- Scan -------------------------------------------------------------------------------------


def test_a_scan_sees_every_item_once_over_its_pages(db: Db) -> None:
    db.table()
    for partition in range(20):
        fill(db, "1", "2", "3", partition=f"p{partition}")
    seen = [
        (next(iter(wire["pk"].values())), next(iter(wire["sk"].values())))
        for page in db.pages("Scan", TableName="Things", Limit=7)
        for wire in page["Items"]
    ]
    assert len(seen) == len(set(seen)) == 60


def test_a_scan_goes_on_after_the_partition_where_it_stopped_is_gone(db: Db) -> None:
    db.table()
    for partition in range(10):
        fill(db, "1", partition=f"p{partition}")
    first = db("Scan", TableName="Things", Limit=4)
    db("DeleteItem", TableName="Things", Key=first["LastEvaluatedKey"])
    rest = db("Scan", TableName="Things", ExclusiveStartKey=first["LastEvaluatedKey"])
    keys = {wire["pk"]["S"] for wire in first["Items"] + rest["Items"]}
    assert keys == {f"p{number}" for number in range(10)}
    assert rest["Count"] == 6


def test_a_scan_misses_nothing_that_is_put_again_meanwhile(db: Db) -> None:
    db.table()
    for partition in range(10):
        fill(db, "1", partition=f"p{partition}")
    seen: set[str] = set()
    for page in db.pages("Scan", TableName="Things", Limit=1):
        for wire in page["Items"]:
            seen.add(wire["pk"]["S"])
            db("DeleteItem", TableName="Things", Key=wire)
            db.put(wire)
    assert seen == {f"p{number}" for number in range(10)}


@pytest.mark.parametrize("total", [1, 2, 4, 7])
def test_segments_share_the_items_among_them(db: Db, total: int) -> None:
    db.table(global_=[("g", "kind:S", "ALL")])
    for partition in range(40):
        fill(db, "1", "2", partition=f"p{partition}", kind=f"k{partition % 5}")
    for index in ({}, {"IndexName": "g"}):
        keys = [
            (wire["pk"]["S"], wire["sk"]["S"])
            for segment in range(total)
            for page in db.pages("Scan", TableName="Things", Segment=segment,
                                 TotalSegments=total, Limit=3, **index)
            for wire in page["Items"]
        ]  # fmt: skip
        assert len(keys) == len(set(keys)) == 80
    if total == 4:
        shares = [
            db("Scan", TableName="Things", Segment=segment, TotalSegments=total)["Count"]
            for segment in range(total)
        ]
        assert min(shares) > 0


def test_segments_that_do_not_fit_are_refused(db: Db) -> None:
    db.table()
    with pytest.raises(Refused, match="Segment: 2 is not less than TotalSegments: 2"):
        db("Scan", TableName="Things", Segment=2, TotalSegments=2)
    with pytest.raises(Refused, match="Value '-1' at 'segment' failed to satisfy constraint"):
        db("Scan", TableName="Things", Segment=-1, TotalSegments=2)
    with pytest.raises(Refused, match="The TotalSegments parameter is required but was not"):
        db("Scan", TableName="Things", Segment=0)
    with pytest.raises(Refused, match="The Segment parameter is required but was not"):
        db("Scan", TableName="Things", TotalSegments=2)


def test_a_scan_filters_on_keys_too(db: Db) -> None:
    db.table()
    fill(db, "1", "2")
    reply = db("Scan", TableName="Things", FilterExpression="sk = :s",
               ExpressionAttributeValues=values(s="2"))  # fmt: skip
    assert (sort_keys(reply), reply["ScannedCount"]) == (["2"], 2)


def test_a_scan_of_an_index_shows_its_entries(db: Db) -> None:
    db.table(global_=[("g", "kind:S", "KEYS_ONLY")])
    db.put(item(pk="a", sk="1", kind="k", x=1))
    db.put(item(pk="a", sk="2", x=1))
    assert db("Scan", TableName="Things", IndexName="g")["Items"] == [
        item(pk="a", sk="1", kind="k")
    ]


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "given", "message"),
    [
        ("sk = :s", {"s": "x"}, "Query condition missed key schema element: pk"),
        ("pk = :p AND n = :n", {"p": "a", "n": 1}, "Query condition missed key schema element: sk"),
        ("pk > :p", {"p": "a"}, "Query key condition not supported"),
        ("begins_with(pk, :p)", {"p": "a"}, "Query key condition not supported"),
        ("pk BETWEEN :p AND :q", {"p": "a", "q": "b"}, "Query key condition not supported"),
        ("pk = :p AND sk > :s AND sk < :t", {"p": "a", "s": "b", "t": "c"},
         "KeyConditionExpressions must only contain one condition per key"),
        ("pk = :p AND sk BETWEEN :t AND :s", {"p": "a", "s": "b", "t": "c"},
         "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
         "than or equal to lower bound; lower bound operand: AttributeValue: {S:c}, upper bound "
         "operand: AttributeValue: {S:b}"),
        ("pk = :p AND sk BETWEEN :s AND :n", {"p": "a", "s": "b", "n": 1},
         "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower "
         "and upper bounds; lower bound operand: AttributeValue: {S:b}, upper bound operand: "
         "AttributeValue: {N:1}"),
        ("pk = :p AND sk <> :s", {"p": "a", "s": "b"},
         "Invalid operator used in KeyConditionExpression: <>"),
        ("pk = :p OR sk = :s", {"p": "a", "s": "b"},
         "Invalid operator used in KeyConditionExpression: OR"),
        ("pk = :p AND NOT sk = :s", {"p": "a", "s": "b"},
         "Invalid operator used in KeyConditionExpression: NOT"),
        ("pk IN (:p)", {"p": "a"}, "Invalid operator used in KeyConditionExpression: IN"),
        ("pk = :p AND contains(sk, :s)", {"p": "a", "s": "b"},
         "Invalid operator used in KeyConditionExpression: contains"),
        ("pk = :p AND attribute_exists(sk)", {"p": "a"},
         "Invalid operator used in KeyConditionExpression: attribute_exists"),
        ("pk = :p AND size(sk) > :n", {"p": "a", "n": 1},
         "KeyConditionExpressions cannot contain nested operations"),
        ("pk = :p AND sk.x = :s", {"p": "a", "s": "b"},
         "KeyConditionExpressions cannot have conditions on nested attributes"),
        ("pk = sk", {}, "Invalid condition in KeyConditionExpression: "
         "Multiple attribute names used in one condition"),
        (":p = :q", {"p": "a", "q": "a"},
         "Invalid condition in KeyConditionExpression: No key attribute specified"),
        ("pk = :n", {"n": 1}, "One or more parameter values were invalid: "
         "Condition parameter type does not match schema type"),
        ("pk = :p AND sk > :n", {"p": "a", "n": 1}, "One or more parameter values were invalid: "
         "Condition parameter type does not match schema type"),
        ("pk = :p AND begins_with(sk, :n)", {"p": "a", "n": 1},
         "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
         "operator or function: begins_with, operand type: N"),
        ("pk = :p", {"p": ""}, "One or more parameter values are not valid. The AttributeValue "
         "for a key attribute cannot contain an empty string value. Key: pk"),
        ("pk = :p AND", {"p": "a"}, "Invalid KeyConditionExpression: "),
        ("", {}, "Invalid KeyConditionExpression: The expression can not be empty;"),
    ],
)  # fmt: skip
def test_a_key_condition_that_dynamodb_refuses(
    db: Db, condition: str, given: dict[str, Any], message: str
) -> None:
    db.table()
    refused = refusal(db, condition, v=given or None)
    assert refused == message or (message.endswith(": ") and refused.startswith(message))


def test_a_table_without_a_sort_key_takes_one_condition(db: Db) -> None:
    db.table(keys="pk:S")
    assert refusal(db, "pk = :p AND sk = :s", v={"p": "a", "s": "b"}) == (
        "Query key condition not supported"
    )


def test_a_query_without_a_condition_is_refused(db: Db) -> None:
    db.table()
    with pytest.raises(Refused) as refused:
        db("Query", TableName="Things")
    assert refused.value.message == (
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request."
    )


def test_a_filter_on_a_key_attribute_is_refused_in_a_query(db: Db) -> None:
    db.table(local=[("by_n", "n:N", "ALL")])
    message = (
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
    )
    given = {"p": "a", "x": 1}
    for name in ("pk", "sk"):
        assert refusal(db, v=given, FilterExpression=f"{name} = :x") == message + name
    assert refusal(db, v=given, IndexName="by_n", FilterExpression="n = :x") == message + "n"
    # The table's own sort key is no key of the index.
    fill(db, "1", n=1)
    assert found(db, v={"s": "1"}, IndexName="by_n", FilterExpression="sk = :s") == ["1"]


def test_a_filter_on_a_key_is_refused_under_a_placeholder_and_inside_a_not(db: Db) -> None:
    db.table()
    message = refusal(
        db,
        v={"p": "a", "x": 1, "y": 1},
        FilterExpression="y1 = :y AND NOT (size(#k) > :x)",
        ExpressionAttributeNames={"#k": "sk"},
    )
    assert message.endswith("Primary key attribute: sk")


def test_an_unknown_index_is_refused(db: Db) -> None:
    db.table()
    message = "The table does not have the specified index: nope"
    assert refusal(db, v={"p": "a"}, IndexName="nope") == message
    with pytest.raises(Refused, match=message):
        db("Scan", TableName="Things", IndexName="nope")


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"Select": "SOME"}, "at 'select' failed to satisfy constraint"),
        ({"Select": "SPECIFIC_ATTRIBUTES"}, "Must specify the AttributesToGet or Projection"),
        ({"Select": "COUNT", "ProjectionExpression": "x"},
         "Cannot specify the ProjectionExpression when choosing to get only the Count"),
        ({"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "x"},
         "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"),
        ({"Select": "ALL_PROJECTED_ATTRIBUTES"},
         "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"),
    ],
)  # fmt: skip
def test_a_select_that_contradicts_is_refused(
    db: Db, request_: dict[str, Any], message: str
) -> None:
    db.table()
    assert message in refusal(db, v={"p": "a"}, **request_)


def test_an_index_start_key_of_another_type_is_refused(ranking: Db) -> None:
    start = item(pk="game", sk="cat", game="g", score="-3")
    with pytest.raises(Refused, match="The provided key element does not match the schema"):
        ranked(ranking, ExclusiveStartKey=start)
