"""Stopping early: the first reason to stop, and the callbacks to call then.

The heartbeat requests a halt (the server says stop, or the lease has run out), or a signal does (a
person cancelled the workflow). The first reason is kept.
"""

import threading
from collections.abc import Callable
from enum import StrEnum


class HaltReason(StrEnum):
    TOLD_TO_STOP = "told_to_stop"
    LEASE_RAN_OUT = "lease_ran_out"
    INTERRUPTED = "interrupted"


class HaltedError(Exception):
    """Raised on the main thread after a halt was requested."""


class Halt:
    """A stop that any thread may request, once; callbacks run on the requesting thread."""

    def __init__(self) -> None:
        # Reentrant, because a signal's handler asks on the main thread, whatever that is doing.
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[], None]] = []
        self._asked = threading.Event()
        self.reason: HaltReason | None = None
        self.sentence = ""

    def ask(self, reason: HaltReason, sentence: str) -> None:
        with self._lock:
            if self.reason is not None:
                return
            self.reason = reason
            self.sentence = sentence
            callbacks = list(self._callbacks)
            self._asked.set()
        for callback in callbacks:
            callback()

    def on_ask(self, callback: Callable[[], None]) -> None:
        """Call back when a halt is requested, or now if it already was."""
        with self._lock:
            asked = self.reason is not None
            if not asked:
                self._callbacks.append(callback)
        if asked:
            callback()

    def check(self) -> None:
        if self._asked.is_set():
            raise HaltedError(self.sentence)

    def check_wanted(self) -> None:
        """Raise `HaltedError` if the server wants nothing of the order any more.

        An interrupted order still hands back what it has.
        """
        if self.reason in {HaltReason.TOLD_TO_STOP, HaltReason.LEASE_RAN_OUT}:
            raise HaltedError(self.sentence)

    def wait(self, seconds: float) -> None:
        self._asked.wait(seconds)
        self.check()
