"""The bounded replan: what is not covered when every change has ended is planned once more.

The rule: only what another plan can change is planned again: what failed together is cut into
single requirements (by a model: otherwise than it failed), what was held back waits for those, what
no test names gets a test. At most `replan_cycles_max` cycles, and a cycle that covers nothing new is
the last. Deliberately absent: what a person stopped, what no agent may mend, every sentence about it.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from bot.core.change.lifecycle import ChangeState
from bot.core.draft import Draft
from bot.core.ids import Frozen, RequirementId, Slug
from bot.core.journal.events import FailureReason, ReplanningBegan, UncoveredReplanned
from bot.core.journal.replanning import Replanning
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, change_id
from bot.core.plan.asking.estimate import planning_estimate
from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.plan.model import Plan, PlannedChange, Planner
from bot.core.plan.naming import SLUG_MAX
from bot.core.plan.operations import operation_groups
from bot.core.plan.terms import only
from bot.core.policy import Policy
from bot.core.policy_file import CoveredWhen
from bot.core.spec import inquiry, planning
from bot.core.spec.coverage import Coverage, CoverageRow, CoverageStatus, Outlook, coverage
from bot.core.spec.inquiry import Made, Task
from bot.core.spec.model import Spec
from bot.core.talk import replanned


class Answer(StrEnum):
    """What became of the question whether a run is over."""

    OVER = "over"
    PLANNED_AGAIN = "planned_again"
    NOT_SEEN_YET = "not_seen_yet"


# On main, and a test would help: what is asked of a test is missing.
_FOR_A_TEST = frozenset(
    {CoverageStatus.IMPLEMENTED, CoverageStatus.STALE, CoverageStatus.NOT_PASSED}
)


class Question(Frozen):
    """A run at its end: its coverage, and what the team asks."""

    run: SpecRun
    found: Coverage
    asked: CoveredWhen
    cycles_max: int


def question(policy: Policy, run: SpecRun, found: Coverage) -> Question:
    """The question whether a run is planned again, under a policy."""
    file = policy.file
    return Question(
        run=run, found=found, asked=file.covered_when, cycles_max=file.replan_cycles_max
    )


def outlook(state: RepositoryState, at_end: Question) -> Outlook:
    """Whether what is missing is planned again."""
    missing = {row.requirement for row in at_end.found.missing(at_end.asked)}
    cycles = at_end.run.cycles
    if not missing:
        return Outlook.COVERED
    if at_end.cycles_max == 0:
        return Outlook.SWITCHED_OFF
    if cycles and missing.issuperset(cycles[-1].requirements):
        return Outlook.NOTHING_NEW
    if len(cycles) >= at_end.cycles_max:
        return Outlook.CYCLES_USED_UP
    return Outlook.AGAIN if again(state, at_end) else Outlook.NOT_BY_PLANNING


def again(state: RepositoryState, at_end: Question) -> Mapping[RequirementId, CoverageRow]:
    """What of the missing another plan can change, in the spec's order."""
    missing = at_end.found.missing(at_end.asked)
    chosen = {r.requirement for r in missing if _is_worth_a_plan(state, at_end.run, r)}
    # What was held back only goes on if all that it waited for does.
    for _ in missing:
        kept = {
            row.requirement
            for row in missing
            if row.requirement in chosen
            or (row.status is CoverageStatus.HELD_BACK and _is_free(state, at_end, row, chosen))
        }
        if kept == chosen:
            break
        chosen = kept
    return {row.requirement: row for row in missing if row.requirement in chosen}


def replan(draft: Draft, run: SpecRun) -> Answer:
    """Plan what is missing again, where that is worth a cycle."""
    spec, tests = draft.spec_of(run), draft.observed.tests
    if run.replanning is not None and run.replanning.edit is not None:
        # An edit is being planned: work that a person has still to decide about.
        return Answer.NOT_SEEN_YET
    if spec is None or run.plan is None:
        return Answer.OVER
    has_landed = any(c.landed is not None for c in draft.state.changes_of(run.id))
    is_fresh = tests is not None and tests.commit == draft.state.main
    if draft.policy.file.covered_when is not CoveredWhen.LANDED and has_landed and not is_fresh:
        return Answer.NOT_SEEN_YET
    at_end = question(draft.policy, run, coverage(draft.state, run, spec, tests))
    if outlook(draft.state, at_end) is not Outlook.AGAIN:
        return Answer.OVER
    rows = again(draft.state, at_end)
    by_rules = _planned(spec, run.plan, rows)
    if by_rules is None:
        return Answer.OVER
    made = _asked(draft, run, spec, rows)
    if made is None:
        return Answer.PLANNED_AGAIN
    more, beside = None, made.beside
    if made.plan.changes:
        more = _beside(spec, run.plan, rows, made.plan)
        beside = () if more else (replanned.does_not_fit(),)
    draft.emit(
        UncoveredReplanned(
            spec_run=run.id,
            cycle=len(run.cycles) + 1,
            plan=more or by_rules,
            missing={id_: f"{row.status}: {row.why}" for id_, row in rows.items()},
            planner=Planner.MODEL if more else Planner.DETERMINISTIC,
            beside=beside,
        )
    )
    return Answer.PLANNED_AGAIN


