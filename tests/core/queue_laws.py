"""What must hold of the queue after every step, whatever happened; read from the journal and the state.

What passed is read from reports here, and not from the evidence that the queue itself looks at.
"""

from collections.abc import Sequence

from bot.core.journal import events as ev
from bot.core.journal.events import Event
from bot.core.journal.evolve import evolve
from bot.core.journal.state import (
    Candidate,
    ChangeFacts,
    LedgerKind,
    OrderKind,
    QueuedPull,
    RepositoryState,
)
from bot.core.spec.policy import Policy
from bot.core.state.queue_order import SERIAL
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import CandidateState, EntryState
from gates.result import Ending, GateResult, Judges
from tests.core.kit import World, read_good
from tests.core.values import sha

_REPORTS = (
    ev.CandidatePassed
    | ev.CandidateFailed
    | ev.GatesDoubted
    | ev.ChecksAwaited
    | ev.PullPassed
    | ev.PullPassedAsMain
    | ev.PullGatesDoubted
)


class Book:
    """What gates said so far, by what they judged."""

    def __init__(self) -> None:
        self._content: dict[Sha, tuple[Sha, str]] = {}
        self._passed: set[tuple[str, str]] = set()

    def read(self, event: Event) -> None:
        """Note what was built, and what was reported of it."""
        if isinstance(event, ev.CandidateBuilt | ev.PullCandidateBuilt):
            self._content[event.sha] = (event.tree, event.diff_digest)
        elif isinstance(event, _REPORTS):
            for result in event.results:
                if result.ending is Ending.PASSED:
                    self._passed.add((result.gate, self._judged(event.candidate, result)))
        elif isinstance(event, ev.AdoptionJudged):
            # A commit of main; its tree may be a candidate's.
            self._passed |= {(r.gate, event.sha) for r in event.results}

    def lacks(self, policy: Policy, candidate: Candidate) -> list[str]:
        """The required gates that nobody has seen pass on the same tree or diff."""
        things = {candidate.tree, candidate.diff_digest, candidate.sha}
        return [
            gate
            for gate in policy.required_gates
            if not any((gate, thing) in self._passed for thing in things)
        ]

    def _judged(self, commit: Sha, result: GateResult) -> str:
        tree, diff = self._content[commit]
        return tree if result.judges is Judges.TREE else diff


def check_landings(world: World, before: RepositoryState, since: Sequence[Event]) -> None:
    """What is landed stands on main, is judged, and nobody keeps it from landing."""
    book = Book()
    for event in world.journal[: len(world.journal) - len(since)]:
        book.read(event)
    state = before
    for event in since:
        book.read(event)
        if isinstance(event, ev.LandIntended | ev.PullLandIntended):
            _check_intent(world, state, event, book)
        if isinstance(event, ev.Landed | ev.PullLanded):
            after = evolve(state, event)
            if len(after.ledger) > len(state.ledger):
                assert after.ledger[-1].kind is LedgerKind.LANDED
                assert after.ledger[-1].previous == event.base == state.ledger[-1].sha
        state = evolve(state, event)


def _check_intent(
    world: World, state: RepositoryState, event: ev.LandIntended | ev.PullLandIntended, book: Book
) -> None:
    queued: ChangeFacts | QueuedPull
    if isinstance(event, ev.LandIntended):
        queued = state.changes[event.change]
        policy = read_good(world.policy_text or "").of_type(queued.planned.type)
    else:
        queued = state.queued_pulls[event.number]
        policy = read_good(world.policy_text or "").of_pulls()
        assert not queued.needs_word
        assert not queued.waits_for_reviews
    candidate = state.candidate_of(queued)
    entry = state.entry_of(queued)
    if candidate is None or entry.state is not EntryState.QUEUED:
        # An event of long ago that came again moves nothing.
        return
    assert (candidate.sha, candidate.base) == (event.candidate, event.base)
    assert event.base == state.main
    assert candidate.state is CandidateState.JUDGED
    assert entry.hold is None
    assert not state.freezes
    assert book.lacks(policy, candidate) == []
    assert not any(e.state is EntryState.LANDING for e in state.entries.values())


def check_queue(state: RepositoryState) -> None:
    """Of every entry and candidate, at any time."""
    assert sum(e.state is EntryState.LANDING for e in state.entries.values()) <= 1
    for pull in state.queued_pulls.values():
        entry, candidate = state.entry_of(pull), state.candidate_of(pull)
        assert (entry.state in {EntryState.QUEUED, EntryState.LANDING}) != pull.has_left
        if not pull.needs_word and not pull.waits_for_reviews:
            assert entry.overtaken <= SERIAL.overtaken_max + 1
        if candidate is not None and candidate.sha:
            recipe = candidate.recipe
            assert candidate.sha == sha(f"merge {recipe.base} {recipe.steps[-1].head}")
    alive = {
        candidate.order: candidate
        for candidate in state.candidates.values()
        if candidate.state is CandidateState.JUDGING
    }
    for order in (state.orders[id_] for id_ in state.open_orders):
        is_revoked = f"revoke:{order.id}" in state.published
        if order.kind is OrderKind.GATE and (order.change or order.pull) and not is_revoked:
            # Nobody's runner works for a candidate that is void.
            assert order.id in alive
            assert alive[order.id].sha == order.commit
