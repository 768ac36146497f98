"""`/headgate queue`, `dequeue`, `hold`, `release` and `now`: on a person's pull, or for a change."""

import re

from bot.core.decide.changes.note_reviews import note_reviews
from bot.core.decide.changes.recall_landing import recall_landing
from bot.core.decide.changes.withdraw_pull import withdraw_pull
from bot.core.decide.decision import Decision
from bot.core.decide.people.allow_rules import allow_rules
from bot.core.decide.people.tell_pulls import tell_end
from bot.core.journal.branches import branch_of_pull
from bot.core.journal.effects import PostComment
from bot.core.journal.events import (
    ChangeHeld,
    ChangeMoved,
    ChangeReleased,
    PullHeld,
    PullMoved,
    PullQueued,
    PullReleased,
)
from bot.core.journal.state import ChangeFacts, QueuedPull
from bot.core.spec.policy import Policy
from bot.core.state.approvals import may_miss_reviews, needs_code_owners
from bot.core.state.candidates import is_landing
from bot.core.talk import merge_text, queue_text, replies
from bot.core.talk.asked_command import AskedCommand, Reply, refuse, reply
from bot.core.talk.commands import QUEUE_PLACES, ROWS
from bot.core.values.command import BY_BASE_BRANCH, Command, Verb
from bot.core.values.ids import Frozen, IssueNumber, PullNumber
from bot.core.values.incident import incident_of
from bot.core.values.lifecycle import AfterRecall, QueuedPullState
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import Labelling, Pull, Role

_PRIORITY = re.compile(r"priority\s+(-?[0-9])", re.IGNORECASE)
# A commit first, as GitHub shortens it or in full.
_WISHED = re.compile(
    r"(?:(?P<head>[0-9a-f]{7,40})(?:\s+|$))?(?:priority\s+(?P<priority>-?[0-9]))?", re.IGNORECASE
)
_WHY_CHARACTERS = 500


def leave_unserved(decision: Decision) -> None:
    """Pulls leave the queue of a branch that the policy does not name any more."""
    policy = decision.observed.policy
    if not isinstance(policy, Policy):
        return
    for name, branch in decision.state.branches.items():
        is_served = name in policy.file.branches
        for pull in () if is_served else tuple(branch.queued_pulls.values()):
            if not pull.has_left and pull.state is not QueuedPullState.LANDING:
                withdraw_pull(decision, pull, "", queue_text.not_served(name))


def branch_asked_about(decision: Decision, asked: AskedCommand) -> str:
    """The branch of the queue that a comment at a pull, or at the issue of an incident, is about; empty: the
    default branch's.
    """
    number = PullNumber(asked.comment.issue)
    told = (
        slug for slug, issue in decision.state.incidents.items() if issue == asked.comment.issue
    )
    incident = incident_of(next(told, ""))
    if incident is not None:
        return incident.branch if incident.branch in decision.observed.served else ""
    seen = decision.observed.pulls.get(number)
    if seen is not None and asked.row.verb in BY_BASE_BRANCH:
        return seen.base_branch if seen.base_branch in decision.observed.served else ""
    return branch_of_pull(decision.state, number) or ""


def at_pull(decision: Decision, asked: AskedCommand) -> Reply | None:
    """Carry out what is asked about a pull in the queue, or for one; None where it is not that."""
    pull = decision.state.queued_pulls.get(PullNumber(asked.comment.issue))
    if pull is not None and asked.row.verb is Verb.WHY:
        return reply(queue_text.why_pull(decision.state, pull, decision.now))
    if pull is not None and asked.row.verb is Verb.ALLOW:
        return allow_rules(decision, pull, asked)
    is_of_queue = asked.row.place in QUEUE_PLACES
    return _queue_command(decision, asked) if is_of_queue else None


def _queue_command(decision: Decision, asked: AskedCommand) -> Reply:
    number = PullNumber(asked.comment.issue)
    if asked.change is not None:
        return _place_change(decision, asked.change, asked)
    if asked.row.verb is Verb.QUEUE:
        said = asked.argument.strip()
        named = _WISHED.fullmatch(said)
        if named is None:
            return refuse(queue_text.not_understood(said))
        priority = int(named["priority"]) if named["priority"] else None
        head = (named["head"] or "").lower()
        return queue(
            decision, QueueRequest(number=number, by=asked.author, head=head, priority=priority)
        )
    pull = decision.state.queued_pulls.get(number)
    if pull is None:
        wrong = replies.wrong_place(asked.row)
        return refuse(f"{wrong} {queue_text.not_in_queue()}")
    if pull.has_left:
        return refuse(queue_text.not_in_queue())
    if pull.state is QueuedPullState.LANDING:
        return _stop_landing(decision, pull, asked)
    return reply(_carry_out(decision, pull, asked.command, asked.author))


