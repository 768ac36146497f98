"""Looks at branches: those that the policy names with their own policy and rules, the groups of GitHub's
merge queue, and what stands on branches of changes that is nothing of ours.
"""

from collections.abc import Callable, Mapping

from bot.core.journal.branches import on
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.state.landing_way import is_queued
from bot.core.state.observed import BranchSnapshot, Looks, MainSnapshot
from bot.core.state.webhook import MERGE_GROUPS
from bot.core.values.candidate import MergeGroup
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.replacement import replace
from bot.core.values.repository import Pull, RepositoryFacts
from bot.ports import Git
from bot.shell.observe_queue import approvals_at
from bot.shell.process_ports import Ports

_BRANCHES, _CANDIDATES = "refs/heads/", "refs/headgate/candidates/"
OWN_BRANCHES = "headgate/"

_Good = Callable[[RepositoryFacts, RepositoryState], Policy]
_PolicyAt = Callable[[RepositoryFacts, Sha | None], tuple[Policy | PolicyRefusal, str]]
_Pulls = Mapping[PullNumber, Pull | None]


class BranchObserver:
    """`good` is the last policy of the default branch that could be read."""

    def __init__(self, ports: Ports, good: _Good, policy_at: _PolicyAt) -> None:
        self._ports, self._good, self._policy_at = ports, good, policy_at

    def look(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        asked: tuple[Looks, bool],
        pulls: _Pulls,
        at: tuple[Sha | None, Policy | PolicyRefusal],
    ) -> tuple[dict[str, BranchSnapshot], dict[PullNumber, Approvals]]:
        """The branches that are there, or were; and what reviews say of pulls to any branch.

        `asked`: also whether a person wants the rules as they are now. `at`: main and its policy.
        """
        policy = at[1] if isinstance(at[1], Policy) else self._good(facts, state)
        approvals = approvals_at(self._ports, facts, state, asked[0], pulls, at)
        served = {}
        for name in dict.fromkeys(policy.file.branches):
            if name == facts.default_branch:
                continue
            known = on(state, name)
            theirs = {n: p for n, p in pulls.items() if p is not None and p.base_branch == name}
            # The push that began it may not have been heard of.
            is_new = bool(theirs) and known.main is None
            seen = self._seen(facts, known, asked, is_main_asked=asked[0].main or is_new)
            if seen is None:
                continue
            known = known if seen.rules is None else replace(known, rules=seen.rules)
            there = (seen.main.sha if seen.main else known.main, seen.policy)
            approvals |= approvals_at(self._ports, facts, known, asked[0], theirs, there)
            served[name] = seen
        return served, approvals

    def _seen(
        self,
        facts: RepositoryFacts,
        known: RepositoryState,
        asked: tuple[Looks, bool],
        *,
        is_main_asked: bool,
    ) -> BranchSnapshot | None:
        looks, are_rules_wanted = asked
        there = facts.replace(default_branch=known.on_branch)
        snapshot = self._snapshot(there, known) if is_main_asked else None
        tip = snapshot.sha if snapshot else known.main
        if tip is None:
            return None
        policy, version = self._policy_at(facts, tip)
        are_rules_asked = looks.rules or known.rules is None or are_rules_wanted
        return BranchSnapshot(
            main=snapshot,
            policy=policy,
            policy_version=version,
            rules=self._ports.forge.rules(there) if are_rules_asked else None,
        )

    def _snapshot(self, facts: RepositoryFacts, state: RepositoryState) -> MainSnapshot | None:
        sha = tip(self._ports.git, facts, state.main)
        if sha is None:
            return None
        git = self._ports.git
        history = git.history(facts, state.main, sha) if state.main else ()
        policy = self._policy_at(facts, sha)[0]
        groups = groups_at(git, facts, state, policy) if isinstance(policy, Policy) else None
        tree = git.tree_of(facts, sha)
        return MainSnapshot(sha=sha, tree=tree, history=history, specs={}, groups=groups)


def tip(git: Git, facts: RepositoryFacts, known: Sha | None) -> Sha | None:
    """Where the branch is now, fetched unless it is what was known; None where there is no such branch."""
    return fetched(git, facts, known, git.remote_ref(facts, facts.main_ref))


def fetched(git: Git, facts: RepositoryFacts, known: Sha | None, sha: Sha | None) -> Sha | None:
    if sha is not None and sha != known and not git.has(facts, sha):
        git.fetch(facts)
    return sha


def groups_at(
    git: Git, facts: RepositoryFacts, state: RepositoryState, policy: Policy
) -> tuple[MergeGroup, ...] | None:
    """Those into this branch; None where nothing lands through that queue."""
    if state.main is None or not is_queued(policy, state.rules):
        return None
    found = []
    for ref, sha in git.remote_refs(facts, (f"{MERGE_GROUPS}{facts.default_branch}/",)).items():
        known = state.adoptions.get(sha)
        if known is not None and known.group is not None:
            found.append(known.group)
            continue
        if not git.has(facts, sha):
            git.fetch_commit(facts, sha)
        history = git.history(facts, state.main, sha)
        if history and history[-1].parents:
            tip = history[-1]
            found.append(MergeGroup(ref=ref, sha=sha, tree=tip.tree, base=tip.parents[0]))
    return tuple(found)


def foreign_tips(ports: Ports, facts: RepositoryFacts) -> Mapping[str, Sha]:
    """What somebody else pushed to branches of ours, by the branch's name.

    A candidate and the branch that shows it are pushed together, so one look tells them apart, also
    where we crashed before we wrote that down.
    """
    there = ports.git.remote_refs(facts, (f"{_BRANCHES}{OWN_BRANCHES}", _CANDIDATES))
    ours = {sha for ref, sha in there.items() if ref.startswith(_CANDIDATES)}
    return {
        ref.removeprefix(_BRANCHES): sha
        for ref, sha in there.items()
        if ref.startswith(_BRANCHES) and sha not in ours
    }
