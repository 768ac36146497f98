"""How a spec run that ended long ago leaves the state.

What stays is its id and its issue, so that no id is given twice and a late comment is understood.
All else of it is in the event, which `headgate explain` reads back from the journal.
"""

import re
from collections.abc import Callable, Iterable, Set
from datetime import timedelta

from bot.core.journal import events as ev
from bot.core.journal.evolve_entry import without_entries
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.values.ids import CommentId, OrderId
from bot.core.values.question import money_place
from bot.core.values.replacement import replace

# GitHub offers a delivery again for three days; a comment older than this is not news any more.
COMMENTS_KEPT = timedelta(days=4)

# What the key of an issue or a pull begins with, and that of a comment.
_NUMBERED = frozenset({"issue", "close", "reopen", "close-pull"})
_OF_COMMENTS = {
    "react": re.compile(r"^([0-9]+)(?::|$)"),
    "comment": re.compile(r"reply ([0-9]+)(?::|$)"),
}


def retired(state: RepositoryState, event: ev.SpecRunRetired) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    if run is None or run.is_open:
        return state
    gone = {id_: c for id_, c in state.changes.items() if c.spec_run == run.id}
    left = {id_: c for id_, c in state.changes.items() if id_ not in gone}
    orders = {id_ for id_, o in state.orders.items() if o.change in gone}
    recent = _recent(state)
    comments = recent | state.heard.keys()
    is_past = _past(run, gone.values(), orders, comments)

    return replace(
        without_entries(state, *(change.entry for change in gone.values())),
        spec_runs={id_: r for id_, r in state.spec_runs.items() if id_ != run.id},
        retired=state.retired.with_run(run.id, run.issue),
        run_of_issue={n: id_ for n, id_ in state.run_of_issue.items() if id_ != run.id},
        changes=left,
        evidence={name: e for name, e in state.evidence.items() if e.order not in orders},
        orders={id_: o for id_, o in state.orders.items() if id_ not in orders},
        lost_orders=tuple(o for o in state.lost_orders if o not in orders),
        open_pulls={n: id_ for n, id_ in state.open_pulls.items() if id_ in left},
        change_of_number={n: id_ for n, id_ in state.change_of_number.items() if id_ in left},
        asked={
            place: asked for place, asked in state.asked.items() if place != money_place(run.id)
        },
        answered={id_: at for id_, at in state.answered.items() if id_ in recent},
        published={key: digest for key, digest in state.published.items() if not is_past(key)},
        refused={key: sentence for key, sentence in state.refused.items() if not is_past(key)},
    )


def _past(
    run: SpecRun,
    changes: Iterable[ChangeFacts],
    orders: Set[OrderId],
    comments: Set[CommentId],
) -> Callable[[str], bool]:
    """Tells of the key of something published whether it is of the run, or of no other thing left.

    The run's are the keys of it, of its changes, and of their issues, pulls and orders; so are those
    of a comment that is not among these. Most keys are of others, so text is searched first.
    """
    numbers = {str(n) for n in (run.issue, *(n for c in changes for n in (c.issue, c.pull))) if n}
    name = re.compile(rf"(?<![\w.-]){re.escape(run.id)}(?![\w-])")

    def is_past(key: str) -> bool:
        if run.id in key and name.search(key):
            return True
        kind, _, rest = key.partition(":")
        if kind in _NUMBERED:
            return rest.partition(":")[0] in numbers
        of_comment = _OF_COMMENTS.get(kind)
        if of_comment is not None and (comment := of_comment.match(rest)):
            return CommentId(int(comment[1])) not in comments
        if kind == "react-review":
            # A comment of a review is read once, whatever is kept of the reaction.
            return True
        return rest in orders

    return is_past


def _recent(state: RepositoryState) -> set[CommentId]:
    if state.comments_seen_to is None:
        return set(state.answered)
    since = state.comments_seen_to - COMMENTS_KEPT
    return {id_ for id_, at in state.answered.items() if at >= since}
