"""The waits of a plan that people are shown."""

from collections.abc import Mapping

from bot.core.plan.graph import Reached
from bot.core.values.ids import Slug
from bot.core.values.plan_model import Dependency, DependencyKind, Plan


def shown_waits(plan: Plan) -> Mapping[Slug, tuple[Dependency, ...]]:
    """For each change, without foundations that stand below another wait anyway.

    These count on: a change that is only ordered behind others still needs its foundation.
    """
    slugs = {change.slug for change in plan.changes}
    reached = Reached(c.slug for c in plan.changes)
    for change in plan.changes:
        for edge in change.depends_on:
            if edge.on in slugs:
                reached.add(change.slug, edge.on)
    return {
        change.slug: tuple(
            edge
            for edge in change.depends_on
            if edge.kind != DependencyKind.FOUNDATION
            or edge.on not in slugs
            or not any(
                other.on in slugs and reached.is_above(other.on, edge.on)
                for other in change.depends_on
            )
        )
        for change in plan.changes
    }
