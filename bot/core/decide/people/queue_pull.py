"""`/headgate queue`, `dequeue`, `hold`, `release` and `now` on a pull of people."""

import re

from bot.core.decide.changes.withdraw_pull import withdraw_pull
from bot.core.decide.decision import Decision
from bot.core.decide.people.named_changes import Answer
from bot.core.decide.people.tell_pulls import tell_end
from bot.core.decide.specs.plan_new_spec import RequestOutcome
from bot.core.journal.events import (
    PullHeld,
    PullMoved,
    PullQueued,
    PullReleased,
)
from bot.core.journal.state import QueuedPull
from bot.core.talk import queue_text, replies
from bot.core.talk.commands import ROWS, CommandRow, Place
from bot.core.values.command import Command, Verb
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import EntryState
from bot.core.values.repository import Comment, Pull

_PRIORITY = re.compile(r"priority\s+(-?[0-9])", re.IGNORECASE)
_WHY_CHARACTERS = 500


def at_pull(
    decision: Decision, row: CommandRow, command: Command, comment: Comment, answer: Answer
) -> bool:
    """Carry out what is asked about a pull in the queue, or for one; False where it is not that."""
    pull = decision.state.queued_pulls.get(PullNumber(comment.issue))
    if pull is not None and row.verb is Verb.WHY:
        answer.said.append(queue_text.why_pull(decision.state, pull, decision.now))
        return True
    if row.place is not Place.PULL:
        return False
    queued = _queue_command(decision, row, command, comment)
    (answer.said if queued.is_done else answer.refused).append(queued.sentence)
    return True


def _queue_command(
    decision: Decision, row: CommandRow, command: Command, comment: Comment
) -> RequestOutcome:
    """Carry out one of these commands."""
    number = PullNumber(comment.issue)
    if decision.state.change_with(number) is not None:
        return _refused(queue_text.ours())
    if command.verb is Verb.QUEUE:
        return _queue(decision, number, command.argument, comment.author)
    pull = decision.state.queued_pulls.get(number)
    if pull is None:
        said = replies.wrong_place(row)
        return _refused(f"{said} {queue_text.not_in_queue()}")
    if pull.has_left:
        return _refused(queue_text.not_in_queue())
    if pull.state is EntryState.LANDING:
        return _refused(queue_text.is_landing())
    return _done(_carry_out(decision, pull, command, comment.author))


def _carry_out(decision: Decision, pull: QueuedPull, command: Command, by: str) -> str:
    match command.verb:
        case Verb.DEQUEUE:
            withdraw_pull(decision, pull, by)
            return queue_text.left_reply()
        case Verb.HOLD:
            why = command.argument.strip()[:_WHY_CHARACTERS]
            decision.emit(PullHeld(number=pull.number, by=by, why=why, held_at=decision.now))
            return queue_text.held_reply()
        case Verb.RELEASE:
            decision.emit(PullReleased(number=pull.number, by=by))
            return queue_text.released_reply(was_held=pull.hold is not None)
        case _:
            moved = PullMoved(number=pull.number, by=by, priority=pull.priority, is_next=True)
            decision.emit(moved)
            return queue_text.next_reply(decision.state, decision.state.queued_pulls[pull.number])


def _queue(decision: Decision, number: PullNumber, argument: str, by: str) -> RequestOutcome:
    said = argument.strip()
    named = _PRIORITY.fullmatch(said)
    if said and named is None:
        return _refused(queue_text.not_understood(said))
    priority = int(named[1]) if named else 0
    pull = decision.observed.pulls.get(number)
    known = decision.state.queued_pulls.get(number)
    if known is not None and not known.has_left and not _is_pushed(known, pull):
        if named is not None:
            decision.emit(PullMoved(number=number, by=by, priority=priority))
        now = decision.state.queued_pulls[number]
        return _done(queue_text.queued_already(decision.state, now))
    facts = decision.state.facts
    if pull is None or facts is None:
        return _refused(replies.wrong_place(ROWS[Verb.QUEUE]))
    why = queue_text.why_out(pull, facts.default_branch, None)
    if not why and pull.is_from_fork:
        why = queue_text.from_fork()
    if not why and not decision.policy.of_pulls().required_gates:
        why = queue_text.needs_gates()
    if why:
        return _refused(why)
    if known is not None:
        _end_round(decision, known, by)
    decision.emit(
        PullQueued(
            number=number,
            head=pull.head_sha,
            title=pull.title,
            by=by,
            queued_at=decision.now,
            priority=priority,
        )
    )
    return _done(queue_text.queued_reply(decision.state, decision.state.queued_pulls[number]))


def _is_pushed(known: QueuedPull, pull: Pull | None) -> bool:
    """Whether the pull has another head by now: who queues it again means that one."""
    is_landing = known.state is EntryState.LANDING
    return pull is not None and pull.head_sha != known.head and not is_landing


def _end_round(decision: Decision, known: QueuedPull, by: str) -> None:
    """What became of the round before is told now: its place in the state is taken."""
    if not known.has_left:
        withdraw_pull(decision, known, by)
    tell_end(decision, decision.state.queued_pulls[known.number])


def _done(sentence: str) -> RequestOutcome:
    return RequestOutcome(is_done=True, sentence=sentence)


def _refused(sentence: str) -> RequestOutcome:
    return RequestOutcome(is_done=False, sentence=sentence)
