"""One client's code in a thread of its own: it stops before each request until it is told more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from dynalab.engine.connect import Go
from dynalab.engine.engine import Reply
from dynalab.schedules.ending import STALL_SECONDS, Endless, OwnThread, Stopped, Unfit, interrupt
from dynalab.schedules.standing import Standing, Told

MOST_REQUESTS = 200  # of one client: beyond them its loop does not end
_MOST_REFUSALS = 20  # of a client that was ended: beyond them it catches every exception
_MOST_READ = 100_000  # of an iterator that it returns, which may have no end
_MOMENT = 0.01  # seconds
_MOMENTS = 100


class Life:
    """A client's code from its start on; its conductor lets it go on, and waits until it stands.

    standing: where it stands, which its conductor knows. asks: its next request. unfit: what a
    conductor has to raise about it. asleep: nothing ends its thread.
    """

    def __init__(self, name: str, function: Callable[[], Any]) -> None:
        self.name = name
        self.standing: Standing | None = None
        self.asks: tuple[str, Mapping[str, Any], Go] | None = None
        self.requests = 0
        self.returned: Any = None
        self.raised: BaseException | None = None
        self.ended = False
        self.asleep = False
        self.unfit: Unfit | None = None
        self.thread = OwnThread(lambda: self._live(function))
        self._refusals = 0  # of its requests after its end
        # A queue in C hands over in half the time of threading.Semaphore.
        self._hears: SimpleQueue[Told | None] = SimpleQueue()
        self._parked: SimpleQueue[None] = SimpleQueue()

    def go_on(self, told: Told | None) -> None:
        """Lets it run to its next request or its end: with what it was told, at first with None.

        Raises Unfit where it does not come there.
        """
        if told is None:
            self.thread.start()
        else:
            self._hears.put(told)
        try:
            self._parked.get(timeout=STALL_SECONDS)
        except Empty:
            interrupt(self.thread)
            raise self.unfit or Unfit(
                f"{self.name} worked for {STALL_SECONDS:g} seconds without a request and was "
                "stopped; does its loop end?"
            ) from None

    def end(self) -> None:
        """Ends its thread, if anything does."""
        self.ended = True
        self._hears.put(None)
        for moment in range(2 * _MOMENTS):
            if self.asleep or self.thread.gone_within(_MOMENT):
                break
            if moment >= _MOMENTS:
                interrupt(self.thread)

    # --- in its own thread --------------------------------------------------------------------

    def _live(self, function: Callable[[], Any]) -> None:
        try:
            self.returned = _whole(function())
        except Stopped:
            pass
        except BaseException as error:
            self.raised = error
        finally:
            self.asks = None
            self._parked.put(None)

    def ask(self, operation: str, request: Mapping[str, Any], go: Go) -> Reply:
        """Stops before a request; returns or raises what the client is told then."""
        if self.ended:
            self._refuse()
        self.requests += 1
        if self.requests > MOST_REQUESTS:
            self.unfit = Unfit(
                f"{self.name} made more than {MOST_REQUESTS} requests and was stopped; "
                "does its loop end?"
            )
            self._parked.put(None)
            raise Endless
        self.asks = (operation, request, go)
        self._parked.put(None)
        told = self._hears.get()
        if told is None:
            self._refuse()
        return told.heard()

    def _refuse(self) -> NoReturn:
        self._refusals += 1
        if self._refusals == _MOST_REFUSALS:
            self.unfit = Unfit(
                f"{self.name} went on after its end: something in it catches every exception; "
                "write `except Exception`, or name the error that you mean."
            )
            self.asleep = True
            threading.Event().wait()  # nothing ends such a thread
        raise Stopped


def _whole(returned: Any) -> Any:
    """What a client returned. An iterator is read here, as by its caller: a list of so many items.

    Many schedules may end with it, and the first look would use it up.
    """
    return list(islice(returned, _MOST_READ)) if isinstance(returned, Iterator) else returned
