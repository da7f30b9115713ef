"""A plan of exercise 10.3, change by change: its form, its versions, and who is in it."""

from __future__ import annotations

from typing import Any

from dynalab.exercises.lab10.posts import MARA
from dynalab.exercises.whole_numbers import is_whole
from dynalab.trial import Attempt, Refused


def expect_form(attempt: Attempt) -> None:
    plan = attempt.returned
    if not isinstance(plan, list):
        raise Refused(
            f"{attempt.text} returned {type(plan).__name__}.",
            "A plan is a list, with a dict for each item that changes: item, old, new, version.",
        )
    for change in plan:
        if not isinstance(change, dict) or not {"item", "old", "new", "version"} <= change.keys():
            raise Refused(
                f"{attempt.text} has this in its plan: {change!r}.",
                "Each change is a dict with item, old, new and version. What is missing?",
            )
        item = change["item"]
        if not isinstance(item, dict) or item.keys() != {"PK", "SK"}:
            raise Refused(
                f"{attempt.text} says that it changes the item {item!r}.",
                "An update needs the key of the table, and no more: PK and SK. Which parts of an "
                "index's entry are these?",
            )


def expect_plan(
    attempt: Attempt,
    new: str,
    version: int,
    copies: dict[str, tuple[str, int]],
    profile: tuple[str, int] | None,
) -> None:
    """copies: those that are older than `version`. profile: as it is, or None if it stays so."""
    plan: list[dict[str, Any]] = attempt.returned
    by_item = {(change["item"]["PK"], change["item"]["SK"]): change for change in plan}
    text = f"{attempt.text} returned a plan for {', '.join(key for key, _ in by_item) or 'nothing'}"
    if len(by_item) < len(plan):
        raise Refused(f"{text}, and one of them twice.", "Does each item change once?")
    own = by_item.pop((f"USER#{MARA}", "PROFILE"), None)
    if own is None and profile is not None:
        raise Refused(
            f"{text}. The profile says {profile[0]}.",
            "The profile has the name that counts. What changes the profile, if not the plan?",
        )
    if own is not None and profile is None:
        raise Refused(
            f"{text}. The profile says {new} already, but the plan changes it.",
            "A new version would make every copy out of date again. Which changes are left to "
            "make?",
        )
    for change in plan:
        if change["new"] != new:
            raise Refused(f"{text}. A new name in it is {change['new']!r}.", "What must it be?")
        if isinstance(change["version"], str):
            raise Refused(
                f"{text}. A version in it is {change['version']!r}, as a text.",
                "Versions are compared: 10 is more than 9, and '10' is less than '9'. Which type "
                "does the profile's version have?",
            )
        if not is_whole(change["version"]) or change["version"] != version:
            raise Refused(
                f"{text}. A version in it is {change['version']}. "
                f"{_version_said(profile, new, version)}",
                "Each new name of a profile has a number of its own, one more than the last; a "
                "name that the profile has already keeps its number. Where do you read it?",
            )
    wanted = {(f"POST#{post_id}", "META"): copy for post_id, copy in copies.items()}
    _expect_items(text, by_item, wanted)
    for (key, _), change in by_item.items():
        if change["old"] != copies[key.removeprefix("POST#")][0]:
            raise Refused(
                f"{text}. For {key} it says that the old name is {change['old']!r}; the post says "
                f"{copies[key.removeprefix('POST#')][0]!r}.",
                "The reader of a plan wants to see what each post says now.",
            )
    if own is not None and plan[0] is not own:
        raise Refused(
            f"{text}, in this order.",
            "A client that dies in the middle leaves posts with a name that no profile has. Which "
            "change must come first?",
        )
    if own is not None and own["old"] != (profile or ("",))[0]:
        raise Refused(f"{text}. The profile's old name in it is {own['old']!r}.", "What is it now?")


def _version_said(profile: tuple[str, int] | None, new: str, version: int) -> str:
    if profile is None:
        return f"The profile says {new} already, version {version}."
    return f"The profile says {profile[0]}, version {profile[1]}."


def _expect_items(text: str, found: dict[Any, Any], wanted: dict[Any, Any]) -> None:
    strangers = [key for key, _ in found.keys() - wanted.keys()]
    if "POST#beef" in strangers:
        raise Refused(
            f"{text}. POST#beef is by another user, who is called Mara too.",
            "Names are not unique. Which index has the posts of one author?",
        )
    if strangers:
        raise Refused(
            f"{text}. {strangers[0]} is up to date.",
            "A copy with the version of the plan, or a later one, needs no change.",
        )
    missing = sorted(wanted.keys() - found.keys())
    if missing:
        name, version = wanted[missing[0]]
        raise Refused(
            f"{text}. {missing[0][0]} says {name}, version {version}, and is not in it.",
            "How do you tell that a copy is old: by its name, or by its version? And does the "
            "Query bring all of them?",
        )
