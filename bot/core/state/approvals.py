"""Which reviews a person's pull needs before it may land through the queue."""

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import ReviewsOf
from bot.core.state.landing_way import approvals_for_merge
from bot.core.values.ids import PullNumber
from bot.core.values.rules import CLASSIC_PROTECTION, BranchRule, RepositoryRules, RuleKind


def approvals_needed(
    policy: Policy, rules: RepositoryRules | None, *, is_automatic: bool = False
) -> int | None:
    """How many people must approve; None where reviews do not count at all.

    A rule counts here also where the App may bypass it: it is about people's pulls. A pull that
    entered by itself did so by an approval, and needs one at least.
    """
    asked = _asked(policy, rules)
    return max(1, asked or 0) if is_automatic else asked


def _asked(policy: Policy, rules: RepositoryRules | None) -> int | None:
    asked = policy.file.reviews
    if asked is ReviewsOf.NONE:
        return None
    if asked is ReviewsOf.CODE_OWNERS:
        return 0
    if isinstance(asked, int):
        return asked
    rules_of_pulls = (r for r in (rules.rules if rules else ()) if r.kind == RuleKind.PULL_REQUEST)
    needed = (max(rule.approvals, int(rule.needs_last_push)) for rule in rules_of_pulls)
    return max(needed, default=0)


def approvals_of_changes(policy: Policy, rules: RepositoryRules | None) -> int | None:
    """How many people must approve a change's pull; None where reviews do not count at all.

    Where GitHub merges it, as many as its rules ask for, at least.
    """
    asked = policy.file.change_reviews
    merges = approvals_for_merge(policy, rules)
    return max(asked, merges) if isinstance(asked, int) else merges or None


def do_reviews_count(state: RepositoryState, policy: Policy, number: PullNumber) -> bool:
    """Whether reviews are read of this pull: a change's, or a person's in the queue or on its way there."""
    if needs_resolution(policy, state.rules):
        return True
    if state.change_with(number) is not None:
        return approvals_of_changes(policy, state.rules) is not None
    known = state.queued_pulls.get(number)
    is_automatic = known is not None and not known.has_left and known.is_by_policy
    return approvals_needed(policy, state.rules, is_automatic=is_automatic) is not None


def needs_code_owners(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether a rule asks for the review of code owners, and the policy leaves reviews to the rules."""
    is_left_to_rules = policy.file.reviews is ReviewsOf.RULES
    return is_left_to_rules and any(
        rule.needs_code_owners for rule in (rules.rules if rules else ())
    )


def needs_owners(policy: Policy) -> bool:
    """Whether the policy asks that code owners approve a person's pull."""
    return policy.file.reviews is ReviewsOf.CODE_OWNERS


def needs_others(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether a rule asks that somebody else approves than who pushed last, and the policy leaves reviews to
    the rules.
    """
    is_left_to_rules = policy.file.reviews is ReviewsOf.RULES
    return is_left_to_rules and any(rule.needs_last_push for rule in (rules.rules if rules else ()))


def needs_resolution(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether every thread of reviews must be resolved before anything lands."""
    return bool(resolving(policy, rules))


def resolving(policy: Policy, rules: RepositoryRules | None) -> tuple[BranchRule, ...]:
    """The rules that ask for it: also those that the App may bypass, unless the policy says that reviews do not
    count.
    """
    do_count = policy.file.reviews is not ReviewsOf.NONE
    return tuple(
        rule
        for rule in (rules.rules if rules else ())
        if rule.needs_resolution and (do_count or not rule.bypass.is_free)
    )


def may_need_resolution(state: RepositoryState) -> bool:
    """Whether a rule of any branch with a queue asks for it."""
    of_all = (state.rules, *(branch.rules for branch in state.branches.values()))
    return any(rule.needs_resolution for rules in of_all if rules for rule in rules.rules)


def may_miss_reviews(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether no approval is asked for only because GitHub does not show what may ask for some."""
    is_left_to_rules = policy.file.reviews is ReviewsOf.RULES
    is_hidden = rules is not None and CLASSIC_PROTECTION in rules.unreadable
    return is_left_to_rules and is_hidden and approvals_needed(policy, rules) == 0
