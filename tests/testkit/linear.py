"""Whether work takes time with the length of a text, not with its square."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import process_time

from bot.shell.deadline import TooCostly, within
from tests.testkit.pace import slowness

# The large text is eight times as long; with its square it costs 64 times as much as the small one.
_TIMES = 8
# So much more than the small text that many times over, measured for half as long at least: a machine that
# others keep busy takes nothing from what ends at once.
_COST_MAX = 2.0
# Below that the clock says nothing, which may count in hundredths.
_NOTICED_SECONDS = 0.1
_HUNG_SECONDS = 15.0
# From here on a machine is so slow that it must be asked again.
_NOT_USUAL = 1.5


@contextmanager
def no_pauses() -> Iterator[None]:
    """No time goes into looking through what is in memory already."""
    gc.disable()
    try:
        yield
    finally:
        # What was frozen before stays so: a worker's million objects would be gone through from now on.
        gc.enable()


def grows_with_the_text(work: Callable[[str], object], small: str, large: str) -> bool:
    """Whether the work is linear, of a text and one eight times as long.

    The best of three, as a machine may have other work.
    """
    patience = _HUNG_SECONDS
    for _ in range(3):
        try:
            cost = _seconds(lambda: work(large), patience)
        except TooCostly:
            slower = slowness()
            if slower < _NOT_USUAL:
                return False
            patience = _HUNG_SECONDS * slower
            continue
        if cost < _NOTICED_SECONDS:
            return True
        if within(patience, partial(_is_reached, cost / _COST_MAX, partial(work, small))):
            return True
    return False


def _is_reached(seconds: float, work: Callable[[], object]) -> bool:
    """Whether the work takes longer than that, as many times over as the large text is longer."""
    started = process_time()
    for _ in range(_TIMES):
        work()
        if process_time() - started > seconds:
            return True
    return False


def repeated(head: str, piece: str, size: int) -> str:
    """The head and the piece again and again, with its number as `{n}` and the one before as `{m}`."""
    parts, length, number = [head], len(head), 0
    while length < size:
        number += 1
        one = piece.replace("{n}", str(number)).replace("{m}", str(max(number - 1, 1)))
        parts.append(one)
        length += len(one)
    return "".join(parts)


def _seconds(work: Callable[[], object], patience: float) -> float:
    started = process_time()
    within(patience, work)
    return process_time() - started
