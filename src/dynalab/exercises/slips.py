"""Slips of the learner's Python, told as they are: no question about DynamoDB follows."""

from __future__ import annotations

from dynalab.telling import told
from dynalab.trial import Attempt, Refused

_SLIPS = (NameError, AttributeError, ImportError)


def refuse_slip(attempt: Attempt) -> None:
    """Refused, with the learner's own line, where the call ended by a name that is not there."""
    if isinstance(attempt.raised, _SLIPS):
        raise Refused(f"{attempt.text} raised {told(attempt.raised)}")
