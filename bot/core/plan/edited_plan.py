"""A plan after an edit of its spec: what the edit does not affect stays exactly as it is.

Changes that have landed and changes whose requirements kept their text keep their slug and their
place; the rest of the spec is planned again. A dependency that the whole spec states is kept too.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.core.plan.deterministic import plan
from bot.core.plan.slugs import SLUG_MAX
from bot.core.plan.vocabulary import only
from bot.core.values.ids import Slug
from bot.core.values.plan_model import Dependency, Plan, PlannedChange
from bot.core.values.spec_model import Spec


@dataclass(frozen=True, slots=True)
class Standing:
    """The approved plan: changes that have landed, that continue, and that the edit affects."""

    landed: tuple[PlannedChange, ...]
    untouched: tuple[PlannedChange, ...]
    touched: tuple[PlannedChange, ...]

    @property
    def kept(self) -> tuple[PlannedChange, ...]:
        return (*self.landed, *self.untouched)


def rest_of(standing: Standing, live: Spec) -> Spec:
    """The part of the live spec that no kept change implements."""
    carried = {r for change in standing.untouched for r in change.requirements}
    return only(live, {r.id for r in live.requirements} - carried)


def plan_after_edit(
    standing: Standing, live: Spec, rest: Plan, revision: int, taken: Collection[Slug]
) -> Plan:
    """The plan of all kept changes and of `rest`, a plan for everything else.

    `taken` are slugs that must not be used again, because other work refers to them.
    """
    names = _names(rest, {*(c.slug for c in standing.kept), *taken})
    whole = plan(live)
    owned = {thing for change in standing.kept for thing in change.owns}
    fresh = [
        change.replace(
            slug=names[change.slug],
            depends_on=_edges(change, whole, standing.untouched, names),
            owns=tuple(o for o in change.owns if o not in owned),
        )
        for change in rest.changes
    ]
    went = _where_work_went(standing.touched, fresh)
    known = {c.slug for c in (*standing.kept, *fresh)}
    kept = [_kept(change, went, known) for change in standing.untouched]
    return Plan(revision=revision, changes=_ordered((*standing.landed, *kept, *fresh)))


def without_landed(whole: Plan, landed: Collection[Slug]) -> Plan:
    """The open part of a plan, in a form that `check` can compare with the live spec."""
    return whole.with_changes(
        c.with_dependencies(d for d in c.depends_on if d.on not in landed)
        for c in whole.changes
        if c.slug not in landed
    )


def _names(rest: Plan, taken: Collection[Slug]) -> dict[Slug, Slug]:
    names: dict[Slug, Slug] = {}
    for change in rest.changes:
        slug, number = change.slug, 2
        while slug in taken or slug in names.values():
            ending = f"-{number}"
            slug = Slug(change.slug[: SLUG_MAX - len(ending)].rstrip("-") + ending)
            number += 1
        names[change.slug] = slug
    return names


def _edges(
    change: PlannedChange,
    whole: Plan,
    untouched: tuple[PlannedChange, ...],
    names: Mapping[Slug, Slug],
) -> tuple[Dependency, ...]:
    """Dependencies among the new changes, and those of the whole spec on changes that continue."""
    found = {names[d.on]: d.with_target(names[d.on]) for d in change.depends_on if d.on in names}
    carriers = {r: c.slug for c in untouched for r in c.requirements}
    places = {c.slug: c for c in whole.changes}
    for one in whole.changes:
        if not set(one.requirements) & set(change.requirements):
            continue
        for edge in one.depends_on:
            for needed in places[edge.on].requirements:
                if needed in carriers:
                    on = carriers[needed]
                    found.setdefault(on, edge.with_target(on))
    return tuple(found.values())


def _where_work_went(
    touched: tuple[PlannedChange, ...], fresh: list[PlannedChange]
) -> dict[Slug, tuple[Slug, ...]]:
    """For every affected change, the new changes that implement what is left of it."""
    return {
        old.slug: tuple(c.slug for c in fresh if set(c.requirements) & set(old.requirements))
        for old in touched
    }


def _kept(
    change: PlannedChange, went: Mapping[Slug, tuple[Slug, ...]], known: Collection[Slug]
) -> PlannedChange:
    edges: dict[Slug, Dependency] = {}
    for edge in change.depends_on:
        for on in went.get(edge.on, (edge.on,)):
            if on in known and on != change.slug:
                edges.setdefault(on, edge.with_target(on))
    return change.with_dependencies(edges.values())


def _ordered(changes: tuple[PlannedChange, ...]) -> tuple[PlannedChange, ...]:
    """Dependencies first, otherwise the given order; changes in a cycle come last."""
    left, done, order = list(changes), set[Slug](), list[PlannedChange]()
    slugs = {c.slug for c in changes}
    while left:
        ready = next(
            (c for c in left if all(d.on in done or d.on not in slugs for d in c.depends_on)), None
        )
        chosen = ready or left[0]
        left.remove(chosen)
        done.add(chosen.slug)
        order.append(chosen)
    return tuple(order)
