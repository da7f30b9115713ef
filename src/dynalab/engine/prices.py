"""What read and write units cost in dollars, by one dated table."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Prices:
    """Dollars per million units, for one region, table class and capacity mode."""

    region: str
    table_class: str
    mode: str
    since: date
    million_read_units: Decimal
    million_write_units: Decimal


# AWS's own cost calculators use these figures (awslabs/mcp, dynamodb-mcp-server). AWS changes
# prices: when it does, change the date with them.
ON_DEMAND = Prices(
    region="us-east-1",
    table_class="Standard",
    mode="on demand",
    since=date(2024, 11, 1),
    million_read_units=Decimal("0.125"),
    million_write_units=Decimal("0.625"),
)


def dollars(read_units: float, write_units: float) -> Decimal:
    """Return what the units cost at ON_DEMAND, exactly: round it where you show it."""
    for units in (read_units, write_units):
        if not isinstance(units, int | float) or isinstance(units, bool):
            raise TypeError(f"Pass units as a number, not as {type(units).__name__}.")
        if not 0 <= units < float("inf"):
            raise ValueError(f"Pass units of 0 or more, not {units}.")
    reads = Decimal(read_units) * ON_DEMAND.million_read_units
    writes = Decimal(write_units) * ON_DEMAND.million_write_units
    return (reads + writes) / 1_000_000
