"""Which people's pulls enter the queue by themselves, where the policy says so."""

from collections.abc import Iterable

from bot.core.journal.state import RepositoryState
from bot.core.spec.awaited_gates import ExternalGate
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import AutoQueue
from bot.core.state.approvals import approvals_needed, needs_code_owners
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import Pull, PullState
from bot.core.values.rules import RepositoryRules, RuleKind
from bot.core.values.seen_check import CheckEnding, SeenCheck

# What Headgate reports itself is about the queue, and follows from what is decided here.
_OURS = "headgate/"


def is_automatic(policy: Policy, rules: RepositoryRules | None) -> bool:
    """Whether any pull enters by itself here."""
    is_asked = policy.file.auto_queue is AutoQueue.APPROVED
    return is_asked and not needs_code_owners(policy, rules)


def may_enter(state: RepositoryState, policy: Policy, pull: Pull) -> bool:
    """Whether only reviews and checks keep the pull out. A head that was queued once does not enter
    again: somebody took it out, or it cannot land.
    """
    facts, known = state.facts, state.queued_pulls.get(pull.number)
    if facts is None or state.change_with(pull.number) is not None:
        return False
    if known is not None and (not known.has_left or known.head == pull.head_sha):
        return False
    if state.kept_out.get(pull.number) == pull.head_sha:
        return False
    if pull.is_from_fork and not policy.file.forks.auto_queue:
        return False
    is_open = pull.state is PullState.OPEN and not pull.is_draft
    return is_open and pull.base_branch == facts.default_branch


def is_approved(policy: Policy, rules: RepositoryRules | None, approvals: Approvals) -> bool:
    """Whether enough people approve it, one at least, and nobody asks for changes."""
    needed = approvals_needed(policy, rules, is_automatic=True) or 0
    if approvals.owners:
        return False
    return not approvals.against and len(approvals.by) >= needed


def checks_required(policy: Policy, rules: RepositoryRules | None) -> tuple[ExternalGate, ...]:
    """What other Apps must report at the head, by the rules of the default branch and the policy.

    As with approvals, a rule that the App may bypass counts.
    """
    of_rules = (
        ExternalGate(
            name=check.context,
            check=check.context,
            app=check.app_id,
            deadline_seconds=0,
            required=True,
        )
        for rule in (rules.rules if rules else ())
        if rule.kind == RuleKind.CHECKS
        for check in rule.checks
        if not check.context.startswith(_OURS)
    )
    return (*of_rules, *(gate for gate in policy.external_gates if gate.required))


def are_green(required: Iterable[ExternalGate], seen: Iterable[SeenCheck]) -> bool:
    """Whether every check that is required is there, and green (law 6)."""
    checks = tuple(seen)
    return all(_is_green(gate, checks) for gate in required)


def _is_green(gate: ExternalGate, seen: tuple[SeenCheck, ...]) -> bool:
    found = [one for one in seen if one.name == gate.check and gate.is_of(one.app_id, one.app_slug)]
    return bool(found) and all(one.ending is CheckEnding.GREEN for one in found)
