"""The first plan of a spec by a model, from the estimate to the proposed revision."""

from enum import StrEnum

from bot.core.decide.decision import Decision
from bot.core.decide.specs import next_plan_prompt
from bot.core.decide.specs.next_plan_prompt import Task
from bot.core.journal.events import PlanMade, PlanningBegan
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.plan.check import check
from bot.core.plan.put_off import left_out
from bot.core.plan.vocabulary import only
from bot.core.prompts.estimate import planning_estimate, work_estimate
from bot.core.prompts.plan_prompt import UnderWay
from bot.core.spec.policy_file import PlannerChoice
from bot.core.state.learned import learned
from bot.core.talk import disabled_features
from bot.core.values.ids import Frozen, RequirementId, Sha, SpecRunId
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Spec


class EarlierAnswers(StrEnum):
    """Whether replies that a model gave before still count."""

    KEEP = "keep"
    DISCARD = "discard"


def next_steps(decision: Decision) -> None:
    """Send the next prompts, or propose the plan, for every spec that a model is planning."""
    for run in tuple(decision.state.spec_runs.values()):
        spec = decision.observed.specs.get(run.id)
        if run.planning is None or run.commit is None or not run.is_open or spec is None:
            continue
        live = only(spec, run.planning.requirements)
        # An observation from before the planning began has the older text.
        if {r.id: r.text_hash for r in live.requirements} != run.planning.requirements:
            continue
        task = Task(
            spec=live,
            commit=run.commit,
            revision=(run.plan.revision if run.plan else 0) + 1,
            failure=run.planning.failure,
        )
        made = next_plan_prompt.plan_or_ask(decision, run, task)
        if made is not None and not check(made.plan, live):
            source = PlanSource(
                version=run.planning.version,
                commit=run.commit,
                requirements=run.planning.requirements,
                ids=run.ids,
                bases=run.bases,
            )
            later = left_out(spec, run.planning.requirements, decision.state.covered)
            proposal = made.plan.replace(left_out=(*made.plan.left_out, *later))
            emit_plan(decision, run.id, source, proposal, made.fallback_reasons)


class PlanSource(Frozen):
    """What a plan is made from: a version of a spec and its uncovered requirements."""

    version: str
    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}


def begin(
    decision: Decision, run: SpecRunId, source: PlanSource, live: Spec, again: EarlierAnswers
) -> None:
    decision.emit(
        PlanningBegan(
            spec_run=run,
            version=source.version,
            commit=source.commit,
            requirements=source.requirements,
            ids=source.ids,
            bases=source.bases,
            began_at=decision.now,
            estimate=planning_estimate(live, decision.policy, decision.observed.models),
            afresh=again is EarlierAnswers.DISCARD,
        )
    )


def emit_plan(
    decision: Decision,
    run: SpecRunId,
    source: PlanSource,
    proposal: Plan,
    fallback_reasons: tuple[str, ...] = (),
) -> None:
    """Propose a revision of the plan; `fallback_reasons` say why it is not a model's."""
    decision.emit(
        PlanMade(
            spec_run=run,
            version=source.version,
            commit=source.commit,
            plan=proposal,
            requirements=source.requirements,
            ids=source.ids,
            bases=source.bases,
            beside=fallback_reasons,
            off=disabled_features.disabled_features_text(decision.policy, decision.observed.models),
            estimate=work_estimate(
                proposal,
                decision.policy,
                decision.observed.models,
                learned(decision.state, decision.policy),
            ),
        )
    )


def is_for_model(decision: Decision) -> bool:
    """Whether a model plans: the policy asks for it, and this server has one."""
    wanted = decision.policy.file.planner is not PlannerChoice.DETERMINISTIC
    return wanted and decision.observed.models.can_ask


class Subject(Frozen):
    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId]


def subject_of(run: SpecRun) -> Subject | None:
    if run.replanning is not None:
        again = run.replanning
        ids = again.edit.ids if again.edit else run.ids
        return Subject(commit=again.commit, requirements=again.requirements, ids=ids)
    if run.planning is None or run.commit is None:
        return None
    return Subject(commit=run.commit, requirements=run.planning.requirements, ids=run.ids)


def others_under_way(changes: tuple[ChangeFacts, ...]) -> tuple[UnderWay, ...]:
    return tuple(
        UnderWay(
            title=c.planned.title,
            touches=tuple(dict.fromkeys((*c.planned.owns, *c.planned.edits, *c.planned.files))),
        )
        for c in changes
        if not c.is_ended
    )
