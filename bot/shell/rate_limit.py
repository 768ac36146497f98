"""Spends the cost of an effect before it is performed, or defers it; nothing sleeps meanwhile.

Reads are counted after they were sent. A deferred effect is an `EffectDelayed` with the time at
which it may go on, and so is every open effect that is no more urgent and would have to wait too.
An effect that was deferred has not been tried.
"""

from collections.abc import Sequence

from bot.core.journal.effects import Effect
from bot.core.journal.events import EffectDelayed
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.state.rate_limits import ONE_READ, Priority, priority_of
from bot.core.values.github_cost import NO_COST
from bot.core.values.ids import InstallationId
from bot.core.values.limit_notice import waits_for_limits
from bot.shell.process_ports import Ports


def budget_of_installation(installation: InstallationId) -> str:
    """The name under which its limits are counted, and under which it is paused."""
    return f"installation {installation}"


def count_reads(ports: Ports, whom: str) -> None:
    cost = ports.forge.pop_read_cost()
    if cost != NO_COST:
        ports.budget.count(whom, cost, ports.clock.now())


def hints_within_budget(ports: Ports, whom: str, hints: Sequence[Hint]) -> tuple[Hint, ...]:
    """The hints to follow now: when the budget is low, the sweep looks at main's tip only.

    That costs git only, which is not counted; the rest waits for a sweep with enough budget.
    """
    if not any(h.kind is HintKind.EVERYTHING for h in hints):
        return tuple(hints)
    if ports.budget.wait(whom, ONE_READ, Priority.SWEEP, ports.clock.now()) is None:
        return tuple(hints)
    occasions = (h for h in hints if h.kind is not HintKind.EVERYTHING)
    return (*occasions, Hint(kind=HintKind.TIP))


def defer_over_budget(
    ports: Ports, state: RepositoryState, whom: str, effects: Sequence[Effect]
) -> tuple[EffectDelayed, ...]:
    """Spend for the first effect: nothing if that succeeded, else what is deferred, and until when."""
    first, *others = effects
    cost = first.full_cost
    if cost == NO_COST:
        return ()
    count_reads(ports, whom)
    now = ports.clock.now()
    wait = ports.budget.spend(whom, cost, priority_of(first), now)
    if wait is None:
        return ()
    deferred = [
        first,
        *(
            e
            for e in others
            if priority_of(e) >= priority_of(first)
            and (e.full_cost.content >= 1 if cost.content else e.full_cost != NO_COST)
        ),
    ]
    return tuple(
        EffectDelayed(
            key=effect.key,
            sentence=waits_for_limits(),
            until=now + wait,
            tries=state.delays[effect.key].tries if effect.key in state.delays else 0,
        )
        for effect in deferred
    )
