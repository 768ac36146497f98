"""The roles that a model plays for Headgate, and the named choices of models for them.

A role is what a prompt is for; `bot.core.spec.model_choice` finds the model that answers it.
"""

from enum import StrEnum


class ModelRole(StrEnum):
    """What a model is asked for."""

    PLAN_BRIEF = "plan.brief"
    PLAN_DOMAIN = "plan.domain"
    PLAN_MERGE = "plan.merge"
    QUESTION = "question"
    DIGEST = "digest"
    SUMMARY = "summary"
    REVIEW = "review"
    AGENT = "agent"
    AGENT_SMALL = "agent.small"


class Profile(StrEnum):
    """A named choice for all roles together."""

    BALANCED = "balanced"
    ECONOMY = "economy"
    THOROUGH = "thorough"


# A chain is tried from left to right; the next model only after a temporary failure.
CHAINS: dict[str, tuple[str, ...]] = {
    "strong": ("claude-opus-4-6", "claude-sonnet-4-6"),
    "middle": ("claude-sonnet-4-6", "claude-opus-4-6"),
    "light": ("claude-haiku-4-5", "claude-sonnet-4-6"),
}

DEFAULTS: dict[ModelRole, str] = {
    ModelRole.PLAN_BRIEF: "middle",
    ModelRole.PLAN_DOMAIN: "middle",
    ModelRole.PLAN_MERGE: "strong",
    ModelRole.QUESTION: "middle",
    ModelRole.DIGEST: "middle",
    ModelRole.SUMMARY: "middle",
    ModelRole.REVIEW: "strong",
    ModelRole.AGENT: "claude-sonnet-4-6",
    ModelRole.AGENT_SMALL: "claude-sonnet-4-6",
}

PROFILES: dict[Profile, dict[ModelRole, str]] = {
    Profile.BALANCED: {},
    Profile.ECONOMY: {
        ModelRole.PLAN_BRIEF: "light",
        ModelRole.PLAN_DOMAIN: "light",
        ModelRole.PLAN_MERGE: "middle",
        ModelRole.QUESTION: "light",
        ModelRole.DIGEST: "light",
        ModelRole.SUMMARY: "light",
        ModelRole.REVIEW: "middle",
        ModelRole.AGENT_SMALL: "claude-haiku-4-5",
    },
    Profile.THOROUGH: {
        ModelRole.PLAN_BRIEF: "strong",
        ModelRole.PLAN_DOMAIN: "strong",
        ModelRole.QUESTION: "strong",
        ModelRole.DIGEST: "strong",
        ModelRole.AGENT: "claude-opus-4-6",
    },
}
