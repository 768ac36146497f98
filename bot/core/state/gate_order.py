"""In which order the gates of a candidate begin, and whether a red one stops what did not begin."""

from collections.abc import Iterable
from datetime import datetime

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.blame import baseline_of
from bot.core.state.waivers import waived_now
from bot.core.values.ids import Sha
from gates.result import GateDefinition, GateResult


def cheap_first(state: RepositoryState, gates: Iterable[GateDefinition]) -> tuple[str, ...]:
    """Names of gates by what they took when they ran last, the quickest first.

    A gate without a known time counts as long as the one before it in the policy.
    """
    seconds = {result.gate: result.seconds for result in _results(state) if result.seconds}
    rank, ranks = 0.0, {}
    for gate in gates:
        rank = seconds.get(gate.name, rank)
        ranks[gate.name] = rank
    return tuple(sorted(ranks, key=lambda name: ranks[name]))


def _results(state: RepositoryState) -> Iterable[GateResult]:
    """Later ones are newer."""
    for adoption in state.adoptions.values():
        yield from adoption.results
    for evidence in state.evidence.values():
        yield evidence.result
    for candidate in state.candidates.values():
        yield from candidate.results


def stops_at_first_red(state: RepositoryState, policy: Policy, base: Sha, now: datetime) -> bool:
    """Not where a red gate may be accepted: what comes after it must then be known, too."""
    if not policy.file.stop_at_first_red or waived_now(state, policy, now):
        return False
    baseline = baseline_of(state, base)
    return baseline.is_known and not baseline.tests and not baseline.gates
