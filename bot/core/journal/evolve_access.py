"""How a repository's own life evolves: under which names it goes, and whether we may work in it."""

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import Away, OrderState, RepositoryState, Rewound
from bot.core.values.replacement import replace

# More than are placed between two backups.
_ORDERS_SKIPPED = 10_000


def _lost(state: RepositoryState, event: ev.AccessLost) -> RepositoryState:
    """The time counts from the last loss of this kind: a suspension may end in a removal."""
    if state.away is not None and state.away.reason is event.reason:
        return replace(state, away=replace(state.away, lacks=event.lacks))
    return replace(state, away=Away(reason=event.reason, lacks=event.lacks, since=event.seen_at))


def _rewound(state: RepositoryState, event: ev.JournalRewound) -> RepositoryState:
    """A second loss soon after the first keeps the earlier end of what is known.

    Orders that the journal does not know any more keep their numbers: runs and refs are named by them.
    """
    known_until = event.known_until
    if state.rewound is not None and state.rewound.counts_at(event.seen_at):
        known_until = min(known_until, state.rewound.known_until)
    return replace(
        state,
        rewound=Rewound(known_until=known_until, seen_at=event.seen_at),
        orders_placed=state.orders_placed + _ORDERS_SKIPPED,
    )


def _dispatched(state: RepositoryState, event: ev.WorkflowDispatched) -> RepositoryState:
    if event.workflow is None:
        return state
    return replace(state, workflows={**state.workflows, event.path: event.workflow})


def _regained(state: RepositoryState, event: ev.AccessRegained) -> RepositoryState:
    """Waiting times of orders begin again: no runner could take them while we were away."""
    orders = {**state.orders}
    for id_ in state.open_orders:
        order = orders[id_]
        if order.state is OrderState.PLACED and order.dispatched_at is not None:
            orders[id_] = replace(order, dispatched_at=event.seen_at)
    return replace(state, away=None, orders=orders)


ACCESS_FOLDS = folds(
    on(ev.WorkflowDispatched, _dispatched),
    on(ev.RepositoryChanged, lambda state, event: replace(state, facts=event.facts)),
    on(ev.AccessLost, _lost),
    on(ev.JournalRewound, _rewound),
    on(
        ev.RulesRead,
        lambda state, event: replace(state, rules=event.rules, rules_read_at=event.read_at),
    ),
    on(ev.AccessRegained, _regained),
)
