"""Stopping early: one place where a reason to stop is kept, and who is told of it.

A halt is asked for by the heartbeat (the server says stop, or the lease has run out) or by a
signal (a person cancelled the workflow). The first reason stays. What runs is ended at once.
"""

import threading
from collections.abc import Callable
from enum import StrEnum


class HaltReason(StrEnum):
    """Why an order is given up before its end."""

    TOLD_TO_STOP = "told_to_stop"
    LEASE_RAN_OUT = "lease_ran_out"
    INTERRUPTED = "interrupted"


class HaltedError(Exception):
    """Raised in the main thread where a halt was asked for."""


class Halt:
    """A stop that any thread may ask for, once; `on_ask` callables are told on the asking thread."""

    def __init__(self) -> None:
        # Reentrant, because a signal's handler asks on the main thread, whatever that is doing.
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[], None]] = []
        self._asked = threading.Event()
        self.reason: HaltReason | None = None
        self.sentence = ""

    def ask(self, reason: HaltReason, sentence: str) -> None:
        """Stop; a second request changes nothing."""
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
        """Be told; at once where the halt has been asked for already."""
        with self._lock:
            asked = self.reason is not None
            if not asked:
                self._callbacks.append(callback)
        if asked:
            callback()

    def check(self) -> None:
        """Raise `HaltedError` where a halt was asked for."""
        if self._asked.is_set():
            raise HaltedError(self.sentence)

    def wait(self, seconds: float) -> None:
        """Pause, or raise `HaltedError` as soon as a halt is asked for."""
        self._asked.wait(seconds)
        self.check()
