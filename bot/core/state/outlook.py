"""Whether a run at its end is planned again, and for which requirements another plan can help."""

from collections.abc import Mapping

from bot.core.journal.events import FailureReason
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, change_id
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import CoveredWhen
from bot.core.state.coverage import Coverage, CoverageRow, CoverageStatus, Outlook
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.plan_model import DependencyKind

# On main, but without the test that the policy asks for.
NEEDS_A_TEST = frozenset(
    {CoverageStatus.IMPLEMENTED, CoverageStatus.STALE, CoverageStatus.NOT_PASSED}
)


class ReplanCheck(Frozen):
    """A run at its end: its coverage, and what the policy asks for."""

    run: SpecRun
    found: Coverage
    asked: CoveredWhen
    cycles_max: int


def replan_check(policy: Policy, run: SpecRun, found: Coverage) -> ReplanCheck:
    return ReplanCheck(
        run=run,
        found=found,
        asked=policy.covered_when,
        cycles_max=policy.file.replan_cycles_max,
    )


def outlook(state: RepositoryState, at_end: ReplanCheck) -> Outlook:
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
    return Outlook.AGAIN if replannable(state, at_end) else Outlook.NOT_BY_PLANNING


def replannable(state: RepositoryState, at_end: ReplanCheck) -> Mapping[RequirementId, CoverageRow]:
    """The missing requirements for which another plan can help, in the order of the spec."""
    missing = at_end.found.missing(at_end.asked)
    chosen = {r.requirement for r in missing if _is_worth_a_plan(state, at_end.run, r)}
    # A requirement that was held back can only land if all that it waits for can.
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


def _is_worth_a_plan(state: RepositoryState, run: SpecRun, row: CoverageRow) -> bool:
    if row.status in NEEDS_A_TEST or row.status is CoverageStatus.UNPLANNED:
        return True
    change = state.changes.get(change_id(run.id, row.change))
    if row.status is not CoverageStatus.FAILED or change is None:
        return False
    # A single requirement would give the same order again: that is what `/headgate retry` is for.
    # Work that no gate ever judged says nothing of how it was planned.
    failed_at_work = change.failure is FailureReason.ATTEMPTS_USED_UP and change.gate_runs > 0
    return failed_at_work and len(change.planned.requirements) > 1


def _is_free(
    state: RepositoryState, at_end: ReplanCheck, row: CoverageRow, chosen: set[RequirementId]
) -> bool:
    change = state.changes[change_id(at_end.run.id, row.change)]
    before = [
        state.changes[change_id(at_end.run.id, e.on)]
        for e in change.planned.depends_on
        if e.kind != DependencyKind.ORDERED
    ]
    return all(_lands_eventually(other, chosen) for other in before)


def _lands_eventually(change: ChangeFacts, chosen: set[RequirementId]) -> bool:
    return change.landed is not None or chosen.issuperset(change.planned.requirements)
