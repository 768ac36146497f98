"""Whether main is moved by us, or by GitHub, which merges the pull where a rule takes nothing else."""

from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import Landing
from bot.core.values.rules import MergeMethod, RepositoryRules, RuleKind


def merge_methods(policy: Policy, rules: RepositoryRules | None) -> tuple[MergeMethod, ...]:
    """By which of them GitHub may merge a pull, the best first; none: we move main ourselves.

    A merge keeps the judged commit on main, as its second parent.
    """
    binding = [rule for rule in (rules.rules if rules else ()) if not rule.bypass.is_free]
    of_pulls = [rule for rule in binding if rule.kind == RuleKind.PULL_REQUEST]
    if policy.file.landing is not Landing.GITHUB or not of_pulls:
        return ()
    is_linear = any(rule.kind == RuleKind.LINEAR_HISTORY for rule in binding)
    return tuple(
        method
        for method in MergeMethod
        if all(method in (rule.merge_methods or MergeMethod) for rule in of_pulls)
        and not (is_linear and method is MergeMethod.MERGE)
    )


def approvals_for_merge(policy: Policy, rules: RepositoryRules | None) -> int:
    """How many approvals GitHub asks for before it merges a pull for us."""
    if rules is None or not merge_methods(policy, rules):
        return 0
    of_pulls = [r for r in rules.rules if r.kind == RuleKind.PULL_REQUEST and not r.bypass.is_free]
    return max(rule.approvals for rule in of_pulls)
