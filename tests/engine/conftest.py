"""An engine of its own for each test."""

import pytest

from tests.engine.calls import Db


@pytest.fixture
def db() -> Db:
    return Db()
