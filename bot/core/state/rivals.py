"""Changes of different specs that edit one thing: the later one starts when the other has ended.

Within a spec the plan orders them. Between specs, who has begun goes first, and of two that could begin
the older spec's. Whoever has begun waits for nobody here, and nobody waits for a younger spec's change
that has not begun: so no circle can close. A change that a person put next waits for none.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, SpecRunState
from bot.core.plan.vocabulary import fold
from bot.core.spec.policy import Policy
from bot.core.state.money import Held, held_now
from bot.core.state.steps_by_hand import waits_for_steps
from bot.core.state.waiting import waits_for
from bot.core.values.ids import SpecRunId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import PlannedChange


@dataclass(frozen=True, slots=True)
class Rival:
    """A change of another spec that goes first, and the things that both edit."""

    change: ChangeFacts
    things: tuple[str, ...]


def rivals(state: RepositoryState, policy: Policy | None, change: ChangeFacts) -> tuple[Rival, ...]:
    """Those that a change waits for before its first agent; without a policy no budget counts."""
    mine = _things(change.planned)
    if not mine or change.state is not ChangeState.WAITING or state.entry_of(change).is_next:
        return ()
    run = state.spec_runs[change.spec_run]
    found = []
    for other_run, other in _others(state, run):
        theirs = _things(other.planned)
        if mine.keys().isdisjoint(theirs):
            continue
        both = mine.keys() & theirs.keys()
        if _goes_first(state, policy, other_run, other, run):
            found.append(Rival(change=other, things=tuple(mine[name] for name in sorted(both))))
    return tuple(found)


def changes_with_rivals(
    state: RepositoryState, policy: Policy | None
) -> Iterator[tuple[ChangeFacts, tuple[Rival, ...]]]:
    """All that wait for changes of other specs and for no other change of their own."""
    runs = [run for run in state.spec_runs.values() if run.state is SpecRunState.RUNNING]
    if len(runs) < 2:
        return
    editors: defaultdict[str, set[SpecRunId]] = defaultdict(set)
    waiting = []
    for run in runs:
        for change in state.changes_of(run.id):
            things = () if change.is_ended else _things(change.planned)
            for name in things:
                editors[name].add(run.id)
            if things and change.state is ChangeState.WAITING and change.issue is not None:
                waiting.append(change)
    for change in waiting:
        is_alone = all(len(editors[name]) == 1 for name in _things(change.planned))
        may_wait = not is_alone and not waits_for(state, change)
        if may_wait and (found := rivals(state, policy, change)):
            yield change, found


def _others(state: RepositoryState, run: SpecRun) -> Iterator[tuple[SpecRun, ChangeFacts]]:
    for other in state.spec_runs.values():
        if other.id != run.id and other.state is SpecRunState.RUNNING:
            open_ones = (c for c in state.changes_of(other.id) if not c.is_ended)
            yield from ((other, c) for c in open_ones)


def _goes_first(
    state: RepositoryState,
    policy: Policy | None,
    other_run: SpecRun,
    other: ChangeFacts,
    run: SpecRun,
) -> bool:
    if other.state is not ChangeState.WAITING:
        return not state.is_replaced(other)
    is_older = (other_run.opened_at, other_run.id) < (run.opened_at, run.id)
    return is_older and _could_begin(state, policy, other)


def _could_begin(state: RepositoryState, policy: Policy | None, change: ChangeFacts) -> bool:
    """Whether it waits for no other change of its spec, and for no person."""
    if waits_for(state, change) or waits_for_steps(state, change):
        return False
    return policy is None or held_now(state, policy, change) is not Held.RUN


def _things(planned: PlannedChange) -> Mapping[str, str]:
    return _named(planned.owns, planned.edits)


# Each change is compared with every other, in each round.
@lru_cache(maxsize=4_096)
def _named(owns: tuple[str, ...], edits: tuple[str, ...]) -> Mapping[str, str]:
    return MappingProxyType({fold(name): name for name in (*owns, *edits)})
