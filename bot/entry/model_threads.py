"""The threads of a worker process that call models, each with adapters of its own.

A prompt is taken once in this process, however often it is rung for. The threads are daemons: a
call that is cut off by a stop is claimed again by the same slot, or by any once the claim has
expired.
"""

import logging
import queue
import secrets
import threading
from collections.abc import Callable

from bot.core.values.ids import EffectKey, RepositoryId
from bot.shell import model_calls
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports

log = logging.getLogger(__name__)

# As many as a large spec has parts; a thread waits for the network and does little else.
THREADS_MAX = 8

_Prompt = tuple[RepositoryId, EffectKey]


class ModelThreads:
    """Accepts prompts at once and sends them as soon as a thread is free."""

    def __init__(self, make_ports: Callable[[], Ports]) -> None:
        self._make_ports = make_ports
        self._waiting: queue.SimpleQueue[_Prompt] = queue.SimpleQueue()
        self._accepted: set[_Prompt] = set()
        self._threads = 0
        self._lock = threading.Lock()

    def submit(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Have it sent, unless this process is about to or waits for its reply."""
        prompt = (repository, effect)
        with self._lock:
            if prompt in self._accepted:
                return
            self._accepted.add(prompt)
            if self._threads < min(len(self._accepted), THREADS_MAX):
                self._threads += 1
                threading.Thread(target=self._run, name="model", daemon=True).start()
        self._waiting.put(prompt)

    def _run(self) -> None:
        ports = self._make_ports()
        observer = Observer(ports)
        while True:
            prompt = self._waiting.get()
            try:
                model_calls.ask(ports, observer, *prompt)
            except Exception:
                log.exception("bug", extra={"reference": secrets.token_hex(4), "effect": prompt[1]})
            finally:
                with self._lock:
                    self._accepted.discard(prompt)
