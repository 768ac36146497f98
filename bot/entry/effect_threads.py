"""The threads of a worker process for effects that take long. Each has its own adapters.

An effect is taken once in this process, however often it is rung for. The threads are daemons: what
is cut off by a stop is begun again, or told, by the rules of what the effect does.
"""

import logging
import queue
import secrets
import threading
from collections.abc import Callable

from bot.core.values.ids import EffectKey, RepositoryId
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports

log = logging.getLogger(__name__)

# As many as a large spec has parts; a thread waits for the network and does little else.
THREADS_MAX = 8

_Asked = tuple[RepositoryId, EffectKey]


class EffectThreads:
    """Accepts effects at once and does (`do`) each as soon as a thread is free."""

    def __init__(
        self,
        make_ports: Callable[[], Ports],
        do: Callable[[Ports, Observer, RepositoryId, EffectKey], None],
    ) -> None:
        self._make_ports = make_ports
        self._do = do
        self._waiting: queue.SimpleQueue[_Asked] = queue.SimpleQueue()
        self._accepted: set[_Asked] = set()
        self._threads = 0
        self._lock = threading.Lock()

    def submit(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Have it done, unless this process does it or is about to."""
        asked = (repository, effect)
        with self._lock:
            if asked in self._accepted:
                return
            self._accepted.add(asked)
            if self._threads < min(len(self._accepted), THREADS_MAX):
                self._threads += 1
                threading.Thread(target=self._run, name="effects", daemon=True).start()
        self._waiting.put(asked)

    def _run(self) -> None:
        ports = self._make_ports()
        observer = Observer(ports)
        while True:
            asked = self._waiting.get()
            try:
                self._do(ports, observer, *asked)
            except Exception:
                log.exception("bug", extra={"reference": secrets.token_hex(4), "effect": asked[1]})
            finally:
                with self._lock:
                    self._accepted.discard(asked)
