"""Reconciles one repository under its lease: observe, decide, append, perform, until nothing is left.

Only the holder of the lease writes. What the previous holder left open is looked for before it is
repeated. Hints that arrive during the work are taken before the lease is released. While GitHub is
unavailable, or has asked us to wait, nothing is sent to it.
"""

import contextlib
from datetime import datetime, timedelta
from enum import StrEnum

from bot.core.decide.decide import decide, wake_at
from bot.core.decide.specs.plan_new_spec import is_unread
from bot.core.journal.state import RepositoryState
from bot.core.state.access import may_be_done
from bot.core.state.candidates import stage_of
from bot.core.state.observed import Hint, HintKind, Observed, looks
from bot.core.state.urgency import is_work
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.lifecycle import OfferStage
from bot.core.values.repository import RepositoryFacts
from bot.core.values.trouble import TroubleKind
from bot.ports import JournalUnreadable, Lease, LeaseLost, Limited, Retryable, UserError
from bot.shell import model_calls, self_tests
from bot.shell.journal_buffer import JournalBuffer
from bot.shell.observe import Observer
from bot.shell.perform import budget_of, is_elsewhere, not_tried, perform
from bot.shell.process_ports import Ports
from bot.shell.rate_limit import count_reads, defer_over_budget, hints_within_budget
from bot.shell.show_runs import show_runs
from bot.shell.spec_texts import SOON
from bot.shell.troubles import cannot_read, clear_work_troubles, note_access, rest
from bot.shell.turns import TURN

# A round performs one piece of work. A decision that still emits events after this many is a bug:
# forty changes that hand in at once take about two hundred.
ROUNDS_MAX = 2_000

# When to try again where all of an installation's slots are taken.
_RETRY_FOR_A_SLOT = timedelta(seconds=5)


class Reconciled(StrEnum):
    QUIET = "quiet"
    BUSY = "busy"
    LEASE_LOST = "lease_lost"
    TURN_OVER = "turn_over"
    WORLD_AWAY = "world_away"


def reconcile(ports: Ports, observer: Observer, repository: RepositoryId) -> Reconciled:
    """Do everything that can be done for a repository now. Raises `JournalUnreadable`."""
    now = ports.clock.now()
    until = ports.journal.paused_until((str(repository),), now)
    if until is not None:
        # Before anything is read: that may be what a process dies of. The sweep rings when it ends.
        ports.journal.set_wake_at(repository, until)
        return Reconciled.WORLD_AWAY
    lease = ports.journal.acquire(repository, ports.holder, now)
    if lease is None:
        # The holder checks for hints once more before it releases; the sweep rings for the rest.
        ports.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
        return Reconciled.BUSY
    if lease.was_left and rest(ports, repository, TroubleKind.DIED, ""):
        ports.journal.release(lease)
        return Reconciled.WORLD_AWAY
    try:
        outcome = _rounds(ports, observer, lease)
    except LeaseLost:
        return Reconciled.LEASE_LOST
    except JournalUnreadable:
        # They would only grow, and whichever release can read the journal looks at everything.
        hints = ports.journal.hints(repository)
        ports.journal.drop_hints(tuple(n for n, hint in hints.items() if hint.is_seen_by_looking))
        ports.journal.release(lease)
        raise
    except Retryable:
        # Of the database: when it is back, others may go on at once.
        with contextlib.suppress(Retryable):
            ports.journal.release(lease)
        raise
    except Exception as failure:
        rest(ports, repository, TroubleKind.ENDED, f"{type(failure).__name__}: {failure}")
        ports.journal.release(lease)
        raise
    if outcome is Reconciled.TURN_OVER:
        # Where the ring is lost, the sweep rings. A hint would be one more thing to look at.
        ports.journal.set_wake_at(repository, ports.clock.now())
    ports.journal.release(lease)
    if outcome is Reconciled.TURN_OVER:
        # Behind the jobs that wait already.
        ports.doorbell.ring_repository(repository)
    if outcome is Reconciled.QUIET:
        clear_work_troubles(ports, repository)
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
    if not ports.budget.acquire_slot(budget_of(facts), ports.holder, now):
        ports.journal.set_wake_at(repository, now + _RETRY_FOR_A_SLOT)
        return Reconciled.WORLD_AWAY
    # What this thread read before was for another repository.
    ports.forge.pop_read_cost()
    try:
        return _rounds_of(ports, observer, lease, state)
    finally:
        count_reads(ports, budget_of(facts))
        ports.budget.release_slot(budget_of(facts), ports.holder)


