"""Exercise 11.3, list_inbox: one page of headers, the newest first."""

from __future__ import annotations

from typing import Any

from dynalab.check import Passed
from dynalab.exercises.failed_call import failures
from dynalab.exercises.given import given
from dynalab.exercises.lab11.mail import AT, INBOX, MARA, TOM, header_of, list_units, put_headers
from dynalab.meter import Charge
from dynalab.telling import advice, told
from dynalab.trial import Refused, Trial

_COUNT, _PAGE = 50, 20


def check_list_inbox(list_inbox: Any, trial: Trial) -> Passed:
    table = trial.table(INBOX)
    wanted = put_headers(table, MARA, _COUNT)
    given(table, header_of(TOM, "m9999", AT))
    given(table, {"PK": "INBOX#mara", "SK": "SETTINGS", "signature": "Mara"})
    given(table, {"PK": "INBOX#mara", "SK": "DRAFT#0001", "subject": "Not sent yet"})
    with trial.bill() as charges:
        found, start = _page(trial, list_inbox, table, _PAGE, None)
    _expect_one_query(charges, len(found))
    _expect_newest(found, wanted)
    _expect_no_extras(charges)
    _expect_all_pages(trial, list_inbox, table, wanted, found, start)
    _expect_empty(trial, list_inbox, table)
    whole = _expect_limits(trial, list_inbox, table, wanted)
    _expect_errors_go_on(trial, list_inbox, table)
    remark = ""
    if charges[0].read_units > whole[0].read_units:
        remark = (
            "an eventually consistent read costs half, and a list may be out of date a moment "
            "later in any case."
        )
    return Passed(
        f"One Query a page: {_PAGE} headers {list_units(charges)}, all {_COUNT} {list_units(whole)}"
        ".",
        remark,
    )


def _page(
    trial: Trial, list_inbox: Any, table: Any, limit: int, start: Any, user_id: str = MARA
) -> tuple[list[str], Any]:
    """The message ids of one page, and where the next one starts."""
    attempt = trial.attempt(list_inbox, table, user_id, limit, start)
    error = attempt.raised
    if error is not None:
        none = start is None and attempt.raised_name() == "ParamValidationError"
        raise Refused(
            f"{attempt.text} raised {told(error)}",
            "The first page has no ExclusiveStartKey, and boto3 does not accept None for it. How "
            "do you leave a parameter out?"
            if none and "ExclusiveStartKey" in str(error)
            else advice(error),
        )
    page = attempt.returned
    if not isinstance(page, tuple) or len(page) != 2 or not isinstance(page[0], list):
        raise Refused(
            f"list_inbox(table, {user_id!r}, {limit}, …) returned {type(page).__name__}; the "
            "answer is a tuple of two: a list of headers, and the start of the next page, or None.",
            "Which part of the reply says whether there is more?",
        )
    headers, after = page
    for header in headers:
        if not isinstance(header, dict) or "messageId" not in header:
            if isinstance(header, dict) and "SK" not in header:
                raise Refused(
                    f"list_inbox returned {header!r} as a header: messageId is missing.",
                    "A projection leaves out what it does not name, and saves no read unit. Which "
                    "attribute do you need to open the message later?",
                )
            raise Refused(
                f"list_inbox returned {header!r} as a header.",
                "A header is an item whose sort key begins with MSG#. Which other items does an "
                "inbox hold?"
                if isinstance(header, dict)
                else "Return the headers as they are stored, as dicts.",
            )
    return [header["messageId"] for header in headers], after


def _expect_one_query(charges: list[Charge], found: int) -> None:
    scans = [charge for charge in charges if charge.operation == "Scan"]
    if scans:
        raise Refused(
            f"A Scan read {scans[0].evaluated} items, of every inbox: {list_units(charges)}.",
            "Which request reads one item collection?",
        )
    if len(charges) != 1:
        operations = ", ".join(charge.operation for charge in charges[:4]) or "no request"
        raise Refused(
            f"One page took {len(charges)} requests ({operations}): {list_units(charges)}.",
            "One page is one Query. Who asks for the next one, and when?",
        )
    if charges[0].evaluated > _PAGE + 1:
        raise Refused(
            f"The call asks for a page of {_PAGE}. It read {charges[0].evaluated} items and "
            f"returned {found}.",
            "You pay before you slice. Which parameter ends a Query early?",
        )


