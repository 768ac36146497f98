"""RSA keys that are made once a process: to make one takes as long as many a test."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from bot.localhub import keys


class KeyPool:
    """Keys that are all different within a test, and kept for the next."""

    def __init__(self, make: Callable[[], RSAPrivateKey]) -> None:
        self._make = make
        self._made: list[RSAPrivateKey] = []

    @contextmanager
    def instead_of_new_ones(self) -> Iterator[None]:
        """For the time of one test localhub takes its keys from here."""
        left = list(self._made)
        with patch.object(keys, "new_key", lambda: left.pop() if left else self._another()):
            yield

    def _another(self) -> RSAPrivateKey:
        self._made.append(self._make())
        return self._made[-1]


KEYS = KeyPool(keys.new_key)