def _rounds_of(
    ports: Ports, observer: Observer, lease: Lease, state: RepositoryState
) -> Reconciled:
    facts = state.facts
    if facts is None:
        return Reconciled.QUIET
    found_open = frozenset(state.open_effects)
    buffer = JournalBuffer(ports, lease, state)
    try:
        outcome = _rounds_until_quiet(ports, observer, buffer, facts, found_open)
    except LeaseLost:
        raise
    except Exception:
        # A bug somewhere: what was performed until then stays done.
        buffer.append()
        raise
    if outcome is not Reconciled.QUIET:
        buffer.append()
        return outcome
    try:
        show_runs(ports, buffer.state)
    except Limited as limited:
        buffer.append()
        _pause_after(ports, facts, limited)
        return Reconciled.WORLD_AWAY
    buffer.rest(_wake_at(ports, observer, buffer.state))
    return Reconciled.QUIET


def _rounds_until_quiet(
    ports: Ports,
    observer: Observer,
    buffer: JournalBuffer,
    facts: RepositoryFacts,
    found_open: frozenset[str],
) -> Reconciled:
    """Quiet where nothing is left to do, else why it is left for now."""
    repository, until = buffer.lease.repository, ports.clock.now() + TURN
    _perform_ready(ports, buffer, found_open, until)
    is_doubted = False
    for count in range(ports.turns.begin(repository), ROUNDS_MAX):
        if _is_paused(ports, buffer.lease, buffer.state):
            return Reconciled.WORLD_AWAY
        waiting = buffer.hints()
        try:
            hints = hints_within_budget(ports, budget_of(facts), tuple(waiting.values()))
            observed = _observe(ports, observer, buffer.state, hints)
        except (Retryable, UserError) as failure:
            if isinstance(failure, UserError) and not is_doubted and _has_gone(ports, buffer):
                is_doubted = True
                continue
            _pause_after(ports, facts, failure)
            return Reconciled.WORLD_AWAY
        was_away = buffer.state.away is not None
        events = decide(buffer.state, observed, ports.clock.now())
        followed = tuple(n for n, hint in waiting.items() if observed.has_followed(hint))
        buffer.note(events, followed)
        if was_away or buffer.state.away is not None:
            note_access(ports, facts, buffer.state.away)
        if was_away and buffer.state.away is None:
            # Nothing was heard meanwhile.
            everything = (Hint(kind=HintKind.EVERYTHING),)
            ports.journal.put_hints(repository, everything)
        is_ready = bool(_ready(ports, buffer.state))
        if not events and not followed and not is_ready:
            if not observed.is_unread:
                return Reconciled.QUIET
            # Whoever reads the text rings; the sweep does where that is lost.
            ports.journal.set_wake_at(repository, ports.clock.now() + SOON)
            return Reconciled.WORLD_AWAY
        if is_ready:
            # What is intended is written before it is performed (law 3).
            buffer.append()
        _perform_ready(ports, buffer, found_open, until)
        if ports.clock.now() >= until and count + 1 < ROUNDS_MAX:
            ports.turns.end_early(repository, count + 1)
            buffer.note(not_tried(buffer.state, found_open, ports.clock.now()))
            return Reconciled.TURN_OVER
    last = ", ".join(sorted({event.type for event in events}))
    raise RuntimeError(f"After {ROUNDS_MAX:,} rounds there is still something to decide: {last}.")


def _has_gone(ports: Ports, buffer: JournalBuffer) -> bool:
    """GitHub refused to be read: whether that is because the repository is not what we knew.

    What is hinted at stays, and is looked at again under what was found.
    """
    state = buffer.state
    is_news = state.away is None and state.facts is not None and is_elsewhere(ports, state.facts)
    if is_news:
        ports.journal.put_hints(buffer.lease.repository, (Hint(kind=HintKind.REPOSITORY),))
    return is_news


def _is_paused(ports: Ports, lease: Lease, state: RepositoryState) -> bool:
    """Whether GitHub must not be asked for now; the sweep rings when that ends."""
    if state.facts is None:
        return False
    paused = (budget_of(state.facts), str(lease.repository))
    until = ports.journal.paused_until(paused, ports.clock.now())
    if until is not None:
        ports.journal.set_wake_at(lease.repository, until)
    return until is not None


