"""Takes an agent's questions, waits for people's answers, then lets the agent continue.

While people think, no runner and no slot is occupied, and no attempt is counted. The waiting always
ends, and an agent may ask at most twice.
"""

from collections.abc import Iterable
from datetime import datetime

from action.order import AgentSettings, AskingRule, SettledQuestion, find_price
from action.report import AgentReport
from bot.core.decide.decision import Decision
from bot.core.journal.events import AgentAsked, ClarificationEnded, QuestionsPut, WorkFailed
from bot.core.journal.state import AgentRun, ChangeFacts, OrderFacts, RepositoryState
from bot.core.spec.agent_entry import Clarify
from bot.core.spec.policy import Policy
from bot.core.state.waiting import answers_by
from bot.core.values.clarification import Clarification, WaitingEnd, numbered
from bot.core.values.lifecycle import ChangeState
from bot.core.values.price import cost
from bot.core.values.question import Question, change_place

# An agent that must ask a third time has a spec that is not ready; then the attempts fail.
CLARIFICATIONS_MAX = 2


def asking_rule(policy: Policy, change: ChangeFacts) -> AskingRule:
    """Whether the next agent run of a change may ask people."""
    if policy.file.agent.clarify is Clarify.OFF:
        return AskingRule.OFF
    if len(change.clarifications_now) >= CLARIFICATIONS_MAX:
        return AskingRule.USED_UP
    return AskingRule.ALLOWED


def take_questions(decision: Decision, order: OrderFacts, report: AgentReport) -> None:
    """Record a run that ended with questions; it failed if it may not ask, or asked nothing."""
    change = decision.state.changes.get(order.change) if order.change else None
    if change is None:
        return
    last = max((c.asked.last for c in change.clarifications), default=0)
    questions = numbered(report.questions, last)
    refused = _why_refused(change, questions)
    if refused:
        decision.emit(
            WorkFailed(
                change=change.id,
                order=order.id,
                ending=report.ending,
                sentence=refused,
                turns=report.turns,
                tokens=report.tokens,
                model=report.model,
                seconds=report.seconds,
                sandbox=report.sandbox,
                bundle=report.bundle_sha256 if report.head_sha else None,
            )
        )
        return
    decision.emit(
        AgentAsked(
            change=change.id,
            order=order.id,
            bundle=report.bundle_sha256 if report.head_sha else None,
            asked_at=decision.now,
            turns=report.turns,
            tokens=report.tokens,
            model=report.model,
            seconds=report.seconds,
            sandbox=report.sandbox,
        )
    )
    decision.emit(
        QuestionsPut(place=change_place(change.id), questions=questions, last=questions[-1].number)
    )


def _why_refused(change: ChangeFacts, questions: tuple[Question, ...]) -> str:
    if not questions:
        return "The agent ended with a question but asked nothing."
    if len(change.clarifications_now) >= CLARIFICATIONS_MAX:
        return f"The agent asked people more than {CLARIFICATIONS_MAX} times, which is not allowed."
    return ""


def end_waiting(decision: Decision, change: ChangeFacts) -> bool:
    """Record the end of the waiting if it is over; True if so."""
    end = _waiting_end(decision, change.clarifications[-1])
    if end is not None:
        decision.emit(ClarificationEnded(change=change.id, end=end))
    return end is not None


def continue_unanswered(decision: Decision, change: ChangeFacts, by: str) -> None:
    """Let the agent continue because a person asked for it; open questions are assumed."""
    decision.emit(ClarificationEnded(change=change.id, end=WaitingEnd.BY_A_PERSON, ended_by=by))


def _waiting_end(decision: Decision, asked: Clarification) -> WaitingEnd | None:
    if not asked.asked.unanswered:
        return WaitingEnd.ANSWERED
    if decision.policy.file.agent.clarify is Clarify.OFF:
        return WaitingEnd.NOBODY_IS_ASKED
    return WaitingEnd.TIME_IS_UP if decision.now >= answers_by(decision.policy, asked) else None


def deadlines(state: RepositoryState, policy: Policy) -> Iterable[datetime]:
    return (
        answers_by(policy, change.clarifications[-1])
        for change in state.changes.values()
        if change.state is ChangeState.ASKING and not change.has_partial_work
    )


def settled_questions(change: ChangeFacts) -> tuple[SettledQuestion, ...]:
    """All questions of a change's agent with their answers or assumptions, for the next run."""
    return tuple(
        SettledQuestion(
            number=q.number,
            question=q.sentence,
            answer=answer.text if answer else q.assumption,
            answered_by=answer.author if answer else None,
        )
        for clarification in change.clarifications_now
        for q in clarification.asked.questions
        for answer in (clarification.asked.answers.get(q.number),)
    )


def with_remaining_budget(agent: AgentSettings, change: ChangeFacts) -> AgentSettings:
    """The agent's settings, less what its runs used before they asked."""
    runs = tuple(_runs_of_this_attempt(change))
    limits = agent.limits
    spent = sum(run.tokens.weighted for run in runs)
    left = limits.replace(tokens_max=max(1, limits.tokens_max - spent))
    if limits.dollars_max is not None:
        # A run whose price is unknown counts in tokens only.
        prices = [find_price(run.model, agent.prices) for run in runs]
        costs = (cost(run.tokens, price) or 0.0 for run, price in zip(runs, prices, strict=True))
        left = left.replace(dollars_max=round(max(0.0, limits.dollars_max - sum(costs)), 6))
    return agent.replace(limits=left)


def _runs_of_this_attempt(change: ChangeFacts) -> Iterable[AgentRun]:
    """The newest runs, back to the last one that did not end with a question or a loss."""
    for run in reversed(change.agent_runs):
        if run.outcome not in {"asked", "lost", "deferred"} or run.attempt <= change.budget_start:
            return
        # Nothing is left of what a deferred run paid for.
        if run.outcome != "deferred":
            yield run
