"""Items are shown as collections, and what changed since the last look is said in words."""

from decimal import Decimal
from typing import Any

from dynalab.views.items import Items, TableItems

POST = "POST#a91f"


def social(*items: dict[str, Any], before: Items | None = None) -> Items:
    return Items({"Social": TableItems("PK", "SK", items)}, before=before)


def like(user: str, at: int) -> dict[str, Any]:
    return {"PK": POST, "SK": f"LIKE#USER#{user}", "likedAt": Decimal(at)}


def meta(tally: int) -> dict[str, Any]:
    return {"PK": POST, "SK": "META", "likeTally": Decimal(tally), "body": "Hello"}


FIRST = social(meta(1), like("2d11", 1750636805))
SECOND = social(meta(2), like("2d11", 1750636805), like("7c20", 1750636800), before=FIRST)


def test_the_partition_key_stands_once_and_changes_are_marked_beside_the_keys() -> None:
    assert repr(SECOND) == (
        "Social\n"
        "PK         SK              since the last look  likeTally  body      likedAt\n"
        "POST#a91f  META            changed                      2  Hello\n"
        "           LIKE#USER#2d11                                         1750636805\n"
        "           LIKE#USER#7c20  new                                    1750636800"
    )


def test_a_first_look_marks_nothing() -> None:
    assert "last look" not in repr(FIRST)


def test_an_item_that_is_gone_is_named_by_its_keys() -> None:
    after = social(meta(1), before=SECOND)
    assert repr(after).splitlines()[-2:] == [
        "gone: POST#a91f / LIKE#USER#2d11",
        "gone: POST#a91f / LIKE#USER#7c20",
    ]
    assert "<p>gone: POST#a91f / LIKE#USER#7c20</p>" in after._repr_html_()
    emptied = social(before=FIRST)
    assert repr(emptied).splitlines()[0] == "Social: no items"
    assert repr(emptied).count("gone: ") == 2


def test_the_earlier_look_stays_as_it_was_when_its_items_change() -> None:
    item = {"PK": "a", "SK": "b", "tags": ["x"]}
    look = social(item)
    item["tags"].append("y")
    assert repr(social(item, before=look)).splitlines()[-1].split()[:3] == ["a", "b", "changed"]


def test_a_value_of_another_type_is_a_change() -> None:
    look = social({"PK": "a", "SK": "b", "n": Decimal(1)})
    for other in ("1", True):
        assert "changed" in repr(social({"PK": "a", "SK": "b", "n": other}, before=look))
    assert "changed" not in repr(social({"PK": "a", "SK": "b", "n": Decimal("1.0")}, before=look))


def test_a_collection_is_kept_together_and_in_order() -> None:
    rows = [{"PK": pk, "SK": sk} for pk, sk in [("a", "2"), ("b", "1"), ("a", "1")]]
    assert repr(social(*rows)).splitlines()[2:] == ['a   "2"', '    "1"', 'b   "1"']


def test_a_table_with_no_sort_key_has_a_row_for_each_partition_key() -> None:
    users = Items({"Users": TableItems("id", None, [{"id": "u1", "n": 3}, {"id": "u2", "n": 12}])})
    assert repr(users) == "Users\nid   n\nu1   3\nu2  12"
    assert '<th scope="row">u2</th><td class="dl-number">12</td>' in users._repr_html_()


def test_typed_items_read_like_plain_ones() -> None:
    typed = {"PK": {"S": POST}, "SK": {"S": "META"}, "likeTally": {"N": "3"}}
    plain = {"PK": POST, "SK": "META", "likeTally": Decimal(3)}
    assert repr(social(typed)) == repr(social(plain))


def test_after_fifty_rows_a_line_says_how_many_more_and_what_changed_in_them() -> None:
    before = social(*(like(f"{n:04}", n) for n in range(61)))
    items = [*(like(f"{n:04}", n + (n == 60)) for n in range(61)), like("9999", 1)]
    after = social(*items, before=before)
    lines = repr(after).splitlines()
    assert len(lines) == 1 + 1 + 50 + 1
    assert lines[-1] == "and 12 more items (1 changed, 1 new)"
    assert after._repr_html_().count('scope="row"') == 50
    assert repr(social(*items[:51])).splitlines()[-1] == "and 1 more item"


def test_wide_letters_keep_the_columns() -> None:
    rows = [{"PK": "日本", "SK": "a", "x": "1"}, {"PK": "b", "SK": "a", "x": "1"}]
    assert repr(social(*rows)).splitlines()[1:] == ["PK    SK  x", '日本  a   "1"', 'b     a   "1"']


def test_several_tables_and_none() -> None:
    two = Items({"A": TableItems("id", None, []), "B": TableItems("id", None, [{"id": "x"}])})
    assert repr(two) == "A: no items\n\nB\nid\nx"
    assert repr(Items({})) == "no tables"
    assert "no tables" in Items({})._repr_html_()


def test_html_heads_each_collection_row_and_column() -> None:
    html = SECOND._repr_html_()
    assert '<th scope="rowgroup" rowspan="3">POST#a91f</th>' in html
    assert '<th scope="row">LIKE#USER#7c20</th>' in html
    assert '<th scope="col">SK</th><th scope="col">since the last look</th>' in html
    assert '<th scope="col" class="dl-number">likeTally</th>' in html
    assert "<caption>Social</caption>" in html
    assert '<th scope="row">LIKE#USER#7c20</th><td>new</td>' in html
