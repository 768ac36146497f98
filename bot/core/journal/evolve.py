"""Evolve: one event onto a state. Total: any event on any state gives a state.

The rule: facts only. Nothing is decided here, and an event that no longer fits (late, doubled)
changes nothing that matters. Changes move by the lifecycle table alone. Main, orders,
plannings and single changes have files of their own beside this one; deliberately absent here.
"""

from collections.abc import Iterable
from datetime import datetime

from bot.core.journal import events as ev
from bot.core.journal.evolve_change import evolve_change
from bot.core.journal.evolve_dialogue import evolve_dialogue
from bot.core.journal.evolve_main import evolve_main
from bot.core.journal.evolve_model_advice import evolve_model_advice
from bot.core.journal.evolve_orders import evolve_orders
from bot.core.journal.evolve_planning import evolve_planning, planning_ended
from bot.core.journal.evolve_specs import evolve_specs
from bot.core.journal.state import (
    ChangeFacts,
    Cycle,
    Delay,
    HeardComment,
    RepositoryState,
    SpecRefusal,
    SpecRun,
    SpecRunState,
    change_id,
)
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.values.ids import ChangeId, SpecRunId
from bot.core.values.lifecycle import ChangeState


def fold(events: Iterable[ev.Event], state: RepositoryState | None = None) -> RepositoryState:
    """The state after all events, beginning from `state` or from nothing."""
    result = state or RepositoryState()
    for event in events:
        result = evolve(result, event)
    return result


