"""A plan: the changes of a spec run and their order, with a revision number and a hash.

Every plan must pass `bot.core.plan.check`, whoever made it (a person, a model, the deterministic
planner). The progress of a change is not part of the plan.
"""

import hashlib
import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from bot.core.values.ids import Frozen, RequirementId, Slug

# A change that holds more is split: the seed systems' measurements and the plan law (glossary).
REQUIREMENTS_PER_CHANGE_MAX = 8
# The planner cuts at fewer, except a group of the author's that is a few more bare sentences.
REQUIREMENTS_USUAL_MAX = 6


class ChangeType(StrEnum):
    """What kind of work a change is; the type decides wording and, later, budgets."""

    CONTRACT = "contract"
    FEATURE = "feature"
    FIX = "fix"
    REMOVAL = "removal"
    CROSS_CUTTING = "cross_cutting"


class ChangeSize(StrEnum):
    """How much work a change is: what an agent may spend on it hangs on it."""

    S = "S"
    M = "M"
    L = "L"


class Planner(StrEnum):
    """Who made a plan: the rules, a model, or a person who edited one of those."""

    DETERMINISTIC = "deterministic"
    MODEL = "model"
    PERSON = "person"


class DependencyKind(StrEnum):
    """What an edge rests on.

    A reference, the order of a delta, a shared resource, a quotation, the author's own order, or
    that a foundation comes before what stands on it.
    """

    EXPLICIT = "explicit"
    QUOTED = "quoted"
    DELTA = "delta"
    SHARES = "shares"
    ORDERED = "ordered"
    FOUNDATION = "foundation"


class Dependency(Frozen):
    """Why a change waits for another: the slug, the kind of edge and the quoted evidence."""

    on: Slug
    kind: str
    evidence: str

    def with_target(self, on: Slug) -> Self:
        return self.replace(on=on)


class PlannedChange(Frozen):
    """One unit of work: an issue, a branch, a pull, at most eight requirements.

    `scope`, `left_out`, `files`, `gates` and `done` are what a planner says for the agent and for
    people; they are hints and bind nobody. `edits` is what its requirements say that it makes or
    changes: changes of other specs that edit the same wait for it, or it for them.
    """

    slug: Slug
    title: str
    type: ChangeType
    domain: str
    requirements: tuple[RequirementId, ...]
    depends_on: tuple[Dependency, ...] = ()
    owns: tuple[str, ...] = ()
    size: ChangeSize = ChangeSize.M
    scope: str = ""
    left_out: str = ""
    files: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()

    def with_requirements(self, requirements: Iterable[RequirementId]) -> Self:
        return self.replace(requirements=tuple(requirements))

    def with_dependencies(self, depends_on: Iterable[Dependency]) -> Self:
        return self.replace(depends_on=tuple(depends_on))

    def with_size(self, size: ChangeSize) -> Self:
        return self.replace(size=size)


class Plan(Frozen):
    """The changes in an order in which each comes after all that it depends on."""

    revision: int
    changes: tuple[PlannedChange, ...]
    planner: Planner = Planner.DETERMINISTIC
    risks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """The first 12 hex digits over the content of the plan, without its revision and without `edits`."""
        # They follow from the requirements; a plan keeps the hash that people approved.
        content = [c.model_dump(mode="json", exclude={"edits"}) for c in self.changes]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]

    def with_changes(self, changes: Iterable[PlannedChange]) -> Self:
        return self.replace(changes=tuple(changes))


class PlanFinding(Frozen):
    """An error in a plan; `subject` is a slug or a requirement id."""

    code: str
    subject: str
    sentence: str
