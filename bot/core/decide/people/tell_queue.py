"""The queue issue: opened when somebody first has to wait in the queue, then kept true."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from bot.core.decide.decision import Decision
from bot.core.journal.branches import on
from bot.core.journal.effects import EditIssue, OpenIssue
from bot.core.journal.state import QUEUE, KeptIssue, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.queue_order import entries
from bot.core.state.queue_view import not_begun
from bot.core.state.urgency import is_work_at_hand
from bot.core.talk.queue_issue import queue_body, queue_marker, queue_text, queue_title
from bot.core.talk.text import digest_of
from bot.core.values.ids import SpecRunId

# At least this long between two edits, so that entries that come and go cost no request.
_APART = timedelta(minutes=1)


def next_steps(decision: Decision) -> None:
    """Keep the queue's issue, but not while work is at hand: the next step may remove an entry."""
    if is_work_at_hand(decision.state):
        return
    kept = decision.state.queue_issue
    if kept is None:
        _open(decision)
    elif decision.now >= _earliest(kept, decision.now):
        _edit(decision, kept)


def deadlines(state: RepositoryState, policy: Policy, now: datetime) -> Iterator[datetime]:
    """When an outdated text may be edited."""
    kept = state.queue_issue
    if kept is None or (at := _earliest(kept, now)) <= now:
        return
    if not _is_told(state, policy, kept, now):
        yield at


def _earliest(kept: KeptIssue, now: datetime) -> datetime:
    return kept.told_at + _APART if kept.told_at is not None else now


def _subject(kept: KeptIssue) -> str:
    return f"issue:{kept.number}:{QUEUE}"


def _is_told(state: RepositoryState, policy: Policy, kept: KeptIssue, now: datetime) -> bool:
    return state.published.get(_subject(kept)) == digest_of(queue_text(state, policy, now))


def _open(decision: Decision) -> None:
    state = decision.state
    is_empty = not any(entries(on(state, branch)) for branch in ("", *state.branches))
    if is_empty and not not_begun(decision.state, decision.policy):
        return
    text = queue_text(decision.state, decision.policy, decision.now)
    decision.intend(
        OpenIssue(
            spec_run=SpecRunId(""),
            slug=QUEUE,
            title=queue_title(),
            body=queue_body(text),
            marker=queue_marker(),
            labels=(),
            digests={QUEUE: digest_of(text)},
            revision=0,
            intended_at=decision.now,
        )
    )


def _edit(decision: Decision, kept: KeptIssue) -> None:
    subject = _subject(kept)
    is_being_told = any(
        isinstance(effect, EditIssue) and effect.subject == subject
        for effect in decision.state.open_effects.values()
    )
    if is_being_told or _is_told(decision.state, decision.policy, kept, decision.now):
        return
    text = queue_text(decision.state, decision.policy, decision.now)
    decision.intend(
        EditIssue(issue=kept.number, region=QUEUE, text=text, text_digest=digest_of(text))
    )
