"""How people's pulls in the queue evolve, and how often entries of the queue were overtaken."""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.branches import branch_of_pull
from bot.core.journal.candidate_facts import Candidate
from bot.core.journal.evolve_candidate import (
    built,
    doubted,
    judged,
    moved,
    ordered,
    passed_as_main,
    with_candidate,
    with_newest,
)
from bot.core.journal.evolve_entry import moved_entry, overtook, without_entries
from bot.core.journal.evolve_forgotten import without_orders
from bot.core.journal.fold_table import folds, on
from bot.core.journal.queued_pull import QueuedPull, Unfit
from bot.core.journal.state import RepositoryState, with_pull
from bot.core.journal.transitions import PULLS
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.replacement import less, newest, replace, without

# The newest pulls that left the queue are remembered; when there are so many more, these go at once.
LEFT_KEPT = 50
LEFT_AT_ONCE = 10
# Of others only the head, so that it does not enter again by itself.
KEPT_OUT_MAX = 2_000


_OF_PULL = re.compile(r"(?:^|[: ])pull-(\d+)(?::|$)")


class _OfPull(Protocol):
    @property
    def number(self) -> PullNumber: ...


E = TypeVar("E", bound=_OfPull)


def _queued(state: RepositoryState, event: ev.PullQueued) -> RepositoryState:
    known = state.queued_pulls.get(event.number)
    if known is None:
        known, state = _brought_from_elsewhere(state, event.number)
    after = PULLS.after(known, event)
    if after is None:
        return state
    entered = QueuedPull(
        number=event.number,
        state=after,
        head=event.head,
        title=event.title,
        by=event.by,
        queued_at=event.queued_at,
        labelling=event.labelling,
        is_by_policy=event.is_by_policy,
        is_from_fork=event.is_from_fork,
        rounds=known.rounds + 1 if known else 1,
        # A number is of one round: what the round before asked for may still come, or was refused.
        candidates=known.candidates + 1 if known else 0,
    )
    others = without(state.queued_pulls, event.number)
    forgotten = without_entries(state, entered.entry)
    queued = replace(
        forgotten,
        queued_pulls={**others, event.number: entered},
        left_pulls=less(forgotten.left_pulls, event.number),
        kept_out=without(state.kept_out, event.number),
    )
    return moved_entry(queued, entered, event)


def _brought_from_elsewhere(
    state: RepositoryState, number: PullNumber
) -> tuple[QueuedPull | None, RepositoryState]:
    """A pull that asks to be merged into another branch now goes on counting, and leaves that queue."""
    elsewhere = branch_of_pull(state, number)
    if elsewhere is None:
        return None, state
    before = state.branches[elsewhere]
    known = before.queued_pulls[number]
    if not known.has_left:
        return None, state
    moved = replace(
        before,
        queued_pulls=without(before.queued_pulls, number),
        entries=without(before.entries, known.entry),
        in_line=without(before.in_line, known.entry),
        left_pulls=less(before.left_pulls, number),
    )
    return known, replace(state, branches={**state.branches, elsewhere: moved})


