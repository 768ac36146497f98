"""How people's pulls in the queue evolve, and how often entries of the queue were overtaken."""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.hold import Hold
from bot.core.journal.queued_pull import QueuedPull
from bot.core.journal.state import Candidate, RepositoryState
from bot.core.journal.transitions import PULLS
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import IN_QUEUE
from bot.core.values.replacement import replace
from gates.result import Ending

# So many pulls that left the queue are remembered, for whoever asks what became of them.
LEFT_KEPT = 50


_OF_PULL = re.compile(r"(?:^|[: ])pull-(\d+)(?::|$)")


class _OfPull(Protocol):
    @property
    def number(self) -> PullNumber: ...


E = TypeVar("E", bound=_OfPull)


def _queued(state: RepositoryState, event: ev.PullQueued) -> RepositoryState:
    known = state.queued_pulls.get(event.number)
    after = PULLS.after(known, event)
    if after is None:
        return state
    entered = QueuedPull(
        number=event.number,
        state=after,
        head=event.head,
        title=event.title,
        by=event.by,
        entered=state.events,
        queued_at=event.queued_at,
        priority=event.priority,
        rounds=known.rounds + 1 if known else 1,
        # A number is of one round: what the round before asked for may still come, or was refused.
        candidates=known.candidates + 1 if known else 0,
    )
    others = {n: p for n, p in state.queued_pulls.items() if n != event.number}
    return replace(state, queued_pulls={**others, event.number: entered})


