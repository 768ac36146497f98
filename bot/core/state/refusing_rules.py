"""Which rules of the repository would refuse a landing, by what was read of them and the policy.

A landing moves the default branch straight to the candidate: one commit of ours on top of it, which
GitHub signs where a rule asks for that. Where the policy says so, GitHub merges a pull instead. What is not known is never a refusal.
"""

from enum import StrEnum

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import OnRules, RunsOnFor
from bot.core.state.approvals import resolving
from bot.core.state.landing_way import is_by_github, is_queued
from bot.core.values.check_run import VERDICT_NAME
from bot.core.values.ids import Frozen
from bot.core.values.repository import RepositoryFacts
from bot.core.values.rules import (
    ALWAYS_REFUSE,
    MERGED_BY_GITHUB,
    OF_OUR_ADDRESS,
    OUR_BRANCHES,
    SIGNING_ADDRESS,
    BranchRule,
    Bypass,
    Pattern,
    RepositoryRules,
    RequiredCheck,
    RuleKind,
)


class Weight(StrEnum):
    """What a finding means for the next landing."""

    REFUSES = "refuses"
    MAY_REFUSE = "may_refuse"
    NOTE = "note"


class Topic(StrEnum):
    """What a finding is about."""

    RULE = "rule"
    MERGED = "merged"
    OWN_BRANCH = "own_branch"
    RESOLUTION = "resolution"
    CHECK = "check"
    ACTIONS_OFF = "actions_off"
    ACTIONS_SELECTED = "actions_selected"
    NO_RUNNER = "no_runner"
    LACKS = "lacks"
    UNREADABLE = "unreadable"


class RuleFinding(Frozen):
    """`rule` belongs to the first five topics, `check` to the fifth, `names` to the last two."""

    topic: Topic
    weight: Weight
    rule: BranchRule | None = None
    check: RequiredCheck | None = None
    names: tuple[str, ...] = ()


# They refuse no landing: they are met, or about other branches, tags and deleting.
_ELSEWHERE = frozenset(
    {
        *("deletion", "non_fast_forward", "creation", "branch_name_pattern", "tag_name_pattern"),
        # One commit on top of the branch is linear.
        RuleKind.LINEAR_HISTORY,
        # GitHub signs the candidate then.
        RuleKind.SIGNATURES,
        # It is waited for, and told of for all rules that ask for it.
        RuleKind.RESOLUTION,
        # It asks for a review and waits for none.
        "copilot_code_review",
    }
)
_ORDERS = (RunsOnFor.AGENTS, RunsOnFor.GATES)


def findings(
    facts: RepositoryFacts, rules: RepositoryRules, policy: Policy, label: str
) -> tuple[RuleFinding, ...]:
    """The heaviest first. `label` is what jobs ask of a runner where the policy says nothing."""
    found = [
        finding
        for rule in rules.rules
        if not rule.bypass.is_free
        for finding in _of_rule(facts, rules, rule, policy)
    ]
    found += [
        RuleFinding(topic=Topic.OWN_BRANCH, weight=weight, rule=rule)
        for rule in rules.own_branches
        if not rule.bypass.is_free and (weight := _weight_for_our_branches(facts, rule)) is not None
    ]
    found += [
        RuleFinding(topic=Topic.RESOLUTION, weight=Weight.NOTE, rule=rule)
        for rule in resolving(policy, rules)
    ]
    if rules.actions is not None and not rules.actions.is_enabled:
        found.append(RuleFinding(topic=Topic.ACTIONS_OFF, weight=Weight.MAY_REFUSE))
    elif rules.actions is not None and rules.actions.allowed != "all":
        found.append(RuleFinding(topic=Topic.ACTIONS_SELECTED, weight=Weight.NOTE))
    asked = {one for orders in _ORDERS for one in policy.runs_on(orders, None) or (label,)}
    if rules.labels_online is not None and label in asked and label not in rules.labels_online:
        found.append(RuleFinding(topic=Topic.NO_RUNNER, weight=Weight.NOTE))
    if rules.lacks:
        weight = Weight.MAY_REFUSE
        found.append(RuleFinding(topic=Topic.LACKS, weight=weight, names=rules.lacks))
    if rules.unreadable and (found or any(name != "runners" for name in rules.unreadable)):
        names = rules.unreadable
        found.append(RuleFinding(topic=Topic.UNREADABLE, weight=Weight.NOTE, names=names))
    order = list(Weight)
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda one: order.index(one.weight)))


