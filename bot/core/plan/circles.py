"""Requirements that the spec lets wait for one another: a person is told, and says which is first."""

from collections import defaultdict

from bot.core.plan.graph import shortest_cycle, strongly_connected
from bot.core.plan.stated_dependencies import explicit_needs
from bot.core.plan.vocabulary import distinct
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import REQUIREMENTS_USUAL_MAX
from bot.core.values.spec_model import Finding, Severity, Spec


def circles(spec: Spec) -> tuple[Finding, ...]:
    """One finding for each circle that is planned as one change; a larger one is no lawful plan."""
    waits: defaultdict[RequirementId, set[RequirementId]] = defaultdict(set)
    for need in explicit_needs(spec):
        waits[need.user].add(need.on)
    requirements = {r.id: r for r in distinct(spec)}
    found = []
    for members in strongly_connected(tuple(requirements), waits):
        if not 1 < len(members) <= REQUIREMENTS_USUAL_MAX:
            continue
        way = shortest_cycle(members[0], members, waits)
        names = [requirements[m].source_id or requirements[m].title for m in (*way, way[0])]
        others = [requirements[m] for m in members if m not in way]
        also = f" ({', '.join(r.source_id or r.title for r in others)} also belong to it)"
        first = requirements[members[0]]
        found.append(
            Finding(
                code="circle",
                severity=Severity.WARN,
                line=first.line_start,
                quote=first.title[:200],
                question=(
                    f"{' → '.join(names)} wait for each other{(also if others else '')}, so "
                    "they are planned as one change. Which of them comes first?"
                ),
                path=first.path,
            )
        )
    return tuple(found)
