"""Reconcile: one repository, under its lease: read, look, decide, write down, do; until nothing.

The rule: whoever holds no lease writes nothing; what the previous holder left open is looked at
before it is done again; hints that came meanwhile are taken before the lease is let go. A GitHub
that is away, or that asked us to wait, is left alone until then. A tick costs what is new.
Deliberately absent: deciding, and the deeds.
"""

from datetime import timedelta
from enum import StrEnum

from bot.core.decide.decide import decide, wake_at
from bot.core.decide.specs.plan_new_spec import is_unread
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind, Observed, looks
from bot.core.state.urgency import is_work, urgency
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import RepositoryFacts
from bot.ports import JournalUnreadable, Lease, LeaseLost, Limited, Retryable, UserError
from bot.shell import asking
from bot.shell.bench import Bench
from bot.shell.observe import Observer
from bot.shell.perform import all_of, perform
from bot.shell.thrift import count_reads, hold_back, with_occasion

# A round does one piece of work. A decision that still says something after this many is a bug:
# forty changes that all hand in at once take some two hundred.
ROUNDS_MAX = 2_000

# When it is looked again where GitHub would not answer, and where it answered with a no.
_LOOK_AGAIN = timedelta(seconds=5)
_LOOK_AGAIN_REFUSED = timedelta(seconds=60)


class Reconciled(StrEnum):
    """How a reconcile ended."""

    QUIET = "quiet"
    BUSY = "busy"
    LEASE_LOST = "lease_lost"
    WORLD_AWAY = "world_away"


def reconcile(bench: Bench, observer: Observer, repository: RepositoryId) -> Reconciled:
    """Bring a repository as far as it can be brought now. Raises `JournalUnreadable`."""
    lease = bench.journal.acquire(repository, bench.holder, bench.clock.now())
    if lease is None:
        # The holder looks at hints once more before it lets go; the sweep rings for the rest.
        bench.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
        return Reconciled.BUSY
    try:
        outcome = _rounds(bench, observer, lease)
    except LeaseLost:
        return Reconciled.LEASE_LOST
    except JournalUnreadable:
        # They would only grow: whichever release can read the journal looks at everything first.
        bench.journal.drop_hints(tuple(bench.journal.hints(repository)))
        bench.journal.release(lease)
        raise
    bench.journal.release(lease)
    if outcome is Reconciled.QUIET and bench.journal.hints(repository):
        bench.doorbell.ring_repository(repository)
    return outcome


def _rounds(bench: Bench, observer: Observer, lease: Lease) -> Reconciled:
    repository = lease.repository
    state = bench.journal.load(repository)
    if state.unreadable is not None:
        raise JournalUnreadable(state.unreadable.sentence)
    facts = state.facts
    if facts is None:
        bench.journal.drop_hints(tuple(bench.journal.hints(repository)))
        return Reconciled.QUIET
    now = bench.clock.now()
    if not bench.budget.take_seat(all_of(facts), bench.holder, now):
        bench.journal.set_wake_at(repository, now + _LOOK_AGAIN)
        return Reconciled.WORLD_AWAY
    # What this thread read before was for somebody else.
    bench.forge.take_reads()
    try:
        return _rounds_of(bench, observer, lease, state)
    finally:
        count_reads(bench, all_of(facts))
        bench.budget.leave_seat(all_of(facts), bench.holder)


def _rounds_of(
    bench: Bench, observer: Observer, lease: Lease, state: RepositoryState
) -> Reconciled:
    repository, facts = lease.repository, state.facts
    if facts is None:
        return Reconciled.QUIET
    found_open = frozenset(state.open_effects)
    ready = _ready(bench, state)
    state = _do_open(bench, lease, state, found_open)
    bench.journal.put_hints(repository, _asked_by_aborts(state, ready))
    for _ in range(ROUNDS_MAX):
        if _is_away(bench, lease, state):
            return Reconciled.WORLD_AWAY
        waiting = bench.journal.hints(repository)
        try:
            hints = with_occasion(bench, all_of(facts), tuple(waiting.values()))
            observed = _look(bench, observer, state, hints)
        except (Retryable, UserError) as failure:
            return _leave_alone(bench, facts, failure)
        now = bench.clock.now()
        events = decide(state, observed, now)
        state = bench.journal.append(lease, events, now)
        bench.journal.drop_hints(tuple(waiting))
        ready = _ready(bench, state)
        if not events and not waiting and not ready:
            break
        state = _do_open(bench, lease, state, found_open)
        # A landing that was refused means that main or its pull is not what we thought.
        bench.journal.put_hints(repository, _asked_by_aborts(state, ready))
    _set_wake_at(bench, observer, state)
    return Reconciled.QUIET


