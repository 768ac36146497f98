"""Adds to the report of a runner how far each requirement is proven."""

from collections.abc import Sequence

from bot.core.decide.decision import Decision
from bot.core.journal.state import OrderFacts
from bot.core.state.asked_requirements import asked_requirements
from bot.core.state.coverage import passed_of
from bot.core.state.proof import ProofContext, with_levels
from gates.asked import Asked
from gates.result import GateResult


def proven(
    decision: Decision, order: OrderFacts, results: Sequence[GateResult]
) -> tuple[GateResult, ...]:
    """The results, `spec_verify` with its levels; other gates' results say what passed."""
    change = decision.state.changes.get(order.change) if order.change else None
    if change is None:
        return tuple(results)
    run = decision.state.spec_runs[change.spec_run]
    spec = decision.spec_of(run)
    edit = decision.observed.edits.get(run.id)
    requirements = {r.id: r for r in spec.requirements} if spec else {}
    edited = {r.id: r.text_hash for r in edit.requirements} if edit else {}
    tests = decision.observed.judged_tests.get(order.commit)
    known = ProofContext(
        requirements=requirements,
        stale=frozenset(
            id_ for id_, r in requirements.items() if edited.get(id_, r.text_hash) != r.text_hash
        ),
        passed=passed_of((*order.reused, *results)),
        mentions=tests.mentions if tests else (),
        plan=decision.policy.test_plan,
        kept=frozenset(
            one.id
            for one in asked_requirements(decision.state, spec, change)
            if one.asked is Asked.KEPT
        ),
    )
    return tuple(with_levels(result, known) for result in results)
