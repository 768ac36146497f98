"""Regular expressions that try again and again, asked of texts made from their own parts"""

import gc
from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter, process_time

import pytest

from bot.shell.deadline import TooCostly, within
from tests.testkit.nasty_texts import Nasty, nasty_texts
from tests.testkit.patterns import Asked, patterns_of

PARTS = ("action", "bot.adapters", "bot.core.decide", "bot.core.journal", "gates")
_SIZE = 3_000
# What is noticed is looked at; what is convicted takes so long, where the clock may count in hundredths.
_NOTICED_SECONDS, _CONVICTED_SECONDS = 0.001, 0.06
_HUNG_SECONDS = 0.5
# Eight times the text: 8 where it is linear, 64 with its square.
_TIMES, _COST_MAX = 8, 22.0
_UNITS_MAX = 40


@pytest.fixture(autouse=True)
def _no_pauses() -> Iterator[None]:
    """No time goes into looking through what is in memory already."""
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


@pytest.mark.attack(
    "A text that makes a regular expression try every way, in whatever place it is read",
    held="every pattern of `action`, `gates`, `bot.adapters`, `bot.core.decide` and `bot.core.journal` is found by itself and takes linear time",
)
@pytest.mark.parametrize("part", PARTS)
def test_every_pattern_takes_time_with_the_length_of_a_text(part: str) -> None:
    costly = {
        asked.where: (asked.pattern.pattern, found)
        for asked in patterns_of(part)
        if (found := _costly(asked))
    }
    assert costly == {}


def _costly(asked: Asked) -> Nasty | None:
    """A text whose cost grows faster than its length, asked three times."""
    for nasty in nasty_texts(asked.pattern, _UNITS_MAX):
        text = nasty.of(_SIZE)
        if _seconds(asked, text, perf_counter) > _NOTICED_SECONDS and all(
            _grows_too_fast(asked, nasty) for _ in range(2)
        ):
            return nasty
    return None


def _grows_too_fast(asked: Asked, nasty: Nasty) -> bool:
    large = min(_seconds(asked, nasty.of(_TIMES * _SIZE)) for _ in range(2))
    if large < _CONVICTED_SECONDS:
        return False
    return large > _COST_MAX * min(_seconds(asked, nasty.of(_SIZE)) for _ in range(3))


def _seconds(asked: Asked, text: str, clock: Callable[[], float] = process_time) -> float:
    started = clock()
    try:
        within(_HUNG_SECONDS, lambda: asked.work(text))
    except TooCostly:
        return inf
    return clock() - started
