"""Specs and plans in a few words, for the tests of the planner.

A requirement called `A` has the id `shop#A`, the author's id `A` and the title `Title of A`.
"""

from collections.abc import Iterable, Sequence

from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import ChangeType, Dependency, DependencyKind, Plan, PlannedChange
from bot.core.values.spec_model import (
    Operation,
    Reference,
    Requirement,
    Scenario,
    Spec,
    SpecDocument,
    SpecFormat,
)

KEY = "shop"
PATH = "specs/shop.md"


def rid(name: str) -> RequirementId:
    return RequirementId(f"{KEY}#{name}")


def requirement(
    name: str,
    domain: str = "",
    *,
    after: Sequence[str] = (),
    title: str | None = None,
    statement: str = "The shop MUST do so.",
    scenario: str = "",
    resources: Sequence[str] = (),
    operation: Operation | None = None,
    renamed_from: str | None = None,
    priority: str | None = None,
) -> Requirement:
    """A requirement without a place; `spec` gives it its lines."""
    scenarios = (Scenario(name="shown", text=scenario, line_start=1, line_end=1),)
    return Requirement(
        id=rid(name),
        source_id=name,
        title=f"Title of {name}" if title is None else title,
        statement=statement,
        scenarios=scenarios if scenario else (),
        domain=domain,
        priority=priority,
        operation=operation,
        renamed_from=renamed_from,
        references=tuple(Reference(target=t, line=1, quote=f"Depends on {t}") for t in after),
        resources=tuple(resources),
        path=PATH,
        line_start=1,
        line_end=1,
        text_hash=name,
    )


def document(
    requirements: Iterable[Requirement],
    path: str = PATH,
    spec_format: SpecFormat = SpecFormat.REQ_ID,
) -> SpecDocument:
    """The requirements ten lines apart, their references on the second line of each."""
    placed = []
    for at, one in enumerate(requirements):
        start = 10 * at + 1
        references = tuple(r.model_copy(update={"line": start + 1}) for r in one.references)
        lines = {"path": path, "line_start": start, "line_end": start + 8}
        placed.append(one.model_copy(update={"references": references, **lines}))
    return SpecDocument(
        path=path, format=spec_format, confidence=1.0, title="Shop", requirements=tuple(placed)
    )


def spec(*requirements: Requirement) -> Spec:
    """A spec of one file."""
    return Spec(path=PATH, key=KEY, documents=(document(requirements),))


def waits(on: str, evidence: str = "specs/shop.md:2 'Depends on it'") -> Dependency:
    return Dependency(on=Slug(on), kind=DependencyKind.EXPLICIT, evidence=evidence)


def change(
    slug: str,
    names: Iterable[str],
    *depends_on: Dependency,
    owns: Sequence[str] = (),
    title: str = "A change",
) -> PlannedChange:
    return PlannedChange(
        slug=Slug(slug),
        title=title,
        type=ChangeType.FEATURE,
        domain="cart",
        requirements=tuple(rid(name) for name in names),
        depends_on=depends_on,
        owns=tuple(owns),
    )


def plan_of(*changes: PlannedChange) -> Plan:
    return Plan(revision=1, changes=changes)


def names_in(planned: PlannedChange) -> str:
    """The names of the requirements of a change, joined: `ABC`."""
    return " ".join(r.rpartition("#")[2] for r in planned.requirements)


def cut(plan: Plan) -> list[str]:
    """The plan as its requirements: one entry for each change."""
    return [names_in(planned) for planned in plan.changes]


def edges(plan: Plan) -> set[tuple[str, str, str]]:
    """Who waits for whom and why: requirements of the waiting change, of the other, kind."""
    called = {planned.slug: names_in(planned) for planned in plan.changes}
    return {
        (called[planned.slug], called[dependency.on], dependency.kind)
        for planned in plan.changes
        for dependency in planned.depends_on
    }


def waves(plan: Plan) -> tuple[tuple[Slug, ...], ...]:
    """What could run side by side; what waits in a circle, or for nobody, stands in no wave."""
    ended: set[Slug] = set()
    result: list[tuple[Slug, ...]] = []
    while wave := tuple(
        c.slug
        for c in plan.changes
        if c.slug not in ended and all(d.on in ended for d in c.depends_on)
    ):
        result.append(wave)
        ended.update(wave)
    return tuple(result)