def _expect_newest(found: list[str], wanted: list[str]) -> None:
    if found == wanted[:_PAGE]:
        return
    if found == wanted[::-1][:_PAGE]:
        question = "Those are the oldest. From which end does a Query read, if you ask it to?"
    elif set(found) == set(wanted[:_PAGE]):
        question = "The order of the sort keys is the order of time. Where do you change it?"
    elif len(found) < _PAGE:
        question = (
            "Limit counts what is evaluated, before a filter. Which condition belongs in the key "
            "condition?"
        )
    else:
        question = "Which sort keys do messages have, and from which end is the newest the first?"
    raise Refused(
        f"Mara has {_COUNT} messages, newest {', '.join(wanted[:3])}. The first page has "
        f"{len(found)}: {', '.join(found[:3])}{', …' if len(found) > 3 else ''}",
        question,
    )


def _expect_no_extras(charges: list[Charge]) -> None:
    if charges[0].evaluated > charges[0].returned:
        raise Refused(
            f"The Query evaluated {charges[0].evaluated} items and kept {charges[0].returned}.",
            "Which condition leaves out the items that are not messages before you pay for them?",
        )


def _expect_all_pages(
    trial: Trial,
    list_inbox: Any,
    table: Any,
    wanted: list[str],
    first: list[str],
    start: Any,
) -> None:
    seen, pages = list(first), 1
    while start is not None and pages < 6:
        with trial.bill() as charges:
            found, start = _page(trial, list_inbox, table, _PAGE, start)
        evaluated = sum(charge.evaluated for charge in charges)
        if evaluated > _PAGE + 1:
            raise Refused(
                f"Page {pages + 1} has {len(found)} headers, and {evaluated} items were read for "
                "it: you pay again for those of the pages before.",
                "At which key did the last Query stop, and which parameter starts after it?",
            )
        seen += found
        pages += 1
    if seen == wanted and start is None:
        return
    if pages == 1:
        raise Refused(
            f"Mara has {_COUNT} messages; the first page has {len(first)}, and None as the start "
            "of the next one.",
            "Which part of the reply says where a Query stopped?",
        )
    if start is not None:
        raise Refused(
            f"After {pages} pages there is still a next one. They have {len(seen)} messages, "
            f"{len(set(seen))} different ones.",
            "What do you do with the start that the call gives you, and what do you return if a "
            "reply has no LastEvaluatedKey?",
        )
    raise Refused(
        f"All pages together have {len(seen)} messages, {len(set(seen))} different ones, of "
        f"{_COUNT}.",
        "Where does the next page start: at the last item that was read, or after it?",
    )


def _expect_limits(trial: Trial, list_inbox: Any, table: Any, wanted: list[str]) -> list[Charge]:
    """A small page and one that takes all; the charges of the latter."""
    for limit in (3, _COUNT):
        with trial.bill() as charges:
            found, _ = _page(trial, list_inbox, table, limit, None)
        if found != wanted[:limit]:
            raise Refused(
                f"The call asks for a page of {limit} headers, and Mara has {_COUNT}. list_inbox "
                f"returned {len(found)}.",
                "Which argument says how long a page is?",
            )
        evaluated = sum(charge.evaluated for charge in charges)
        if evaluated > limit + 1:
            raise Refused(
                f"The call asks for a page of {limit}. It read {evaluated} items and returned "
                f"{len(found)}.",
                "You pay before you slice. Which parameter ends a Query early?",
            )
    return charges


def _expect_errors_go_on(trial: Trial, list_inbox: Any, table: Any) -> None:
    for what, attempt in failures(trial, lambda: None, list_inbox, table, MARA, 3, None):
        if attempt.raised is None and not attempt.returned[0]:
            raise Refused(
                f"DynamoDB {what}. list_inbox returned {attempt.returned!r}: Mara sees an empty "
                "inbox.",
                "You do not know what is in the inbox at this moment. Who has to learn of that?",
            )


def _expect_empty(trial: Trial, list_inbox: Any, table: Any) -> None:
    found, start = _page(trial, list_inbox, table, _PAGE, None, "nobody")
    if found or start is not None:
        raise Refused(
            f"The inbox of nobody is empty; list_inbox returned {found!r} and {start!r}.",
            "An empty page has no next one: ([], None).",
        )
