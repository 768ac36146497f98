"""Looks at the groups of GitHub's merge queue, which are branches of the repository."""

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.landing_way import is_queued
from bot.core.state.webhook import MERGE_GROUPS
from bot.core.values.candidate import MergeGroup
from bot.core.values.repository import RepositoryFacts
from bot.ports import Git


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
