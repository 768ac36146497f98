"""What one reconcile has yet to append: facts of effects that it performed, hints that it followed.

They go into the append before the next effects are performed, or into the last one. Whoever dies
before that loses no work: an effect without its outcome is looked for before it is repeated. So an append
that failed is not tried again: its answer may be what was lost.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.core.journal.events import Event
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.state.counted import counted
from bot.core.state.observed import Hint
from bot.ports import Lease
from bot.shell.process_ports import Ports
from bot.shell.troubles import log_news

# What is performed in a row is appended after so many events, or so long after the first.
_EVENTS_MAX = 24
_WAITS_AT_MOST = timedelta(seconds=1)


class JournalBuffer:
    """`state` is the state with all that was noted, appended or not."""

    def __init__(self, ports: Ports, lease: Lease, state: RepositoryState) -> None:
        self.lease = lease
        self.state = state
        self._ports = ports
        self._events: tuple[Event, ...] = ()
        self._followed: tuple[int, ...] = ()
        self._since: datetime | None = None
        self._is_doubtful = False

    def hints(self) -> Mapping[int, Hint]:
        waiting = self._ports.journal.hints(self.lease.repository)
        return {n: hint for n, hint in waiting.items() if n not in self._followed}

    def note(self, events: tuple[Event, ...], followed: tuple[int, ...] = ()) -> None:
        """What happened or was decided, and hints that need no more following."""
        if events and self._since is None:
            self._since = self._ports.clock.now()
        self._events += events
        self._followed += followed
        self.state = fold(events, self.state)

    def append_if_long(self) -> None:
        """Append what has become much, or old."""
        now = self._ports.clock.now()
        is_old = self._since is not None and now >= self._since + _WAITS_AT_MOST
        if is_old or len(self._events) >= _EVENTS_MAX:
            self.append()

    def append(self) -> None:
        """Append what was noted, and drop the hints in the same transaction. Raises `LeaseLost`."""
        if self._is_doubtful:
            return
        self._is_doubtful = True
        now = self._ports.clock.now()
        self.state = self._ports.journal.append(self.lease, self._events, now, self._followed)
        self._was_appended()

    def rest(self, wake_at: datetime | None) -> None:
        """Append for the last time and give the lease back. Raises `LeaseLost`."""
        self._is_doubtful = True
        now = self._ports.clock.now()
        self.state = self._ports.journal.rest(
            self.lease, self._events, now, self._followed, wake_at
        )
        self._was_appended()

    def _was_appended(self) -> None:
        if self._events:
            self._ports.meter.add(counted(self._events, self.state))
            log_news(self._events, self.state)
        self._events, self._followed, self._since = (), (), None
        self._is_doubtful = False

    def renew(self) -> None:
        self._ports.journal.append(self.lease, (), self._ports.clock.now())
