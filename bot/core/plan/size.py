"""How much work a change is: small, or as much as one change may be.

Points come from what can be read: requirements, scenarios, files, lines of text, a schema that
moves, words that leave room. The size is computed here whoever planned, so that two planners' plans
get the same budgets.
"""

import re
from collections.abc import Iterable

from bot.core.values.plan_model import ChangeSize, Plan, PlannedChange
from bot.core.values.spec_model import Requirement, Spec

# One requirement with two scenarios at one file is small; three such are not.
_SMALL_POINTS_MAX = 8
_SCHEMA = re.compile(r"\b(?:migrations?|schema|database|tables?|columns?)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:appropriate(?:ly)?|etc|as needed|properly|robust|flexible|user-friendly|tbd|and so on)\b",
    re.IGNORECASE,
)
_LINES_A_POINT = 12


def sized(plan: Plan, spec: Spec) -> Plan:
    requirements = {r.id: r for r in spec.requirements}
    changes = tuple(
        c.model_copy(
            update={
                "size": size_of(c, [requirements[r] for r in c.requirements if r in requirements])
            }
        )
        for c in plan.changes
    )
    return plan.model_copy(update={"changes": changes})


def size_of(change: PlannedChange, requirements: Iterable[Requirement]) -> ChangeSize:
    """The size that the points of a change's requirements and files come to."""
    points = len(change.files)
    for requirement in requirements:
        text = "\n".join((requirement.statement, *(s.text for s in requirement.scenarios)))
        points += 2 + len(requirement.scenarios)
        points += len(text.splitlines()) // _LINES_A_POINT
        points += 3 if _SCHEMA.search(text) else 0
        points += 1 if _VAGUE.search(text) else 0
    return ChangeSize.S if points <= _SMALL_POINTS_MAX else ChangeSize.M
