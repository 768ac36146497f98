"""What the events of specs' texts mean: ids, questions, decisions, pulls, amendments."""

from bot.core.journal import events as ev
from bot.core.journal.state import (
    Amendment,
    ChangeFacts,
    PullDigest,
    RepositoryState,
    SpecIssue,
    SpecRun,
    SpecRunState,
    change_id,
    pull_place,
)
from bot.core.spec.identity.register import updated
from bot.core.spec.triage.spec_questions import Asked
from bot.core.values.ids import IssueNumber, PullNumber


def evolve_specs(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after an event of a spec under discussion; the same state after any other."""
    match event:
        case ev.RequirementsRegistered():
            return _with_ids(state, event)
        case ev.QuestionsPut():
            asked = Asked(questions=event.questions, last=event.last)
            return state.model_copy(update={"asked": {**state.asked, event.place: asked}})
        case ev.QuestionAnswered():
            return _with_decision(state, event)
        case ev.SpecPullDigested():
            digest = PullDigest(head=event.head, round=event.round, digest=event.digest)
            pulls = {**state.pull_digests, event.pull: digest}
            return state.model_copy(update={"pull_digests": pulls})
        case ev.SpecPullForgotten():
            pulls = {n: d for n, d in state.pull_digests.items() if n != event.pull}
            asked_left = {p: a for p, a in state.asked.items() if p != pull_place(event.pull)}
            return state.model_copy(update={"pull_digests": pulls, "asked": asked_left})
        case ev.SpecProposed():
            proposed = SpecIssue(
                path=event.path, pull=event.pull, digest=event.digest, round=event.round
            )
            return _with_issue(state, event.issue, proposed)
        case ev.SpecWithdrawn() if event.issue in state.spec_issues:
            known = state.spec_issues[event.issue]
            return _with_issue(state, event.issue, known.model_copy(update={"is_withdrawn": True}))
        case ev.SpecAmended() | ev.AmendmentApproved() | ev.AmendmentWithdrawn():
            run = state.spec_runs.get(event.spec_run)
            if run is None or run.state is not SpecRunState.RUNNING or run.plan is None:
                return state
            return _amended(state, run, event)
        case _:
            return state


def _with_issue(state: RepositoryState, number: IssueNumber, spec: SpecIssue) -> RepositoryState:
    return state.model_copy(update={"spec_issues": {**state.spec_issues, number: spec}})


def _with_ids(state: RepositoryState, event: ev.RequirementsRegistered) -> RepositoryState:
    rematched = dict(state.rematched)
    if event.spec:
        rematched[event.spec] = event.rematched
    return state.model_copy(
        update={
            "register_now": updated(state.register_now, event.entries),
            "rematched": rematched,
            "pull_digests": _stale(state),
        }
    )


def _stale(state: RepositoryState) -> dict[PullNumber, PullDigest]:
    """The digests of pulls, to be made again: they tell of ids and decisions."""
    return {n: d.model_copy(update={"is_stale": True}) for n, d in state.pull_digests.items()}


def _with_decision(state: RepositoryState, event: ev.QuestionAnswered) -> RepositoryState:
    decisions = {**state.decisions, event.decision.topic: event.decision}
    return state.model_copy(update={"decisions": decisions, "pull_digests": _stale(state)})


def _amended(
    state: RepositoryState,
    run: SpecRun,
    event: ev.SpecAmended | ev.AmendmentApproved | ev.AmendmentWithdrawn,
) -> RepositoryState:
    match event:
        case ev.SpecAmended():
            amendment = Amendment(
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
            return _with_run(state, run.model_copy(update={"amendment": amendment}))
        case ev.AmendmentWithdrawn():
            return _with_run(state, run.model_copy(update={"amendment": None}))
        case ev.AmendmentApproved():
            return _with_amended_plan(state, run, event)


def _with_run(state: RepositoryState, run: SpecRun) -> RepositoryState:
    return state.model_copy(update={"spec_runs": {**state.spec_runs, run.id: run}})


def _with_amended_plan(
    state: RepositoryState, run: SpecRun, event: ev.AmendmentApproved
) -> RepositoryState:
    amendment = run.amendment
    if amendment is None or amendment.plan.revision != event.revision:
        return state
    changes = dict(state.changes)
    for planned in amendment.plan.changes:
        id_ = change_id(run.id, planned.slug)
        known = changes.get(id_)
        changes[id_] = (
            known.model_copy(update={"planned": planned})
            if known
            else ChangeFacts(id=id_, spec_run=run.id, planned=planned)
        )
    kept = {change_id(run.id, planned.slug) for planned in amendment.plan.changes}
    # Changes that the new plan leaves out keep their facts: their orders still name them.
    dropped = [c.issue for c in state.changes_of(run.id) if c.id not in kept]
    amended = run.model_copy(
        update={
            "plan": amendment.plan,
            "version": amendment.version,
            "commit": amendment.commit,
            "requirements": {**run.requirements, **amendment.requirements},
            "ids": amendment.ids,
            "bases": amendment.bases,
            "approved_by": event.approved_by,
            "amendment": None,
            "dropped_issues": (*run.dropped_issues, *(n for n in dropped if n is not None)),
        }
    )
    return _with_run(state.model_copy(update={"changes": changes}), amended)
