"""The threads of a worker that ask models, each with a bench of its own.

The rule: a question is in this process's hands once, whoever rings for it and how often; what a
journal knows is not shared between threads. They are daemons: what is being asked when a worker
stops is claimed again by its slot, or by anybody once the claim has run out.
"""

import queue
import secrets
import threading
from collections.abc import Callable

import structlog

from bot.core.values.ids import EffectKey, RepositoryId
from bot.shell import model_calls
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports

log = structlog.get_logger()

# As many as a large spec has parts; an asker waits for the network and does little else.
ASKERS_MAX = 8

_Question = tuple[RepositoryId, EffectKey]


class Askers:
    """Takes questions at once and asks them as soon as a thread is free."""

    def __init__(self, make_bench: Callable[[], Ports]) -> None:
        self._make_bench = make_bench
        self._waiting: queue.SimpleQueue[_Question] = queue.SimpleQueue()
        self._in_hand: set[_Question] = set()
        self._threads = 0
        self._lock = threading.Lock()

    def take(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Have it asked, unless that is under way here."""
        question = (repository, effect)
        with self._lock:
            if question in self._in_hand:
                return
            self._in_hand.add(question)
            if self._threads < min(len(self._in_hand), ASKERS_MAX):
                self._threads += 1
                threading.Thread(target=self._ask_for_good, name="asker", daemon=True).start()
        self._waiting.put(question)

    def _ask_for_good(self) -> None:
        ports = self._make_bench()
        observer = Observer(ports)
        while True:
            question = self._waiting.get()
            try:
                model_calls.ask(ports, observer, *question)
            except Exception:
                log.exception("bug", reference=secrets.token_hex(4), effect=question[1])
            finally:
                with self._lock:
                    self._in_hand.discard(question)
