"""The karate club is Zachary's: 34 members, 78 friendships, and who has how many."""

from __future__ import annotations

from collections import Counter

from dynalab.exercises.lab06.karate_club import FRIENDSHIPS, NAMES, friends_of


def test_there_are_34_members_and_78_friendships() -> None:
    assert len(NAMES) == len(set(NAMES)) == 34
    assert len(FRIENDSHIPS) == 78


def test_a_friendship_stands_once_and_joins_two_members() -> None:
    assert len({frozenset(pair) for pair in FRIENDSHIPS}) == 78
    assert all(1 <= one < other <= 34 for one, other in FRIENDSHIPS)


def test_every_member_has_as_many_friends_as_in_the_paper() -> None:
    """The degrees, sorted, and those of the members who are named most often."""
    degrees = {member: len(friends_of(member)) for member in range(1, 35)}
    assert {1: 16, 2: 9, 3: 10, 33: 12, 34: 17}.items() <= degrees.items()
    counts = Counter(degrees.values())
    assert dict(counts) == {1: 1, 2: 11, 3: 6, 4: 6, 5: 3, 6: 2, 9: 1, 10: 1, 12: 1, 16: 1, 17: 1}


def test_friendship_goes_both_ways() -> None:
    for member in range(1, 35):
        assert all(member in friends_of(friend) for friend in friends_of(member))
    assert 34 in friends_of(9)
    assert 9 in friends_of(34)
    assert friends_of(12) == [1]
