"""How a spec run that ended long ago leaves the state.

What stays is its id and its issue, so that no id is given twice and a late comment is understood.
All else of it is in the event, which `headgate explain` reads back from the journal.
"""

import re
from collections.abc import Callable, Iterable, Set

from bot.core.journal import events as ev
from bot.core.journal.evolve_entry import without_entries
from bot.core.journal.evolve_forgotten import series_of_change, without_gone_specs
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.prompts import digest_prompt, summary_prompt
from bot.core.values.ids import OrderId
from bot.core.values.question import money_place
from bot.core.values.replacement import replace, without

# What the key of an issue or a pull begins with.
_NUMBERED = frozenset({"issue", "close", "reopen", "close-pull"})


def retired(state: RepositoryState, event: ev.SpecRunRetired) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    if run is None or run.is_open:
        return state
    gone = {id_: c for id_, c in state.changes.items() if c.spec_run == run.id}
    left = without(state.changes, *gone)
    orders = {id_ for id_, o in state.orders.items() if o.change in gone}
    is_past = _past(run, gone.values(), orders)
    advised = {f"{digest_prompt.PLACE}{run.id}", f"{summary_prompt.PLACE}{run.id}"}
    after = replace(
        without_entries(state, *(change.entry for change in gone.values())),
        spec_runs=without(state.spec_runs, run.id),
        retired=state.retired.with_run(run.id, run.issue),
        run_of_issue={n: id_ for n, id_ in state.run_of_issue.items() if id_ != run.id},
        changes=left,
        evidence={name: e for name, e in state.evidence.items() if e.order not in orders},
        orders=without(state.orders, *orders),
        lost_orders=tuple(o for o in state.lost_orders if o not in orders),
        open_pulls={n: id_ for n, id_ in state.open_pulls.items() if id_ in left},
        change_of_number={n: id_ for n, id_ in state.change_of_number.items() if id_ in left},
        asked=without(state.asked, money_place(run.id)),
        model_advice=without(state.model_advice, *advised),
        series=without(state.series, *map(series_of_change, gone)),
        published={key: digest for key, digest in state.published.items() if not is_past(key)},
        open_checks=tuple(key for key in state.open_checks if not is_past(key)),
        refused={key: sentence for key, sentence in state.refused.items() if not is_past(key)},
    )
    return without_gone_specs(after, (run.path,))


def _past(
    run: SpecRun,
    changes: Iterable[ChangeFacts],
    orders: Set[OrderId],
) -> Callable[[str], bool]:
    """Tells of the key of something published whether it is of the run.

    The run's are the keys of it, of its changes, and of their issues, pulls and orders. Most keys
    are of others, so text is searched first.
    """
    numbers = {str(n) for n in (run.issue, *(n for c in changes for n in (c.issue, c.pull))) if n}
    name = re.compile(rf"(?<![\w.-]){re.escape(run.id)}(?![\w-])")

    def is_past(key: str) -> bool:
        if run.id in key and name.search(key):
            return True
        kind, _, rest = key.partition(":")
        if kind in _NUMBERED:
            return rest.partition(":")[0] in numbers
        return rest in orders

    return is_past
