"""Pulls that enter the queue by themselves: approved and green, where the policy says `auto_queue`."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.queue_pull import QueueRequest, queue
from bot.core.journal.effects import PostComment
from bot.core.state.unasked_pulls import (
    are_green,
    checks_required,
    is_approved,
    is_automatic,
    may_enter,
)
from bot.core.talk import queue_text
from bot.core.values.auto_queue import ApprovedPull
from bot.core.values.ids import IssueNumber, PullNumber


def next_steps(decision: Decision) -> None:
    if not is_automatic(decision.policy, decision.state.rules):
        return
    for number, approved in decision.observed.approved_pulls.items():
        if _is_ready(decision, approved):
            _enter(decision, number, approved)


def _is_ready(decision: Decision, approved: ApprovedPull) -> bool:
    policy, rules = decision.policy, decision.state.rules
    return (
        bool(approved.by)
        and may_enter(decision.state, policy, approved.pull)
        and is_approved(policy, rules, approved.approvals)
        and are_green(checks_required(policy, rules), approved.checks)
    )


def _enter(decision: Decision, number: PullNumber, approved: ApprovedPull) -> None:
    reply = queue(decision, QueueRequest(number=number, by=approved.by, is_by_policy=True))
    if reply.refused:
        return
    text = queue_text.entered_by_itself(approved.by, reply.said)
    subject = f"queue approved pull-{number}:{decision.state.queued_pulls[number].rounds}"
    decision.intend(PostComment(issue=IssueNumber(number), subject=subject, text=text))
