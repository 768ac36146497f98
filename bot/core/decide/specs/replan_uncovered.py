"""The bounded replan: requirements that are not covered when all changes ended are planned again.

Requirements that failed as one change are split, those that were held back wait for them, and
requirements without a test get one. What a person stopped is not planned again. There are at most
`replan_cycles_max` cycles, and a cycle that covers nothing new is the last one.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from bot.core.decide.decision import Decision
from bot.core.decide.specs import next_plan_prompt, plan_by_model
from bot.core.decide.specs.next_plan_prompt import PlanResult, Task
from bot.core.journal.events import ReplanningBegan, UncoveredReplanned
from bot.core.journal.replanning import Replanning
from bot.core.journal.state import RepositoryState, SpecRun
from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.plan.operations import operation_groups
from bot.core.plan.slugs import SLUG_MAX
from bot.core.plan.vocabulary import only
from bot.core.prompts.estimate import planning_estimate
from bot.core.spec.policy_file import CoveredWhen
from bot.core.state.coverage import CoverageRow, CoverageStatus, Outlook, coverage
from bot.core.state.outlook import NEEDS_A_TEST, outlook, replan_check, replannable
from bot.core.talk import replanned
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import Plan, PlannedChange, Planner
from bot.core.values.spec_model import Spec


class ReplanOutcome(StrEnum):
    """Whether a run is over; NOT_SEEN_YET means that something must be observed first."""

    OVER = "over"
    PLANNED_AGAIN = "planned_again"
    NOT_SEEN_YET = "not_seen_yet"


def replan(decision: Decision, run: SpecRun) -> ReplanOutcome:
    """Plan what is missing again if another plan can help."""
    spec, tests = decision.spec_of(run), decision.observed.tests
    if run.replanning is not None and run.replanning.edit is not None:
        # A person still has to decide about the edit that is being planned.
        return ReplanOutcome.NOT_SEEN_YET
    if spec is None or run.plan is None:
        return ReplanOutcome.OVER
    has_landed = any(c.landed is not None for c in decision.state.changes_of(run.id))
    if has_landed and not _is_seen(decision):
        return ReplanOutcome.NOT_SEEN_YET
    at_end = replan_check(decision.policy, run, coverage(decision.state, run, spec, tests))
    if outlook(decision.state, at_end) is not Outlook.AGAIN:
        return ReplanOutcome.OVER
    rows = replannable(decision.state, at_end)
    by_rules = _plan_by_rules(spec, run.plan, rows)
    if by_rules is None:
        return ReplanOutcome.OVER
    made = _plan_by_model(decision, run, spec, rows)
    if made is None:
        return ReplanOutcome.PLANNED_AGAIN
    by_model, reasons = None, made.fallback_reasons
    if made.plan.changes:
        by_model = _appended(spec, run.plan, rows, made.plan)
        reasons = () if by_model else (replanned.does_not_fit(),)
    decision.emit(
        UncoveredReplanned(
            spec_run=run.id,
            cycle=len(run.cycles) + 1,
            plan=by_model or by_rules,
            missing={id_: f"{row.status}: {row.why}" for id_, row in rows.items()},
            planner=Planner.MODEL if by_model else Planner.DETERMINISTIC,
            beside=reasons,
        )
    )
    return ReplanOutcome.PLANNED_AGAIN


def _is_seen(decision: Decision) -> bool:
    """Whether what the policy asks of a requirement can be told of main as it is now."""
    asked, tests, main = decision.policy.covered_when, decision.observed.tests, decision.state.main
    if asked is CoveredWhen.LANDED:
        return True
    if main is None or tests is None or tests.commit != main:
        return False
    under = decision.state.adoption_under(main)
    is_being_judged = under is not None and under.green is None
    # Without a gate nothing is judged, and there is nothing to wait for.
    return asked is CoveredWhen.NAMED or not is_being_judged or not decision.policy.required_gates


def _plan_by_model(
    decision: Decision, run: SpecRun, spec: Spec, rows: Mapping[RequirementId, CoverageRow]
) -> PlanResult | None:
    """A model's plan of what is missing; None while it plans, without changes if it cannot."""
    work = only(spec, [id_ for id_, row in rows.items() if row.status not in NEEDS_A_TEST])
    no_model_plan = PlanResult(plan=Plan(revision=0, changes=()))
    if run.commit is None or not work.requirements or not plan_by_model.is_for_model(decision):
        # Requirements that only lack a test need no new plan.
        return no_model_plan
    wanted = {r.id: r.text_hash for r in work.requirements}
    if run.replanning is None or run.replanning.requirements != wanted:
        known = replanned.known_of(decision.state.changes_of(run.id), rows)
        replanning = Replanning(
            version=run.version,
            commit=run.commit,
            requirements=wanted,
            known=known,
            began_at=decision.now,
            estimate=planning_estimate(work, decision.policy, decision.observed.models),
        )
        decision.emit(ReplanningBegan(spec_run=run.id, replanning=replanning))
        run = decision.state.spec_runs[run.id]
    failure = run.replanning.failure if run.replanning else ""
    if failure:
        return no_model_plan.replace(fallback_reasons=(failure,))
    task = Task(
        spec=work,
        commit=run.commit,
        revision=(run.plan.revision if run.plan else 0) + 1,
        known=run.replanning.known if run.replanning else (),
        together=_failed_together(decision.state, run, work),
    )
    made = next_plan_prompt.plan_or_ask(decision, run, task)
    if made is not None and made.fallback_reasons:
        return no_model_plan.replace(fallback_reasons=made.fallback_reasons)
    return made


