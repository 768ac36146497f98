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
from bot.shell import model_calls
from bot.shell.observe import Observer
from bot.shell.perform import all_of, perform
from bot.shell.process_ports import Ports
from bot.shell.rate_limit import count_reads, defer_over_budget, hints_within_budget

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


def reconcile(ports: Ports, observer: Observer, repository: RepositoryId) -> Reconciled:
    """Bring a repository as far as it can be brought now. Raises `JournalUnreadable`."""
    lease = ports.journal.acquire(repository, ports.holder, ports.clock.now())
    if lease is None:
        # The holder looks at hints once more before it lets go; the sweep rings for the rest.
        ports.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
        return Reconciled.BUSY
    try:
        outcome = _rounds(ports, observer, lease)
    except LeaseLost:
        return Reconciled.LEASE_LOST
    except JournalUnreadable:
        # They would only grow: whichever release can read the journal looks at everything first.
        ports.journal.drop_hints(tuple(ports.journal.hints(repository)))
        ports.journal.release(lease)
        raise
    ports.journal.release(lease)
    if outcome is Reconciled.QUIET and ports.journal.hints(repository):
        ports.doorbell.ring_repository(repository)
    return outcome


def _rounds(ports: Ports, observer: Observer, lease: Lease) -> Reconciled:
    repository = lease.repository
    state = ports.journal.load(repository)
    if state.unreadable is not None:
        raise JournalUnreadable(state.unreadable.sentence)
    facts = state.facts
    if facts is None:
        ports.journal.drop_hints(tuple(ports.journal.hints(repository)))
        return Reconciled.QUIET
    now = ports.clock.now()
    if not ports.budget.acquire_slot(all_of(facts), ports.holder, now):
        ports.journal.set_wake_at(repository, now + _LOOK_AGAIN)
        return Reconciled.WORLD_AWAY
    # What this thread read before was for somebody else.
    ports.forge.pop_read_cost()
    try:
        return _rounds_of(ports, observer, lease, state)
    finally:
        count_reads(ports, all_of(facts))
        ports.budget.release_slot(all_of(facts), ports.holder)


def _rounds_of(
    ports: Ports, observer: Observer, lease: Lease, state: RepositoryState
) -> Reconciled:
    repository, facts = lease.repository, state.facts
    if facts is None:
        return Reconciled.QUIET
    found_open = frozenset(state.open_effects)
    ready = _ready(ports, state)
    state = _do_open(ports, lease, state, found_open)
    ports.journal.put_hints(repository, _asked_by_aborts(state, ready))
    for _ in range(ROUNDS_MAX):
        if _is_away(ports, lease, state):
            return Reconciled.WORLD_AWAY
        waiting = ports.journal.hints(repository)
        try:
            hints = hints_within_budget(ports, all_of(facts), tuple(waiting.values()))
            observed = _look(ports, observer, state, hints)
        except (Retryable, UserError) as failure:
            return _leave_alone(ports, facts, failure)
        now = ports.clock.now()
        events = decide(state, observed, now)
        state = ports.journal.append(lease, events, now)
        ports.journal.drop_hints(tuple(waiting))
        ready = _ready(ports, state)
        if not events and not waiting and not ready:
            break
        state = _do_open(ports, lease, state, found_open)
        # A landing that was refused means that main or its pull is not what we thought.
        ports.journal.put_hints(repository, _asked_by_aborts(state, ready))
    _set_wake_at(ports, observer, state)
    return Reconciled.QUIET


def _is_away(ports: Ports, lease: Lease, state: RepositoryState) -> bool:
    """Whether GitHub is to be left alone for now; then the sweep rings when it is not any more."""
    if state.facts is None:
        return False
    whom = (all_of(state.facts), str(lease.repository))
    until = ports.journal.paused_until(whom, ports.clock.now())
    if until is not None:
        ports.journal.set_wake_at(lease.repository, until)
    return until is not None


def _leave_alone(
    ports: Ports, facts: RepositoryFacts, failure: Retryable | UserError
) -> Reconciled:
    after = _LOOK_AGAIN_REFUSED
    if isinstance(failure, Retryable):
        after = failure.after or _LOOK_AGAIN
    until = ports.clock.now() + after
    whom = all_of(facts) if isinstance(failure, Limited) else str(facts.id)
    ports.journal.pause(whom, until)
    ports.journal.set_wake_at(facts.id, until)
    return Reconciled.WORLD_AWAY


def _look(
    ports: Ports, observer: Observer, state: RepositoryState, hints: tuple[Hint, ...]
) -> Observed:
    if state.facts is None:
        raise UserError("The repository is not installed.")
    now = ports.clock.now()
    if state.main is not None and state.main_seen_at is not None:
        policy = observer.policy_at(state.facts, state, state.main)
        # Nobody tells us that nothing was pushed: rest is seen by looking.
        hints += (Hint(kind=HintKind.MAIN),) if is_unread(state, policy, now) else ()
    return observer.look(state.facts, state, looks(state, hints, now))


def _ready(ports: Ports, state: RepositoryState) -> tuple[EffectKey, ...]:
    """The open effects that wait neither for a time to come nor for a model."""
    asked = model_calls.without_reply(ports, state)
    return tuple(
        key for key in state.open_effects if key not in asked and _is_ready(ports, state, key)
    )


def _is_ready(ports: Ports, state: RepositoryState, key: EffectKey) -> bool:
    delay = state.delays.get(key)
    return key in state.open_effects and (delay is None or delay.until <= ports.clock.now())


def _do_open(
    ports: Ports, lease: Lease, state: RepositoryState, found_open: frozenset[str]
) -> RepositoryState:
    """Do the most urgent work, or, where there is none, talk until there is something to hear."""
    if state.facts is None:
        return state
    whom = all_of(state.facts)
    ready = sorted((state.open_effects[key] for key in _ready(ports, state)), key=urgency)
    for place, effect in enumerate(ready):
        if _is_away(ports, lease, state):
            break
        if not _is_ready(ports, state, effect.key):
            continue
        held_back = defer_over_budget(ports, lease, state, whom, ready[place:])
        if held_back is not None:
            state = held_back
            continue
        state = perform(ports, lease, state, effect, found_open)
        if is_work(effect) or ports.journal.hints(lease.repository):
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


def _set_wake_at(ports: Ports, observer: Observer, state: RepositoryState) -> None:
    if state.facts is None or state.main is None:
        return
    open_orders = tuple(o.id for o in state.orders.values() if o.is_open)
    entries = tuple(ports.order_store.entries(state.facts.id, open_orders).values())
    policy = observer.policy_at(state.facts, state, state.main)
    waits = (
        wake_at(state, policy, entries, ports.clock.now()),
        model_calls.ring_for_open(ports, state),
    )
    ports.journal.set_wake_at(state.facts.id, min((w for w in waits if w), default=None))
