"""What an agent's orders and reports mean for its change; its state has moved by then."""

from action.order import RetryContext, RetryReason
from action.report import AgentEnding
from bot.core.journal import events as ev
from bot.core.journal.change_state import FINISHED
from bot.core.journal.evolve_threads import threads_worked_on
from bot.core.journal.state import AgentRun, ChangeFacts, Head, WorkFate
from bot.core.values.lifecycle import ChangeState
from bot.core.values.replacement import replace


def start_prepared(change: ChangeFacts, event: ev.StartPrepared) -> ChangeFacts:
    return replace(
        change,
        start=event.start,
        start_attempt=event.attempt,
        start_base=event.base,
        start_conflicts=event.conflicting_files,
        main_changed=event.main_changed,
        work_changed=event.work_changed,
        start_remake=tuple(dict.fromkeys((*change.remake, *event.remake))),
    )


def agent_ordered(change: ChangeFacts, event: ev.AgentOrdered) -> ChangeFacts:
    return replace(
        change, order=event.order, attempt=event.attempt, bundle=None, remaking=event.remake
    )


def work_handed_in(change: ChangeFacts, event: ev.WorkHandedIn) -> ChangeFacts:
    runs = (*change.agent_runs, _agent_run(change, event))
    handed_in = replace(change, bundle=event.bundle, orders_lost=0, agent_runs=runs)
    if not change.remaking or _remakes_later(change):
        return handed_in
    # The conflict was the command's alone, so it does not count.
    return replace(handed_in, conflicts=max(change.conflicts - 1, change.conflicts_before))


def _remakes_later(change: ChangeFacts) -> bool:
    """Whether an agent has resolved the rest of the conflict before."""
    return change.start_attempt != change.attempt


def work_failed(change: ChangeFacts, event: ev.WorkFailed) -> ChangeFacts:
    """The agent ended unfinished; what it had done is kept, and the next one goes on from it."""
    runs = (*change.agent_runs, _agent_run(change, event))
    ended = replace(change, orders_lost=0, agent_runs=runs, bundle=event.bundle)
    if change.remaking:
        return _remake_failed(ended, event.sentence)
    if event.ending == AgentEnding.NOTHING_CHANGED and _was_red(change):
        # The agent's word for a flake: the gates are asked about the same head once more.
        return replace(ended, head_is_fresh=True, rejudged=change.head.sha if change.head else None)
    if event.ending == AgentEnding.NOTHING_CHANGED and _began_with_unfinished(change):
        # Nothing is missing in the tree, so the work was finished after all.
        return replace(ended, head_is_fresh=True, head_is_whole=True)
    retry = RetryContext(reason=RetryReason.AGENT_ENDED, sentence=event.sentence)
    return replace(ended, retry=retry)


def _remake_failed(change: ChangeFacts, sentence: str) -> ChangeFacts:
    """A conflict like any other: an agent resolves it, and is told what the command said."""
    said = f"The work does not merge with main, and the policy's command did not help: {sentence}"
    retry = RetryContext(
        reason=RetryReason.CONFLICT, sentence=said, conflicting_files=change.remaking
    )
    return replace(
        change,
        retry=retry,
        bundle=None,
        head_is_fresh=False,
        remake=(),
        start_remake=(),
        remake_failed=True,
        conflicts=change.conflicts + (1 if _remakes_later(change) else 0),
    )


def _began_with_unfinished(change: ChangeFacts) -> bool:
    has_unfinished = change.head is not None and not change.head_is_whole
    return has_unfinished and change.start_attempt == change.attempt


def _was_red(change: ChangeFacts) -> bool:
    is_red = change.retry is not None and change.retry.reason is RetryReason.GATES_FAILED
    return is_red and change.head_is_whole and change.rejudged is None


def agent_lost(change: ChangeFacts, event: ev.AgentLost) -> ChangeFacts:
    """The attempt is made again, and counts once."""
    run = AgentRun(
        attempt=change.attempt,
        order=event.order,
        outcome="lost",
        sentence=event.sentence,
        dollars=event.dollars,
    )
    return replace(
        change,
        orders_lost=change.orders_lost + 1,
        agent_runs=(*change.agent_runs, run),
        attempt=change.attempt - 1,
    )


def order_deferred(change: ChangeFacts, event: ev.OrderDeferred) -> ChangeFacts:
    """No attempt is counted; costs are recorded, and what was done is kept. Gates are
    asked again as they were."""
    if change.state is ChangeState.OFFERED:
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
    if change.remaking:
        return _remake_failed(replace(change, agent_runs=runs), event.sentence)
    return replace(change, retry=retry, bundle=None, agent_runs=runs)


def head_imported(change: ChangeFacts, event: ev.HeadImported) -> ChangeFacts:
    """The work is ours; unfinished work is nothing to be judged."""
    change = threads_worked_on(change, event)
    head = Head(sha=event.head, tree=event.tree, order=event.order, paths=event.paths)
    is_whole = not change.has_partial_work
    if event.sentence:
        change, is_whole = _told_what_was_refused(change, event), False
    return replace(
        change,
        head=head,
        head_is_fresh=is_whole,
        head_is_whole=is_whole,
        rejudged=None,
        bundle=change.bundle if is_whole else None,
        remake=_to_be_remade(change),
        remake_failed=False,
        unfit_on=None,
        built=(),
    )


def _to_be_remade(change: ChangeFacts) -> tuple[str, ...]:
    """What a command has still to make anew in the work that the newest order brought."""
    if change.remaking:
        return ()
    return change.start_remake if change.start_attempt == change.attempt else ()


def _told_what_was_refused(change: ChangeFacts, event: ev.HeadImported) -> ChangeFacts:
    """As where a runner refuses files: the attempt's other work is gone on from."""
    refused = f"Refused, and not in the work: {event.sentence}"
    said = f"{change.agent_runs[-1].sentence} {refused}".strip()
    retry = RetryContext(
        reason=RetryReason.AGENT_ENDED, sentence=said, refused_files=event.refused_files
    )
    ending = AgentEnding.WORK_REFUSED.value
    runs = tuple(
        replace(run, outcome=ending if run.outcome == FINISHED else run.outcome, sentence=said)
        if run.order == event.order
        else run
        for run in change.agent_runs
    )
    return replace(change, retry=retry, agent_runs=runs)


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
        remade=() if isinstance(event, ev.OrderDeferred) else change.remaking,
        ticked=0 if isinstance(event, ev.OrderDeferred) else event.ticked,
        tasks=0 if isinstance(event, ev.OrderDeferred) else event.tasks,
    )
