"""Thrift: before a deed its cost is spent; where it may not be, it waits, and nobody sleeps.

What is read is counted as it goes. What waits is written down with the time at which it may go on
(`wake_at` follows from it), together with all that is no more urgent and would have to wait as
well. A deed that was held back has not been tried.
"""

from collections.abc import Sequence

from bot.core.journal.effects import Effect
from bot.core.journal.events import EffectDelayed
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.state.rate_limits import A_LOOK, Cost, Priority, cost_of, priority_of
from bot.core.values.limit_notice import waits_for_limits
from bot.ports import Lease
from bot.shell.process_ports import Ports

_NOTHING = Cost()


def count_reads(ports: Ports, whom: str) -> None:
    """Count what this thread has read since this was last done."""
    cost = ports.forge.pop_read_cost()
    if cost != _NOTHING:
        ports.budget.count(whom, cost, ports.clock.now())


def hints_within_budget(ports: Ports, whom: str, hints: Sequence[Hint]) -> tuple[Hint, ...]:
    """The hints that are looked into now: where little is left, of the sweep's only main's tip is.

    Git is not counted; the rest is looked at with the next beat for which enough is left.
    """
    if not any(h.kind is HintKind.EVERYTHING for h in hints):
        return tuple(hints)
    if ports.budget.wait(whom, A_LOOK, Priority.SWEEP, ports.clock.now()) is None:
        return tuple(hints)
    occasions = (h for h in hints if h.kind is not HintKind.EVERYTHING)
    return (*occasions, Hint(kind=HintKind.TIP))


def defer_over_budget(
    ports: Ports, lease: Lease, state: RepositoryState, whom: str, effects: Sequence[Effect]
) -> RepositoryState | None:
    """Spend for the first effect: None where that is done, else the state in which it waits."""
    first, *others = effects
    cost = cost_of(first)
    if cost == _NOTHING:
        return None
    count_reads(ports, whom)
    now = ports.clock.now()
    wait = ports.budget.spend(whom, cost, priority_of(first), now)
    if wait is None:
        return None
    late = [
        first,
        *(
            e
            for e in others
            if priority_of(e) >= priority_of(first)
            and (cost_of(e).content >= 1 if cost.content else cost_of(e) != _NOTHING)
        ),
    ]
    delays = tuple(
        EffectDelayed(
            key=effect.key,
            sentence=waits_for_limits(),
            until=now + wait,
            tries=state.delays[effect.key].tries if effect.key in state.delays else 0,
        )
        for effect in late
    )
    return ports.journal.append(lease, delays, now)
