"""Whether main is moved by us, or by GitHub, which merges the pull where a rule takes nothing else."""

from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import Landing
from bot.core.values.rules import BranchRule, MergeMethod, RepositoryRules, RuleKind


def is_queued(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether a pull lands through GitHub's own merge queue."""
    is_asked = any(rule.kind == RuleKind.MERGE_QUEUE for rule in _binding(rules))
    return is_asked and policy.file.landing is Landing.GITHUB


def merge_methods(policy: Policy, rules: RepositoryRules | None) -> tuple[MergeMethod, ...]:
    """By which of them GitHub may merge a pull, the best first; none: we move main, or a queue does.

    A merge keeps the judged commit on main, as its second parent.
    """
    binding = _binding(rules)
    of_pulls = [rule for rule in binding if rule.kind == RuleKind.PULL_REQUEST]
    if policy.file.landing is not Landing.GITHUB or not of_pulls or is_queued(policy, rules):
        return ()
    is_linear = any(rule.kind == RuleKind.LINEAR_HISTORY for rule in binding)
    return tuple(
        method
        for method in MergeMethod
        if all(method in (rule.merge_methods or MergeMethod) for rule in of_pulls)
        and not (is_linear and method is MergeMethod.MERGE)
    )


def is_by_github(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether GitHub merges what lands."""
    return is_queued(policy, rules) or bool(merge_methods(policy, rules))


def approvals_for_merge(policy: Policy, rules: RepositoryRules | None) -> int:
    """How many approvals GitHub asks for before it merges a pull for us."""
    if not is_by_github(policy, rules):
        return 0
    of_pulls = (rule for rule in _binding(rules) if rule.kind == RuleKind.PULL_REQUEST)
    return max((rule.approvals for rule in of_pulls), default=0)


def _binding(rules: RepositoryRules | None) -> list[BranchRule]:
    """The rules that hold for the App."""
    return [rule for rule in (rules.rules if rules else ()) if not rule.bypass.is_free]
