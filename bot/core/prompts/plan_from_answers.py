"""From valid answers to a plan: names made unique, changes joined, and split if too large.

Unknown ids, cycles and missing requirements are left as they are, so that `check` finds them. Only
the size is corrected, by affinity.
"""

from collections.abc import Sequence

from bot.core.plan.cutting import free_slug, joined, split_to_size
from bot.core.plan.deterministic import founded
from bot.core.plan.operations import delta_needs
from bot.core.plan.stated_dependencies import explicit_needs
from bot.core.plan.vocabulary import domain_of
from bot.core.prompts.plan_forms import AnsweredChange, MergeAnswer, PlanAnswer
from bot.core.prompts.plan_layout import Part
from bot.core.values.ids import Frozen, RequirementId, Slug
from bot.core.values.plan_model import (
    Dependency,
    DependencyKind,
    Plan,
    PlannedChange,
    Planner,
)
from bot.core.values.spec_model import Spec


class PartPlan(Frozen):
    part: Part
    answer: PlanAnswer


def drafts_of(spec: Spec, plans: Sequence[PartPlan]) -> tuple[PlannedChange, ...]:
    """Every change of the answers, with a unique name and the dependencies inside its part."""
    taken: set[str] = set()
    found: list[PlannedChange] = []
    for plan in plans:
        names = {c.slug: free_slug(c.slug or c.title, taken) for c in plan.answer.changes}
        found += [_draft(spec, change, names) for change in plan.answer.changes]
    return tuple(found)


def assembled(
    spec: Spec, plans: Sequence[PartPlan], merge: MergeAnswer | None, revision: int
) -> Plan:
    drafts = list(drafts_of(spec, plans))
    if merge is not None:
        drafts = _joined(drafts, merge)
    needs = (*explicit_needs(spec), *delta_needs(spec))
    plan = founded(spec, split_to_size(spec, drafts, needs), needs, revision)
    told: tuple[PlanAnswer | MergeAnswer, ...] = tuple(p.answer for p in plans)
    told += (merge,) if merge is not None else ()
    return plan.replace(
        planner=Planner.MODEL,
        risks=tuple(dict.fromkeys(r for t in told for r in t.risks)),
        left_out=tuple(dict.fromkeys(x for t in told for x in t.left_out)),
    )


def _draft(spec: Spec, change: AnsweredChange, names: dict[str, Slug]) -> PlannedChange:
    known = {r.id: r for r in spec.requirements}
    short = {r.id.partition("#")[2]: r.id for r in spec.requirements}
    ids = tuple(
        dict.fromkeys(
            r if r in known else short.get(RequirementId(r), RequirementId(r))
            for r in map(RequirementId, change.requirements)
        )
    )
    first = known.get(ids[0])
    return PlannedChange(
        slug=names[change.slug],
        title=" ".join(change.title.split()) or names[change.slug],
        type=change.type,
        domain=domain_of(first, spec) if first else spec.key,
        requirements=ids,
        depends_on=tuple(
            Dependency(
                on=names.get(e.on, Slug(e.on)), kind=DependencyKind.QUOTED, evidence=e.evidence
            )
            for e in change.depends_on
        ),
        scope=change.scope,
        left_out=change.left_out,
        files=change.files,
        gates=change.gates,
        done=change.done,
    )


def _joined(drafts: list[PlannedChange], merge: MergeAnswer) -> list[PlannedChange]:
    edges: dict[str, list[Dependency]] = {}
    for edge in merge.edges:
        why = Dependency(on=Slug(edge.on), kind=DependencyKind.QUOTED, evidence=edge.evidence)
        edges.setdefault(edge.change, []).append(why)
    drafts = [d.with_dependencies((*d.depends_on, *edges.get(d.slug, ()))) for d in drafts]
    for together in merge.join:
        drafts = joined(drafts, tuple(Slug(s) for s in together))
    return drafts
