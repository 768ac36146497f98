"""How much work a change is.

Points come from the text: requirements, scenarios, files, length, a schema migration, vague words.
The size is computed here for every planner, so that equal plans get equal budgets.
"""

import re
from collections.abc import Iterable

from bot.core.values.plan_model import ChangeSize, Plan, PlannedChange
from bot.core.values.spec_model import Requirement, Spec

# One requirement with two scenarios and one file is small; three of them are not.
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
        c.with_size(size_of(c, [requirements[r] for r in c.requirements if r in requirements]))
        for c in plan.changes
    )
    return plan.with_changes(changes)


def size_of(change: PlannedChange, requirements: Iterable[Requirement]) -> ChangeSize:
    points = len(change.files)
    for requirement in requirements:
        text = "\n".join((requirement.statement, *(s.text for s in requirement.scenarios)))
        points += 2 + len(requirement.scenarios)
        points += len(text.splitlines()) // _LINES_A_POINT
        points += 3 if _SCHEMA.search(text) else 0
        points += 1 if _VAGUE.search(text) else 0
    return ChangeSize.S if points <= _SMALL_POINTS_MAX else ChangeSize.M
