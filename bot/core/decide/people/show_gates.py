"""What check runs say of a candidate's gates while some of them still run.

A red gate is shown at once. A required gate that is seen running, because it takes longer than the time
between two heartbeats, gets a check run of its own, which is concluded in the end. This informs people
only: the verdict comes from the report.
"""

from bot.core.decide.changes import await_acceptance
from bot.core.decide.decision import Decision
from bot.core.journal.evolve_forgotten import OPEN
from bot.core.journal.state import ChangeFacts, OrderFacts, OrderKind
from bot.core.state.candidates import awaited_now
from bot.core.talk import checks
from bot.core.talk.acceptance_text import acceptance
from bot.core.values.check_run import CheckRunText
from gates.result import Ending, GateResult


def gates_so_far(
    decision: Decision, change: ChangeFacts, external_id: str
) -> dict[str, CheckRunText]:
    """The check runs of a candidate that is being judged, by external id; first the verdict's."""
    order = decision.state.orders.get(change.order) if change.order else None
    entry = decision.observed.order_store.get(order.id) if order else None
    if (
        order is None
        or entry is None
        or entry.doing is None
        or not _is_judged_by(decision, order, change)
    ):
        return {external_id: checks.judging(change)}
    policy = decision.policy_for(change)
    judges = {gate.name: gate.judges for gate in policy.gates}
    stand = [one for one in entry.doing.status.gates if one.gate in judges]
    if not any(one.is_running or one.ending for one in stand):
        return {external_id: checks.judging(change)}
    said = {external_id: checks.judging(change, order.reused, stand)}
    is_long = any(one.is_running for one in stand)
    for one in stand:
        id_ = f"{external_id}:{one.gate}"
        is_red = one.ending is not None and one.ending is not Ending.PASSED
        is_shown = one.ending is None and is_long and one.gate in policy.required_gates
        if is_red or is_shown or _is_known(decision, id_):
            said[id_] = checks.running_gate(change, one, judges[one.gate])
    return said


def acceptances(
    decision: Decision, change: ChangeFacts, external_id: str
) -> dict[str, CheckRunText]:
    """The check runs that ask a person, or say what they said while others are awaited."""
    awaited = awaited_now(decision.state, change)
    if awaited is None:
        return {}
    said = await_acceptance.answers(decision, change, awaited)
    return {
        f"{external_id}:{gate.name}": acceptance(gate.name, gate.role, awaited.results)
        if (result := said[gate.name]) is None
        else checks.gate(result)
        for gate in decision.policy_for(change).acceptance_gates
    }


def _is_judged_by(decision: Decision, order: OrderFacts, change: ChangeFacts) -> bool:
    candidate = decision.state.candidate_of(change)
    is_of_candidate = candidate is not None and order.commit == candidate.sha
    return order.kind is OrderKind.GATE and order.is_open and is_of_candidate


def judged_gates(
    decision: Decision, results: tuple[GateResult, ...], external_id: str
) -> dict[str, CheckRunText]:
    """The check runs of single gates in the end: what did not pass, and what was announced."""
    return {
        id_: checks.gate(result)
        for result in results
        if (id_ := f"{external_id}:{result.gate}")
        and (
            (result.ending is not Ending.PASSED and not result.stopped_by)
            or _is_known(decision, id_)
        )
    }


def given_up_gates(
    decision: Decision, change: ChangeFacts, external_id: str
) -> dict[str, CheckRunText]:
    """Check runs of announced gates whose result will not come."""
    return {
        id_: checks.unjudged_gate(change, gate.name)
        for gate in decision.policy_for(change).gates
        if _is_known(decision, id_ := f"{external_id}:{gate.name}")
        and decision.state.published[f"check:{id_}"].startswith(OPEN)
    }


def _is_known(decision: Decision, external_id: str) -> bool:
    return f"check:{external_id}" in decision.state.published
