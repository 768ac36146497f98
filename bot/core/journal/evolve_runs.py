"""How spec runs evolve: opened, planned, approved, replanned, edited, ended.

What a model answers while it plans stands in `evolve_planning`.
"""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.evolve_forgotten import without_refusal
from bot.core.journal.evolve_planning import (
    answered,
    began,
    called,
    failed,
    forgotten,
    kept,
    rejected,
    replanning_began,
)
from bot.core.journal.evolve_retired import retired
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import (
    ChangeFacts,
    Cycle,
    ProposedEdit,
    RepositoryState,
    SpecRun,
    change_id,
    with_run,
)
from bot.core.journal.transitions import RUNS
from bot.core.values.ids import ChangeId, IssueNumber, SpecRunId
from bot.core.values.plan_model import PlannedChange
from bot.core.values.replacement import replace, without


class _AboutRun(Protocol):
    @property
    def spec_run(self) -> SpecRunId: ...


class _AtPlace(Protocol):
    @property
    def place(self) -> str: ...


E = TypeVar("E", bound=_AboutRun)
P = TypeVar("P", bound=_AtPlace)


def _moved(state: RepositoryState, id_: SpecRunId, event: object) -> SpecRun | None:
    """The run in its state after the event; None if the event is stale or the run unknown."""
    run = state.spec_runs.get(id_)
    after = RUNS.after(run, event) if run else None
    return replace(run, state=after) if run and after else None


