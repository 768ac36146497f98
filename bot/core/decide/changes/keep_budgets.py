"""Lets no agent cost more than the policy's budgets leave, and asks people where a run's are spent."""

from datetime import UTC

from action.order import AgentSettings, find_price
from bot.core.decide.decision import Decision
from bot.core.journal.events import QuestionsPut
from bot.core.journal.state import ChangeFacts, SpecRun, asked_at
from bot.core.spec.agent_budget import attempt_dollars
from bot.core.state.money import Held, Left, budget_of_run, left_for, spent_on_run
from bot.core.talk import money_text
from bot.core.values.lifecycle import ChangeState
from bot.core.values.question import Question, money_place


def money_left(decision: Decision, change: ChangeFacts) -> Left:
    day = decision.now.astimezone(UTC).date()
    return left_for(decision.state, decision.policy, change, day)


def within(agent: AgentSettings, left: Left) -> AgentSettings:
    limits = agent.limits
    if left.dollars is None or limits.dollars_max is None or limits.dollars_max <= left.dollars:
        return agent
    return agent.replace(limits=limits.replace(dollars_max=left.dollars))


def ask_to_go_on(decision: Decision, run: SpecRun, left: Left) -> None:
    """Ask once for each time that the run's budget is spent; a no holds until somebody says yes."""
    budget = budget_of_run(run, decision.policy)
    place = money_place(run.id)
    asked = asked_at(decision.state, place)
    newest = asked.questions[-1:]
    is_asked = any(
        q.number not in asked.answers or asked.answers[q.number].text == money_text.NO
        for q in newest
    )
    if left.held is not Held.RUN or budget is None or is_asked:
        return
    # One row of numbers with the questions about the spec: people answer both in one place.
    number = max(asked.last, asked_at(decision.state, run.path).last) + 1
    dollars = round(
        sum(
            attempt_dollars(decision.policy, c.size)
            for c in decision.state.changes_of(run.id)
            if c.state in {ChangeState.WAITING, ChangeState.RETRYING}
        ),
        2,
    )
    question = Question(
        number=number,
        sentence=money_text.question(
            spent_on_run(decision.state, run, decision.policy), budget, dollars
        ),
        choices=money_text.CHOICES,
        cents=round(dollars * 100),
    )
    decision.emit(
        QuestionsPut(place=place, questions=(question,), last=number, round=len(asked.rounds) + 1)
    )


def dollars_limit(agent: AgentSettings) -> float | None:
    """What an agent may cost; None where its model has no price."""
    has_price = find_price(agent.model, agent.prices) is not None
    return agent.limits.dollars_max if has_price else None
