"""Threads of reviews on changes' pulls: what an agent says of one is told there, and what it fixed is
resolved, once the pull shows that work.

Only threads whose comments agents were told are known, so no other is touched. One that its agent does not
account for, or whose file its work left as it was, stays open, and the next agent is told it again.
"""

from action.report import ACCOUNT_CHARACTERS_MAX, AgentReport
from bot.core.decide.decision import Decision
from bot.core.journal.effects import AnswerThread
from bot.core.journal.events import ThreadAccount, ThreadsAccounted, ThreadSeen
from bot.core.journal.state import ChangeFacts, OrderFacts
from bot.core.talk import thread_text
from bot.core.values.lifecycle import ChangeState


def take_accounts(decision: Decision, order: OrderFacts, report: AgentReport) -> None:
    """Keep what a runner says of threads by the numbers of their newest comments; other numbers say nothing."""
    change = decision.state.changes.get(order.change) if order.change else None
    if change is None:
        return
    said = {one.thread: one.text.strip()[:ACCOUNT_CHARACTERS_MAX] for one in report.accounts}
    accounts = tuple(
        ThreadAccount(thread=thread.root, text=said[thread.number])
        for thread in change.threads.values()
        if thread.is_open and said.get(thread.number)
    )
    if accounts:
        decision.emit(ThreadsAccounted(change=change.id, order=order.id, accounts=accounts))


def next_steps(decision: Decision) -> None:
    for change in tuple(decision.state.changes.values()):
        if change.threads and change.state is not ChangeState.LANDED:
            _note_seen(decision, change)
            _answer(decision, decision.state.changes[change.id])


def _note_seen(decision: Decision, change: ChangeFacts) -> None:
    """People resolve threads and open them again."""
    for seen in decision.observed.reviews.threads:
        thread = change.threads.get(seen.root)
        if thread is not None and thread.is_resolved != seen.is_resolved:
            decision.emit(
                ThreadSeen(change=change.id, thread=seen.root, is_resolved=seen.is_resolved)
            )


def _answer(decision: Decision, change: ChangeFacts) -> None:
    candidate = decision.state.candidate_of(change)
    head = change.head
    if candidate is None or head is None or change.pull is None:
        return
    is_shown = candidate.head == head.sha and change.shown == candidate.sha
    if change.state is not ChangeState.OFFERED or not is_shown:
        return
    for thread in change.threads.values():
        if thread.is_to_be_answered and thread.order is not None:
            decision.intend(
                AnswerThread(
                    change=change.id,
                    pull=change.pull,
                    thread=thread.root,
                    order=thread.order,
                    up_to=thread.newest,
                    was_resolved=thread.is_resolved,
                    resolves=thread.is_touched,
                    text=thread_text.answer(thread, candidate.sha),
                )
            )
