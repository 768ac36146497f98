"""Regular expressions that try again and again, asked of texts made from their own parts"""

from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter, process_time

import pytest

from bot.shell.deadline import TooCostly, within
from tests.testkit.linear import no_pauses
from tests.testkit.nasty_texts import Nasty, may_cost, nasty_texts
from tests.testkit.patterns import Asked, patterns_of

# A module belongs to the last of these that it stands under.
PARTS = (
    *("action", "bot.adapters", "bot.demo", "bot.entry", "bot.localhub", "bot.shell", "gates"),
    *("bot.core.decide", "bot.core.journal", "bot.core.plan", "bot.core.prompts"),
    *(
        "bot.core.spec",
        "bot.core.spec.triage",
        "bot.core.state",
        "bot.core.talk",
        "bot.core.values",
    ),
)
# What is noticed at the first size is measured at the second: 8 times where it is linear, 64 with
# its square. What is convicted takes so long there that the clock may count in hundredths.
_SIZE, _TIMES = 1_000, 8
_NOTICED_SECONDS, _CONVICTED_SECONDS, _COST_MAX = 0.0006, 0.03, 20.0
_HUNG_SECONDS = 0.3
_UNITS_MAX = 40
# A machine that is busy takes some texts for costly, and not again and again.
_ASKED = 5

# Patterns that take more than linear time, and why no long text comes to them.
BOUNDED = {
    "bot.core.spec.heading_numbers._MANDATORY": "asked of the last 80 characters of a title",
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with no_pauses():
        yield


@pytest.mark.slow
@pytest.mark.attack(
    "A text that makes a regular expression try every way, in whatever place it is read",
    held="every pattern of `action`, `gates` and `bot` is found by itself and takes linear time",
)
@pytest.mark.parametrize("part", PARTS)
def test_every_pattern_takes_linear_time(part: str) -> None:
    costly = {
        asked.where: (asked.pattern.pattern, found)
        for asked in patterns_of(part)
        if _part_of(asked.where) == part
        if may_cost(asked.pattern, at_one_place=asked.at_one_place) and (found := _costly(asked))
    }
    assert {where: found for where, found in costly.items() if where not in BOUNDED} == {}
    assert [w for w in BOUNDED if _part_of(w) == part and w not in costly] == []


def _part_of(where: str) -> str:
    return max((part for part in PARTS if where.startswith(f"{part}.")), key=len)


def _costly(asked: Asked) -> Nasty | None:
    """A text whose cost grows faster than its length, however often it is asked."""
    for nasty in nasty_texts(asked.pattern, _UNITS_MAX):
        if _seconds(asked, nasty.of(_SIZE), perf_counter) > _NOTICED_SECONDS and all(
            _grows_too_fast(asked, nasty) for _ in range(_ASKED)
        ):
            return nasty
    return None


def _grows_too_fast(asked: Asked, nasty: Nasty) -> bool:
    large = _seconds(asked, nasty.of(_TIMES * _SIZE))
    small = min(_seconds(asked, nasty.of(_SIZE)) for _ in range(2))
    return large == inf or large > max(_CONVICTED_SECONDS, _COST_MAX * small)


def _seconds(asked: Asked, text: str, clock: Callable[[], float] = process_time) -> float:
    started = clock()
    try:
        within(_HUNG_SECONDS, lambda: asked.work(text))
    except TooCostly:
        return inf
    return clock() - started
