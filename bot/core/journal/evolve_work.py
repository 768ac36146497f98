"""What an agent's orders and reports mean for its change; its state has moved by then."""

from dataclasses import replace

from action.order import RetryContext, RetryReason
from action.report import AgentEnding
from bot.core.journal import events as ev
from bot.core.journal.state import AgentRun, ChangeFacts, Head
from bot.core.values.lifecycle import ChangeState


def start_prepared(change: ChangeFacts, event: ev.StartPrepared) -> ChangeFacts:
    """Where the next attempt starts."""
    return replace(
        change,
        start=event.start,
        start_attempt=event.attempt,
        start_base=event.base,
        main_changed=event.main_changed,
    )


def agent_ordered(change: ChangeFacts, event: ev.AgentOrdered) -> ChangeFacts:
    """An attempt begins."""
    return replace(change, order=event.order, attempt=event.attempt, bundle=None)


def work_handed_in(change: ChangeFacts, event: ev.WorkHandedIn) -> ChangeFacts:
    """There is a bundle to be checked."""
    runs = (*change.agent_runs, _agent_run(change, event))
    return replace(change, bundle=event.bundle, orders_lost=0, agent_runs=runs)


def work_failed(change: ChangeFacts, event: ev.WorkFailed) -> ChangeFacts:
    """The agent ended without work."""
    runs = (*change.agent_runs, _agent_run(change, event))
    ended = replace(change, orders_lost=0, agent_runs=runs)
    if event.ending == AgentEnding.NOTHING_CHANGED and _was_red(change):
        # The agent's word for a flake: the gates are asked about the same head once more.
        return replace(ended, head_is_fresh=True, rejudged=change.head.sha if change.head else None)
    retry = RetryContext(reason=RetryReason.AGENT_ENDED, sentence=event.sentence)
    return replace(ended, retry=retry)


def _was_red(change: ChangeFacts) -> bool:
    is_red = change.retry is not None and change.retry.reason is RetryReason.GATES_FAILED
    return is_red and change.head_is_whole and change.rejudged is None


def agent_lost(change: ChangeFacts, event: ev.AgentLost) -> ChangeFacts:
    """The attempt is made again, and counts once."""
    run = AgentRun(
        attempt=change.attempt, order=event.order, outcome="lost", sentence=event.sentence
    )
    return replace(
        change,
        orders_lost=change.orders_lost + 1,
        agent_runs=(*change.agent_runs, run),
        attempt=change.attempt - 1,
    )


def order_deferred(change: ChangeFacts, event: ev.OrderDeferred) -> ChangeFacts:
    """No attempt is counted; what was paid for meanwhile is told. Gates are asked again as they were."""
    if change.state is ChangeState.JUDGING:
        return change
    runs = (*change.agent_runs, _agent_run(change, event)) if event.turns else change.agent_runs
    return replace(change, orders_lost=0, agent_runs=runs, attempt=change.attempt - 1)


def bundle_refused(change: ChangeFacts, event: ev.BundleRefused) -> ChangeFacts:
    """The work broke a rule; what an agent had done when it asked is thrown away with it."""
    retry = RetryContext(
        reason=RetryReason.BUNDLE_REFUSED,
        sentence=event.sentence,
        conflicting_files=event.paths,
    )
    refused = replace(change, retry=retry)
    return _without_partial_work(refused) if change.has_partial_work else refused


def head_imported(change: ChangeFacts, event: ev.HeadImported) -> ChangeFacts:
    """The work is ours; half of it, from an agent that asked, is nothing to be judged."""
    head = Head(sha=event.head, tree=event.tree, order=event.order, paths=event.paths)
    imported = replace(change, head=head, head_is_fresh=True, head_is_whole=True, rejudged=None)
    return _without_partial_work(imported) if change.has_partial_work else imported


def _without_partial_work(change: ChangeFacts) -> ChangeFacts:
    return replace(change, bundle=None, head_is_fresh=False, head_is_whole=False)


def _agent_run(
    change: ChangeFacts, event: ev.WorkHandedIn | ev.WorkFailed | ev.OrderDeferred
) -> AgentRun:
    outcome, sentence = "finished", ""
    if isinstance(event, ev.WorkFailed):
        outcome, sentence = event.ending, event.sentence
    elif isinstance(event, ev.OrderDeferred):
        outcome, sentence = "deferred", event.sentence
    return AgentRun(
        attempt=change.attempt,
        order=event.order,
        outcome=outcome,
        sentence=sentence,
        turns=event.turns,
        tokens=event.tokens,
        model=event.model,
        seconds=event.seconds,
        sandbox=event.sandbox,
    )
