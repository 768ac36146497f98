"""What Headgate makes of one spec at one commit: understood, blocked, asked, planned.

The same value is shown in a pull before the merge, and for a spec on main when its run opens.
"""

from collections.abc import Mapping

from bot.core.plan.circles import circles
from bot.core.plan.deterministic import plan
from bot.core.plan.diff import PlanDiff, plan_diff
from bot.core.plan.readiness import blocking, is_draft, plan_findings, uncovered
from bot.core.spec.archive.main_rules import Refusal
from bot.core.spec.identity.id_changes import IdChanges
from bot.core.spec.proposal import ProposedSpec
from bot.core.spec.triage.guardrails import Guard, losses
from bot.core.spec.triage.spec_questions import is_question
from bot.core.values.ids import Frozen
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Finding, Severity, Spec

_NO_PLAN = Plan(revision=0, changes=())


class SpecDigest(Frozen):
    """`spec` is None if it is removed, `plan` if there is none.

    `blocks` keep the spec from being planned, `remarks` are information. `noticed` is a model's
    advice, on which nothing depends; `unquoted` counts observations that were left out. `ids` is
    what a merge would do to ids; if nothing is registered, only the existing ones. `lost` are those of
    `blocks` that a guard found.
    """

    path: str
    spec: Spec | None
    plan: Plan | None = None
    diff: PlanDiff = PlanDiff()
    blocks: tuple[Finding, ...] = ()
    remarks: tuple[Finding, ...] = ()
    noticed: tuple[Finding, ...] = ()
    unquoted: int = 0
    is_draft: bool = False
    ids: IdChanges = IdChanges()
    lost: tuple[Finding, ...] = ()

    @property
    def is_work(self) -> bool:
        return self.spec is not None and self.plan is not None


class OnMain(Frozen):
    """What main has: the plan of a spec's open run, what has landed, and the ids after a merge.

    `registered` is the merged text with its ids, None if there is nothing to plan. An edit of a
    running spec (`is_under_way`) registers ids even if everything that remains has landed. `blocks` are
    findings about what else there is.
    """

    planned: Plan | None = None
    covered: Mapping[str, str] = {}
    registered: Spec | None = None
    ids: IdChanges = IdChanges()
    is_under_way: bool = False
    blocks: tuple[Finding, ...] = ()


def proposed_digest(
    one: ProposedSpec, archived: tuple[Spec, ...], guard: Guard, main: OnMain
) -> SpecDigest:
    """The digest of a spec in a pull, compared with main."""
    lost = losses(one.before, one.merged, archived, guard)
    told = tuple(f for f in lost if f.severity is not Severity.BLOCK)
    failing = tuple(f for f in lost if f.severity is Severity.BLOCK)
    old = main.planned or _NO_PLAN
    if not one.is_work or one.head is None or main.registered is None:
        # A delta folder that is archived disappears because its work is done.
        gone = plan_diff(old, _NO_PLAN) if one.is_work and not _is_archived(one, archived) else None
        return SpecDigest(
            path=one.path,
            spec=one.head,
            diff=gone or PlanDiff(),
            blocks=failing,
            remarks=told,
            lost=failing,
        )
    draft = is_draft(one.head)
    refused = (_refused(one.path, r) for r in one.refusals)
    blocks = (*blocking(one.head), *main.blocks, *refused)
    live = uncovered(main.covered, main.registered, _included(main))
    proposal = _NO_PLAN if draft or blocks else plan(live)
    blocks += plan_findings(one.path, live, proposal) if proposal is not _NO_PLAN else ()
    registers = not draft and not blocks and (main.is_under_way or bool(live.requirements))
    if draft:
        told, blocks = (*blocks, *told), ()
    return SpecDigest(
        path=one.path,
        spec=one.head,
        plan=proposal,
        diff=plan_diff(old, proposal),
        blocks=(*blocks, *failing),
        lost=failing,
        remarks=(*told, *_remarks(one.head)),
        is_draft=draft,
        ids=main.ids if registers else IdChanges(known=main.ids.known),
    )


def _included(main: OnMain) -> tuple[str, ...]:
    """What the open run's plan has, though it may be put off."""
    return (
        tuple(r for change in main.planned.changes for r in change.requirements)
        if main.planned
        else ()
    )


def planned_digest(spec: Spec, made: Plan) -> SpecDigest:
    """The digest of a spec on main."""
    return SpecDigest(
        path=spec.path,
        spec=spec,
        plan=made,
        diff=plan_diff(_NO_PLAN, made),
        remarks=_remarks(spec),
    )


def _remarks(spec: Spec) -> tuple[Finding, ...]:
    told = (f for f in spec.findings if f.severity is not Severity.BLOCK and not is_question(f))
    return (*circles(spec), *told)


def _is_archived(one: ProposedSpec, archived: tuple[Spec, ...]) -> bool:
    return one.path in {spec.path for spec in archived}


def _refused(folder: str, refusal: Refusal) -> Finding:
    inside = refusal.path.startswith("specs/")
    return Finding(
        code=refusal.code,
        severity=Severity.BLOCK,
        line=max(refusal.line, 1),
        quote=refusal.requirement,
        question=f"{refusal.sentence} {refusal.proposal}".strip(),
        path=f"{folder}/{refusal.path}" if inside else refusal.path,
    )