def _of_rule(
    facts: RepositoryFacts, rules: RepositoryRules, rule: BranchRule, policy: Policy
) -> list[RuleFinding]:
    if rule.kind in _ELSEWHERE:
        return []
    if rule.kind == RuleKind.CHECKS:
        return [
            RuleFinding(topic=Topic.CHECK, weight=weight, rule=rule, check=check)
            for check in rule.checks
            if (weight := _weight_of_check(facts, check, policy)) is not None
        ]
    if rule.kind in MERGED_BY_GITHUB and is_by_github(policy, rules):
        told = RuleFinding(topic=Topic.MERGED, weight=Weight.NOTE, rule=rule)
        is_said = rule.kind == RuleKind.MERGE_QUEUE or not is_queued(policy, rules)
        return [told] if is_said else []
    is_committer = rule.kind == RuleKind.COMMITTER_PATTERN
    is_signed = is_committer and rules.ask_for_signatures
    weight = _weight(SIGNING_ADDRESS if is_signed else facts.our_address, rule)
    return [] if weight is None else [RuleFinding(topic=Topic.RULE, weight=weight, rule=rule)]


def _weight(address: str, rule: BranchRule) -> Weight | None:
    """None where the rule is met; `address` is the one in our commits that it is about."""
    is_certain = rule.bypass in {Bypass.NEVER, Bypass.PULLS_ONLY}
    if rule.kind in ALWAYS_REFUSE:
        return Weight.REFUSES if is_certain else Weight.MAY_REFUSE
    if rule.kind in OF_OUR_ADDRESS and rule.pattern is not None:
        meets = _meets(address, rule.pattern)
        if meets is not None:
            return None if meets else (Weight.REFUSES if is_certain else Weight.MAY_REFUSE)
    return Weight.MAY_REFUSE


def _weight_for_our_branches(facts: RepositoryFacts, rule: BranchRule) -> Weight | None:
    """Each landing needs its branch; whether that must ever move is not known before."""
    is_certain = rule.bypass in {Bypass.NEVER, Bypass.PULLS_ONLY}
    meets = None
    if rule.kind == RuleKind.SIGNATURES:
        return None
    if rule.kind in OF_OUR_ADDRESS:
        return None if _weight(facts.our_address, rule) is None else Weight.MAY_REFUSE
    if rule.kind == RuleKind.BRANCH_NAME and rule.pattern is not None:
        meets = (
            _meets(OUR_BRANCHES, rule.pattern) if rule.pattern.operator == "starts_with" else None
        )
    if meets is True:
        return None
    refuses = rule.kind == RuleKind.CREATION or meets is False
    return Weight.REFUSES if refuses and is_certain else Weight.MAY_REFUSE


def _weight_of_check(facts: RepositoryFacts, check: RequiredCheck, policy: Policy) -> Weight | None:
    """None where somebody reports it before a landing."""
    if check.context == VERDICT_NAME and check.app_id in {None, facts.app_id}:
        return None
    is_awaited = any(
        gate.required and gate.check == check.context and gate.app in {None, check.app_id}
        for gate in policy.external_gates
    )
    return None if is_awaited else Weight.MAY_REFUSE


def _meets(text: str, pattern: Pattern) -> bool | None:
    """Whether a text is as GitHub wants it; None for an expression in GitHub's own dialect."""
    match pattern.operator:
        case "starts_with":
            found = text.startswith(pattern.pattern)
        case "ends_with":
            found = text.endswith(pattern.pattern)
        case "contains":
            found = pattern.pattern in text
        case _:
            return None
    return found is not pattern.is_negated


def needs_signatures(state: RepositoryState) -> bool:
    """Whether candidates are commits that GitHub signs."""
    return state.rules is not None and state.rules.ask_for_signatures


def refusing(state: RepositoryState, policy: Policy) -> tuple[RuleFinding, ...]:
    """The rules that surely refuse every landing; none where the team wants to be told only."""
    if state.facts is None or state.rules is None or policy.file.rules is OnRules.TELL:
        return ()
    found = findings(state.facts, state.rules, policy, "")
    return tuple(one for one in found if one.weight is Weight.REFUSES)


def is_held_by_rules(state: RepositoryState, policy: Policy) -> bool:
    """Whether no agent is paid, because nothing could land."""
    return bool(refusing(state, policy))
