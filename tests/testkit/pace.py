"""Limits of processor time that mean the same on a slow machine, or on one that others keep busy.

A processor that is shared with other machines counts as used what those took.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

# On a usual machine the yardstick takes about so long.
_USUAL_SECONDS = 0.5
_ROUNDS = 10_000_000


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fails where the block takes more processor time than so many seconds of a usual machine."""
    began = process_time()
    yield
    took = process_time() - began
    if took >= seconds:
        slower = slowness()
        assert took < seconds * slower, f"{took:.1f} s, on a machine {slower:.1f} times as slow"


def slowness() -> float:
    """How many times as long this machine takes now as a usual one; 1 at least."""
    began = process_time()
    total = 0
    for number in range(_ROUNDS):
        total += number
    return max(1.0, (process_time() - began) / _USUAL_SECONDS)
