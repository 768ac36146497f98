"""The bounded replan: what is not covered when every change has ended is planned once more.

The rule: only what another plan can change is planned again: what failed together is cut into
single requirements, what was held back waits for those, what no test names gets a test. At most
`replan_cycles_max` cycles, and a cycle that covers nothing new is the last. Deliberately absent:
what a person stopped, what no agent may mend, and every sentence about it.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from bot.core.draft import Draft
from bot.core.ids import Frozen, RequirementId, Slug
from bot.core.journal.events import FailureReason, UncoveredReplanned
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, change_id
from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.plan.model import Plan, PlannedChange
from bot.core.plan.naming import SLUG_MAX
from bot.core.plan.operations import operation_groups
from bot.core.policy import CoveredWhen, Policy
from bot.core.spec.coverage import Coverage, CoverageRow, CoverageStatus, Outlook, coverage
from bot.core.spec.model import Spec
from bot.core.talk.replanned import tests_asked, title_of_tests


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
    spec, tests = draft.observed.specs.get(run.id), draft.observed.tests
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
    more = _planned(spec, run.plan, rows)
    if more is None:
        return Answer.OVER
    draft.emit(
        UncoveredReplanned(
            spec_run=run.id,
            cycle=len(run.cycles) + 1,
            plan=more,
            missing={id_: f"{row.status}: {row.why}" for id_, row in rows.items()},
        )
    )
    return Answer.PLANNED_AGAIN


def tests_wanted(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """What an agent is told of requirements of a replan that are on main already."""
    landed = tuple(r for r in change.planned.requirements if r in state.covered)
    return (tests_asked(landed),) if change.cycle and landed else ()


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
    """The plan so far and, behind it, the changes for what is missing; None where none is lawful."""
    wanted = _only(spec, rows)
    alone = {id_ for id_, row in rows.items() if row.status is CoverageStatus.FAILED}
    domains = {r.id: r.domain for r in spec.requirements}
    proposal = plan(_apart(wanted, alone), before.revision + 1)
    new = Plan(
        revision=before.revision + 1,
        changes=tuple(
            c.model_copy(update={"domain": domains[c.requirements[0]] or c.domain})
            for c in proposal.changes
        ),
    )
    if check(new, wanted):
        return None
    names = _fresh_names(new.changes, {c.slug for c in before.changes})
    changes = tuple(_renamed(change, names, rows) for change in new.changes)
    return new.model_copy(update={"changes": (*before.changes, *changes)})


def _only(spec: Spec, wanted: Iterable[RequirementId]) -> Spec:
    kept = set(wanted)
    documents = tuple(
        d.model_copy(update={"requirements": tuple(r for r in d.requirements if r.id in kept)})
        for d in spec.documents
    )
    return spec.model_copy(update={"documents": documents})


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
    needs_only_tests = all(rows[r].status in _FOR_A_TEST for r in change.requirements)
    return change.model_copy(
        update={
            "slug": names[change.slug],
            "title": title_of_tests(change.title) if needs_only_tests else change.title,
            "depends_on": tuple(
                d.model_copy(update={"on": names[d.on]}) for d in change.depends_on
            ),
        }
    )
