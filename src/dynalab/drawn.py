"""Schedules as a learner looks at them: searched and drawn, stepped through, shown on a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dynalab.engine.partitions import Partitions
from dynalab.schedules.exploration import Exploration, Schedule
from dynalab.schedules.exploration import explore as explored
from dynalab.schedules.exploration import replay as replayed
from dynalab.schedules.outcome import Outcome
from dynalab.views.heatmap import HeatMap
from dynalab.views.stepper import Stepper
from dynalab.views.timeline import Timeline


def explore(
    clients: Mapping[str, Callable[[], Any]],
    invariant: Callable[[Outcome], Any],
    recover: Callable[[], Any] | None = None,
    **options: Any,
) -> Timeline:
    return Timeline(explored(clients, invariant, recover, **options))


def replay(
    schedule: str,
    clients: Mapping[str, Callable[[], Any]],
    invariant: Callable[[Outcome], Any] = lambda outcome: None,
    recover: Callable[[], Any] | None = None,
) -> Stepper:
    return Stepper(replayed(schedule, clients, invariant, recover))


explore.__doc__ = explored.__doc__
replay.__doc__ = replayed.__doc__


def failing(picture: object | None) -> Schedule | None:
    """The schedule that a verdict's picture shows to fail, if it shows one."""
    if isinstance(picture, Exploration):
        return picture.failure
    return picture if isinstance(picture, Schedule) else None


def view_of(picture: object | None) -> object | None:
    """What a card draws of the evidence: a timeline, a heat map, anything else as it is."""
    if isinstance(picture, Exploration | Schedule):
        return Timeline(picture)
    if isinstance(picture, Partitions):
        return HeatMap(picture)
    return picture
