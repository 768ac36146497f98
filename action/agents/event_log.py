"""What a run says and does, kept until it is sent to the server, and what people tell the run.

Written by the thread that works, read by the one that sends.
"""

import json
import threading
from datetime import UTC, datetime

from action.agents.cut_text import beginning, end
from action.order import ToldWords

# One event shows so much of a text: its beginning and its end.
TEXT_CHARACTERS_MAX = 2_000
# If the events cannot be sent, the oldest are dropped beyond this.
KEPT_CHARACTERS_MAX = 1_000_000


class EventLog:
    """Events are numbered from 0; each is one line of JSON."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: list[str] = []
        self._characters = 0
        self._first = 0
        self._told: list[ToldWords] = []
        self._heard = 0
        self.last_tool = ""

    def note(self, kind: str, text: str, tool: str = "") -> None:
        """Keep an event; `tool` is the one that it calls."""
        event = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "kind": kind,
            "text": _shortened(text.strip()),
        }
        line = json.dumps(event, ensure_ascii=False)
        with self._lock:
            if tool:
                self.last_tool = tool
            self._lines.append(line)
            self._characters += len(line)
            while self._characters > KEPT_CHARACTERS_MAX:
                self._drop(1)

    def pending(self, characters_max: int) -> tuple[int, tuple[str, ...]]:
        """The oldest events that nobody has taken, and the number of the first; at least one."""
        with self._lock:
            count, characters = 0, 0
            for line in self._lines:
                characters += len(line)
                if count and characters > characters_max:
                    break
                count += 1
            return self._first, tuple(self._lines[:count])

    def taken(self, up_to: int) -> None:
        with self._lock:
            self._drop(min(up_to - self._first, len(self._lines)))
            self._first = max(self._first, up_to)

    def _drop(self, count: int) -> None:
        gone = max(0, count)
        self._characters -= sum(map(len, self._lines[:gone]))
        del self._lines[:gone]
        self._first += gone

    @property
    def heard(self) -> int:
        return self._heard

    def tell(self, words: tuple[ToldWords, ...]) -> None:
        with self._lock:
            self._told += words
            self._heard += len(words)

    @property
    def has_told(self) -> bool:
        return bool(self._told)

    def take_told(self) -> tuple[ToldWords, ...]:
        with self._lock:
            told, self._told = tuple(self._told), []
        return told


def _shortened(text: str) -> str:
    if len(text) <= TEXT_CHARACTERS_MAX:
        return text
    half = TEXT_CHARACTERS_MAX // 2
    first, last = beginning(text, half), end(text, half)
    return f"{first}\n[… {len(text) - len(first) - len(last):,} characters …]\n{last}"
