"""A bill adds up, says what was refused, and ends in dollars."""

from decimal import Decimal
from typing import Any

from dynalab.meter import Charge
from dynalab.views.bill import Bill

PRICES = "us-east-1 on demand, prices of 2024-11"


def charge(operation: str, **parts: Any) -> Charge:
    nothing: dict[str, Any] = {
        "table": "Social",
        "index": None,
        "detail": "",
        "read_units": 0.0,
        "write_units": 0.0,
        "evaluated": 0,
        "returned": 0,
        "retries": 0,
        "error": None,
    }
    return Charge(operation, **{**nothing, **parts})


def dollars(reads: float, writes: float) -> Decimal:
    return (Decimal(reads) * Decimal("0.125") + Decimal(writes) * Decimal("0.625")) / 1_000_000


COUNT = charge("Query", detail="COUNT", read_units=6.0, evaluated=1201)
GET = charge("GetItem", read_units=0.5, evaluated=1, returned=1)
PUT = charge("PutItem", write_units=1.0)


def test_a_bill_in_text() -> None:
    assert repr(Bill([COUNT, GET], dollars, PRICES)) == (
        "operation         requests  items read  returned  read units  write units\n"
        "Query      COUNT         1       1,201         0           6            0\n"
        "GetItem                  1           1         1         0.5            0\n"
        "-------------------------------------------------------------------------\n"
        "total                    2       1,202         1         6.5            0\n"
        "6.5 read units: 0.81 dollars per million such page views "
        "(us-east-1 on demand, prices of 2024-11)"
    )


def test_refused_requests_retries_and_indexes_have_columns_where_there_are_any() -> None:
    refused = charge("PutItem", write_units=1.0, error="ConditionalCheckFailedException")
    query = charge("Query", index="byDate", read_units=7324.5, evaluated=20, returned=9, retries=3)
    assert repr(Bill([PUT, refused, query, PUT], dollars, PRICES, per="like")) == (
        "operation  index   requests  items read  returned  read units  write units  retries"
        "  refused\n"
        "PutItem                   2           0         0           0            2        0\n"
        "PutItem                   1           0         0           0            1        0"
        "  ConditionalCheckFailedException\n"
        "Query      byDate         1          20         9     7,324.5            0        3\n"
        + "-"
        * 116
        + "\n"
        "total                     4          20         9     7,324.5            3        3\n"
        "7,324.5 read units and 3 write units: 917.44 dollars per million such likes "
        "(us-east-1 on demand, prices of 2024-11)"
    )


def test_a_bill_follows_a_list_that_grows() -> None:
    charges: list[Charge] = []
    bill = Bill(charges, dollars, PRICES)
    assert repr(bill) == "no requests"
    assert "no requests" in bill._repr_html_()
    charges.extend([GET, PUT])
    assert (bill.read_units, bill.write_units, bill.requests) == (0.5, 1.0, 2)
    assert repr(bill).splitlines()[-1].startswith("0.5 read units and 1 write unit: 0.69 dollars")


def test_half_a_cent_is_rounded_up() -> None:
    bill = Bill([charge("PutItem", write_units=5.0)], dollars, PRICES)
    assert repr(bill).splitlines()[-1].startswith("5 write units: 3.13 dollars")


def test_requests_that_cost_nothing_still_have_a_bill() -> None:
    bill = Bill([charge("PutItem", error="ValidationException")], dollars, PRICES)
    assert "0 read units and 0 write units: 0.00 dollars" in repr(bill)


def test_html_says_the_same_with_headed_rows_and_columns() -> None:
    html = Bill([COUNT, GET], dollars, PRICES)._repr_html_()
    assert '<th scope="col" class="dl-number">read units</th>' in html
    assert '<th scope="row">Query</th><td>COUNT</td>' in html
    assert '<tfoot><tr><th scope="row">total</th>' in html
    assert "0.81 dollars per million such page views" in html
