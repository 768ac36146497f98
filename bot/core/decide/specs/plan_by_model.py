"""The first plan of a spec by a model: how it begins, and what is written down when it is there.

The rule: it is told in advance what it takes, and a plan is only ever offered: a person approves
it. Deliberately absent: the questions (`inquiry`), and what is planned again of a run under way.
"""

from enum import StrEnum

from bot.core.decide.decision import Decision
from bot.core.decide.specs import next_plan_prompt
from bot.core.decide.specs.next_plan_prompt import Task
from bot.core.journal.events import PlanMade, PlanningBegan
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.plan.check import check
from bot.core.plan.vocabulary import only
from bot.core.prompts.estimate import planning_estimate, work_estimate
from bot.core.prompts.plan_prompt import UnderWay
from bot.core.spec.policy_file import PlannerChoice
from bot.core.talk import disabled_features
from bot.core.values.ids import Frozen, RequirementId, Sha, SpecRunId
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Spec


class Again(StrEnum):
    """Whether answers that a model gave before still count."""

    KEEPING = "keeping"
    AFRESH = "afresh"


def next_steps(decision: Decision) -> None:
    """Ask what is to be asked next, or make the plan, for every spec that a model is planning."""
    for run in tuple(decision.state.spec_runs.values()):
        spec = decision.observed.specs.get(run.id)
        if run.planning is None or run.commit is None or not run.is_open or spec is None:
            continue
        live = only(spec, run.planning.requirements)
        # A look that was made before the planning began shows the text as it was until then.
        if {r.id: r.text_hash for r in live.requirements} != run.planning.requirements:
            continue
        task = Task(
            spec=live,
            commit=run.commit,
            revision=(run.plan.revision if run.plan else 0) + 1,
            failure=run.planning.failure,
        )
        made = next_plan_prompt.go_on(decision, run, task)
        if made is not None and not check(made.plan, live):
            source = PlanSource(
                version=run.planning.version,
                commit=run.commit,
                requirements=run.planning.requirements,
                ids=run.ids,
                bases=run.bases,
            )
            emit_plan(decision, run.id, source, made.plan, made.beside)


class PlanSource(Frozen):
    """What a plan is made from: a version of a spec, and those of its requirements that count."""

    version: str
    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}


def begin(decision: Decision, run: SpecRunId, source: PlanSource, live: Spec, again: Again) -> None:
    """Have a model plan, told in advance what it will take."""
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
            afresh=again is Again.AFRESH,
        )
    )


def emit_plan(
    decision: Decision,
    run: SpecRunId,
    source: PlanSource,
    proposal: Plan,
    beside: tuple[str, ...] = (),
) -> None:
    """A revision of the plan, with what it will take and what is off here."""
    decision.emit(
        PlanMade(
            spec_run=run,
            version=source.version,
            commit=source.commit,
            plan=proposal,
            requirements=source.requirements,
            ids=source.ids,
            bases=source.bases,
            beside=beside,
            off=disabled_features.disabled_features_text(decision.policy, decision.observed.models),
            estimate=work_estimate(proposal, decision.policy, decision.observed.models),
        )
    )


def is_for_model(decision: Decision) -> bool:
    """Whether a model plans here: the policy lets it, and this server can ask one."""
    wanted = decision.policy.file.planner is not PlannerChoice.DETERMINISTIC
    return wanted and decision.observed.models.can_ask


class Subject(Frozen):
    """What is being planned of a spec run: where its text is, and which requirements of it."""

    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId]


def subject_of(run: SpecRun) -> Subject | None:
    """What a model is planning of a run now; None where it plans nothing of it."""
    if run.replanning is not None:
        again = run.replanning
        ids = again.edit.ids if again.edit else run.ids
        return Subject(commit=again.commit, requirements=again.requirements, ids=ids)
    if run.planning is None or run.commit is None:
        return None
    return Subject(commit=run.commit, requirements=run.planning.requirements, ids=run.ids)


def others_under_way(changes: tuple[ChangeFacts, ...]) -> tuple[UnderWay, ...]:
    """Changes of other spec runs that have not ended, as a planner is told of them."""
    return tuple(
        UnderWay(
            title=c.planned.title,
            touches=tuple(dict.fromkeys((*c.planned.owns, *c.planned.files))),
        )
        for c in changes
        if not c.is_ended
    )
