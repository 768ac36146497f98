"""`/headgate hand-back`: a change that a person took in hand is an agent's again."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import ChangeReopened, HandedBack, SpecRunReopened
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import push_text
from bot.core.talk.asked_command import Reply, reply
from bot.core.values.lifecycle import ChangeState


def hand_back(decision: Decision, run: SpecRun, changes: tuple[ChangeFacts, ...], by: str) -> Reply:
    """Give these changes back, those that are over as well."""
    held = [c for c in changes if c.held_by and c.landed is None]
    for change in held:
        decision.emit(HandedBack(change=change.id, handed_back_by=by))
        if change.state in {ChangeState.FAILED, ChangeState.STOPPED}:
            if not run.is_open:
                decision.emit(SpecRunReopened(spec_run=run.id))
            decision.emit(ChangeReopened(change=change.id, reopened_by=by, with_agent=True))
    if not held:
        return reply(push_text.nothing_to_hand_back())
    return reply(*(push_text.hand_back_done(c) for c in held))
