"""What a planning prompt is about: which part of which spec, and in which phase.

Its id is derived from its content, so that nothing is asked twice and an answer stays valid after
an edit of other parts.
"""

import hashlib
import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from bot.core.values.ids import Frozen, RequirementId, Sha, SpecRunId
from bot.core.values.model_roles import ModelRole
from bot.core.values.spec_model import Requirement


class Phase(StrEnum):
    """A small spec is planned by one prompt, a large one in three phases."""

    WHOLE = "whole"
    BRIEF = "brief"
    DOMAIN = "domain"
    MERGE = "merge"


ROLE_OF = {
    Phase.WHOLE: ModelRole.PLAN_MERGE,
    Phase.BRIEF: ModelRole.PLAN_BRIEF,
    Phase.DOMAIN: ModelRole.PLAN_DOMAIN,
    Phase.MERGE: ModelRole.PLAN_MERGE,
}


class PlanPromptInput(Frozen):
    """`stem` identifies the content, whatever the number of rejected answers."""

    kind: Literal["plan"] = "plan"
    spec_run: SpecRunId
    path: str
    commit: Sha
    phase: Phase
    part: str
    requirements: tuple[RequirementId, ...]
    stem: str

    @property
    def place(self) -> str:
        return self.spec_run


def stem_of(phase: Phase, part: str, asked: Iterable[Requirement], beside: str = "") -> str:
    """Equal for the same phase, part, requirement texts and context (`beside`)."""
    content = [phase.value, part, [(r.id, r.text_hash) for r in asked], beside]
    return f"{phase}:{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]}"


def prompt_id(stem: str, rejections: int) -> str:
    """The id of a prompt after this many rejected answers."""
    return f"{stem}:{rejections}"
