"""What some requests cost together, in DynamoDB's units."""

from __future__ import annotations

from collections.abc import Iterable

from dynalab.meter import Charge


def read_units(charges: Iterable[Charge]) -> float:
    return sum(charge.read_units for charge in charges)


def write_units(charges: Iterable[Charge]) -> float:
    return sum(charge.write_units for charge in charges)
