"""Looks at the rules for main, and at what other Apps report of candidates that wait for them."""

from collections.abc import Iterable

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.state.observed import CommentWithRole, Looks, asks_for_rules
from bot.core.values.ids import Sha
from bot.core.values.replacement import replace
from bot.core.values.repository import RepositoryFacts
from bot.core.values.rules import CODEOWNERS, RepositoryRules
from bot.core.values.seen_check import SeenCheck
from bot.shell.process_ports import Ports


def rules_at(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    main: Sha | None,
    asked: tuple[Looks, Iterable[CommentWithRole]],
) -> tuple[RepositoryRules | None, RepositoryState]:
    """GitHub's rules with the path of CODEOWNERS, None if they are not wanted now; and the state with
    these rules, so that reviews seen in the same look are counted by them.
    """
    looks, comments = asked
    if not looks.rules and not asks_for_rules(comments):
        return None, state
    found = ports.forge.rules(facts)
    there = ports.git.blobs(facts, main, CODEOWNERS) if main is not None else {}
    named = next((path for path in CODEOWNERS if path in there), "")
    rules = found.replace(codeowners=named)
    return rules, replace(state, rules=rules)


def checks_at(
    ports: Ports, facts: RepositoryFacts, looks: Looks, policy: Policy | PolicyRefusal
) -> dict[Sha, tuple[SeenCheck, ...]]:
    """The checks that the policy names, of each candidate that waits; none under an unreadable one."""
    if not isinstance(policy, Policy):
        return {}
    names = [gate.check for gate in policy.external_gates]
    return {sha: ports.forge.checks(facts, sha, names) for sha in looks.checks}
