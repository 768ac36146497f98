"""What people see of their pulls in the queue: a check run on the head, and the verdict on what lands."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.check_runs import publish_check
from bot.core.journal.effects import PostComment
from bot.core.journal.state import QueuedPull
from bot.core.state.landing_way import is_by_github, is_queued
from bot.core.state.urgency import is_work_at_hand
from bot.core.talk import checks, queue_text
from bot.core.talk.rules_text import merged
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import QueuedPullState

_TOLD_AT_ONCE = frozenset({QueuedPullState.EVICTED, QueuedPullState.WITHDRAWN})


def next_steps(decision: Decision) -> None:
    """Keep the check runs true; comment where a pull left the queue without a person's command."""
    # Asked once: two hundred pulls may wait. Nothing that is told here moves a change.
    merges = is_by_github(decision.policy, decision.state.rules)
    note, is_quiet = _note(decision), not is_work_at_hand(decision.state)
    for pull in decision.state.queued_pulls.values():
        candidate = decision.state.candidate_of(pull)
        if candidate is not None and candidate.results and pull.state is not QueuedPullState.LANDED:
            # A rule of the repository may require the verdict on whatever main is moved to.
            text = checks.verdict(decision.policy_of(pull), candidate.results)
            where = f"pull-{pull.number}:{candidate.number}"
            publish_check(decision, candidate.sha, where, text)
            if merges and pull.state is QueuedPullState.LANDING:
                # GitHub requires it at the head. Not earlier: it would let a merge by hand pass the queue.
                publish_check(decision, pull.head, f"{where}:head", text)
        _take_verdict_back(decision, pull)
        if is_quiet or pull.has_left:
            _publish(decision, pull, note)
        if pull.state in _TOLD_AT_ONCE and pull.sentence:
            _comment(decision, pull)
        if pull.needs_word and not pull.has_left:
            _ask_for_word(decision, pull)


def _take_verdict_back(decision: Decision, pull: QueuedPull) -> None:
    """The verdict at the head counts for one landing: left there, it would let a merge by hand pass the queue."""
    if pull.state in {QueuedPullState.LANDING, QueuedPullState.LANDED}:
        return
    for number in range(1, pull.candidates + 1):
        where = f"pull-{pull.number}:{number}:head"
        if f"check:{where}" in decision.state.published:
            publish_check(decision, pull.head, where, checks.taken_back())


def _ask_for_word(decision: Decision, pull: QueuedPull) -> None:
    subject = f"queue word pull-{pull.number}:{pull.rounds}"
    decision.comment_once(pull.number, subject, queue_text.needs_word(pull))


def tell_end(decision: Decision, pull: QueuedPull) -> None:
    """Tell how a pull's time in the queue ended, before it enters again."""
    _take_verdict_back(decision, pull)
    _publish(decision, pull, _note(decision))
    if pull.state in _TOLD_AT_ONCE and pull.sentence:
        _comment(decision, pull)


def _publish(decision: Decision, pull: QueuedPull, note: str) -> None:
    where = f"queue:pull-{pull.number}:{pull.rounds}"
    publish_check(decision, pull.head, where, queue_text.queue_check(decision.state, pull, note))


def _note(decision: Decision) -> str:
    """What is said of every pull that GitHub will merge."""
    rules = decision.state.rules
    if rules is None or not is_by_github(decision.policy, rules):
        return ""
    return merged(rules.branch, is_queue=is_queued(decision.policy, rules))


def _comment(decision: Decision, pull: QueuedPull) -> None:
    subject = f"queue pull-{pull.number}:{pull.rounds}"
    if f"comment:{subject}" not in decision.state.published:
        text = queue_text.left_text(decision.state, pull)
        decision.intend(PostComment(issue=IssueNumber(pull.number), subject=subject, text=text))
