"""Files that a command of the policy makes anew in place of an agent: lock files in conflict.

Where nothing else is in conflict, the command goes to work on the merge at once; where an agent has to
resolve the rest, it does so after the agent. What it makes comes back as a bundle like an agent's, and
nothing else of that bundle is taken.
"""

from action.order import AgentOrder, RetryReason
from bot.core.decide.decision import Decision
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.effects import DispatchOrder
from bot.core.journal.events import AgentOrdered
from bot.core.journal.state import ChangeFacts
from bot.core.state.capacity import is_main_unfit, with_agents
from bot.core.state.own_refs import head_ref, start_ref
from bot.core.state.pauses import needs_of_remake
from bot.core.values.ids import Frozen, OrderId, Ref, Sha


class _Waiting(Frozen):
    """Work with files that are to be made anew."""

    commit: Sha
    ref: Ref
    files: tuple[str, ...]


def order_remake(decision: Decision, change: ChangeFacts) -> bool:
    """Order the files of a change, as soon as there is room; False where none are to be made."""
    facts, policy = decision.state.facts, decision.policy
    waiting = _waiting(change)
    commands = policy.remakes(waiting.files) if waiting is not None else ()
    if facts is None or waiting is None or not commands:
        return False
    needs = needs_of_remake(policy)
    is_full = len(with_agents(decision.state)) >= policy.file.max_parallel
    if is_full or is_main_unfit(decision.state) or holds(decision, needs):
        return True
    order = AgentOrder(
        order_id=decision.next_order_id(),
        repository=facts.full_name,
        clone_url=facts.clone_url,
        base_sha=waiting.commit,
        start_sha=waiting.commit,
        start_ref=waiting.ref,
        change=change.slug,
        title=change.planned.title,
        attempt=change.attempt + 1,
        requirements=(),
        protected=policy.protected,
        egress_hosts=policy.file.egress,
        sandbox=policy.sandbox,
        sandbox_allow=policy.sandbox_allow,
        remake=commands,
    )
    decision.emit(
        AgentOrdered(
            change=change.id,
            order=decision.next_order_id(),
            attempt=order.attempt,
            start=waiting.commit,
            placed_at=decision.now,
            remake=tuple(file for one in commands for file in one.files),
        )
    )
    place_after(decision, OrderId(order.order_id), needs)
    decision.intend(
        DispatchOrder(
            order=order,
            change=change.id,
            workflow=policy.file.agent_workflow,
            placed_at=decision.now,
        )
    )
    return True


def _waiting(change: ChangeFacts) -> _Waiting | None:
    head = change.head
    if head is not None and head.order is not None and change.head_is_fresh and change.remake:
        return _Waiting(commit=head.sha, ref=head_ref(head.order), files=change.remake)
    is_conflict = change.retry is not None and change.retry.reason is RetryReason.CONFLICT
    is_prepared = change.start_attempt == change.attempt + 1 and not change.start_conflicts
    if is_conflict and is_prepared and change.head_is_whole and change.start is not None:
        ref = start_ref(change, change.start_attempt)
        return _Waiting(commit=change.start, ref=ref, files=change.start_remake)
    return None