def _of_pull(
    fold: Callable[[QueuedPull, E], QueuedPull],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """The fold of a known pull, whose state has moved by then; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        pull = state.queued_pulls.get(event.number)
        after = PULLS.after(pull, event) if pull else None
        if pull is None or after is None:
            return state
        changed = fold(replace(pull, state=after), event)
        moved = replace(state, queued_pulls={**state.queued_pulls, pull.number: changed})
        return _without_old(moved) if changed.has_left else moved

    return folded


def _without_old(state: RepositoryState) -> RepositoryState:
    """What became of a pull is forgotten when many others have left since, with all that was said."""
    left = [pull.number for pull in state.queued_pulls.values() if pull.has_left]
    gone = {str(number) for number in left[:-LEFT_KEPT]}
    if not gone:
        return state
    orders = {id_: o for id_, o in state.orders.items() if str(o.pull) not in gone}
    ended = state.orders.keys() - orders.keys()
    return replace(
        state,
        queued_pulls={n: p for n, p in state.queued_pulls.items() if str(n) not in gone},
        orders=orders,
        lost_orders=tuple(id_ for id_ in state.lost_orders if id_ in orders),
        published={
            key: digest
            for key, digest in state.published.items()
            if _pull_of(key) not in gone and key.rpartition(":")[2] not in ended
        },
        refused={key: why for key, why in state.refused.items() if _pull_of(key) not in gone},
    )


def _pull_of(key: str) -> str:
    """The number of the pull of which a published key tells; empty for all others."""
    found = _OF_PULL.search(key)
    return found[1] if found else ""


def _moved(pull: QueuedPull, event: ev.PullMoved) -> QueuedPull:
    return replace(pull, priority=event.priority, is_next=event.is_next or pull.is_next)


def _held(pull: QueuedPull, event: ev.PullHeld) -> QueuedPull:
    return replace(pull, hold=Hold(by=event.by, why=event.why, since=event.held_at))


def _released(pull: QueuedPull, _event: ev.PullReleased) -> QueuedPull:
    return replace(pull, hold=None)


def _withdrawn(pull: QueuedPull, event: ev.PullWithdrawn) -> QueuedPull:
    return replace(pull, sentence=event.sentence, hold=None, is_next=False)


def _built(pull: QueuedPull, event: ev.PullCandidateBuilt) -> QueuedPull:
    candidate = Candidate(
        number=event.nth,
        base=event.base,
        head=event.head,
        sha=event.sha,
        tree=event.tree,
        diff_digest=event.diff_digest,
        built_at=event.built_at,
        archive_paths=(),
        steering=event.steering,
        is_signed=event.is_signed,
    )
    return replace(
        pull,
        candidate=candidate,
        candidates=event.nth,
        order=None,
        results=(),
        doubts=(),
        land_after=None,
        sentence="",
    )


def _ordered(pull: QueuedPull, event: ev.PullGatesOrdered) -> QueuedPull:
    return replace(pull, order=event.order)


def _doubted(pull: QueuedPull, event: ev.PullGatesDoubted) -> QueuedPull:
    red = (r for r in event.results if r.ending is not Ending.PASSED and not r.stopped_by)
    return replace(pull, doubts=(*pull.doubts, *red))


def _passed(pull: QueuedPull, event: ev.PullPassed) -> QueuedPull:
    return replace(pull, results=event.results)


def _unchanged(pull: QueuedPull, _event: _OfPull) -> QueuedPull:
    return pull


def _evicted(pull: QueuedPull, event: ev.PullEvicted) -> QueuedPull:
    return replace(pull, results=event.results, sentence=event.sentence, hold=None, is_next=False)


def _aborted(pull: QueuedPull, event: ev.PullLandAborted) -> QueuedPull:
    return replace(pull, sentence=event.sentence, land_after=event.again_at)


def _overtook(state: RepositoryState, event: ev.PullLanded | ev.Landed) -> RepositoryState:
    """Folded while what lands still is in the queue: who entered before it was overtaken by it."""
    landed = (
        state.queued_pulls.get(event.number)
        if isinstance(event, ev.PullLanded)
        else state.changes.get(event.change)
    )
    entered = landed.entered if landed is not None else None
    if entered is None:
        return state
    pulls = {
        number: replace(pull, overtaken=pull.overtaken + 1)
        for number, pull in state.queued_pulls.items()
        if pull.state in IN_QUEUE
        and pull.entered < entered
        # Nobody overtakes what a person holds.
        and pull.hold is None
    }
    changes = {
        id_: replace(change, overtaken=change.overtaken + 1)
        for id_, change in state.changes.items()
        if not change.is_ended
        and change.entered is not None
        and change.entered < entered
        and change.hold is None
    }
    if not pulls and not changes:
        return state
    return replace(
        state,
        queued_pulls={**state.queued_pulls, **pulls},
        changes={**state.changes, **changes},
    )


def _pull_landed(state: RepositoryState, event: ev.PullLanded) -> RepositoryState:
    pull = state.queued_pulls.get(event.number)
    if pull is None or PULLS.after(pull, event) is None:
        return state
    return _of_pull(_unchanged)(_overtook(state, event), event)


def _change_landed(state: RepositoryState, event: ev.Landed) -> RepositoryState:
    # Folded before the change: a stale event finds it landed.
    change = state.changes.get(event.change)
    return state if change is None or change.is_ended else _overtook(state, event)


PULL_QUEUE_FOLDS = folds(
    on(ev.PullQueued, _queued),
    on(ev.PullMoved, _of_pull(_moved)),
    on(ev.PullHeld, _of_pull(_held)),
    on(ev.PullReleased, _of_pull(_released)),
    on(ev.PullWithdrawn, _of_pull(_withdrawn)),
    on(ev.PullCandidateBuilt, _of_pull(_built)),
    on(ev.PullGatesOrdered, _of_pull(_ordered)),
    on(ev.PullGatesDoubted, _of_pull(_doubted)),
    on(ev.PullPassed, _of_pull(_passed)),
    on(ev.PullVoided, _of_pull(_unchanged)),
    on(ev.PullEvicted, _of_pull(_evicted)),
    on(ev.PullLandIntended, _of_pull(_unchanged)),
    on(ev.PullLanded, _pull_landed),
    on(ev.PullLandAborted, _of_pull(_aborted)),
    on(ev.Landed, _change_landed),
)
