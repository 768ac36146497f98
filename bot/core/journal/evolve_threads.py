"""How the threads of reviews on a change's pull evolve."""

from bot.core.journal import events as ev
from bot.core.journal.change_state import ChangeFacts
from bot.core.journal.thread_state import ReviewThreadFacts
from bot.core.values.ids import ReviewCommentId
from bot.core.values.replacement import replace


def thread_told(change: ChangeFacts, event: ev.WordsTold, number: int) -> ChangeFacts:
    """Agents are told a comment, so an earlier account of the thread does not answer it."""
    if event.thread is None or event.comment is None:
        return change
    known = change.threads.get(event.thread)
    thread = ReviewThreadFacts(
        root=event.thread,
        path=event.path,
        newest=event.comment,
        number=number,
        answered=known.answered if known else None,
        is_resolved=known is not None and known.is_resolved,
        settled=known.settled if known else None,
    )
    return _with(change, thread)


def threads_accounted(change: ChangeFacts, event: ev.ThreadsAccounted) -> ChangeFacts:
    for account in event.accounts:
        thread = change.threads.get(account.thread)
        if thread is not None:
            said = replace(thread, account=account.text, order=event.order)
            change = _with(change, replace(said, work=None, is_touched=False))
    return change


def threads_worked_on(change: ChangeFacts, event: ev.HeadImported) -> ChangeFacts:
    """The work is there that accounts are about."""
    for thread in change.threads.values():
        if thread.order == event.order:
            is_touched = thread.path in event.paths
            change = _with(change, replace(thread, work=event.head, is_touched=is_touched))
    return change


def thread_answered(change: ChangeFacts, event: ev.ThreadAnswered) -> ChangeFacts:
    thread = change.threads.get(event.thread)
    if thread is None:
        return change
    answered = replace(thread, answered=event.order)
    return _with(change, _shown(answered, event.is_resolved, event.up_to))


def thread_seen(change: ChangeFacts, event: ev.ThreadSeen) -> ChangeFacts:
    thread = change.threads.get(event.thread)
    if thread is None:
        return change
    return _with(change, _shown(thread, event.is_resolved, thread.newest))


def _shown(
    thread: ReviewThreadFacts, is_resolved: bool, up_to: ReviewCommentId
) -> ReviewThreadFacts:
    """Nothing that was said until then waits for an answer where it is resolved."""
    settled = up_to if is_resolved else thread.settled
    return replace(thread, is_resolved=is_resolved, settled=settled)


def _with(change: ChangeFacts, thread: ReviewThreadFacts) -> ChangeFacts:
    return replace(change, threads={**change.threads, thread.root: thread})