# What takes a landing out of GitHub's merge queue, while it waits there.
_RECALLS = {Verb.HOLD: AfterRecall.HELD, Verb.DEQUEUE: AfterRecall.LEAVES}


def _stop_landing(
    decision: Decision, queued: ChangeFacts | QueuedPull, asked: AskedCommand
) -> Reply:
    then = _RECALLS.get(asked.row.verb)
    why = asked.argument.strip()[:_WHY_CHARACTERS]
    if then is not None and recall_landing(decision, queued.entry, asked.author, why, then):
        return reply(merge_text.recalled_reply())
    return refuse(queue_text.is_landing())


def _carry_out(decision: Decision, pull: QueuedPull, command: Command, by: str) -> str:
    entry = decision.state.entry_of(pull)
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
            return queue_text.released_reply(was_held=entry.hold is not None)
        case _:
            moved = PullMoved(number=pull.number, by=by, priority=entry.priority, is_next=True)
            decision.emit(moved)
            return queue_text.next_reply(decision.state, decision.state.queued_pulls[pull.number])


def _place_change(decision: Decision, change: ChangeFacts, asked: AskedCommand) -> Reply:
    """What a person says of the place of a change, which enters the queue by itself."""
    by, id_, entry = asked.author, change.id, decision.state.entry_of(change)
    if is_landing(decision.state, change):
        return _stop_landing(decision, change, asked)
    if change.is_ended:
        return refuse(queue_text.is_over())
    match asked.row.verb:
        case Verb.HOLD:
            why = asked.argument.strip()[:_WHY_CHARACTERS]
            decision.emit(ChangeHeld(change=id_, by=by, why=why, held_at=decision.now))
            return reply(queue_text.held_change_reply())
        case Verb.RELEASE:
            if entry.hold is None:
                return reply(queue_text.released_reply(was_held=False))
            decision.emit(ChangeReleased(change=id_, by=by, released_at=decision.now))
            if entry.hold.is_for_check:
                return reply(queue_text.awaited_anew())
            return reply(queue_text.released_reply(was_held=True))
        case Verb.NOW:
            decision.emit(ChangeMoved(change=id_, by=by, priority=entry.priority, is_next=True))
        case Verb.QUEUE if (named := _PRIORITY.fullmatch(asked.argument.strip())) is not None:
            decision.emit(ChangeMoved(change=id_, by=by, priority=int(named[1])))
        case _:
            return refuse(queue_text.ours())
    return reply(queue_text.moved_change_reply(decision.state, decision.state.changes[id_]))


def queue_labelled(decision: Decision) -> None:
    """A label of a person who may queue says the same as the command; without it a pull leaves again."""
    for number, label in decision.observed.queue_labels.items():
        with decision.on(_branch_labelled(decision, number)) as is_seen:
            if is_seen:
                _follow_label(decision, number, label)


def _branch_labelled(decision: Decision, number: PullNumber) -> str:
    seen, known = decision.observed.pulls.get(number), branch_of_pull(decision.state, number)
    wanted = seen.base_branch if seen is not None else ""
    return known or (wanted if wanted in decision.observed.served else "")


def _follow_label(decision: Decision, number: PullNumber, label: QueueLabel) -> None:
    known = decision.state.queued_pulls.get(number)
    if label.act is None:
        if known is None or not known.is_by_label:
            return
        if known.state is not QueuedPullState.LANDING:
            withdraw_pull(decision, known, "", queue_text.label_is_off())
        elif decision.state.entry_of(known).recall is None:
            recall_landing(decision, known.entry, "", queue_text.label_is_off(), AfterRecall.LEAVES)
        return
    subject = f"queue label {label.act.id}"
    is_heard = known is not None and known.labelling == label.act.id
    if is_heard or f"comment:{subject}" in decision.state.published:
        return
    said = _by_label(decision, number, label.act, label.role)
    text = "\n\n".join((*said.said, *said.refused))
    decision.intend(PostComment(issue=IssueNumber(number), subject=subject, text=text))