def evolve(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after one event."""
    after = evolve_main(state, event)
    after = _evolve_spec_runs(after, event)
    after = evolve_specs(after, event)
    after = evolve_planning(after, event)
    after = evolve_dialogue(after, event)
    after = evolve_model_advice(after, event)
    after = _evolve_texts(after, event)
    after = evolve_orders(after, event)
    after = _evolve_effects(after, event)
    after = _evolve_changes(after, event)
    return after.model_copy(update={"events": state.events + 1})


def _with_run(state: RepositoryState, run: SpecRunId, /, **update: object) -> RepositoryState:
    known = state.spec_runs.get(run)
    if known is None:
        return state
    changed = known.model_copy(update=update)
    return state.model_copy(update={"spec_runs": {**state.spec_runs, run: changed}})


def _evolve_spec_runs(state: RepositoryState, event: ev.Event) -> RepositoryState:
    match event:
        case ev.SpecsNoted():
            rested = {"main_seen_at": None} if event.main_rested else {}
            return state.model_copy(
                update={"spec_versions": {**state.spec_versions, **event.versions}, **rested}
            )
        case ev.SpecRefused() | ev.PolicyRefused():
            path = event.path if isinstance(event, ev.SpecRefused) else POLICY_PATH
            refusal = SpecRefusal(
                version=event.version, commit=event.commit, findings=event.findings
            )
            return state.model_copy(update={"refusals": {**state.refusals, path: refusal}})
        case ev.PolicyRead():
            left = {p: r for p, r in state.refusals.items() if p != POLICY_PATH}
            return state.model_copy(
                update={
                    "policy_version": event.version,
                    "policy_commit": event.commit,
                    "refusals": left,
                }
            )
        case ev.SpecRunOpened() if event.spec_run not in state.spec_runs:
            run = SpecRun(
                id=event.spec_run,
                path=event.path,
                key=event.key,
                title=event.title,
                opened_at=event.opened_at,
            )
            return state.model_copy(update={"spec_runs": {**state.spec_runs, event.spec_run: run}})
        case ev.PlanMade():
            return _with_plan(state, event)
        case ev.UncoveredReplanned():
            return _with_cycle(state, event)
        case ev.PlanApproved() | ev.SpecRunStopped() | ev.SpecRunEnded() | ev.SpecRunReopened():
            run_now = state.spec_runs.get(event.spec_run)
            return _with_run(state, event.spec_run, **_moved(run_now, event)) if run_now else state
        case _:
            return state


def _moved(
    run: SpecRun,
    event: ev.PlanApproved | ev.SpecRunStopped | ev.SpecRunEnded | ev.SpecRunReopened,
) -> dict[str, object]:
    """What moves a spec run; nothing where the event does not fit its state any more."""
    match event:
        case ev.PlanApproved() if run.state is SpecRunState.PROPOSED and run.plan is not None:
            if run.plan.revision != event.revision:
                return {}
            return {
                "state": SpecRunState.RUNNING,
                "approved_by": event.approved_by,
                "archive_date": event.archive_date,
                "planning": None,
                "answers": {},
                "rejections": {},
            }
        case ev.SpecRunStopped() if run.is_open:
            return {"state": SpecRunState.STOPPED}
        case ev.SpecRunEnded() if run.state is SpecRunState.RUNNING:
            return {"state": SpecRunState.ENDED, "ended_at": event.ended_at}
        case ev.SpecRunReopened() if not run.is_open:
            # A plan that nobody approved is not approved by being reopened.
            state = SpecRunState.RUNNING if run.approved_by else SpecRunState.PROPOSED
            return {"state": state, "ended_at": None}
        case _:
            return {}


def _with_plan(state: RepositoryState, event: ev.PlanMade) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    known = run.plan.revision if run is not None and run.plan is not None else 0
    if run is None or run.state is not SpecRunState.PROPOSED or event.plan.revision <= known:
        return state
    kept = {id_: facts for id_, facts in state.changes.items() if facts.spec_run != event.spec_run}
    for planned in event.plan.changes:
        id_ = change_id(event.spec_run, planned.slug)
        before = state.changes.get(id_)
        kept[id_] = (
            before.model_copy(update={"planned": planned})
            if before
            else ChangeFacts(id=id_, spec_run=event.spec_run, planned=planned)
        )
    refusals = {path: r for path, r in state.refusals.items() if path != run.path}
    before_ids = {c.id: c.issue for c in state.changes_of(run.id)}
    dropped = tuple(n for id_, n in before_ids.items() if id_ not in kept and n is not None)
    return _with_run(
        state.model_copy(update={"changes": kept, "refusals": refusals}),
        event.spec_run,
        plan=event.plan,
        version=event.version,
        commit=event.commit,
        requirements=dict(event.requirements),
        ids=dict(event.ids),
        bases=dict(event.bases),
        dropped_issues=(*run.dropped_issues, *dropped),
        **planning_ended(run, event),
    )


def _with_cycle(state: RepositoryState, event: ev.UncoveredReplanned) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    if run is None or run.state is not SpecRunState.RUNNING or run.plan is None:
        return state
    if event.cycle != len(run.cycles) + 1:
        return state
    changes = dict(state.changes)
    for planned in event.plan.changes:
        id_ = change_id(run.id, planned.slug)
        if id_ not in changes:
            changes[id_] = ChangeFacts(id=id_, spec_run=run.id, planned=planned, cycle=event.cycle)
    return _with_run(
        state.model_copy(update={"changes": changes}),
        run.id,
        plan=event.plan,
        cycles=(
            *run.cycles,
            Cycle(
                number=event.cycle,
                requirements=tuple(event.missing),
                planner=event.planner,
                beside=event.beside,
            ),
        ),
    )


def _with_issue(
    state: RepositoryState, run: SpecRunId, slug: str, /, **update: object
) -> RepositoryState:
    if not slug:
        return _with_run(state, run, **update)
    change = state.changes.get(change_id(run, slug))
    if change is None:
        return state
    changed = change.model_copy(update=update)
    return state.model_copy(update={"changes": {**state.changes, change.id: changed}})


def _with_link(state: RepositoryState, event: ev.BlockedByLinked) -> RepositoryState:
    change = state.changes.get(change_id(event.spec_run, event.slug))
    linked = dict.fromkeys((*change.blocked_by_linked, event.on)) if change else ()
    return _with_issue(state, event.spec_run, event.slug, blocked_by_linked=tuple(linked))


def _with_closed_issue(state: RepositoryState, event: ev.IssueClosed) -> RepositoryState:
    run = state.spec_runs.get(event.spec_run)
    if run is not None and event.number in run.dropped_issues:
        left = tuple(n for n in run.dropped_issues if n != event.number)
        return _with_run(state, event.spec_run, dropped_issues=left)
    known = state.changes.get(change_id(event.spec_run, event.slug)) if event.slug else run
    if known is None or known.issue != event.number or known.issue_closed:
        return state
    rounds = known.issue_rounds + 1
    return _with_issue(state, event.spec_run, event.slug, issue_closed=True, issue_rounds=rounds)


def _evolve_texts(state: RepositoryState, event: ev.Event) -> RepositoryState:
    match event:
        case ev.IssueOpened():
            return _with_issue(
                state,
                event.spec_run,
                event.slug,
                issue=event.number,
                issue_id=event.issue_id,
            )
        case ev.SubIssueLinked():
            return _with_issue(state, event.spec_run, event.slug, is_sub_issue=True)
        case ev.BlockedByLinked():
            return _with_link(state, event)
        case ev.IssueClosed():
            return _with_closed_issue(state, event)
        case ev.IssueReopened():
            return _with_issue(state, event.spec_run, event.slug, issue_closed=False)
        case ev.TextPublished():
            published = {**state.published, event.subject: event.digest}
            after = state.model_copy(update={"published": published})
            return _with_shown_revision(after, event)
        case ev.CommandHeard():
            if event.comment in state.answered or event.comment in state.heard:
                return state
            heard = HeardComment(comment=event.comment, issue=event.issue)
            return state.model_copy(update={"heard": {**state.heard, event.comment: heard}})
        case ev.CommandAnswered():
            return _with_answer(state, event)
        case ev.CommentsRead():
            return state.model_copy(update={"comments_seen_to": event.up_to})
        case _:
            return state


def _with_answer(state: RepositoryState, event: ev.CommandAnswered) -> RepositoryState:
    waiting = {id_: h for id_, h in state.heard.items() if id_ != event.comment}
    after = state.model_copy(
        update={
            "heard": waiting,
            "answered": {**state.answered, event.comment: event.created_at},
        }
    )
    heard = state.heard.get(event.comment)
    if heard is None or event.outcome != "done":
        return after
    meddling = tuple(v for v in event.verbs if v in {"retry", "stop"})
    for run in state.spec_runs.values():
        changes = state.changes_of(run.id)
        issues = {run.issue, *(c.issue for c in changes), *(c.pull for c in changes)}
        if meddling and heard.issue in issues:
            said = tuple(f"{event.author}: {verb}" for verb in meddling)
            after = _with_run(after, run.id, interventions=(*run.interventions, *said))
    return after


def _with_shown_revision(state: RepositoryState, event: ev.TextPublished) -> RepositoryState:
    if not event.revision:
        return state
    for run in state.spec_runs.values():
        if run.issue is not None and event.subject == f"issue:{run.issue}:plan":
            shown: dict[int, datetime] = {**run.revisions_shown}
            shown.setdefault(event.revision, event.published_at)
            return _with_run(state, run.id, revisions_shown=shown)
    return state


def _evolve_effects(state: RepositoryState, event: ev.Event) -> RepositoryState:
    match event:
        case ev.EffectIntended():
            return state.model_copy(
                update={"open_effects": {**state.open_effects, event.effect.key: event.effect}}
            )
        case ev.EffectDelayed() | ev.EffectRefused() if event.key not in state.open_effects:
            return state
        case ev.EffectDone() | ev.EffectRefused():
            update: dict[str, object] = {
                "open_effects": {k: e for k, e in state.open_effects.items() if k != event.key},
                "delays": {k: d for k, d in state.delays.items() if k != event.key},
            }
            if isinstance(event, ev.EffectRefused):
                update["refused"] = {**state.refused, event.key: event.sentence}
            return state.model_copy(update=update)
        case ev.EffectDelayed():
            delay = Delay(until=event.until, sentence=event.sentence, tries=event.tries)
            return state.model_copy(update={"delays": {**state.delays, event.key: delay}})
        case _:
            return state


def _evolve_changes(state: RepositoryState, event: ev.Event) -> RepositoryState:
    id_: ChangeId | None = getattr(event, "change", None)
    change = state.changes.get(id_) if id_ else None
    if change is None:
        return state
    changed = evolve_change(change, event, state.events)
    after = state.model_copy(update={"changes": {**state.changes, change.id: changed}})
    if isinstance(event, ev.ChangeReopened | ev.LandAborted) and changed is not change:
        # What was refused then may be allowed now.
        kept = {k: s for k, s in after.refused.items() if f":{change.id}:" not in k}
        after = after.model_copy(update={"refused": kept})
    if changed.state is ChangeState.LANDED and change.state is not ChangeState.LANDED:
        run = state.spec_runs[change.spec_run]
        landed = {r: run.requirements.get(r, "") for r in change.planned.requirements}
        after = after.model_copy(update={"covered": {**state.covered, **landed}})
        if changed.candidate is not None and changed.candidate.register_digest:
            filed = {**state.register_filed, run.key: changed.candidate.register_digest}
            after = after.model_copy(update={"register_filed": filed})
    return after