def _is_away(bench: Bench, lease: Lease, state: RepositoryState) -> bool:
    """Whether GitHub is to be left alone for now; then the sweep rings when it is not any more."""
    if state.facts is None:
        return False
    whom = (all_of(state.facts), str(lease.repository))
    until = bench.journal.paused_until(whom, bench.clock.now())
    if until is not None:
        bench.journal.set_wake_at(lease.repository, until)
    return until is not None


def _leave_alone(
    bench: Bench, facts: RepositoryFacts, failure: Retryable | UserError
) -> Reconciled:
    after = _LOOK_AGAIN_REFUSED
    if isinstance(failure, Retryable):
        after = failure.after or _LOOK_AGAIN
    until = bench.clock.now() + after
    whom = all_of(facts) if isinstance(failure, Limited) else str(facts.id)
    bench.journal.pause(whom, until)
    bench.journal.set_wake_at(facts.id, until)
    return Reconciled.WORLD_AWAY


def _look(
    bench: Bench, observer: Observer, state: RepositoryState, hints: tuple[Hint, ...]
) -> Observed:
    if state.facts is None:
        raise UserError("The repository is not installed.")
    now = bench.clock.now()
    if state.main is not None and state.main_seen_at is not None:
        policy = observer.policy_at(state.facts, state, state.main)
        # Nobody tells us that nothing was pushed: rest is seen by looking.
        hints += (Hint(kind=HintKind.MAIN),) if is_unread(state, policy, now) else ()
    return observer.look(state.facts, state, looks(state, hints, now))


def _ready(bench: Bench, state: RepositoryState) -> tuple[EffectKey, ...]:
    """The open effects that wait neither for a time to come nor for a model."""
    asked = asking.without_reply(bench, state)
    return tuple(
        key for key in state.open_effects if key not in asked and _is_ready(bench, state, key)
    )


def _is_ready(bench: Bench, state: RepositoryState, key: EffectKey) -> bool:
    delay = state.delays.get(key)
    return key in state.open_effects and (delay is None or delay.until <= bench.clock.now())


def _do_open(
    bench: Bench, lease: Lease, state: RepositoryState, found_open: frozenset[str]
) -> RepositoryState:
    """Do the most urgent work, or, where there is none, talk until there is something to hear."""
    if state.facts is None:
        return state
    whom = all_of(state.facts)
    ready = sorted((state.open_effects[key] for key in _ready(bench, state)), key=urgency)
    for place, effect in enumerate(ready):
        if _is_away(bench, lease, state):
            break
        if not _is_ready(bench, state, effect.key):
            continue
        held_back = hold_back(bench, lease, state, whom, ready[place:])
        if held_back is not None:
            state = held_back
            continue
        state = perform(bench, lease, state, effect, found_open)
        if is_work(effect) or bench.journal.hints(lease.repository):
            # What follows from it may be more urgent than what was left.
            break
    return state


def _asked_by_aborts(state: RepositoryState, done: tuple[EffectKey, ...]) -> tuple[Hint, ...]:
    """What to look at when landings among the effects just done left their change in the queue."""
    aborted = [
        change
        for change in state.changes.values()
        if change.state is ChangeState.QUEUED
        and any(key.startswith(f"land:{change.id}:") for key in done)
    ]
    pulls = [Hint(kind=HintKind.PULL, number=c.pull) for c in aborted if c.pull is not None]
    return (Hint(kind=HintKind.MAIN), *pulls) if aborted else ()


def _set_wake_at(bench: Bench, observer: Observer, state: RepositoryState) -> None:
    if state.facts is None or state.main is None:
        return
    open_orders = tuple(o.id for o in state.orders.values() if o.is_open)
    entries = tuple(bench.desk.entries(state.facts.id, open_orders).values())
    policy = observer.policy_at(state.facts, state, state.main)
    waits = (wake_at(state, policy, entries, bench.clock.now()), asking.nudge(bench, state))
    bench.journal.set_wake_at(state.facts.id, min((w for w in waits if w), default=None))
