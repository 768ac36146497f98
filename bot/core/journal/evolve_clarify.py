"""What the events of an agent that asks people mean for its change.

Facts only, and total: an answer to what is not asked changes nothing. Deliberately absent: the
change's state, which moves by the lifecycle table alone.
"""

from bot.core.journal import events as ev
from bot.core.journal.change_state import AgentRun, ChangeFacts
from bot.core.values.clarification import Clarification, GivenAnswer
from bot.core.values.lifecycle import ChangeState


def clarified(change: ChangeFacts, event: ev.Event, _number: int) -> ChangeFacts:
    """The change after the event; its state has moved already."""
    match event:
        case ev.AgentAsked():
            return _asked(change, event)
        case ev.ClarificationAnswered() if change.state is ChangeState.ASKING:
            return _answered(change, event)
        case ev.ClarificationEnded():
            ended = {"ended": event.end, "ended_by": event.ended_by}
            return _with_newest(change, change.clarifications[-1].model_copy(update=ended))
        case ev.HeadImported() | ev.BundleRefused() if change.has_partial_work:
            # Half of the work is nothing to be judged.
            return change.model_copy(update={"bundle": None, "head_is_fresh": False})
        case ev.ChangeReopened() if event.is_new_text:
            return change.model_copy(update={"clarified_before": len(change.clarifications)})
        case _:
            return change


def _asked(change: ChangeFacts, event: ev.AgentAsked) -> ChangeFacts:
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
    return change.model_copy(
        update={
            "bundle": event.bundle,
            "orders_lost": 0,
            "agent_runs": (*change.agent_runs, run),
            "clarifications": (*change.clarifications, asked),
        }
    )


def _answered(change: ChangeFacts, event: ev.ClarificationAnswered) -> ChangeFacts:
    asked = change.clarifications[-1]
    if event.number not in {q.number for q in asked.questions}:
        return change
    given = GivenAnswer(answer=event.answer, author=event.author, given_at=event.given_at)
    answers = {**asked.answers, event.number: given}
    return _with_newest(change, asked.model_copy(update={"answers": answers}))


def _with_newest(change: ChangeFacts, newest: Clarification) -> ChangeFacts:
    return change.model_copy(
        update={"clarifications": (*change.clarifications[:-1], newest)},
    )
