"""One branch of several: the state as if the repository had that branch and no other.

What is a branch's own (its tip, ledger, freezes, rules, the pulls in its queue) lies in `BranchState` under
the names that it has in the state, and is put there by `on`; what is the repository's (evidence, orders,
candidates, effects, what was published) is the same for all. So what is said of main is said of each.
"""

from dataclasses import fields

from bot.core.journal import events as ev
from bot.core.journal.effects import (
    BuildPull,
    Effect,
    LandCandidate,
    LandPull,
    PublishLedger,
)
from bot.core.journal.state import BranchState, RepositoryState
from bot.core.values.ids import EntryId, OrderId, PullNumber
from bot.core.values.replacement import replace

_EVENTS = (
    ev.CommitAdmitted,
    ev.CommitAdopted,
    ev.GroupSeen,
    ev.GroupGone,
    ev.AdoptionOrdered,
    ev.AdoptionJudged,
    ev.AdoptionAccepted,
    ev.MainAsked,
    ev.GatesAskedAgain,
    ev.MainRewound,
    ev.LedgerPublished,
    ev.RulesRead,
    ev.PolicyRead,
    ev.SmokeOrdered,
    ev.SmokeAskedAgain,
    ev.QueueFrozen,
    ev.QueueThawed,
    ev.LandingRecalled,
    ev.PullQueued,
)
_OWN = tuple(field.name for field in fields(BranchState))


def on(state: RepositoryState, branch: str) -> RepositoryState:
    """The state as the branch sees it; empty: the default branch. The same where it is that already."""
    if branch == state.on_branch:
        return state
    parked = BranchState(**{name: getattr(state, name) for name in _OWN})
    branches = {**state.branches, state.on_branch: parked}
    wanted = branches.pop(branch, BranchState())
    facts = wanted.facts
    if branch:
        # What the repository is called is the default branch's knowledge.
        default = branches[""].facts
        facts = default.replace(default_branch=branch) if default is not None else None
    own = {name: getattr(wanted, name) for name in _OWN} | {"facts": facts}
    return replace(state, **own, branches=branches, on_branch=branch)


def branch_of_pull(state: RepositoryState, number: PullNumber | int | None) -> str | None:
    """The branch in whose queue a pull is, or was last; None if it never was in one."""
    if number is None:
        return None
    if number in state.queued_pulls:
        return state.on_branch
    return next((name for name, b in state.branches.items() if number in b.queued_pulls), None)


def landing_in_githubs_queue(
    state: RepositoryState, entry: EntryId
) -> LandCandidate | LandPull | None:
    """The open landing of an entry of this branch that waits in GitHub's merge queue; None if it has none."""
    for effect in state.open_effects.values():
        if isinstance(effect, LandPull) and effect.branch_of_queue == state.on_branch:
            is_its = entry == f"pull:{effect.number}"
        elif isinstance(effect, LandCandidate):
            is_its = entry == f"change:{effect.change}"
        else:
            continue
        if is_its and effect.queues:
            return effect
    return None


def branch_of_event(state: RepositoryState, event: ev.Event) -> str | None:
    """The branch that an event is about; None if it concerns all branches."""
    said: str | None = getattr(event, "branch_of_queue", None)
    if said or not (state.branches or state.on_branch):
        return said or None
    if said is not None:
        return said
    effect = getattr(event, "effect", None)
    of_effect: str | None = getattr(effect, "branch_of_queue", None)
    if of_effect is not None:
        return of_effect
    order = state.orders.get(OrderId(getattr(event, "order", None) or ""))
    if order is not None:
        return str(order.branch_of_queue)
    if type(event).__name__.startswith("Pull"):
        return branch_of_pull(state, getattr(event, "number", None))
    return None


def event_on(event: ev.Event, branch: str) -> ev.Event:
    """The event as one of that branch, where it is not the same for all."""
    return event.replace(branch_of_queue=branch) if isinstance(event, _EVENTS) else event


def effect_on(effect: Effect, branch: str) -> Effect:
    """The effect as one on that branch, where it moves or reads it."""
    if isinstance(effect, BuildPull | LandPull | PublishLedger):
        return effect.replace(branch_of_queue=branch)
    return effect
