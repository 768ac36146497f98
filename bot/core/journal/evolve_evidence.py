"""How evidence evolves: it comes with reports, and goes where a person asks for it again."""

from dataclasses import replace as with_fields

from bot.core.journal import events as ev
from bot.core.journal.evidence_state import Evidence
from bot.core.journal.evolve_candidate import moved
from bot.core.journal.evolve_entry import change_after
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import RepositoryState
from bot.core.journal.transitions import PULLS
from bot.core.values.ids import ChangeId, OrderId, Sha
from bot.core.values.replacement import newest, replace
from gates.result import GateResult

# The newest results of a repository that are kept; a queue of a hundred candidates finds its own.
EVIDENCE_KEPT = 512

_OfCandidate = ev.CandidatePassed | ev.CandidateFailed | ev.ChecksAwaited


def _of_candidate(state: RepositoryState, event: _OfCandidate) -> RepositoryState:
    return _given(state, event, event.change, event.results)


def _doubted(state: RepositoryState, event: ev.GatesDoubted) -> RepositoryState:
    if event.change is not None:
        return _given(state, event, event.change, event.results)
    return _of_main(state, event.candidate, event.order, event.results)


def _main_judged(state: RepositoryState, event: ev.AdoptionJudged) -> RepositoryState:
    return _of_main(state, event.sha, event.order, event.results)


def _given(
    state: RepositoryState,
    event: _OfCandidate | ev.GatesDoubted,
    id_: ChangeId,
    results: tuple[GateResult, ...],
) -> RepositoryState:
    change = state.changes.get(id_)
    is_stale = (
        change is None
        or change_after(state, change, event) is None
        or moved(state, change, event) is None
    )
    return state if is_stale else _with_results(state, event.order, results)


def _of_main(
    state: RepositoryState, sha: Sha, order: OrderId | None, results: tuple[GateResult, ...]
) -> RepositoryState:
    adoption = state.adoptions.get(sha)
    is_stale = adoption is None or adoption.green is not None or adoption.order != order
    return state if is_stale else _with_results(state, order, results)


def _with_results(
    state: RepositoryState, order: OrderId | None, results: tuple[GateResult, ...]
) -> RepositoryState:
    placed = state.orders.get(order) if order else None
    if placed is None:
        return state
    keys = {key.gate: key for key in placed.keys}
    evidence = {**state.evidence}
    for result in results:
        key = keys.get(result.gate)
        if key is None or not result.is_accepted:
            continue
        # The newest stand last, so that the oldest go.
        evidence.pop(key.name, None)
        kept = with_fields(result, log_tail="")
        evidence[key.name] = Evidence(key=key, result=kept, order=placed.id)
    return replace(state, evidence=newest(evidence, EVIDENCE_KEPT))


def _asked_again(state: RepositoryState, event: ev.GatesAskedAgain) -> RepositoryState:
    """Drop every earlier result for this tree, diff and commit."""
    things = (event.candidate, *_content(state, event))
    kept = {name: e for name, e in state.evidence.items() if not e.key.is_about(*things)}
    return replace(state, evidence=kept)


def _content(state: RepositoryState, event: ev.GatesAskedAgain) -> tuple[str, ...]:
    if event.change is None:
        return tuple(line.tree for line in state.ledger if line.sha == event.candidate)
    change = state.changes.get(event.change)
    candidate = state.candidate_of(change) if change else None
    if candidate is None or candidate.sha != event.candidate:
        return ()
    return (candidate.tree, candidate.diff_digest)


def _of_pull(
    state: RepositoryState,
    event: ev.PullPassed | ev.PullPassedAsMain | ev.PullEvicted | ev.PullGatesDoubted,
) -> RepositoryState:
    pull = state.queued_pulls.get(event.number)
    is_stale = (
        pull is None
        or PULLS.after(pull, event) is None
        or (not isinstance(event, ev.PullEvicted) and moved(state, pull, event) is None)
    )
    return state if is_stale else _with_results(state, event.order, event.results)


EVIDENCE_FOLDS = folds(
    on(ev.CandidatePassed, _of_candidate),
    on(ev.CandidateFailed, _of_candidate),
    on(ev.ChecksAwaited, _of_candidate),
    on(ev.GatesDoubted, _doubted),
    on(ev.AdoptionJudged, _main_judged),
    on(ev.GatesAskedAgain, _asked_again),
    on(ev.PullPassed, _of_pull),
    on(ev.PullPassedAsMain, _of_pull),
    on(ev.PullEvicted, _of_pull),
    on(ev.PullGatesDoubted, _of_pull),
)
