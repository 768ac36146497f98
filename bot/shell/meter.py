"""What this process counts, and how it says that it lives.

Both reach the database every few seconds, not with each event: a process that is killed loses its
newest counts, and nothing else.
"""

import threading
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.core.values.vitals import Count, Part, Pulse
from bot.health_ports import Vitals

BEAT_EVERY = timedelta(seconds=10)


class Meter:
    """For many threads. `process` names it among all that beat."""

    def __init__(self, vitals: Vitals, process: str) -> None:
        self.process = process
        self._vitals = vitals
        self._lock = threading.Lock()
        self._counts: defaultdict[Count, float] = defaultdict(float)
        self._beaten_at: dict[Part, datetime] = {}

    def add(self, counts: Mapping[Count, float]) -> None:
        with self._lock:
            for count, amount in counts.items():
                self._counts[count] += amount

    def beat(self, part: Part, now: datetime) -> None:
        """Say that this process lives, unless it did so just now."""
        if self._is_due(part, now):
            self._vitals.beat(Pulse(process=self.process, part=part, at=now))
            self.flush()

    def flush(self) -> None:
        """Write what was counted; kept where the database fails."""
        with self._lock:
            counts, self._counts = self._counts, defaultdict(float)
        if not counts:
            return
        try:
            self._vitals.add(counts)
        except Exception:
            self.add(counts)
            raise

    def _is_due(self, part: Part, now: datetime) -> bool:
        with self._lock:
            last = self._beaten_at.get(part)
            # A clock that was set back must not silence us.
            if last is not None and timedelta(0) <= now - last < BEAT_EVERY:
                return False
            self._beaten_at[part] = now
            return True
