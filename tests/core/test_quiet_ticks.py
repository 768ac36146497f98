"""A tick with nothing to do costs the same however much has ended, and however much there was to say.

What has ended and is still in the state is little: the rest leaves it (docs/state_bounds.md).
"""

from functools import partial

import pytest

from bot.core.decide.decide import decide
from bot.core.journal.retired_issues import RetiredIssues
from bot.core.journal.retired_runs import RetiredRuns
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, looks
from bot.core.state.off_main import is_off_main
from bot.core.values.ids import IssueNumber, SpecRunId
from bot.core.values.replacement import replace
from tests.core.journal.crowd import NARROW, OF_LISTS, OF_MAPS, crowded, instructions
from tests.core.kit import EVERYTHING, World, approved
from tests.core.values import beside

FEW, MANY = 100, 1_000

# One instruction for each thing that was added, and it is a walk.
FLAT = MANY - FEW

# What is open, wrong now or not told yet: a tick looks at each.
OPEN = {
    *("open_effects", "delays", "heard", "open_orders", "open_pulls", "open_checks"),
    *("pull_digests", "refusals", "adoptions", "spec_versions", "model_advice", "review_places"),
    *("queued_pulls", "strangers_asked"),
}

# The newest of what has ended, as many as stand here: a tick looks at each, and may take so many instructions.
WINDOWS = {
    "changes": 30,
    "spec_runs": 30,
    "entries": 60,
    "dialogues": 30,
    "spec_issues": 30,
    "ledger": 200,
    "incidents": 20,
}
_A_THING = 1_000

# Looks at everything come every ten minutes.
FULL_LOOK_ALONE = ("published",)


@pytest.fixture(scope="module")
def world() -> World:
    """All has landed and was told long ago."""
    made = approved(beside(2))
    made.work()
    made.state = replace(made.state, rules=made.rules, rules_read_at=made.now)
    made.pass_time(100_000)
    made.settle()
    return made


def _cost(world: World, state: RepositoryState, hints: tuple[Hint, ...]) -> int:
    other = world.copy()
    other.state = state
    observed = other.observe(hints)

    def tick() -> None:
        looks(state, hints, other.now)
        decide(state, observed, other.now)

    tick()
    return instructions(tick)


def _growth(
    world: World, of: str, hints: tuple[Hint, ...] = (), few: int = FEW, many: int = MANY
) -> int:
    but = {*OF_MAPS, *OF_LISTS} - {of}
    costs = [_cost(world, crowded(world.state, count, but), hints) for count in (few, many)]
    return costs[1] - costs[0]


@pytest.mark.parametrize("hints", [(), EVERYTHING], ids=["a tick", "a full look"])
def test_a_tick_walks_no_growing_collection(world: World, hints: tuple[Hint, ...]) -> None:
    some = {*OPEN, *WINDOWS, *(FULL_LOOK_ALONE if hints else ())}
    rest = {*OF_MAPS, *OF_LISTS} - some
    walked = [name for name in sorted(rest) if _growth(world, name, hints) >= FLAT]
    assert walked == []


@pytest.mark.parametrize("name", WINDOWS)
def test_recently_ended_work_costs_little(world: World, name: str) -> None:
    many = WINDOWS[name]
    few = many // 3
    assert _growth(world, name, (), few, many) <= _A_THING * (many - few)


def test_a_tick_does_not_read_the_text_of_retired_runs_and_issues(world: World) -> None:
    costs = []
    for count in (FEW, MANY):
        runs, issues = RetiredRuns(), RetiredIssues()
        for number in range(count):
            runs = runs.with_run(SpecRunId(f"a@{number:08}"), IssueNumber(number))
        costs.append(_cost(world, replace(world.state, retired=runs, retired_issues=issues), ()))
    assert costs[0] == costs[1]


def test_a_landing_on_main_is_looked_up_without_a_search(world: World) -> None:
    change = world.change("R0")
    costs = []
    for count in (10, 100):
        state = crowded(world.state, count, {*OF_MAPS, *OF_LISTS} - {"ledger"})
        assert not is_off_main(state, change)
        costs.append(instructions(partial(is_off_main, state, change)))
    assert costs[0] == costs[1]


def test_every_collection_of_the_state_belongs_to_one_kind() -> None:
    assert {*OPEN, *WINDOWS} <= OF_MAPS.keys() | OF_LISTS.keys()
    assert not {*OPEN} & {*WINDOWS}
    assert not NARROW.keys() & OF_MAPS.keys()
