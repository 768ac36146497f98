"""Whether main is moved by us, or by GitHub, which merges the pull where a rule takes nothing else."""

from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import Landing
from bot.core.values.candidate import MovedBy
from bot.core.values.rules import BranchRule, MergeMethod, RepositoryRules, RuleKind


def is_queued(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether a pull lands through GitHub's own merge queue."""
    return way_of(policy.file.landing, rules) is MovedBy.MERGE_QUEUE


def is_by_github(policy: Policy, rules: RepositoryRules | None) -> bool:
    return way_of(policy.file.landing, rules) is not None


def merge_methods(policy: Policy, rules: RepositoryRules | None) -> tuple[MergeMethod, ...]:
    """By which of them GitHub may merge a pull, the best first; none: we move main, or a queue does.

    A merge keeps the judged commit on main, as its second parent.
    """
    is_merged = way_of(policy.file.landing, rules) is MovedBy.PULL_MERGE
    return _allowed(_binding(rules)) if is_merged else ()


def way_of(landing: Landing, rules: RepositoryRules | None) -> MovedBy | None:
    """How GitHub moves the branch for us, where the policy lets it and the rules take nothing else."""
    binding = _binding(rules) if landing is Landing.GITHUB else []
    if any(rule.kind == RuleKind.MERGE_QUEUE for rule in binding):
        return MovedBy.MERGE_QUEUE
    return MovedBy.PULL_MERGE if _allowed(binding) else None


def _allowed(binding: list[BranchRule]) -> tuple[MergeMethod, ...]:
    """What rules that want pulls let GitHub merge by; none where no rule wants pulls."""
    of_pulls = [rule for rule in binding if rule.kind == RuleKind.PULL_REQUEST]
    is_linear = any(rule.kind == RuleKind.LINEAR_HISTORY for rule in binding)
    return tuple(
        method
        for method in (MergeMethod if of_pulls else ())
        if all(method in (rule.merge_methods or MergeMethod) for rule in of_pulls)
        and not (is_linear and method is MergeMethod.MERGE)
    )


def approvals_for_merge(policy: Policy, rules: RepositoryRules | None) -> int:
    """How many approvals GitHub asks for before it merges a pull for us."""
    if not is_by_github(policy, rules):
        return 0
    of_pulls = (rule for rule in _binding(rules) if rule.kind == RuleKind.PULL_REQUEST)
    return max((rule.approvals for rule in of_pulls), default=0)


def _binding(rules: RepositoryRules | None) -> list[BranchRule]:
    """The rules that hold for the App."""
    return [rule for rule in (rules.rules if rules else ()) if not rule.bypass.is_free]
