"""A change whose agent asked people: taken from the report, waited for, and gone on with.

The rule: no runner and no slot is held while people think, the waiting has an end, and what a run
asked counts against no budget of attempts; an agent asks at most twice, then it decides by itself.
"""

from collections.abc import Iterable
from datetime import datetime

from action.order import AgentSettings, AskingRule, SettledQuestion
from action.report import AgentReport
from bot.core.decide.decision import Decision
from bot.core.journal.events import AgentAsked, ClarificationEnded, QuestionsPut, WorkFailed
from bot.core.journal.state import AgentRun, ChangeFacts, OrderFacts, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import Clarify
from bot.core.state.waiting import answers_by
from bot.core.values.clarification import Clarification, WaitingEnd, numbered
from bot.core.values.lifecycle import ChangeState
from bot.core.values.question import Question, change_place

# A third question is a sign that the spec is not ready; the attempts then say so.
CLARIFICATIONS_MAX = 2


def asking_rule(policy: Policy, change: ChangeFacts) -> AskingRule:
    """Whether the next run of a change's agent may ask."""
    if policy.file.agent.clarify is Clarify.OFF:
        return AskingRule.OFF
    if len(change.clarifications_now) >= CLARIFICATIONS_MAX:
        return AskingRule.USED_UP
    return AskingRule.ALLOWED


def take_questions(decision: Decision, order: OrderFacts, report: AgentReport) -> None:
    """A run that ended with questions: they are put to people, or it has failed."""
    change = decision.state.changes.get(order.change) if order.change else None
    if change is None:
        return
    last = max((c.asked.last for c in change.clarifications), default=0)
    questions = numbered(report.questions, last)
    refused = _why_not(change, questions)
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


def _why_not(change: ChangeFacts, questions: tuple[Question, ...]) -> str:
    if not questions:
        return "The agent ended with a question and asked nothing."
    if len(change.clarifications_now) >= CLARIFICATIONS_MAX:
        return (
            f"The agent asked people once more after {CLARIFICATIONS_MAX} times, which none may: "
            "it must decide by itself."
        )
    return ""


def goes_on(decision: Decision, change: ChangeFacts) -> bool:
    """Whether the waiting is over, which is then written down."""
    end = _why_over(decision, change.clarifications[-1])
    if end is not None:
        decision.emit(ClarificationEnded(change=change.id, end=end))
    return end is not None


def go_on_unanswered(decision: Decision, change: ChangeFacts, by: str) -> None:
    """A person wants no more waiting: what nobody answered is assumed."""
    decision.emit(ClarificationEnded(change=change.id, end=WaitingEnd.BY_A_PERSON, ended_by=by))


def _why_over(decision: Decision, asked: Clarification) -> WaitingEnd | None:
    if not asked.asked.unanswered:
        return WaitingEnd.ANSWERED
    if decision.policy.file.agent.clarify is Clarify.OFF:
        return WaitingEnd.NOBODY_IS_ASKED
    return WaitingEnd.TIME_IS_UP if decision.now >= answers_by(decision.policy, asked) else None


def deadlines(state: RepositoryState, policy: Policy) -> Iterable[datetime]:
    """When the waiting for answers runs out, for every change that waits."""
    return (
        answers_by(policy, change.clarifications[-1])
        for change in state.changes.values()
        if change.state is ChangeState.ASKING and not change.has_partial_work
    )


def settled(change: ChangeFacts) -> tuple[SettledQuestion, ...]:
    """All that a change's agent has asked, with the answers, as the next run reads it."""
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


def what_is_left(agent: AgentSettings, change: ChangeFacts) -> AgentSettings:
    """The agent with what the run that asked has left of its tokens: it goes on, it does not begin."""
    spent = sum(run.tokens.total for run in _runs_of_this_attempt(change))
    left = max(1, agent.limits.tokens_max - spent)
    return agent.model_copy(update={"limits": agent.limits.model_copy(update={"tokens_max": left})})


def _runs_of_this_attempt(change: ChangeFacts) -> Iterable[AgentRun]:
    """The newest runs, back to one that ended with anything but a question."""
    for run in reversed(change.agent_runs):
        if run.outcome not in {"asked", "lost"} or run.attempt <= change.budget_start:
            return
        yield run
