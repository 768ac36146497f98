"""What the events of an agent that asks people mean for its change; its state has moved by then."""

from bot.core.journal import events as ev
from bot.core.journal.change_state import AgentRun, ChangeFacts
from bot.core.values.clarification import Clarification
from bot.core.values.question import AskedQuestions
from bot.core.values.replacement import replace


def agent_asked(change: ChangeFacts, event: ev.AgentAsked) -> ChangeFacts:
    """The run that ended so, what it had done by then, and the questions of older journals."""
    run = AgentRun(
        attempt=change.attempt,
        order=event.order,
        outcome="asked",
        turns=event.turns,
        tokens=event.tokens,
        model=event.model,
        seconds=event.seconds,
        sandbox=event.sandbox,
    )
    waited_for = Clarification(order=event.order, attempt=change.attempt, asked_at=event.asked_at)
    asking = replace(
        change,
        bundle=event.bundle,
        orders_lost=0,
        agent_runs=(*change.agent_runs, run),
        clarifications=(*change.clarifications, waited_for),
    )
    last = max((q.number for q in event.questions), default=0)
    return with_questions(asking, AskedQuestions().put(0, event.questions, last))


def with_questions(change: ChangeFacts, asked: AskedQuestions) -> ChangeFacts:
    """The questions of the newest run, and what is said of it."""
    count = len(asked.questions)
    sentence = "1 question for people" if count == 1 else f"{count} questions for people"
    run = replace(change.agent_runs[-1], sentence=sentence)
    newest = replace(change.clarifications[-1], asked=asked)
    return _with_newest(replace(change, agent_runs=(*change.agent_runs[:-1], run)), newest)


def clarification_ended(change: ChangeFacts, event: ev.ClarificationEnded) -> ChangeFacts:
    ended = replace(change.clarifications[-1], ended=event.end, ended_by=event.ended_by)
    return _with_newest(change, ended)


def _with_newest(change: ChangeFacts, newest: Clarification) -> ChangeFacts:
    return replace(change, clarifications=(*change.clarifications[:-1], newest))
