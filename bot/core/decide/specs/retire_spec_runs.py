"""Spec runs that ended long ago leave the state, so that a tick costs the same for ever.

The newest that ended stay. So does one with a change that somebody may still want again, for a month.
"""

from datetime import datetime, timedelta

from bot.core.decide.decision import Decision
from bot.core.journal.events import RetiredChange, SpecRunRetired
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.state.looked_at import is_untold
from bot.core.values.lifecycle import ChangeState

# So many ended changes stay, with the runs that they belong to.
ENDED_CHANGES_KEPT = 30
# A run that did not land everything stays this long in any case.
RETRY_KEPT = timedelta(days=30)
# A journal from before there was this rule has many at first.
_AT_ONCE = 20


def next_steps(decision: Decision) -> None:
    """Retire the oldest that need nothing more, until only the newest are left."""
    state = decision.state
    if len(state.changes) <= ENDED_CHANGES_KEPT:
        return
    ended = sorted((r for r in state.spec_runs.values() if not r.is_open), key=_end)
    left = sum(len(state.changes_of(run.id)) for run in ended)
    retired = 0
    for run in ended:
        left -= len(state.changes_of(run.id))
        if left < ENDED_CHANGES_KEPT or retired == _AT_ONCE:
            return
        if _may_retire(decision, run):
            decision.emit(record_of(decision.state, run))
            retired += 1


def _end(run: SpecRun) -> datetime:
    return run.ended_at or run.opened_at


def _may_retire(decision: Decision, run: SpecRun) -> bool:
    """Whether everything is told and closed, and nobody is likely to ask for it again."""
    state = decision.state
    changes = [c for c in state.changes.values() if c.spec_run == run.id]
    is_told = not is_untold(run) and not run.dropped_issues and all(map(_is_closed, changes))
    is_busy = any(run.id in key for key in state.open_effects) or any(
        (order := state.orders[id_]).change is not None and order.change in {c.id for c in changes}
        for id_ in state.open_orders
    )
    has_failed = any(c.state is ChangeState.FAILED for c in changes)
    is_old = _end(run) + RETRY_KEPT <= decision.now
    return is_told and not is_busy and (is_old or not has_failed)


def _is_closed(change: ChangeFacts) -> bool:
    if change.state is ChangeState.FAILED:
        # Its issue stays open for people.
        return True
    has_issue = change.issue is not None and not change.issue_closed
    has_pull = change.pull is not None and not change.pull_closed and change.landed is None
    return change.is_ended and not has_issue and not has_pull


def record_of(state: RepositoryState, run: SpecRun) -> SpecRunRetired:
    changes = (c for c in state.changes.values() if c.spec_run == run.id)
    return SpecRunRetired(
        spec_run=run.id,
        path=run.path,
        title=run.title,
        state=run.state,
        issue=run.issue,
        opened_at=run.opened_at,
        ended_at=run.ended_at,
        approved_by=run.approved_by,
        changes=tuple(
            RetiredChange(
                slug=c.slug,
                title=c.planned.title,
                state=c.state,
                requirements=c.planned.requirements,
                issue=c.issue,
                pull=c.pull,
                landed=c.landed,
                attempts=c.attempt,
                sentence=c.sentence,
            )
            for c in changes
        ),
    )