def _asked(
    draft: Draft, run: SpecRun, spec: Spec, rows: Mapping[RequirementId, CoverageRow]
) -> Made | None:
    """What a model makes of the missing; by rules where none is asked, None while one is."""
    work = only(spec, [id_ for id_, row in rows.items() if row.status not in _FOR_A_TEST])
    nobody = Made(plan=Plan(revision=0, changes=()))
    if run.commit is None or not work.requirements or not planning.is_for_model(draft):
        # A missing test is asked for as it is: there is nothing to cut.
        return nobody
    wanted = {r.id: r.text_hash for r in work.requirements}
    if run.replanning is None or run.replanning.requirements != wanted:
        known = replanned.known_of(draft.state.changes_of(run.id), rows)
        begun = Replanning(
            version=run.version,
            commit=run.commit,
            requirements=wanted,
            known=known,
            began_at=draft.now,
            estimate=planning_estimate(work, draft.policy, draft.observed.models),
        )
        draft.emit(ReplanningBegan(spec_run=run.id, replanning=begun))
        run = draft.state.spec_runs[run.id]
    failure = run.replanning.failure if run.replanning else ""
    if failure:
        return nobody.model_copy(update={"beside": (failure,)})
    task = Task(
        spec=work,
        commit=run.commit,
        revision=(run.plan.revision if run.plan else 0) + 1,
        known=run.replanning.known if run.replanning else (),
        together=_together(draft.state, run, work),
    )
    made = inquiry.go_on(draft, run, task)
    if made is not None and made.beside:
        return nobody.model_copy(update={"beside": made.beside})
    return made


def _together(
    state: RepositoryState, run: SpecRun, spec: Spec
) -> tuple[tuple[RequirementId, ...], ...]:
    """What has failed as one change and can be cut otherwise."""
    heads = {id_: group[0] for group in operation_groups(spec) for id_ in group}
    failed = [c for c in state.changes_of(run.id) if c.state is ChangeState.FAILED]
    return tuple(
        c.planned.requirements
        for c in failed
        if len({heads.get(r, r) for r in c.planned.requirements}) > 1
    )


def tests_wanted(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """What an agent is told of requirements of a replan that are on main already."""
    landed = tuple(r for r in change.planned.requirements if r in state.covered)
    return (replanned.tests_asked(landed),) if change.cycle and landed else ()


def _is_worth_a_plan(state: RepositoryState, run: SpecRun, row: CoverageRow) -> bool:
    if row.status in _FOR_A_TEST or row.status is CoverageStatus.UNPLANNED:
        return True
    change = state.changes.get(change_id(run.id, row.change))
    if row.status is not CoverageStatus.FAILED or change is None:
        return False
    # One requirement alone would be the same order again: a person's `/headgate retry` does that.
    failed_at_work = change.failure is FailureReason.ATTEMPTS_USED_UP
    return failed_at_work and len(change.planned.requirements) > 1


def _is_free(
    state: RepositoryState, at_end: Question, row: CoverageRow, chosen: set[RequirementId]
) -> bool:
    change = state.changes[change_id(at_end.run.id, row.change)]
    before = [state.changes[change_id(at_end.run.id, e.on)] for e in change.planned.depends_on]
    return all(_has_come_or_comes(other, chosen) for other in before)


def _has_come_or_comes(change: ChangeFacts, chosen: set[RequirementId]) -> bool:
    return change.landed is not None or chosen.issuperset(change.planned.requirements)


def _planned(spec: Spec, before: Plan, rows: Mapping[RequirementId, CoverageRow]) -> Plan | None:
    """By rules: the plan so far and, behind it, what is missing; None where none is lawful."""
    wanted = only(spec, rows)
    alone = {id_ for id_, row in rows.items() if row.status is CoverageStatus.FAILED}
    return _beside(spec, before, rows, plan(_apart(wanted, alone), before.revision + 1))


def _beside(
    spec: Spec, before: Plan, rows: Mapping[RequirementId, CoverageRow], proposal: Plan
) -> Plan | None:
    """The plan so far and a proposal behind it, with the tests that it leaves out; None if unlawful."""
    left = only(spec, {*rows} - {r for c in proposal.changes for r in c.requirements})
    domains = {r.id: r.domain for r in spec.requirements}
    tests = plan(left).changes
    named = _fresh_names(tests, {c.slug for c in proposal.changes})
    new = Plan(
        revision=before.revision + 1,
        changes=tuple(
            c.model_copy(update={"domain": domains.get(c.requirements[0]) or c.domain})
            for c in (*proposal.changes, *(_renamed(c, named, {}) for c in tests))
        ),
    )
    if check(new, only(spec, rows)):
        return None
    names = _fresh_names(new.changes, {c.slug for c in before.changes})
    changes = tuple(_renamed(change, names, rows) for change in new.changes)
    return new.model_copy(update={"changes": (*before.changes, *changes)})


def _apart(spec: Spec, alone: set[RequirementId]) -> Spec:
    """The spec with a domain of its own for each of these; operations on one stay together."""
    heads = {id_: group[0] for group in operation_groups(spec) for id_ in group}
    documents = []
    for document in spec.documents:
        requirements = tuple(
            r.model_copy(update={"domain": f"{r.domain}/{heads.get(r.id, r.id)}"})
            if r.id in alone
            else r
            for r in document.requirements
        )
        documents.append(document.model_copy(update={"requirements": requirements}))
    return spec.model_copy(update={"documents": tuple(documents)})


def _fresh_names(changes: Iterable[PlannedChange], taken: set[Slug]) -> Mapping[Slug, Slug]:
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
        rows[r].status in _FOR_A_TEST for r in change.requirements
    )
    return change.model_copy(
        update={
            "slug": names[change.slug],
            "title": replanned.title_of_tests(change.title) if needs_only_tests else change.title,
            "depends_on": tuple(
                d.model_copy(update={"on": names[d.on]}) for d in change.depends_on
            ),
        }
    )
