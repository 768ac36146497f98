"""Main's own results of gates with `when`, for a candidate that touches none of their paths."""

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.evidence import Judged, held
from bot.core.values.steering import Steering
from gates.result import GateResult


def with_results_of_main(
    state: RepositoryState, policy: Policy, change: ChangeFacts, known: tuple[GateResult, ...]
) -> tuple[GateResult, ...]:
    """`known`, and what main's tree passed under the same definition where the change is beside it.

    A candidate with files that steer judgements is asked everything.
    """
    candidate = state.candidate_of(change)
    if candidate is None or not candidate.beside or candidate.steering != Steering():
        return known
    tree = next((line.tree for line in reversed(state.ledger) if line.sha == candidate.base), None)
    if tree is None:
        return known
    base = Judged(commit=candidate.base, tree=tree, type=change.planned.type)
    names = {result.gate for result in known}
    of_main = held(state, policy, base)
    return (*known, *(r for r in of_main if r.gate in candidate.beside and r.gate not in names))
