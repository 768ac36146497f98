"""Which reviews a person's pull needs before it may land through the queue."""

from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import ReviewsOf
from bot.core.values.rules import CLASSIC_PROTECTION, RepositoryRules, RuleKind


def approvals_needed(policy: Policy, rules: RepositoryRules | None) -> int | None:
    """How many people must approve; None where reviews do not count at all.

    A rule counts here also where the App may bypass it: it is about people's pulls.
    """
    asked = policy.file.reviews
    if asked is ReviewsOf.NONE:
        return None
    if isinstance(asked, int):
        return asked
    rules_of_pulls = (r for r in (rules.rules if rules else ()) if r.kind == RuleKind.PULL_REQUEST)
    return max((rule.approvals for rule in rules_of_pulls), default=0)


def needs_code_owners(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether a rule asks for the review of code owners, and the policy leaves reviews to the rules."""
    is_left_to_rules = policy.file.reviews is ReviewsOf.RULES
    return is_left_to_rules and any(
        rule.needs_code_owners for rule in (rules.rules if rules else ())
    )


def may_miss_reviews(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether no approval is asked for only because GitHub does not show what may ask for some."""
    is_left_to_rules = policy.file.reviews is ReviewsOf.RULES
    is_hidden = rules is not None and CLASSIC_PROTECTION in rules.unreadable
    return is_left_to_rules and is_hidden and approvals_needed(policy, rules) == 0