def _of_pull(
    fold: Callable[[QueuedPull, E], QueuedPull],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """Fold a known pull after its state moved; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        pull = state.queued_pulls.get(event.number)
        after = PULLS.after(pull, event) if pull else None
        if pull is None or after is None:
            return state
        changed = fold(replace(pull, state=after), event)
        placed = moved_entry(with_pull(state, changed), pull, event)
        if not changed.has_left:
            return placed
        left = (*less(placed.left_pulls, pull.number), pull.number)
        return _without_old(replace(placed, left_pulls=left))

    return folded


def _of_candidate(
    fold: Callable[[QueuedPull, E], QueuedPull],
    of_candidate: Callable[[Candidate, E], Candidate],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """The fold of an event that names a pull's candidate: stale for one, it is stale for both."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        pull = state.queued_pulls.get(event.number)
        candidate = moved(state, pull, event) if pull else None
        after = PULLS.after(pull, event) if pull else None
        if pull is None or candidate is None or after is None:
            return state
        changed = with_pull(state, fold(replace(pull, state=after), event))
        placed = moved_entry(changed, pull, event)
        return with_candidate(placed, of_candidate(candidate, event))

    return folded


def _as_it_was(candidate: Candidate, _event: _OfPull) -> Candidate:
    return candidate


def _without_old(state: RepositoryState) -> RepositoryState:
    """What became of a pull is forgotten when many others have left since, with all that was said."""
    if len(state.left_pulls) < LEFT_KEPT + LEFT_AT_ONCE:
        return state
    numbers = state.left_pulls[:-LEFT_KEPT]
    gone = {str(number) for number in numbers}
    pulls = {number: state.queued_pulls[number] for number in numbers}
    state = without_entries(state, *(pull.entry for pull in pulls.values()))
    out = {n: p.head for n, p in pulls.items() if p.state is not QueuedPullState.LANDED}
    state = without_orders(state, {id_ for id_, o in state.orders.items() if str(o.pull) in gone})
    return replace(
        state,
        queued_pulls=without(state.queued_pulls, *numbers),
        left_pulls=state.left_pulls[-LEFT_KEPT:],
        kept_out=newest({**without(state.kept_out, *out), **out}, KEPT_OUT_MAX),
        published={
            key: digest for key, digest in state.published.items() if _pull_of(key) not in gone
        },
        open_checks=tuple(key for key in state.open_checks if _pull_of(key) not in gone),
        refused={key: why for key, why in state.refused.items() if _pull_of(key) not in gone},
    )


def _pull_of(key: str) -> str:
    """The number of the pull that a published key is about; empty for other keys."""
    found = _OF_PULL.search(key)
    return found[1] if found else ""


def _reviewed(pull: QueuedPull, event: ev.PullReviewed) -> QueuedPull:
    return replace(pull, approvals=event.approvals, approvals_needed=event.needed)


def _allowed(pull: QueuedPull, event: ev.PullAllowed) -> QueuedPull:
    return replace(pull, allowed_by=event.by)


def _unfit(pull: QueuedPull, event: ev.PullUnfit) -> QueuedPull:
    unfit = Unfit(base=event.base, cause=event.cause)
    return replace(pull, unfit=unfit, sentence=event.sentence)


def _withdrawn(pull: QueuedPull, event: ev.PullWithdrawn) -> QueuedPull:
    return replace(pull, sentence=event.sentence)


def _built(state: RepositoryState, event: ev.PullCandidateBuilt) -> RepositoryState:
    """The newest candidate takes the place of the one before it."""
    pull = state.queued_pulls.get(event.number)
    after = PULLS.after(pull, event) if pull else None
    candidate = built(state, pull, event) if pull else None
    if pull is None or after is None or candidate is None:
        return state
    changed = replace(
        pull,
        state=after,
        candidates=event.nth,
        sentence="",
        unfit=None,
        rules=event.rules,
        rules_on=event.base,
    )
    placed = moved_entry(with_pull(state, changed), pull, event)
    return with_newest(placed, pull, candidate)


def _unchanged(pull: QueuedPull, _event: _OfPull) -> QueuedPull:
    return pull


def _evicted(state: RepositoryState, event: ev.PullEvicted) -> RepositoryState:
    pull = state.queued_pulls.get(event.number)
    if pull is None or PULLS.after(pull, event) is None:
        return state
    candidate = state.candidate_of(pull)
    said = with_candidate(state, judged(candidate, event)) if candidate else state
    return _of_pull(_left)(said, event)


def _left(pull: QueuedPull, event: ev.PullEvicted) -> QueuedPull:
    return replace(pull, sentence=event.sentence)


def _aborted(pull: QueuedPull, event: ev.PullLandAborted) -> QueuedPull:
    return replace(pull, sentence=event.sentence)


def _landed(pull: QueuedPull, _event: ev.PullLanded) -> QueuedPull:
    return replace(pull, sentence="")


def _pull_landed(state: RepositoryState, event: ev.PullLanded) -> RepositoryState:
    pull = state.queued_pulls.get(event.number)
    if pull is None or PULLS.after(pull, event) is None:
        return state
    return _of_pull(_landed)(overtook(state, pull), event)


def _change_landed(state: RepositoryState, event: ev.Landed) -> RepositoryState:
    # Folded before the change: a stale event finds it landed.
    change = state.changes.get(event.change)
    return state if change is None or change.is_ended else overtook(state, change)


PULL_QUEUE_FOLDS = folds(
    on(ev.PullQueued, _queued),
    on(ev.PullMoved, _of_pull(_unchanged)),
    on(ev.PullHeld, _of_pull(_unchanged)),
    on(ev.PullReleased, _of_pull(_unchanged)),
    on(ev.PullReviewed, _of_pull(_reviewed)),
    on(ev.PullAllowed, _of_pull(_allowed)),
    on(ev.PullWithdrawn, _of_pull(_withdrawn)),
    on(ev.PullCandidateBuilt, _built),
    on(ev.PullUnfit, _of_pull(_unfit)),
    on(ev.PullGatesOrdered, _of_candidate(_unchanged, ordered)),
    on(ev.PullGatesDoubted, _of_candidate(_unchanged, doubted)),
    on(ev.PullPassedAsMain, _of_candidate(_unchanged, passed_as_main)),
    on(ev.PullPassed, _of_candidate(_unchanged, judged)),
    on(ev.PullVoided, _of_candidate(_unchanged, _as_it_was)),
    on(ev.PullEvicted, _evicted),
    on(ev.PullLandIntended, _of_candidate(_unchanged, _as_it_was)),
    on(ev.PullLanded, _pull_landed),
    on(ev.PullLandAborted, _of_pull(_aborted)),
    on(ev.Landed, _change_landed),
)
