"""What events about planning by a model mean for the state.

The rule: answers stay as long as the plan is only proposed, since an edit of the spec asks again
only for what it touched; what was spent is added up for good. Deliberately absent: plans; `evolve`.
"""

from bot.core.journal import events as ev
from bot.core.journal.state import Planning, RepositoryState, SpecRun, SpecRunState
from bot.core.prompts.plan_prompt import Rejection
from bot.core.values.ids import SpecRunId
from bot.core.values.plan_input import Phase
from bot.core.values.spent import with_call

_Asking = ev.ModelAsked | ev.ModelAnswered | ev.ModelFailed
_Began = ev.PlanningBegan | ev.ReplanningBegan
_Ended = (
    ev.UncoveredReplanned
    | ev.SpecAmended
    | ev.AmendmentWithdrawn
    | ev.SpecRunStopped
    | ev.SpecRunEnded
)
_Planning = _Asking | _Began | _Ended | ev.AnswerRejected


def evolve_planning(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after one event about planning; others change nothing here."""
    if not isinstance(event, _Planning):
        return state
    if isinstance(event, ev.ModelAsked):
        state = state.model_copy(update={"model_calls": state.model_calls + 1})
    asking = event.place if isinstance(event, _Asking) else event.spec_run
    run = state.spec_runs.get(SpecRunId(asking))
    if run is None:
        return state
    changed = run.model_copy(update=_moved(run, event))
    return state.model_copy(update={"spec_runs": {**state.spec_runs, run.id: changed}})


def _moved(run: SpecRun, event: _Planning) -> dict[str, object]:
    match event:
        case ev.ModelAsked():
            return {"model_use": with_call(run.model_use, event.call)}
        case ev.PlanningBegan() if run.state is SpecRunState.PROPOSED:
            return _begun(event)
        case ev.ReplanningBegan() if run.state is SpecRunState.RUNNING:
            # An edit that comes before the one before it was approved takes its place.
            amendment = None if event.replanning.edit is not None else run.amendment
            return {"replanning": event.replanning, "amendment": amendment}
        case ev.ModelAnswered() if _is_planned(run):
            return {"answers": {**run.answers, event.question: event.answer}}
        case ev.AnswerRejected() if _is_planned(run):
            rejection = Rejection(previous=event.previous, reasons=event.reasons)
            known = run.rejections.get(event.stem, ())
            return {"rejections": {**run.rejections, event.stem: (*known, rejection)}}
        case ev.ModelFailed() if run.planning is not None:
            failed = run.planning.model_copy(update={"failure": event.sentence})
            return {"planning": failed}
        case ev.ModelFailed() if run.replanning is not None:
            again = run.replanning.model_copy(update={"failure": event.sentence})
            return {"replanning": again}
        case ev.SpecAmended() if run.replanning is not None:
            return {"replanning": None, **_kept(run, event.beside)}
        case _ if isinstance(event, _Ended) and run.replanning is not None:
            return {"replanning": None, "answers": {}, "rejections": {}}
        case _:
            return {}


def _is_planned(run: SpecRun) -> bool:
    return run.planning is not None or run.replanning is not None


def _begun(event: ev.PlanningBegan) -> dict[str, object]:
    planning = Planning(
        version=event.version, requirements=dict(event.requirements), began_at=event.began_at
    )
    forgotten: dict[str, object] = {"answers": {}, "rejections": {}} if event.afresh else {}
    return {
        "planning": planning,
        "planning_estimate": event.estimate,
        "version": event.version,
        "commit": event.commit,
        "ids": dict(event.ids),
        "bases": dict(event.bases),
        **forgotten,
    }


def planning_ended(run: SpecRun, event: ev.PlanMade) -> dict[str, object]:
    """What a plan ends: the planning. Answers are kept for the next edit of the spec."""
    return {
        "planning": None,
        "beside": event.beside,
        "off": event.off,
        "work_estimate": event.estimate,
        **_kept(run, event.beside),
    }


def _kept(run: SpecRun, beside: tuple[str, ...]) -> dict[str, object]:
    """The answers that another planning of the same spec can use.

    A merge that was no good is asked again: what was wrong may have been mended elsewhere.
    """
    kept: tuple[str, ...] = (f"{Phase.BRIEF}:", f"{Phase.DOMAIN}:")
    kept += () if beside else (f"{Phase.MERGE}:",)
    return {
        "answers": {q: a for q, a in run.answers.items() if q.startswith(kept)},
        "rejections": {s: r for s, r in run.rejections.items() if s.startswith(kept)},
    }
