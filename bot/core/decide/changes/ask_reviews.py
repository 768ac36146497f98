"""A model's review of a candidate, where the policy asks for it.

The server's model is asked as for any prompt. What it said holds for the same diff on a newer main.
A model that is away, refuses, or leaves a file out has not reviewed: *could not run*, and no attempt
of an agent is charged for it.
"""

from datetime import datetime, timedelta

from bot.core.decide.decision import Decision
from bot.core.journal.effects import AskModel
from bot.core.journal.events import CandidateReviewed
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.state import Awaited, ChangeFacts, OrderFacts
from bot.core.prompts.review_cost import over_budget, upper_cost
from bot.core.prompts.review_prompt import ReviewPromptInput, place_of
from bot.core.spec.awaited_gates import ReviewGate
from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.state.model_review import review_step
from bot.core.values.model_roles import ModelRole
from gates.graded.rounds import Asking, Reviewed, ReviewLedger, Subject, could_not_run
from gates.result import GateResult


def until(gate: ReviewGate, awaited: Awaited) -> datetime:
    return awaited.since + timedelta(seconds=gate.deadline_seconds)


def open_gates(decision: Decision, order: OrderFacts, change: ChangeFacts) -> tuple[str, ...]:
    """The gates at which a model is asked: not those that passed the same diff before."""
    gates = decision.policy_for(change).review_gates
    return tuple(gate.name for gate in gates if _known(decision, order, gate) is None)


def results(
    decision: Decision, change: ChangeFacts, awaited: Awaited
) -> dict[str, GateResult | None]:
    """What a model said for each gate that asks one; None: it is still being asked."""
    gates = decision.policy_for(change).review_gates
    return {gate.name: _result(decision, change, awaited, gate) for gate in gates}


def circle(change: ChangeFacts, awaited: Awaited, gate: str) -> bool:
    """Whether this review undoes an earlier one, so that a person must say what holds."""
    last = change.reviews.get(gate)
    return last is not None and last.order == awaited.order and last.is_circle


def _known(decision: Decision, order: OrderFacts, gate: ReviewGate) -> GateResult | None:
    name = next((key.name for key in order.keys if key.gate == gate.name), "")
    known = decision.state.evidence.get(name)
    return known.result if known is not None else None


def _result(
    decision: Decision, change: ChangeFacts, awaited: Awaited, gate: ReviewGate
) -> GateResult | None:
    last = change.reviews.get(gate.name)
    if last is not None and last.order == awaited.order:
        return last.result
    order = decision.state.orders.get(awaited.order)
    if order is not None and (known := _known(decision, order, gate)) is not None:
        return known
    ledger = last.ledger if last is not None else ReviewLedger()
    step = _step(decision, change, awaited, gate)
    if isinstance(step, str):
        step = Reviewed(result=could_not_run(gate.name, step), ledger=ledger)
    if step is None or isinstance(step, Asking):
        return None
    decision.emit(
        CandidateReviewed(
            change=change.id,
            candidate=awaited.candidate,
            order=awaited.order,
            gate=gate.name,
            result=step.result,
            ledger=step.ledger,
            is_circle=step.is_circle,
        )
    )
    return step.result


def _step(
    decision: Decision, change: ChangeFacts, awaited: Awaited, gate: ReviewGate
) -> Asking | Reviewed | str | None:
    """What is asked now, the end, or why there is none; None: the diff was not looked at yet."""
    files = decision.observed.diffs.get(awaited.candidate)
    if decision.now >= until(gate, awaited):
        return f"it did not end within {gate.deadline_seconds} seconds."
    if not decision.observed.models.can_ask:
        return "this server has no key for a model (ANTHROPIC_API_KEY)."
    found = resolve(ModelRole.REVIEW, decision.policy, decision.observed.models)
    if isinstance(found, ModelRefusal):
        return found.sentence
    if files is None:
        return None
    subject = Subject(gate=gate.name, block=gate.block, files=files)
    step = review_step(decision.state, change, subject)
    if isinstance(step, Reviewed):
        return step
    if too_dear := _too_dear(decision, change, gate, step, found.models):
        return too_dear
    for review_prompt in step.prompts:
        decision.intend(
            AskModel(
                prompt=review_prompt.id,
                role=ModelRole.REVIEW,
                models=found.models,
                about=ReviewPromptInput(
                    change=change.id,
                    gate=gate.name,
                    block=gate.block,
                    candidate=awaited.candidate,
                    round=review_prompt.round,
                ),
                asked_at=decision.now,
            )
        )
    return step


def _too_dear(
    decision: Decision, change: ChangeFacts, gate: ReviewGate, step: Asking, models: tuple[str, ...]
) -> str:
    """Why these prompts are not asked; empty: they are."""
    place = place_of(change.id, gate.name)
    spent = decision.state.model_advice.get(place, ModelAdvice()).use.dollars
    upper = upper_cost(step.prompts, models, decision.policy.file.prices)
    return over_budget(upper, spent, gate.dollars_max)
