"""What a model that plans means for its spec run.

Answers stay as long as the plan is only proposed, since an edit of the spec asks again only for
what it touched; what was spent is added up for good. Whether an event still fits stands in
`transitions`; plans are folded in `evolve_runs`.
"""

from bot.core.journal import events as ev
from bot.core.journal.state import Planning, SpecRun
from bot.core.prompts.plan_prompt import Rejection
from bot.core.values.plan_input import Phase
from bot.core.values.replacement import replace
from bot.core.values.spent import with_call


def began(run: SpecRun, event: ev.PlanningBegan) -> SpecRun:
    planning = Planning(
        version=event.version, requirements=dict(event.requirements), began_at=event.began_at
    )
    return replace(
        forgotten(run) if event.afresh else run,
        planning=planning,
        planning_estimate=event.estimate,
        version=event.version,
        commit=event.commit,
        ids=dict(event.ids),
        bases=dict(event.bases),
    )


def replanning_began(run: SpecRun, event: ev.ReplanningBegan) -> SpecRun:
    """A model plans a part once more; an edit takes the place of one that nobody approved yet."""
    proposed_edit = None if event.replanning.edit is not None else run.proposed_edit
    return replace(run, replanning=event.replanning, proposed_edit=proposed_edit)


def called(run: SpecRun, event: ev.ModelAsked) -> SpecRun:
    return replace(run, model_use=with_call(run.model_use, event.call))


def answered(run: SpecRun, event: ev.ModelAnswered) -> SpecRun:
    return replace(run, answers={**run.answers, event.prompt: event.answer})


def rejected(run: SpecRun, event: ev.AnswerRejected) -> SpecRun:
    rejection = Rejection(previous=event.previous, reasons=event.reasons)
    known = run.rejections.get(event.stem, ())
    return replace(run, rejections={**run.rejections, event.stem: (*known, rejection)})


def failed(run: SpecRun, event: ev.ModelFailed) -> SpecRun:
    """No model will answer what the planning, or else the replanning, waits for."""
    if run.planning is not None:
        return replace(run, planning=replace(run.planning, failure=event.sentence))
    if run.replanning is not None:
        return replace(run, replanning=run.replanning.failed(event.sentence))
    return run


def forgotten(run: SpecRun) -> SpecRun:
    return replace(run, answers={}, rejections={})


def kept(run: SpecRun, beside: tuple[str, ...]) -> SpecRun:
    """The run with those answers alone that another planning of the same spec can use.

    A merge that was no good is asked again: what was wrong may have been corrected elsewhere.
    """
    stems: tuple[str, ...] = (f"{Phase.BRIEF}:", f"{Phase.DOMAIN}:")
    stems += () if beside else (f"{Phase.MERGE}:",)
    return replace(
        run,
        answers={q: a for q, a in run.answers.items() if q.startswith(stems)},
        rejections={s: r for s, r in run.rejections.items() if s.startswith(stems)},
    )
