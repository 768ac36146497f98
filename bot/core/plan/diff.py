"""The difference between two plans: which changes appear, differ and disappear.

Changes are the same if they have the same slug, because branch and issue depend on it. Order and
revision alone are no difference.
"""

from enum import StrEnum

from bot.core.values.ids import Frozen, RequirementId, Slug
from bot.core.values.plan_model import Plan, PlannedChange


class Aspect(StrEnum):
    TITLE = "title"
    TYPE = "type"
    DOMAIN = "domain"
    REQUIREMENTS = "requirements"
    DEPENDENCIES = "dependencies"
    OWNS = "owns"


class AlteredChange(Frozen):
    """A change that is in both plans, and how it differs; `gained` and `lost` are requirements."""

    slug: Slug
    aspects: tuple[Aspect, ...]
    gained: tuple[RequirementId, ...] = ()
    lost: tuple[RequirementId, ...] = ()


class PlanDiff(Frozen):
    """Each tuple is in the order of the plan that has these changes."""

    appeared: tuple[Slug, ...] = ()
    altered: tuple[AlteredChange, ...] = ()
    vanished: tuple[Slug, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether both plans ask for the same work."""
        return not (self.appeared or self.altered or self.vanished)


def plan_diff(old: Plan, new: Plan) -> PlanDiff:
    was = {change.slug: change for change in old.changes}
    becomes = {change.slug: change for change in new.changes}
    altered = (_altered(was[slug], change) for slug, change in becomes.items() if slug in was)
    return PlanDiff(
        appeared=tuple(slug for slug in becomes if slug not in was),
        altered=tuple(change for change in altered if change.aspects),
        vanished=tuple(slug for slug in was if slug not in becomes),
    )


def _altered(was: PlannedChange, becomes: PlannedChange) -> AlteredChange:
    differs = {
        Aspect.TITLE: was.title != becomes.title,
        Aspect.TYPE: was.type != becomes.type,
        Aspect.DOMAIN: was.domain != becomes.domain,
        Aspect.REQUIREMENTS: set(was.requirements) != set(becomes.requirements),
        Aspect.DEPENDENCIES: set(was.depends_on) != set(becomes.depends_on),
        Aspect.OWNS: set(was.owns) != set(becomes.owns),
    }
    return AlteredChange(
        slug=becomes.slug,
        aspects=tuple(aspect for aspect, it_does in differs.items() if it_does),
        gained=tuple(r for r in becomes.requirements if r not in was.requirements),
        lost=tuple(r for r in was.requirements if r not in becomes.requirements),
    )
