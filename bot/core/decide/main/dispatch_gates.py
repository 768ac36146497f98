"""What every order for gates is made of, whoever's commit they judge."""

from action.order import GateOrder
from bot.core.decide.decision import Decision
from bot.core.journal.effects import DispatchOrder
from bot.core.journal.state import Candidate, ChangeFacts
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import RunsOnFor
from bot.core.state.blame import baseline_of
from bot.core.state.flaky_results import repeats_in_order
from bot.core.state.gate_order import cheap_first
from bot.core.values.ids import Frozen, OrderId, Ref, Sha
from bot.core.values.repository import RepositoryFacts
from gates.result import GateDefinition, definition_hash


class GatesAsked(Frozen):
    """Which gates judge what: `candidate`, fetched as `ref`; its diff is that from `diff_base`.

    `repeats`: which run once more where they are red.
    """

    order: OrderId
    gates: tuple[GateDefinition, ...]
    candidate: Sha
    ref: Ref
    diff_base: Sha
    repeats: tuple[str, ...] = ()


def gates_of_candidate(
    decision: Decision,
    policy: Policy,
    candidate: Candidate,
    order: OrderId,
    gates: tuple[GateDefinition, ...],
    ref: Ref,
) -> GatesAsked:
    """Of a change or of a pull."""
    baseline = baseline_of(decision.state, candidate.base)
    return GatesAsked(
        order=order,
        gates=gates,
        candidate=candidate.sha,
        ref=ref,
        diff_base=candidate.base,
        repeats=repeats_in_order(policy, gates, candidate.doubts, baseline),
    )


def gate_order(
    decision: Decision, facts: RepositoryFacts, policy: Policy, asked: GatesAsked
) -> GateOrder:
    """For people's work; setup runs on the candidate's own tree. A change's order says more."""
    return GateOrder(
        order_id=asked.order,
        repository=facts.full_name,
        clone_url=facts.clone_url,
        candidate_sha=asked.candidate,
        candidate_ref=asked.ref,
        diff_base_sha=asked.diff_base,
        definition_hash=definition_hash(asked.gates),
        gates=asked.gates,
        is_of_person=True,
        begin_with=cheap_first(decision.state, asked.gates),
        at_once=policy.file.gates_at_once,
        repeats=asked.repeats,
        setup=policy.setup,
        setup_sha=asked.candidate,
        environment=policy.environment,
        egress_hosts=policy.file.egress,
        sandbox=policy.sandbox,
        sandbox_allow=policy.sandbox_allow,
    )


def dispatch_gates(
    decision: Decision, policy: Policy, order: GateOrder, change: ChangeFacts | None = None
) -> None:
    decision.intend(
        DispatchOrder(
            order=order,
            change=change.id if change else None,
            workflow=policy.file.gates_workflow,
            runs_on=policy.runs_on(RunsOnFor.GATES, change.planned.type if change else None),
            placed_at=decision.now,
        )
    )
