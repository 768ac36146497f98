"""The sweep: a slow beat that needs no webhook and no Redis.

It rings what is due (`wake_at`), what was left unread or open, and, less often, everything; between that,
quiet repositories of which a branch has moved. Losing every webhook and every nudge makes Headgate slow,
and nothing else; what failed to reach us is asked for again. It only rings and asks.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from bot.core.journal.state import RepositoryState
from bot.core.state.onboarding import is_onboarding
from bot.core.state.under_way import is_under_way
from bot.core.state.webhook import Installation
from bot.core.values.ids import RepositoryId
from bot.core.values.trouble import TroubleKind
from bot.core.values.vitals import Part, Pulse
from bot.ports import Retryable, UserError
from bot.shell.installation import doubt_changed, install
from bot.shell.intake import look_at
from bot.shell.process_ports import Ports
from bot.shell.redelivery import ask_for_lost_deliveries
from bot.shell.troubles import meet
from bot.shell.watch_tips import TipWatch, ask_for_tips

# A delivery that nobody has read for this long is rung again.
UNREAD_AFTER = timedelta(seconds=2)
# What a clock is set back by on an ordinary day is less.
_CLOCKS_DIFFER = timedelta(minutes=1)

# How often a repository is looked at whole, webhooks or not: while something is under way or has
# just happened there, and at last where nothing does. A lost comment is heard within this time.
FULL_LOOK_EVERY = timedelta(seconds=30)
QUIET_LOOK_EVERY = timedelta(minutes=10)

# A sweep that has just begun looks at one repository after another: four requests each.
_APART = timedelta(seconds=0.4)

# For how long a beat may go on beginning with new repositories.
_INSTALLING = timedelta(seconds=5)

# Longer than anything waits.
_ANY_TIME = timedelta(days=3_650)

# How often it is asked which repositories Headgate was given, should that webhook be lost.
INSTALLATIONS_EVERY = timedelta(minutes=10)

# How often GitHub is asked which deliveries failed; it never sends them again by itself.
DELIVERIES_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class LookIntervals:
    """How often is looked: `full` where something is under way, `quiet` at last where nothing is,
    `installations` for new repositories; `deliveries` None where there is no webhook to lose.

    For as long as `warm` after a look that found news it is looked `full`, and `onboarding` at a
    first pull, before which a person sits.
    """

    full: timedelta
    quiet: timedelta
    installations: timedelta
    deliveries: timedelta | None
    onboarding: timedelta
    warm: timedelta = timedelta()


WITH_WEBHOOK = LookIntervals(
    FULL_LOOK_EVERY, QUIET_LOOK_EVERY, INSTALLATIONS_EVERY, DELIVERIES_EVERY, FULL_LOOK_EVERY
)
# Nobody tells us of anything: what people do is seen by looking. What has not changed since the last
# look costs nothing of GitHub's hourly limit.
WITHOUT_WEBHOOK = LookIntervals(
    full=timedelta(seconds=15),
    quiet=timedelta(minutes=1),
    installations=timedelta(seconds=15),
    deliveries=None,
    onboarding=timedelta(seconds=5),
    warm=timedelta(minutes=5),
)


@dataclass(frozen=True)
class LookSchedule:
    """When a repository is looked at next, and how long after that again if nothing happens.

    `events` is the length of its journal at the last look (None: before the first), `news_at` when it
    was last seen to have grown.
    """

    next_at: datetime
    every: timedelta
    stirred: int
    events: int | None = None
    news_at: datetime | None = None


@dataclass
class SweepState:
    """When the rarer looks were last made; nothing is lost when it is forgotten."""

    full_look_at: datetime | None = None
    installations_listed_at: datetime | None = None
    deliveries_at: datetime | None = None
    asked_again_at: dict[str, datetime] = field(default_factory=dict)
    schedules: dict[RepositoryId, LookSchedule] = field(default_factory=dict)
    tips: TipWatch = field(default_factory=TipWatch)
    to_install: list[Installation] = field(default_factory=list)
    not_before: dict[RepositoryId, datetime] = field(default_factory=dict)
    pace: LookIntervals = WITH_WEBHOOK
    at: datetime | None = None

    def keep_time(self, now: datetime) -> None:
        """Where the clock went back, what comes next may lie a year ahead: the rhythm begins anew."""
        if self.at is not None and now < self.at - _CLOCKS_DIFFER:
            anew = SweepState(pace=self.pace)
            vars(self).update(vars(anew))
        self.at = now


def sweep(ports: Ports, beats: SweepState) -> None:
    now = ports.clock.now()
    beats.keep_time(now)
    for delivery_id in ports.inbox.unread(now - UNREAD_AFTER):
        ports.doorbell.ring_delivery(delivery_id)
    if beats.full_look_at is None or now >= beats.full_look_at:
        beats.full_look_at = now
        _look_in_rhythm(ports, beats, now)
    for repository in ports.journal.due(now):
        ports.doorbell.ring_repository(repository)
    every = beats.pace.deliveries
    if every and (beats.deliveries_at is None or now >= beats.deliveries_at + every):
        beats.deliveries_at = now
        _ask_github(ports, partial(ask_for_lost_deliveries, ports, beats.asked_again_at))
    if (
        beats.installations_listed_at is None
        or now >= beats.installations_listed_at + beats.pace.installations
    ):
        # Late, and not again before its time: GitHub may fail here, the rest needs no GitHub.
        beats.installations_listed_at = now
        listed: list[Installation] = []
        _ask_github(ports, lambda: listed.extend(ports.forge.installations()))
        beats.to_install = listed
        doubt_changed(ports, listed)
    _install_some(ports, beats)
    _look_where_tips_moved(ports, beats)


def _look_where_tips_moved(ports: Ports, beats: SweepState) -> None:
    """Those that are looked at often anyway are not asked about."""
    quiet = [r for r, rhythm in beats.schedules.items() if rhythm.every > beats.pace.full]
    for repository in ask_for_tips(ports, beats.tips, quiet):
        soon = ports.clock.now() + beats.pace.full
        rhythm = beats.schedules[repository]
        beats.schedules[repository] = replace(rhythm, next_at=soon, every=beats.pace.full)


def _install_some(ports: Ports, beats: SweepState) -> None:
    """Install for a few seconds: the first fetch of many repositories takes long, and the rest of the
    beat must not wait for it. One that fails keeps no other back.
    """
    until = ports.clock.now() + _INSTALLING
    while beats.to_install and ports.clock.now() < until:
        one = beats.to_install.pop(0)
        if ports.clock.now() < beats.not_before.get(one.repository, until - _INSTALLING):
            continue
        try:
            install(ports, one)
        except (Retryable, UserError) as failure:
            is_refusal = isinstance(failure, UserError)
            kind = TroubleKind.REFUSED if is_refusal else TroubleKind.UNREACHABLE
            trouble = meet(ports, kind, str(one.repository), failure.sentence, one.full_name)
            beats.not_before[one.repository] = trouble.until


def _ask_github(ports: Ports, ask: Callable[[], object]) -> None:
    """Ask something each minute or more often, and keep whether GitHub answered."""
    says = ""
    try:
        ask()
    except (Retryable, UserError) as failure:
        says = failure.sentence
        raise
    finally:
        ports.vitals.beat(
            Pulse(process="github", part=Part.GITHUB, at=ports.clock.now(), says=says)
        )


def _look_in_rhythm(ports: Ports, beats: SweepState, now: datetime) -> None:
    """Look at the repositories whose time has come; where nothing happens, later next time."""
    stirred = ports.journal.stirred()
    pace = beats.pace
    known = {
        r: _stirred(beats.schedules[r], stirred[r], now, pace)
        for r in stirred
        if r in beats.schedules
    }
    beats.schedules = known | _first(ports, stirred, known, now, pace)
    due = tuple(r for r, rhythm in beats.schedules.items() if rhythm.next_at <= now)
    look_at(ports, due)
    for repository in due:
        rhythm, state = beats.schedules[repository], ports.journal.load(repository)
        beats.tips.note(repository, state)
        has_news = rhythm.events is not None and state.events != rhythm.events
        looked = replace(rhythm, events=state.events, news_at=now if has_news else rhythm.news_at)
        every = _pause(state, looked, now, pace)
        beats.schedules[repository] = replace(looked, next_at=now + every, every=every)


def _pause(
    state: RepositoryState, rhythm: LookSchedule, now: datetime, pace: LookIntervals
) -> timedelta:
    if rhythm.news_at is not None and now < rhythm.news_at + pace.warm:
        return pace.onboarding if is_onboarding(state) else pace.full
    return pace.full if is_under_way(state) else min(2 * rhythm.every, pace.quiet)


def _stirred(
    rhythm: LookSchedule, stirred: int, now: datetime, pace: LookIntervals
) -> LookSchedule:
    """The short rhythm again where hints were left, followed or not."""
    if stirred == rhythm.stirred:
        return rhythm
    soon = min(rhythm.next_at, now + pace.full)
    return replace(rhythm, next_at=soon, every=pace.full, stirred=stirred)


def _first(
    ports: Ports,
    stirred: Mapping[RepositoryId, int],
    known: Collection[RepositoryId],
    now: datetime,
    pace: LookIntervals,
) -> dict[RepositoryId, LookSchedule]:
    """Repositories that this sweep has not met: one after another, those that wait for a time first."""
    new = [r for r in stirred if r not in known]
    if len(new) > 1:
        waiting = set(ports.journal.due(now + _ANY_TIME))
        new.sort(key=lambda r: (r not in waiting, r))
    return {
        repository: LookSchedule(now + place * _APART, pace.onboarding / 2, stirred[repository])
        for place, repository in enumerate(new)
    }
