"""The friendships of a karate club: 34 members, 78 friendships, a network that is much studied.

W. W. Zachary, "An Information Flow Model for Conflict and Fission in Small Groups", Journal of
Anthropological Research 33 (1977), pages 452–473. He numbers the members from 1 to 34 and names
none; the names here are made up.
"""

from __future__ import annotations

# By member's number, from 1 on.
NAMES = (
    "Alice", "Bob", "Chuck", "Dana", "Emil", "Fay", "Gus", "Hana", "Igor", "Jana", "Karl", "Lea",
    "Milo", "Nina", "Otto", "Pia", "Quentin", "Rosa", "Sam", "Tina", "Udo", "Viola", "Wim",
    "Xenia", "Yuri", "Zora", "Amir", "Bea", "Cleo", "Dov", "Enid", "Femi", "Gita", "Hugo",
)  # fmt: skip

# Each friendship stands once, with the member of the lower number.
_LATER_FRIENDS = {
    1: (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32),
    2: (3, 4, 8, 14, 18, 20, 22, 31),
    3: (4, 8, 9, 10, 14, 28, 29, 33),
    4: (8, 13, 14),
    5: (7, 11),
    6: (7, 11, 17),
    7: (17,),
    9: (31, 33, 34),
    10: (34,),
    14: (34,),
    15: (33, 34),
    16: (33, 34),
    19: (33, 34),
    20: (34,),
    21: (33, 34),
    23: (33, 34),
    24: (26, 28, 30, 33, 34),
    25: (26, 28, 32),
    26: (32,),
    27: (30, 34),
    28: (34,),
    29: (32, 34),
    30: (33, 34),
    31: (33, 34),
    32: (33, 34),
    33: (34,),
}

FRIENDSHIPS = tuple((one, other) for one, others in _LATER_FRIENDS.items() for other in others)


def friends_of(member: int) -> list[int]:
    """The numbers of a member's friends, in order."""
    return sorted(
        one if member == other else other for one, other in FRIENDSHIPS if member in (one, other)
    )