def _failed_together(
    state: RepositoryState, run: SpecRun, spec: Spec
) -> tuple[tuple[RequirementId, ...], ...]:
    """The groups of requirements that failed as one change and can be split."""
    heads = {id_: group[0] for group in operation_groups(spec) for id_ in group}
    failed = [c for c in state.changes_of(run.id) if c.state is ChangeState.FAILED]
    return tuple(
        c.planned.requirements
        for c in failed
        if len({heads.get(r, r) for r in c.planned.requirements}) > 1
    )


def _plan_by_rules(
    spec: Spec, before: Plan, rows: Mapping[RequirementId, CoverageRow]
) -> Plan | None:
    """The plan so far with what is missing appended by rules; None if that is not valid."""
    wanted = only(spec, rows)
    alone = {id_ for id_, row in rows.items() if row.status is CoverageStatus.FAILED}
    return _appended(
        spec, before, rows, plan(_with_own_domains(wanted, alone), before.revision + 1)
    )


def _appended(
    spec: Spec, before: Plan, rows: Mapping[RequirementId, CoverageRow], proposal: Plan
) -> Plan | None:
    """The plan so far, the proposal, and changes for missing tests; None if that is not valid."""
    left = only(spec, {*rows} - {r for c in proposal.changes for r in c.requirements})
    domains = {r.id: r.domain for r in spec.requirements}
    tests = plan(left).changes
    named = _unused_names(tests, {c.slug for c in proposal.changes})
    new = Plan(
        revision=before.revision + 1,
        changes=tuple(
            c.replace(domain=domains.get(c.requirements[0]) or c.domain)
            for c in (*proposal.changes, *(_renamed(c, named, {}) for c in tests))
        ),
    )
    if check(new, only(spec, rows)):
        return None
    names = _unused_names(new.changes, {c.slug for c in before.changes})
    changes = tuple(_renamed(change, names, rows) for change in new.changes)
    return new.with_changes((*before.changes, *changes))


def _with_own_domains(spec: Spec, alone: set[RequirementId]) -> Spec:
    """The spec with an own domain for each of these; operations on one requirement share one."""
    heads = {id_: group[0] for group in operation_groups(spec) for id_ in group}
    documents = []
    for document in spec.documents:
        requirements = tuple(
            r.replace(domain=f"{r.domain}/{heads.get(r.id, r.id)}") if r.id in alone else r
            for r in document.requirements
        )
        documents.append(document.with_requirements(requirements))
    return spec.with_documents(documents)


def _unused_names(changes: Iterable[PlannedChange], taken: set[Slug]) -> Mapping[Slug, Slug]:
    names: dict[Slug, Slug] = {}
    for change in changes:
        slug, count = change.slug, 1
        while slug in taken:
            count += 1
            slug = Slug(f"{change.slug[: SLUG_MAX - len(str(count)) - 1].rstrip('-')}-{count}")
        names[change.slug] = slug
        taken = {*taken, slug}
    return names


def _renamed(
    change: PlannedChange, names: Mapping[Slug, Slug], rows: Mapping[RequirementId, CoverageRow]
) -> PlannedChange:
    needs_only_tests = bool(rows) and all(
        rows[r].status in NEEDS_A_TEST for r in change.requirements
    )
    return change.replace(
        slug=names[change.slug],
        title=replanned.title_of_tests(change.title) if needs_only_tests else change.title,
        depends_on=tuple(d.with_target(names[d.on]) for d in change.depends_on),
    )
