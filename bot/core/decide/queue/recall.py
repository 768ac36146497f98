"""What waits in GitHub's merge queue, and people stop: it is taken out there, if it is not merged by then.

The landing's own effect does it, since it alone knows how the pull stands; what was asked for follows then.
"""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.recall_landing import recall_landing
from bot.core.decide.changes.withdraw_pull import withdraw_pull
from bot.core.decide.decision import Decision
from bot.core.journal.effects import PostComment
from bot.core.journal.events import ChangeHeld, PullHeld
from bot.core.journal.hold import Recall
from bot.core.journal.state import ChangeFacts
from bot.core.state.queue_order import Queued, blocked_by, queued_of
from bot.core.talk.merge_text import was_recalled
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import AfterRecall, EntryState


def next_steps(decision: Decision) -> None:
    """A freeze is about what is not merged yet, too; what was taken out becomes what people asked for."""
    for entry in tuple(decision.state.entries.values()):
        is_landing = entry.state is EntryState.LANDING
        if is_landing and entry.recall is None and decision.state.freezes:
            why = blocked_by(decision.state) or ""
            recall_landing(decision, entry.id, "", why, AfterRecall.STAYS)
        queued = queued_of(decision.state, entry.id) if entry.recall is not None else None
        if queued is not None and entry.recall is not None:
            _carry_out(decision, queued, entry.recall)


def _carry_out(decision: Decision, queued: Queued, asked: Recall) -> None:
    number = queued.pull if isinstance(queued, ChangeFacts) else queued.number
    subject = f"recalled pull-{number}:{asked.since:%Y%m%dT%H%M%S}"
    if number is not None and f"comment:{subject}" not in decision.state.published:
        said = was_recalled(number, asked)
        decision.intend(PostComment(issue=IssueNumber(number), subject=subject, text=said))
    if asked.then is AfterRecall.HELD:
        _hold(decision, queued, asked)
    elif asked.then is AfterRecall.LEAVES and isinstance(queued, ChangeFacts):
        stop_change(decision, queued, f"@{asked.by}")
    elif asked.then is AfterRecall.LEAVES and not isinstance(queued, ChangeFacts):
        withdraw_pull(decision, queued, asked.by, "" if asked.by else asked.why)


def _hold(decision: Decision, queued: Queued, asked: Recall) -> None:
    by, why, now = asked.by, asked.why, decision.now
    if isinstance(queued, ChangeFacts):
        decision.emit(ChangeHeld(change=queued.id, by=by, why=why, held_at=now))
    else:
        decision.emit(PullHeld(number=queued.number, by=by, why=why, held_at=now))