def _by_label(decision: Decision, number: PullNumber, act: Labelling, role: Role) -> Reply:
    needed = Role(decision.policy.file.approver)
    if not role.covers(needed):
        return refuse(queue_text.label_not_permitted(act.by, role, needed))
    return queue(decision, QueueRequest(number=number, by=act.by, labelling=act.id))


class QueueRequest(Frozen):
    """A request to queue a pull. `head` is the beginning of the SHA that was named; empty, and `priority`
    None, if none was given. The rest is as in `PullQueued`.
    """

    number: PullNumber
    by: str
    head: str = ""
    priority: int | None = None
    labelling: int = 0
    is_by_policy: bool = False


def queue(decision: Decision, request: QueueRequest) -> Reply:
    """Let a pull enter as its head is now; the reply says its place, or why it cannot enter."""
    number, by, priority = request.number, request.by, request.priority or 0
    pull = decision.observed.pulls.get(number)
    known = decision.state.queued_pulls.get(number)
    if known is not None and not known.has_left and not _is_pushed(known, pull):
        if request.priority is not None:
            decision.emit(PullMoved(number=number, by=by, priority=priority))
        now = decision.state.queued_pulls[number]
        return reply(queue_text.queued_already(decision.state, now))
    facts = decision.state.facts
    if pull is None or facts is None:
        return refuse(replies.wrong_place(ROWS[Verb.QUEUE]))
    why = queue_text.why_out(pull, facts.default_branch, None)
    if not why and not pull.head_sha.startswith(request.head):
        why = queue_text.other_head(request.head, pull.head_sha)
    if not why and pull.is_from_fork:
        why = _why_not_from_fork(decision, request, pull)
    if not why and needs_code_owners(decision.policy, decision.state.rules):
        why = queue_text.needs_code_owners(decision.state.on_branch)
    if not why and not decision.policy.of_pulls().required_gates:
        why = queue_text.needs_gates(decision.observed.policy)
    if why:
        return refuse(why)
    if known is not None:
        _end_round(decision, known, by)
    if _is_landing_elsewhere(decision, number, by):
        return refuse(queue_text.is_landing())
    decision.emit(
        PullQueued(
            number=number,
            head=pull.head_sha,
            title=pull.title,
            by=by,
            queued_at=decision.now,
            priority=priority,
            labelling=request.labelling,
            is_by_policy=request.is_by_policy,
            is_from_fork=pull.is_from_fork,
        )
    )
    note_reviews(decision, decision.state.queued_pulls[number])
    said = [queue_text.queued_reply(decision.state, decision.state.queued_pulls[number])]
    if may_miss_reviews(decision.policy, decision.state.rules):
        said.append(queue_text.unseen_reviews(decision.state.on_branch))
    return reply("\n\n".join(said))


def _is_landing_elsewhere(decision: Decision, number: PullNumber, by: str) -> bool:
    """Whether it lands on another branch just now; else it leaves the queue of that branch."""
    elsewhere = branch_of_pull(decision.state, number)
    if elsewhere is None or elsewhere == decision.state.on_branch:
        return False
    before = decision.state.branches[elsewhere].queued_pulls[number]
    if before.state is QueuedPullState.LANDING:
        return True
    with decision.on(elsewhere) as is_seen:
        if is_seen:
            _end_round(decision, before, by)
    return False


def _why_not_from_fork(decision: Decision, request: QueueRequest, pull: Pull) -> str:
    """A stranger may push between what a person read and what we see: a person says which commit runs,
    by its SHA or by approving it.
    """
    if decision.policy.file.forks.runs_on is None:
        return queue_text.from_fork()
    return "" if request.head or request.is_by_policy else queue_text.which_head(pull.head_sha)


def _is_pushed(known: QueuedPull, pull: Pull | None) -> bool:
    """Whether the pull has a new head since it was queued: queueing it again means that head."""
    is_landing = known.state is QueuedPullState.LANDING
    return pull is not None and pull.head_sha != known.head and not is_landing


def _end_round(decision: Decision, known: QueuedPull, by: str) -> None:
    """End the earlier round and tell how it ended, before a new one takes its place in the state."""
    if not known.has_left:
        withdraw_pull(decision, known, by)
    tell_end(decision, decision.state.queued_pulls[known.number])
