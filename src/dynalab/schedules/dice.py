"""Random draws of the clients that come out the same in each run of a schedule."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def loaded(is_client: Callable[[threading.Thread], bool]) -> Iterator[None]:
    """In the clients' threads os.urandom, and so uuid.uuid4, draws from `random`.

    Whoever conducts the clients seeds `random` before each step; its state comes back at the end.
    """
    state, system = random.getstate(), os.urandom

    def urandom(size: int, /) -> bytes:
        return random.randbytes(size) if is_client(threading.current_thread()) else system(size)

    os.urandom = urandom
    try:
        yield
    finally:
        os.urandom = system
        random.setstate(state)
