"""What people are told of the repository's rules: which would refuse a landing, and what to do."""

import json
import re
from collections.abc import Iterable

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.refusing_rules import RuleFinding, Topic, Weight, findings, refusing
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.text import code, cut, inert
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.rules import BranchRule, RequiredCheck, RuleKind

RULES_NAME = "headgate/rules"
_LIMITS_NAMED = 10

_ASKS = {
    RuleKind.UPDATE: "lets only named actors update {branch}",
    RuleKind.PULL_REQUEST: "lets {branch} change only through a pull request",
    RuleKind.MERGE_QUEUE: "lets {branch} change only through GitHub's merge queue",
    RuleKind.DEPLOYMENTS: "requires deployments before {branch} changes",
    RuleKind.WORKFLOWS: "requires workflows that run only for pull requests",
    RuleKind.CODE_SCANNING: "requires results of code scanning for each commit of {branch}",
    RuleKind.CODE_QUALITY: "requires results of code quality for each commit of {branch}",
    RuleKind.MESSAGE_PATTERN: "requires that each commit message {pattern}",
    RuleKind.AUTHOR_PATTERN: "requires that each author's address {pattern}",
    RuleKind.COMMITTER_PATTERN: "requires that each committer's address {pattern}",
    RuleKind.PATHS: "refuses pushes (also of agents' work) that touch {limits}",
    RuleKind.PATH_LENGTH: "refuses pushes with paths longer than {limits}",
    RuleKind.EXTENSIONS: "refuses pushes with files that end with {limits}",
    RuleKind.FILE_SIZE: "refuses pushes with files larger than {limits}",
}
_OF_OUR_BRANCHES = {
    RuleKind.CREATION: "lets only named actors create {branch}",
    RuleKind.FORCE_PUSHES: "forbids force pushes to {branch}, but a second candidate of a change needs one",
    RuleKind.BRANCH_NAME: "requires that the name of each of {branch} {pattern}",
    RuleKind.CHECKS: "requires checks on {branch}",
}
_OPERATORS = {
    "starts_with": ("starts with", "does not start with"),
    "ends_with": ("ends with", "does not end with"),
    "contains": ("contains", "does not contain"),
    "regex": ("matches", "does not match"),
}


def told(state: RepositoryState, policy: Policy) -> list[str]:
    """A paragraph for each finding that matters to a landing; nothing where none does."""
    found = _found(state, policy)
    if state.rules is None or all(
        one.weight is Weight.NOTE and one.topic is not Topic.MERGED for one in found
    ):
        return []
    return [f"- {_sentence(state.rules.branch, state.rules.codeowners, one)}" for one in found]


def paragraph(state: RepositoryState, policy: Policy) -> str:
    """What the tracking issue says of the rules; empty where there is nothing to say."""
    lines = told(state, policy)
    if not lines:
        return ""
    waits = " No agent starts until this is corrected." if refusing(state, policy) else ""
    head = f"**Rules of this repository that affect landings:**{waits}"
    return "\n".join((head, "", *lines))


def fix_for_rules(state: RepositoryState, policy: Policy) -> str:
    """What somebody must do so that work starts; empty if nothing."""
    found = refusing(state, policy)
    if not found:
        return ""
    named = ", ".join(dict.fromkeys(_source(one.rule) for one in found if one.rule is not None))
    return f"let the App bypass {named}, or change the rule, because it refuses every landing"


def approved_but_waits(state: RepositoryState, policy: Policy) -> str:
    """The reply to an approval while a rule would refuse every landing; empty if none would."""
    found = refusing(state, policy)
    if not found or state.rules is None:
        return ""
    branch, owners = state.rules.branch, state.rules.codeowners
    lines = [f"- {_sentence(branch, owners, one)}" for one in found]
    head = (
        "Approved. But GitHub would refuse every landing, so no agent starts. The work starts "
        "automatically when Headgate sees that this is corrected:"
    )
    return "\n".join((head, "", *lines))


