"""Changes of different specs that edit one thing: the later one starts when the other has ended.

Within a spec the plan orders them. Between specs, who has begun goes first, and of two that could begin
the older spec's. Whoever has begun waits for nobody here, and nobody waits for a younger spec's change
that has not begun: so no circle can close. A change that a person put next waits for none.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRunState
from bot.core.plan.vocabulary import fold
from bot.core.spec.policy import Policy
from bot.core.state.money import Held, held_now
from bot.core.state.steps_by_hand import waits_for_steps
from bot.core.state.waiting import waits_for
from bot.core.values.ids import ChangeId
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
    if not mine or change.state is not ChangeState.WAITING:
        return ()
    meeting = (c for c in _open_ones(state) if not mine.keys().isdisjoint(_things(c.planned)))
    return _first(state, change, (c for c in meeting if _is_in_the_way(state, policy, c)))


def rivals_of_all(
    state: RepositoryState, policy: Policy | None
) -> Mapping[ChangeId, tuple[Rival, ...]]:
    """Of all that wait for changes of other specs and for no other change of their own, or would as soon as
    their plan is approved.
    """
    if sum(run.is_open for run in state.spec_runs.values()) < 2:
        return {}
    editors: defaultdict[str, list[ChangeFacts]] = defaultdict(list)
    for change in _open_ones(state):
        for name in _things(change.planned):
            editors[name].append(change)
    shared = {n: them for n, them in editors.items() if len({c.spec_run for c in them}) > 1}
    meeting = [c for c in _open_ones(state) if not shared.keys().isdisjoint(_things(c.planned))]
    # Each is asked once, however many it meets.
    in_the_way = {c.id for c in meeting if _is_in_the_way(state, policy, c)}
    found = {}
    for change in meeting:
        if change.state is not ChangeState.WAITING or waits_for(state, change):
            continue
        names = [name for name in _things(change.planned) if name in shared]
        others = {c.id: c for name in names for c in shared[name] if c.id in in_the_way}
        if first := _first(state, change, others.values()):
            found[change.id] = first
    return found


def _open_ones(state: RepositoryState) -> Iterator[ChangeFacts]:
    for run in state.spec_runs.values():
        if run.is_open:
            yield from (c for c in state.changes_of(run.id) if not c.is_ended)


def _first(
    state: RepositoryState, change: ChangeFacts, others: Iterable[ChangeFacts]
) -> tuple[Rival, ...]:
    """Those of others in the way that go before a change that waits."""
    if state.entry_of(change).is_next:
        return ()
    mine, run = _things(change.planned), state.spec_runs[change.spec_run]
    found = []
    for other in others:
        of = state.spec_runs[other.spec_run]
        has_begun = other.state is not ChangeState.WAITING
        if of.id != run.id and (has_begun or (of.opened_at, of.id) < (run.opened_at, run.id)):
            both = mine.keys() & _things(other.planned).keys()
            found.append(Rival(change=other, things=tuple(mine[name] for name in sorted(both))))
    return tuple(found)


def _is_in_the_way(state: RepositoryState, policy: Policy | None, other: ChangeFacts) -> bool:
    """Whether changes of other specs may have to wait for it: it has begun, or could."""
    if state.spec_runs[other.spec_run].state is not SpecRunState.RUNNING:
        return False
    if other.state is not ChangeState.WAITING:
        return not state.is_replaced(other)
    return _could_begin(state, policy, other)


def _could_begin(state: RepositoryState, policy: Policy | None, change: ChangeFacts) -> bool:
    """Whether it waits for no other change of its spec, and for no person."""
    if waits_for(state, change) or waits_for_steps(state, change):
        return False
    return policy is None or held_now(state, policy, change) is not Held.RUN


def _things(planned: PlannedChange) -> Mapping[str, str]:
    return _named(planned.owns, planned.edits)


# Asked of every open change, in each round.
@lru_cache(maxsize=4_096)
def _named(owns: tuple[str, ...], edits: tuple[str, ...]) -> Mapping[str, str]:
    return MappingProxyType({fold(name): name for name in (*owns, *edits)})