def _pause_after(ports: Ports, facts: RepositoryFacts, failure: Retryable | UserError) -> None:
    if isinstance(failure, Limited):
        paused, after = budget_of(facts), failure.after
    else:
        asked = failure.after if isinstance(failure, Retryable) else None
        is_refusal = isinstance(failure, UserError)
        kind = TroubleKind.REFUSED if is_refusal else TroubleKind.UNREACHABLE
        left_alone = cannot_read(ports, facts, kind, failure.sentence)
        paused, after = str(facts.id), max(left_alone, asked or left_alone)
    until = ports.clock.now() + after
    ports.journal.pause(paused, until)
    ports.journal.set_wake_at(facts.id, until)


def _observe(
    ports: Ports, observer: Observer, state: RepositoryState, hints: tuple[Hint, ...]
) -> Observed:
    if state.facts is None:
        raise UserError("The repository is not installed.")
    now = ports.clock.now()
    if state.main is not None and state.main_seen_at is not None:
        policy = observer.policy_at(state.facts, state, state.main)
        # No webhook says that nothing was pushed: that main is at rest is seen by looking.
        hints += (Hint(kind=HintKind.MAIN),) if is_unread(state, policy, now) else ()
    return observer.look(state.facts, state, looks(state, hints, now))


def _ready(ports: Ports, state: RepositoryState) -> tuple[EffectKey, ...]:
    """The open effects that wait neither for a time, nor for access, nor for what another job does."""
    asked = model_calls.without_reply(ports, state) | self_tests.without_result(ports, state)
    return tuple(
        key
        for key, effect in state.open_effects.items()
        if key not in asked and _is_ready(ports, state, key) and may_be_done(state.away, effect)
    )


def _is_ready(ports: Ports, state: RepositoryState, key: EffectKey) -> bool:
    delay = state.delays.get(key)
    return key in state.open_effects and (delay is None or delay.is_over(ports.clock.now()))


def _perform_ready(
    ports: Ports, buffer: JournalBuffer, found_open: frozenset[str], until: datetime
) -> None:
    """Perform the most urgent piece of work; without work, other effects until a hint arrives, or
    until the turn is over."""
    state = buffer.state
    if state.facts is None:
        return
    ready = _ready(ports, state)
    effects = sorted((state.open_effects[key] for key in ready), key=lambda e: e.urgency)
    for position, effect in enumerate(effects):
        if _is_paused(ports, buffer.lease, state):
            break
        if not _is_ready(ports, buffer.state, effect.key):
            continue
        deferred = defer_over_budget(
            ports, buffer.state, budget_of(state.facts), effects[position:]
        )
        if deferred:
            buffer.note(deferred)
            continue
        buffer.renew()
        buffer.note(perform(ports, buffer.state, effect, found_open))
        buffer.append_if_long()
        if is_work(effect) or buffer.hints() or ports.clock.now() >= until:
            # What follows from it may be more urgent than what is left.
            break
    # An aborted landing means that main or its pull is not what the state says.
    ports.journal.put_hints(buffer.lease.repository, _hints_of_aborts(buffer.state, ready))


def _hints_of_aborts(state: RepositoryState, done: tuple[EffectKey, ...]) -> tuple[Hint, ...]:
    """What to observe after landings were aborted: their change is in the queue again."""
    aborted = [
        change
        for change in state.changes.values()
        if stage_of(state, change) is OfferStage.QUEUED
        and any(key.startswith(f"land:{change.id}:") for key in done)
    ]
    pulls = [Hint(kind=HintKind.PULL, number=c.pull) for c in aborted if c.pull is not None]
    return (Hint(kind=HintKind.MAIN), *pulls) if aborted else ()


def _wake_at(ports: Ports, observer: Observer, state: RepositoryState) -> datetime | None:
    if state.facts is None or state.main is None:
        return None
    entries = tuple(ports.order_store.entries(state.facts.id, state.open_orders).values())
    policy = observer.policy_at(state.facts, state, state.main)
    waits = (
        wake_at(state, policy, entries, ports.clock.now()),
        model_calls.ring_for_open(ports, state),
        self_tests.ring_for_open(ports, state),
    )
    return min((w for w in waits if w), default=None)
