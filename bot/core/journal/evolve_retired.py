"""How a spec run that ended long ago leaves the state.

What stays is its id and its issue, so that no id is given twice and a late comment is understood.
All else of it is in the event, which `headgate explain` reads back from the journal.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from bot.core.journal import events as ev
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.values.ids import CommentId, OrderId

# GitHub offers a delivery again for three days; a comment older than this is not news any more.
COMMENTS_KEPT = timedelta(days=4)

_OF_COMMENT = re.compile(r"(?:react:|comment:reply )([0-9]+)(?::|$)")


def retired(state: RepositoryState, event: ev.SpecRunRetired) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    if run is None or run.is_open:
        return state
    changes = {id_: c for id_, c in state.changes.items() if c.spec_run != run.id}
    gone = tuple(c for c in state.changes.values() if c.spec_run == run.id)
    orders = {id_ for id_, o in state.orders.items() if o.change in {c.id for c in gone}}
    recent = _recent(state)
    comments = recent | state.heard.keys()
    about = _about(run, gone)
    return replace(
        state,
        spec_runs={id_: r for id_, r in state.spec_runs.items() if id_ != run.id},
        retired={**state.retired, run.id: run.issue},
        changes=changes,
        orders={id_: o for id_, o in state.orders.items() if id_ not in orders},
        lost_orders=tuple(o for o in state.lost_orders if o not in orders),
        open_pulls={n: id_ for n, id_ in state.open_pulls.items() if id_ in changes},
        change_of_number={n: id_ for n, id_ in state.change_of_number.items() if id_ in changes},
        answered={id_: at for id_, at in state.answered.items() if id_ in recent},
        published={
            subject: digest
            for subject, digest in state.published.items()
            if not (about.search(subject) or _is_past(subject, orders, comments))
        },
        refused={
            key: sentence
            for key, sentence in state.refused.items()
            if not (about.search(key) or _is_past(key, orders, comments))
        },
    )


def _about(run: SpecRun, changes: Iterable[ChangeFacts]) -> re.Pattern[str]:
    """Finds the run, its changes, and their issues and pulls in the key of what was published."""
    numbers = {run.issue, *(n for c in changes for n in (c.issue, c.pull))} - {None}
    places = "|".join(str(n) for n in sorted(n for n in numbers if n is not None))
    of_number = rf"|^(?:issue|close|reopen|close-pull):(?:{places})(?::|$)" if places else ""
    return re.compile(rf"(?<![\w.-]){re.escape(run.id)}(?![\w-]){of_number}")


def _is_past(subject: str, orders: set[OrderId], comments: set[CommentId]) -> bool:
    """Whether it is of one of these orders, or of another comment than these."""
    comment = _OF_COMMENT.match(subject)
    if comment is not None:
        return CommentId(int(comment[1])) not in comments
    return OrderId(subject.partition(":")[2]) in orders


def _recent(state: RepositoryState) -> set[CommentId]:
    if state.comments_seen_to is None:
        return set(state.answered)
    since = state.comments_seen_to - COMMENTS_KEPT
    return {id_ for id_, at in state.answered.items() if at >= since}
