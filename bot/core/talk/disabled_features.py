"""What is switched off for want of a model, and why a plan is not the one that was asked for.

Deliberately absent: what is on; that shows by itself.
"""

from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import ModelAdviceChoice, PlannerChoice


def no_model_for_planner() -> str:
    """The policy wants a model and there is none."""
    return (
        "The policy says `planner: model`, and this server has no key for a model "
        "(ANTHROPIC_API_KEY), so the plan was made by rules."
    )


def no_model_for_issues() -> str:
    """An issue asks for work and nobody here can read it but people."""
    return (
        "This server has no key for a model (ANTHROPIC_API_KEY), so a fixed list is asked, and the "
        "spec is made of your words as they stand."
    )


def off_line(policy: Policy, server: ServerModels) -> str:
    """What a tracking issue says of what is off; empty where nothing is."""
    if server.can_ask:
        return ""
    said = []
    if policy.file.planner is not PlannerChoice.DETERMINISTIC:
        said.append(
            "This server can ask no model: the plan is made by rules and agents that need one "
            "cannot start. Everything else works without."
        )
    if policy.file.digest is ModelAdviceChoice.MODEL:
        said.append(
            "The policy says `digest: model`, and no model can be asked here, so specs are read by "
            "rules alone."
        )
    if policy.file.summary is ModelAdviceChoice.MODEL:
        said.append(
            "The policy says `summary: model`, and no model can be asked here, so reports have no "
            "first paragraph."
        )
    return " ".join(said)


def off_without_model() -> str:
    """The same for the person who runs the server."""
    return (
        "off: planning by a model, questions about issues by a model, readings of specs, summaries, the "
        "built-in agent; plans are made by rules, and of issues a fixed list is asked"
    )
