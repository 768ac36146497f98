"""Features that are off because no model is configured."""

from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import ModelAdviceChoice, PlannerChoice


def no_model_for_planner() -> str:
    """Why the plan was made by rules although the policy asks for a model."""
    return (
        "The policy says `planner: model`, but this server has no API key for a model "
        "(ANTHROPIC_API_KEY). The plan was made by rules."
    )


def no_model_for_issues() -> str:
    return (
        "This server has no API key for a model (ANTHROPIC_API_KEY). So Headgate asks a fixed list "
        "of questions and makes the spec from your own words."
    )


def disabled_features_text(policy: Policy, server: ServerModels) -> str:
    """What the tracking issue says about disabled features; empty if there are none."""
    if server.can_ask:
        return ""
    sentences = []
    if policy.file.planner is not PlannerChoice.DETERMINISTIC:
        sentences.append(
            "This server has no model: plans are made by rules, and agents that need a model "
            "cannot start. Everything else works."
        )
    if policy.file.digest is ModelAdviceChoice.MODEL:
        sentences.append(
            "The policy says `digest: model`, but this server has no model, so only rules check "
            "specs."
        )
    if policy.file.summary is ModelAdviceChoice.MODEL:
        sentences.append(
            "The policy says `summary: model`, but this server has no model, so reports start "
            "without a summary."
        )
    return " ".join(sentences)


def disabled_without_model() -> str:
    """The same for the person who runs the server, in one line of `headgate doctor`."""
    return (
        "off: planning by a model, questions about issues by a model, advice on specs, "
        "summaries, the built-in agent. Plans are made by rules, and issues get a fixed list "
        "of questions"
    )
