"""How much work a change is.

Points come from the text: requirements, scenarios, files, length (tables and criteria included), a
schema migration, vague words.
The size is computed here for every planner, so that equal plans get equal budgets.
"""

import re
from collections.abc import Iterable

from bot.core.spec.triage.words import HeadingKind, heading_kind, modality
from bot.core.values.plan_model import ChangeSize, Plan, PlannedChange
from bot.core.values.spec_model import Modality, Requirement, Spec

# One requirement with two scenarios and one file is small; three of them are not.
_SMALL_POINTS_MAX = 8
# Six requirements with two short scenarios each are ordinary work.
_MEDIUM_POINTS_MAX = 30
# A single requirement of a page and a half is an epic, whatever it is called.
_EPIC_LINES = 60
_SCHEMA = re.compile(r"\b(?:migrations?|schema|database|tables?|columns?)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:appropriate(?:ly)?|etc|as needed|properly|robust|flexible|user-friendly|tbd|and so on)\b",
    re.IGNORECASE,
)
_LINES_A_POINT = 6
_NAME_MAX = 60
# A shorter text says no more than a name.
_SAID_MIN = 30
# `Search: by name` is called so by its author, and so is the first cell of a row.
_AFTER_LABEL = (":", "：", "—", "–", "\n")
# What stands in a list below a feature is as a rule a criterion without its words.
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
_ITEMS_A_POINT = 2
# A line of a wrapped paragraph.
_LINE_LETTERS = 160


def sized(plan: Plan, spec: Spec) -> Plan:
    requirements = {r.id: r for r in spec.requirements}
    changes = tuple(
        c.with_size(size_of(c, [requirements[r] for r in c.requirements if r in requirements]))
        for c in plan.changes
    )
    return plan.with_changes(changes)


def size_of(change: PlannedChange, requirements: Iterable[Requirement]) -> ChangeSize:
    members = list(requirements)
    total = len(change.files) + sum(weight(r) for r in members)
    if total > _MEDIUM_POINTS_MAX or any(_lines(r) >= _EPIC_LINES for r in members):
        return ChangeSize.L
    return ChangeSize.S if total <= _SMALL_POINTS_MAX else ChangeSize.M


def weight(requirement: Requirement) -> int:
    """How much work a requirement is, by its text."""
    text = _text(requirement)
    points = 2 + len(requirement.scenarios) + _lines(requirement) // _LINES_A_POINT
    points += len(_ITEM.findall(requirement.statement)) // _ITEMS_A_POINT
    points += 3 if _SCHEMA.search(text) else 0
    return points + (1 if _VAGUE.search(text) else 0)


def is_feature(requirement: Requirement) -> bool:
    """Whether it has a criterion, parts, or a name that is more than the first words of its text."""
    if requirement.scenarios or _ITEM.search(requirement.statement):
        return True
    name, said = requirement.title.strip(), requirement.statement.strip(" *_`#-")
    is_named = bool(name) and len(name) <= _NAME_MAX and modality(name) is Modality.UNSTATED
    if said.startswith(name):
        return is_named and said[len(name) :].lstrip(" *_")[:1] in _AFTER_LABEL
    return is_named and not said.startswith(name[:20]) and len(said) >= _SAID_MIN


def is_name_of_function(requirement: Requirement) -> bool:
    """Whether it is a line of a list that binds nobody, and so names what the product has."""
    said = requirement.statement.strip(" *_`#-")
    is_line = bool(said) and len(said) <= _LINE_LETTERS and "\n" not in said
    is_criterion = heading_kind(requirement.domain) is HeadingKind.CRITERIA
    return is_line and not is_criterion and modality(said) is Modality.UNSTATED


def _text(requirement: Requirement) -> str:
    return "\n".join((requirement.statement, *(s.text for s in requirement.scenarios)))


def _lines(requirement: Requirement) -> int:
    """The lines of its text as a person reads them: long lines are several."""
    lines = _text(requirement).splitlines()
    return sum(1 + len(line) // _LINE_LETTERS for line in lines if line.strip())
