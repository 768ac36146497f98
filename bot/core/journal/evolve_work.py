"""What an agent's orders and reports mean for its change; its state has moved by then."""

from action.order import RetryContext, RetryReason
from action.report import AgentEnding
from bot.core.journal import events as ev
from bot.core.journal.change_state import FINISHED
from bot.core.journal.state import AgentRun, ChangeFacts, Head, WorkFate
from bot.core.values.lifecycle import ChangeState
from bot.core.values.replacement import replace


def start_prepared(change: ChangeFacts, event: ev.StartPrepared) -> ChangeFacts:
    """Where the next attempt starts."""
    return replace(
        change,
        start=event.start,
        start_attempt=event.attempt,
        start_base=event.base,
        start_conflicts=event.conflicting_files,
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
    """The agent ended unfinished; what it had done is kept, and the next one goes on from it."""
    runs = (*change.agent_runs, _agent_run(change, event))
    ended = replace(change, orders_lost=0, agent_runs=runs, bundle=event.bundle)
    if event.ending == AgentEnding.NOTHING_CHANGED and _was_red(change):
        # The agent's word for a flake: the gates are asked about the same head once more.
        return replace(ended, head_is_fresh=True, rejudged=change.head.sha if change.head else None)
    if event.ending == AgentEnding.NOTHING_CHANGED and _began_with_unfinished(change):
        # Nothing is missing in the tree, so the work was finished after all.
        return replace(ended, head_is_fresh=True, head_is_whole=True)
    retry = RetryContext(reason=RetryReason.AGENT_ENDED, sentence=event.sentence)
    return replace(ended, retry=retry)


def _began_with_unfinished(change: ChangeFacts) -> bool:
    has_unfinished = change.head is not None and not change.head_is_whole
    return has_unfinished and change.start_attempt == change.attempt


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
    """No attempt is counted; what was paid for meanwhile is told, and what was done is kept. Gates are
    asked again as they were."""
    if change.state is ChangeState.JUDGING:
        return change
    has_run = event.turns > 0 or event.bundle is not None
    runs = (*change.agent_runs, _agent_run(change, event)) if has_run else change.agent_runs
    deferred = replace(change, orders_lost=0, agent_runs=runs, attempt=change.attempt - 1)
    if event.bundle is None:
        return deferred
    retry = RetryContext(reason=RetryReason.AGENT_ENDED, sentence=event.sentence)
    return replace(deferred, bundle=event.bundle, retry=retry)


def bundle_refused(change: ChangeFacts, event: ev.BundleRefused) -> ChangeFacts:
    """The bundle broke a rule and is dropped; the work before it stays as it was."""
    ended = f"{change.agent_runs[-1].sentence} " if change.has_partial_work else ""
    retry = RetryContext(
        reason=RetryReason.BUNDLE_REFUSED,
        sentence=f"{ended}{event.sentence}".strip(),
        refused_files=event.paths,
    )
    runs = tuple(
        replace(run, fate=WorkFate.REFUSED, sentence=event.sentence)
        if run.order == event.order
        else run
        for run in change.agent_runs
    )
    return replace(change, retry=retry, bundle=None, agent_runs=runs)


def head_imported(change: ChangeFacts, event: ev.HeadImported) -> ChangeFacts:
    """The work is ours; unfinished work is nothing to be judged."""
    head = Head(sha=event.head, tree=event.tree, order=event.order, paths=event.paths)
    is_whole = not change.has_partial_work
    return replace(
        change,
        head=head,
        head_is_fresh=is_whole,
        head_is_whole=is_whole,
        rejudged=None,
        bundle=change.bundle if is_whole else None,
    )


def _agent_run(
    change: ChangeFacts, event: ev.WorkHandedIn | ev.WorkFailed | ev.OrderDeferred
) -> AgentRun:
    outcome, sentence = FINISHED, ""
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
        left_out=() if isinstance(event, ev.OrderDeferred) else event.left_out,
    )
