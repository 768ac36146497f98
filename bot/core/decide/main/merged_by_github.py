"""What GitHub merges for us: its merge groups, which want a verdict, and what it brought to main.

A commit of GitHub's is a landing of ours by what it is: the tree that was judged, on the base that it was judged
on. Any other is accounted for as a commit that we did not land.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import LandCandidate, LandPull
from bot.core.journal.events import GroupGone, GroupSeen, Landed, PullLanded
from bot.core.journal.state import Candidate, RepositoryState
from bot.core.state.queue_order import Queued
from bot.core.values.candidate import MergeGroup, MovedBy
from bot.core.values.repository import CommitFacts
from gates.result import GateResult


def next_steps(decision: Decision) -> None:
    """Write down which merge groups there are; each is judged as main is."""
    snapshot = decision.observed.main
    if snapshot is None or snapshot.groups is None:
        return
    there = {group.sha for group in snapshot.groups}
    for group in snapshot.groups:
        if group.sha not in decision.state.adoptions:
            decision.emit(GroupSeen(group=group, seen_at=decision.now))
    for adoption in tuple(decision.state.adoptions.values()):
        order = decision.state.orders.get(adoption.order) if adoption.order else None
        is_judging = order is not None and order.is_open
        if adoption.group is not None and adoption.sha not in there and not is_judging:
            decision.emit(GroupGone(sha=adoption.sha))


def passed_as_candidate(state: RepositoryState, group: MergeGroup) -> tuple[GateResult, ...]:
    """The results of the landing candidate that has the tree and base of GitHub's group."""
    for _, candidate, _ in _landing(state):
        if (candidate.tree, candidate.base) == (group.tree, group.base):
            return candidate.results
    return ()


def is_merged_by_github(decision: Decision, commit: CommitFacts) -> bool:
    """Whether the commit is GitHub's merge of what is landing; if so, the landing is recorded."""
    for _, candidate, effect in _landing(decision.state):
        if (candidate.tree, (candidate.base,)) != (commit.tree, commit.parents[:1]):
            continue
        moved_by = MovedBy.MERGE_QUEUE if effect.queues else MovedBy.PULL_MERGE
        if isinstance(effect, LandCandidate):
            decision.emit(
                Landed(
                    change=effect.change,
                    base=candidate.base,
                    sha=commit.sha,
                    tree=commit.tree,
                    landed_at=decision.now,
                    moved_by=moved_by,
                    candidate=candidate.sha,
                )
            )
        else:
            decision.emit(
                PullLanded(
                    number=effect.number,
                    base=candidate.base,
                    sha=commit.sha,
                    tree=commit.tree,
                    landed_at=decision.now,
                    moved_by=moved_by,
                    candidate=candidate.sha,
                )
            )
        return True
    return False


def _landing(
    state: RepositoryState,
) -> list[tuple[Queued, Candidate, LandCandidate | LandPull]]:
    """What GitHub is asked to merge into this branch, with the candidate and the open effect."""
    found: list[tuple[Queued, Candidate, LandCandidate | LandPull]] = []
    for effect in state.open_effects.values():
        if not isinstance(effect, LandCandidate | LandPull):
            continue
        if not (effect.merges or effect.queues):
            continue
        queued: Queued | None
        if isinstance(effect, LandCandidate):
            queued = None if state.on_branch else state.changes.get(effect.change)
        else:
            queued = state.queued_pulls.get(effect.number)
        candidate = state.candidate_of(queued) if queued is not None else None
        if queued is not None and candidate is not None and candidate.sha == effect.candidate:
            found.append((queued, candidate, effect))
    return found
