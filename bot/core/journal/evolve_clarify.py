"""What the events of an agent that asks people mean for its change; its state has moved by then."""

from dataclasses import replace

from bot.core.journal import events as ev
from bot.core.journal.change_state import AgentRun, ChangeFacts
from bot.core.values.clarification import Clarification, GivenAnswer


def agent_asked(change: ChangeFacts, event: ev.AgentAsked) -> ChangeFacts:
    """Questions for people, and what the run had done by then."""
    count = len(event.questions)
    run = AgentRun(
        attempt=change.attempt,
        order=event.order,
        outcome="asked",
        sentence="1 question for people" if count == 1 else f"{count} questions for people",
        turns=event.turns,
        tokens=event.tokens,
        model=event.model,
        seconds=event.seconds,
        sandbox=event.sandbox,
    )
    asked = Clarification(
        order=event.order,
        attempt=change.attempt,
        questions=event.questions,
        asked_at=event.asked_at,
    )
    return replace(
        change,
        bundle=event.bundle,
        orders_lost=0,
        agent_runs=(*change.agent_runs, run),
        clarifications=(*change.clarifications, asked),
    )


def clarification_answered(change: ChangeFacts, event: ev.ClarificationAnswered) -> ChangeFacts:
    """An answer; a later one takes its place."""
    asked = change.clarifications[-1]
    given = GivenAnswer(answer=event.answer, author=event.author, given_at=event.given_at)
    return _with_newest(change, replace(asked, answers={**asked.answers, event.number: given}))


def clarification_ended(change: ChangeFacts, event: ev.ClarificationEnded) -> ChangeFacts:
    """Nothing is waited for any more."""
    ended = replace(change.clarifications[-1], ended=event.end, ended_by=event.ended_by)
    return _with_newest(change, ended)


def _with_newest(change: ChangeFacts, newest: Clarification) -> ChangeFacts:
    return replace(change, clarifications=(*change.clarifications[:-1], newest))
