"""A person's word on a candidate, where the policy asks for it.

It is about what the candidate changes: the same diff on a newer main is accepted already. Silence
accepts nothing.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.events import CandidateAnswered
from bot.core.journal.state import Awaited, ChangeFacts
from bot.core.spec.awaited_gates import AcceptanceGate
from bot.core.state.candidates import awaited_now
from bot.core.state.deviations import deviations
from bot.core.talk.acceptance_text import answered, not_permitted
from bot.core.values.check_button import Button, Press
from bot.core.values.repository import Role
from gates.result import Ending, GateResult, Judges

ANSWERS = {Button.ACCEPT: True, Button.REJECT: False}


def answers(
    decision: Decision, change: ChangeFacts, awaited: Awaited
) -> dict[str, GateResult | None]:
    """What was said for each gate that asks a person; None: nobody has spoken."""
    gates = decision.policy_for(change).acceptance_gates
    return {gate.name: _answer(decision, awaited, gate) for gate in gates}


def _answer(decision: Decision, awaited: Awaited, gate: AcceptanceGate) -> GateResult | None:
    said = next((one for one in awaited.answers if one.gate == gate.name), None)
    if said is not None:
        return GateResult(
            gate=gate.name,
            judges=Judges.DIFF,
            ending=Ending.PASSED if said.is_accepted else Ending.FAILED,
            sentence=answered(
                said.answered_by, len(deviations(awaited.results)), is_accepted=said.is_accepted
            ),
        )
    order = decision.state.orders.get(awaited.order)
    name = next((key.name for key in (order.keys if order else ()) if key.gate == gate.name), "")
    known = decision.state.evidence.get(name)
    return known.result if known is not None else None


def press(decision: Decision, change: ChangeFacts, pressed: Press, role: Role) -> None:
    """Keep an answer to the candidate that is asked about; the first one counts. Whoever may not say it is told."""
    awaited = awaited_now(decision.state, change)
    gate = next(
        (
            one
            for one in decision.policy_for(change).acceptance_gates
            if pressed.external_id.endswith(f":{one.name}")
        ),
        None,
    )
    is_asked = awaited is not None and awaited.candidate == pressed.sha
    if awaited is None or gate is None or not is_asked:
        return
    if not role.covers(gate.role):
        if change.issue is not None:
            subject = (
                f"not permitted {change.id} {awaited.candidate[:12]} {gate.name} {pressed.person}"
            )
            told = not_permitted(gate.name, pressed.person, role, gate.role)
            decision.comment_once(change.issue, subject, told)
        return
    if all(one.gate != gate.name for one in awaited.answers):
        decision.emit(
            CandidateAnswered(
                change=change.id,
                candidate=awaited.candidate,
                gate=gate.name,
                is_accepted=ANSWERS[pressed.button],
                answered_by=pressed.person,
                answered_at=decision.now,
            )
        )