def check_run(state: RepositoryState, policy: Policy) -> CheckRunText:
    """All findings as a check run; red only where a rule surely refuses."""
    found = _found(state, policy)
    rules = state.rules
    sure = [one for one in found if one.weight is Weight.REFUSES]
    lines = (
        [f"- {_sentence(rules.branch, rules.codeowners, one)}" for one in found] if rules else []
    )
    if sure:
        title = "GitHub's rules would refuse every landing"
    elif any(one.weight is Weight.MAY_REFUSE for one in found):
        title = "GitHub's rules may refuse a landing"
    else:
        title = "No rule of this repository refuses a landing"
    return CheckRunText(
        name=RULES_NAME,
        conclusion=Conclusion.ACTION_REQUIRED if sure else Conclusion.SUCCESS,
        title=title,
        summary=cut("\n".join(lines) or "There is nothing to do.", 65_000),
    )


def in_words(branch: str, codeowners: str, found: Iterable[RuleFinding]) -> list[str]:
    return [_sentence(branch, codeowners, one) for one in found]


def _found(state: RepositoryState, policy: Policy) -> tuple[RuleFinding, ...]:
    if state.facts is None or state.rules is None:
        return ()
    return findings(state.facts, state.rules, policy, RUNNER_LABEL)


def _sentence(branch: str, codeowners: str, finding: RuleFinding) -> str:
    names = ", ".join(finding.names)
    match finding.topic:
        case Topic.RULE if finding.rule is not None:
            return _of_rule(branch, codeowners, finding.rule, finding.weight)
        case Topic.MERGED if finding.rule is not None:
            asks = _asks(branch, codeowners, finding.rule)
            is_queue = finding.rule.kind == RuleKind.MERGE_QUEUE
            said = merged(branch, is_queue=is_queue)
            return f"{_source(finding.rule)[:1].upper()}{_source(finding.rule)[1:]} {asks}. {said}"
        case Topic.OWN_BRANCH if finding.rule is not None:
            return _of_our_branches(finding.rule, finding.weight)
        case Topic.CHECK if finding.check is not None and finding.rule is not None:
            return _of_check(branch, finding.rule, finding.check)
        case Topic.RESOLUTION if finding.rule is not None:
            return (
                f"{_source(finding.rule)[:1].upper()}{_source(finding.rule)[1:]} requires that "
                f"all review threads of a pull request are resolved before {code(branch)} "
                "changes. Headgate waits for that, for people's pull requests and for its own, "
                "even if it may bypass the rule."
            )
        case Topic.ACTIONS_OFF:
            return (
                "Actions are disabled for this repository, so no order can start. Enable them: "
                "Settings, Actions, General."
            )
        case Topic.ACTIONS_SELECTED:
            return (
                "This repository allows only some actions (Settings, Actions, General). Add "
                "the actions that Headgate's workflows use."
            )
        case Topic.NO_RUNNER:
            return (
                f"No runner of this repository with the label `{RUNNER_LABEL}` is online. "
                "Headgate cannot see runners of an organisation or hosted runners."
            )
        case Topic.LACKS:
            return (
                f"The installation lacks {names}. An owner must accept these permissions on the "
                "installation's page."
            )
        case _:
            return (
                f"GitHub does not show Headgate: {names}. Work continues. To let Headgate see "
                "this, an owner grants the App `administration: read`."
            )


def _of_rule(branch: str, codeowners: str, rule: BranchRule, weight: Weight) -> str:
    does = "would refuse every landing" if weight is Weight.REFUSES else "may refuse a landing"
    return f"{_source(rule)[:1].upper()}{_source(rule)[1:]} {_asks(branch, codeowners, rule)}. It {does}. {_fix(rule)}"


def merged(branch: str, *, is_queue: bool) -> str:
    """What is not promised where GitHub merges."""
    if is_queue:
        return (
            "The policy says `landing: github`, so Headgate adds each pull request with a "
            "judged candidate to GitHub's merge queue. This weakens some guarantees. GitHub "
            f"decides the order. {code(branch)} becomes GitHub's commit, which cannot be built "
            "again from its recipe. Headgate's gates and freezes stop pull requests that "
            "others add to that queue only if a rule requires `headgate/verdict`. Without that "
            f"rule, {code(branch)} may for some time be a tree that no gate has judged."
        )
    return (
        "The policy says `landing: github`, so GitHub merges each pull request into "
        f"{code(branch)} when its candidate is judged. This weakens some guarantees. "
        f"{code(branch)} becomes GitHub's commit, which cannot be built again from its recipe. "
        f"If {code(branch)} moves at that moment, it is for some time a tree that no gate has "
        "judged. Headgate then runs the gates on that tree at once, and freezes the queue if "
        "it is red."
    )