def _of_run(
    fold: Callable[[SpecRun, E], SpecRun],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """Fold a known run after its state moved; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        run = _moved(state, event.spec_run, event)
        return with_run(state, fold(run, event)) if run else state

    return folded


def _at_run(
    fold: Callable[[SpecRun, P], SpecRun],
) -> Callable[[RepositoryState, P], RepositoryState]:
    """The same for an event of a model that names the run as its place."""

    def folded(state: RepositoryState, event: P) -> RepositoryState:
        run = _moved(state, SpecRunId(event.place), event)
        return with_run(state, fold(run, event)) if run else state

    return folded


def _opened(state: RepositoryState, event: ev.SpecRunOpened) -> RepositoryState:
    began_as = RUNS.after(state.spec_runs.get(event.spec_run), event)
    if began_as is None:
        return state
    run = SpecRun(
        id=event.spec_run,
        path=event.path,
        key=event.key,
        title=event.title,
        state=began_as,
        opened_at=event.opened_at,
    )
    keys = {**state.spec_keys, event.path: event.key}
    return with_run(replace(state, spec_keys=keys), run)


def _planned(state: RepositoryState, event: ev.PlanMade) -> RepositoryState:
    run = _moved(state, event.spec_run, event)
    if run is None:
        return state
    # A plan that is only proposed holds all changes of its run.
    changes = {**state.changes}
    for known in state.changes_of(run.id):
        del changes[known.id]
    changes |= _changes(state, run.id, event.plan.changes)
    planned = replace(
        kept(run, event.beside),
        plan=event.plan,
        version=event.version,
        commit=event.commit,
        requirements=dict(event.requirements),
        ids=dict(event.ids),
        bases=dict(event.bases),
        dropped_issues=(*run.dropped_issues, *_dropped(state, run.id, changes)),
        planning=None,
        beside=event.beside,
        off=event.off,
        work_estimate=event.estimate,
    )
    dropped = [c.pull for c in state.changes_of(run.id) if c.id not in changes and c.pull]
    pulls = without(state.open_pulls, *dropped)
    after = replace(without_refusal(state, run.path), changes=changes, open_pulls=pulls)
    return with_run(after, planned)


def _changes(
    state: RepositoryState, run: SpecRunId, planned: Iterable[PlannedChange]
) -> dict[ChangeId, ChangeFacts]:
    """A plan's changes; one that is known keeps its facts."""
    found: dict[ChangeId, ChangeFacts] = {}
    for change in planned:
        id_ = change_id(run, change.slug)
        known = state.changes.get(id_)
        found[id_] = (
            replace(known, planned=change)
            if known
            else ChangeFacts(id=id_, spec_run=run, planned=change)
        )
    return found


def _dropped(
    state: RepositoryState, run: SpecRunId, kept_ids: Iterable[ChangeId]
) -> tuple[IssueNumber, ...]:
    known = set(kept_ids)
    return tuple(
        c.issue for c in state.changes_of(run) if c.id not in known and c.issue is not None
    )


def _approval_given(run: SpecRun, event: ev.ApprovalGiven) -> SpecRun:
    given = dict.fromkeys((*run.approvals.get(event.revision, ()), event.approved_by))
    return replace(run, approvals={**run.approvals, event.revision: tuple(given)})


def _budget_raised(run: SpecRun, event: ev.BudgetRaised) -> SpecRun:
    return replace(run, cents_added=run.cents_added + event.cents)


def _approved(run: SpecRun, event: ev.PlanApproved) -> SpecRun:
    return replace(
        forgotten(run),
        approved_by=event.approved_by,
        archive_date=event.archive_date,
        planning=None,
    )


def _stopped(run: SpecRun, _event: ev.SpecRunStopped) -> SpecRun:
    return _without_replanning(run)


def _ended(run: SpecRun, event: ev.SpecRunEnded) -> SpecRun:
    return replace(_without_replanning(run), ended_at=event.ended_at)


def _reopened(run: SpecRun, _event: ev.SpecRunReopened) -> SpecRun:
    return replace(run, ended_at=None)


def _without_replanning(run: SpecRun) -> SpecRun:
    return replace(forgotten(run), replanning=None) if run.replanning else run


def _replanned(state: RepositoryState, event: ev.UncoveredReplanned) -> RepositoryState:
    run = _moved(state, event.spec_run, event)
    if run is None:
        return state
    fresh = {
        id_: replace(change, cycle=event.cycle)
        for id_, change in _changes(state, run.id, event.plan.changes).items()
        if id_ not in state.changes
    }
    cycle = Cycle(
        number=event.cycle,
        requirements=tuple(event.missing),
        planner=event.planner,
        beside=event.beside,
    )
    planned = replace(_without_replanning(run), plan=event.plan, cycles=(*run.cycles, cycle))
    return with_run(replace(state, changes={**state.changes, **fresh}), planned)


def _edit_proposed(run: SpecRun, event: ev.SpecAmended) -> SpecRun:
    proposed_edit = ProposedEdit(
        version=event.version,
        commit=event.commit,
        plan=event.plan,
        requirements=dict(event.requirements),
        ids=dict(event.ids),
        bases=dict(event.bases),
        paused=event.paused,
        added=event.added,
        altered=event.altered,
        removed=event.removed,
        beside=event.beside,
    )
    planned = replace(kept(run, event.beside), replanning=None) if run.replanning else run
    return replace(planned, proposed_edit=proposed_edit)


def _withdrawn(run: SpecRun, _event: ev.AmendmentWithdrawn) -> SpecRun:
    return replace(_without_replanning(run), proposed_edit=None)


def _edit_approved(state: RepositoryState, event: ev.AmendmentApproved) -> RepositoryState:
    run = _moved(state, event.spec_run, event)
    proposed_edit = run.proposed_edit if run else None
    if run is None or proposed_edit is None:
        return state
    planned = _changes(state, run.id, proposed_edit.plan.changes)
    edited = replace(
        run,
        plan=proposed_edit.plan,
        version=proposed_edit.version,
        commit=proposed_edit.commit,
        requirements={**run.requirements, **proposed_edit.requirements},
        ids=proposed_edit.ids,
        bases=proposed_edit.bases,
        approved_by=event.approved_by,
        proposed_edit=None,
        dropped_issues=(*run.dropped_issues, *_dropped(state, run.id, planned)),
    )
    # Changes that the new plan leaves out keep their facts: their orders still name them.
    return with_run(replace(state, changes={**state.changes, **planned}), edited)


def _model_asked(state: RepositoryState, event: ev.ModelAsked) -> RepositoryState:
    counted = replace(state, model_calls=state.model_calls + 1)
    run = state.spec_runs.get(SpecRunId(event.place))
    return with_run(counted, called(run, event)) if run else counted


RUN_FOLDS = folds(
    on(ev.SpecRunOpened, _opened),
    on(ev.PlanningBegan, _of_run(began)),
    on(ev.ModelAsked, _model_asked),
    on(ev.ModelAnswered, _at_run(answered)),
    on(ev.AnswerRejected, _of_run(rejected)),
    on(ev.ModelFailed, _at_run(failed)),
    on(ev.PlanMade, _planned),
    on(ev.PlanApproved, _of_run(_approved)),
    on(ev.ApprovalGiven, _of_run(_approval_given)),
    on(ev.BudgetRaised, _of_run(_budget_raised)),
    on(ev.ReplanningBegan, _of_run(replanning_began)),
    on(ev.UncoveredReplanned, _replanned),
    on(ev.SpecAmended, _of_run(_edit_proposed)),
    on(ev.AmendmentApproved, _edit_approved),
    on(ev.AmendmentWithdrawn, _of_run(_withdrawn)),
    on(ev.SpecRunStopped, _of_run(_stopped)),
    on(ev.SpecRunEnded, _of_run(_ended)),
    on(ev.SpecRunReopened, _of_run(_reopened)),
    on(ev.SpecRunRetired, retired),
)