def _of_our_branches(rule: BranchRule, weight: Weight) -> str:
    kind = RuleKind(rule.kind) if rule.kind in set(RuleKind) else None
    asks = _OF_OUR_BRANCHES.get(kind) or _ASKS.get(kind) if kind else None
    ours = "branches of Headgate (`headgate/…`)"
    said = (
        f"has the rule {code(rule.kind)} for {ours}, which Headgate does not know"
        if asks is None
        else asks.format(branch=ours, pattern=_pattern(rule), limits=_limits(rule))
    )
    does = "would refuse every landing" if weight is Weight.REFUSES else "may refuse a landing"
    return (
        f"{_source(rule)[:1].upper()}{_source(rule)[1:]} {said}. It {does}, because each change "
        "shows its candidate on such a branch. Add the App to its bypass list with the mode "
        "“Always allow” (Settings, Rules, Rulesets), or take `headgate/**/*` out of its "
        "branches."
    )


def _asks(branch: str, codeowners: str, rule: BranchRule) -> str:
    known = _ASKS.get(RuleKind(rule.kind)) if rule.kind in set(RuleKind) else None
    if known is None:
        return f"has the rule {code(rule.kind)} for {code(branch)}, which Headgate does not know"
    said = known.format(branch=code(branch), pattern=_pattern(rule), limits=_limits(rule))
    reviews = []
    if rule.approvals:
        reviews.append(f"{rule.approvals} approving review{'s' if rule.approvals > 1 else ''}")
    if rule.needs_code_owners:
        owners = f" that {code(codeowners)} names" if codeowners else ""
        reviews.append(f"the review of code owners{owners}")
    if rule.needs_last_push:
        reviews.append("the approval of another person than the last pusher")
    return f"{said}, with {' and '.join(reviews)}" if reviews else said


def _pattern(rule: BranchRule) -> str:
    if rule.pattern is None:
        return "has a certain form"
    plain, negated = _OPERATORS.get(rule.pattern.operator, ("fits", "does not fit"))
    return f"{negated if rule.pattern.is_negated else plain} {code(rule.pattern.pattern)}"


def _limits(rule: BranchRule) -> str:
    more = len(rule.limits) - _LIMITS_NAMED
    named = ", ".join(code(one) for one in rule.limits[:_LIMITS_NAMED])
    return f"{named} and {more} more" if more > 0 else named or "what GitHub does not name here"


def _source(rule: BranchRule) -> str:
    if not rule.ruleset:
        return "the branch protection"
    of = f" of {code(rule.source)}" if rule.source else ""
    return f"the ruleset “{inert(rule.ruleset, 100)}”{of}"


def _fix(rule: BranchRule) -> str:
    if not rule.ruleset:
        return (
            "Allow the App there, or replace the protection by a ruleset whose bypass list names the "
            "App (Settings, Rules, Rulesets)."
        )
    return (
        "Add the App to its bypass list with the mode “Always allow” (Settings, Rules, Rulesets), or "
        "take the rule out of it."
    )


def _of_check(branch: str, rule: BranchRule, check: RequiredCheck) -> str:
    app = f" of the App {check.app_id}" if check.app_id is not None else ""
    return (
        f"{_source(rule)[:1].upper()}{_source(rule)[1:]} requires the check "
        f"{code(check.context)}{app} on each commit of {code(branch)}. GitHub refuses a landing "
        "until it is green on the candidate. To let Headgate wait for it, add this to `gates` "
        f"in the policy: {code(_proposal(check))} (docs/rules.md explains how the check runs "
        "there)."
    )


def _proposal(check: RequiredCheck) -> str:
    """The gate that awaits the check, as YAML on one line."""
    name = re.sub(r"[^a-z0-9]+", "-", check.context.lower()).strip("-")[:40]
    name = name if name[:1].isalpha() else f"check-{name}".rstrip("-")
    said = {"check": check.context} | ({"app": check.app_id} if check.app_id is not None else {})
    return f"{name}: {json.dumps({'external': said, 'timeout_seconds': 3600}, ensure_ascii=False)}"
