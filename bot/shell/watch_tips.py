"""Asks where the branches of quiet repositories are, many in one query, between their full looks.

A tip that is news to the journal is a reason to look at its repository whole, once for each new tip. What
GitHub does not tell of waits for the regular look. Nothing is stored: after a restart the tips of the
journal are the ones that are known.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby

from bot.core.journal.state import RepositoryState
from bot.core.state.rate_limits import ONE_READ, Priority
from bot.core.state.served_branches import served_tips
from bot.core.values.branch_tips import BranchTips, WatchedBranches
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.ports import Limited, Retryable, UserError
from bot.shell.intake import look_at
from bot.shell.process_ports import Ports
from bot.shell.rate_limit import budget_of_installation

# A minute, less what the look takes and what follows from it.
TIPS_EVERY = timedelta(seconds=50)
# Where GitHub does not answer: ever more seldom, as repositories are looked at.
_TIPS_EVERY_AT_LEAST = timedelta(minutes=10)

# GitHub ends a query after ten seconds; each of these is a lookup of a repository and of a ref.
REFS_A_QUERY = 100

# For how long a beat may go on asking: the rest of the sweep must not wait for it.
_ASKING = timedelta(seconds=1)

_NAMES_MAX = 5

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Watched:
    """A repository as it was at its last look, and the tips that were told of last.

    `is_untold`: GitHub did not tell of all its branches, and it was said.
    """

    installation: InstallationId
    full_name: str
    tips: Mapping[str, Sha]
    is_untold: bool = False


@dataclass(frozen=True)
class Turn:
    """When an installation is asked about next, and how long after that again while GitHub does not
    answer: `failures` of this turn's queries did, and `said` is what was said of that last.
    """

    next_at: datetime
    every: timedelta = TIPS_EVERY
    failures: int = 0
    said: str = ""


@dataclass(frozen=True)
class Batch:
    """What one query asks; `has_others`: the turn has more."""

    installation: InstallationId
    asked: tuple[WatchedBranches, ...]
    has_others: bool


@dataclass
class TipWatch:
    """What the sweep knows of tips; nothing is lost when it is forgotten."""

    watched: dict[RepositoryId, Watched] = field(default_factory=dict)
    turns: dict[InstallationId, Turn] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)

    def note(self, repository: RepositoryId, state: RepositoryState) -> None:
        """A repository is looked at. What was told of it since its journal knew less stays told."""
        if state.facts is None or state.away is not None:
            self.watched.pop(repository, None)
            return
        known = self.watched.get(repository)
        told = known.tips if known else {}
        self.watched[repository] = Watched(
            state.facts.installation_id,
            state.facts.full_name,
            {branch: told.get(branch, tip) for branch, tip in served_tips(state).items()},
            is_untold=known is not None and known.is_untold,
        )


def ask_for_tips(
    ports: Ports, watch: TipWatch, quiet: Collection[RepositoryId]
) -> tuple[RepositoryId, ...]:
    """Ask for a moment about what is due; the repositories that were rung, because a branch moved."""
    now = ports.clock.now()
    if not watch.batches:
        watch.batches = list(_due(watch, quiet, now))
    moved: list[RepositoryId] = []
    while watch.batches and ports.clock.now() < now + _ASKING:
        moved += _ask(ports, watch, watch.batches.pop(0))
    return tuple(moved)


def _due(watch: TipWatch, quiet: Iterable[RepositoryId], now: datetime) -> Iterator[Batch]:
    """A turn for each installation whose time has come; the first ones are spread."""
    asked = [
        (watch.watched[r].installation, _branches(r, watch.watched[r]))
        for r in quiet
        if r in watch.watched and watch.watched[r].tips
    ]
    asked.sort(key=lambda one: (one[0], one[1].repository))
    for installation, some in groupby(asked, key=lambda one: one[0]):
        spread = timedelta(seconds=installation % TIPS_EVERY.seconds)
        turn = watch.turns.setdefault(installation, Turn(now + spread))
        if turn.next_at <= now:
            following = turn.next_at + turn.every
            later = following if following > now else now + turn.every
            watch.turns[installation] = replace(turn, next_at=later, failures=0)
            yield from _batches(installation, [branches for _, branches in some])


def _branches(repository: RepositoryId, watched: Watched) -> WatchedBranches:
    return WatchedBranches(
        repository=repository, full_name=watched.full_name, branches=tuple(watched.tips)
    )


def _batches(installation: InstallationId, asked: Sequence[WatchedBranches]) -> Iterator[Batch]:
    batches: list[list[WatchedBranches]] = [[]]
    refs = 0
    for one in asked:
        refs += len(one.branches)
        if batches[-1] and refs > REFS_A_QUERY:
            batches.append([])
            refs = len(one.branches)
        batches[-1].append(one)
    return (Batch(installation, tuple(some), len(batches) > 1) for some in batches)


def _ask(ports: Ports, watch: TipWatch, batch: Batch) -> tuple[RepositoryId, ...]:
    now, whom = ports.clock.now(), budget_of_installation(batch.installation)
    if until := ports.journal.paused_until((whom,), now):
        _put_off(watch, batch, until)
        return ()
    # GraphQL has points of its own, as many an hour as REST has requests.
    if wait := ports.budget.spend(f"{whom} graphql", ONE_READ, Priority.SWEEP, now):
        _put_off(watch, batch, now + wait)
        return ()
    try:
        told = ports.forge.tips(batch.installation, batch.asked)
    except Limited as limited:
        ports.journal.pause(whom, now + limited.after)
        return _fail(watch, batch, now, limited)
    except (Retryable, UserError) as failure:
        return _fail(watch, batch, now, failure)
    _go_on(watch, batch, watch.turns[batch.installation], now)
    return _hear(ports, watch, batch, told)


def _go_on(watch: TipWatch, batch: Batch, turn: Turn, now: datetime) -> None:
    """The turn has other queries, or is over, and the next one comes in time."""
    if not any(one.installation == batch.installation for one in watch.batches):
        soon = min(turn.next_at, now + TIPS_EVERY)
        said = turn.said if turn.failures else ""
        turn = replace(turn, next_at=soon, every=TIPS_EVERY, said=said)
    watch.turns[batch.installation] = turn


def _put_off(watch: TipWatch, batch: Batch, until: datetime) -> None:
    """Nothing more is asked about the installation until then."""
    watch.batches = [one for one in watch.batches if one.installation != batch.installation]
    turn = watch.turns[batch.installation]
    watch.turns[batch.installation] = replace(turn, next_at=max(turn.next_at, until))


def _fail(
    watch: TipWatch, batch: Batch, now: datetime, failure: Retryable | UserError
) -> tuple[RepositoryId, ...]:
    """One query that fails keeps the turn's others from nothing, unless GitHub fails or refuses us."""
    turn = watch.turns[batch.installation]
    if turn.said != failure.sentence:
        why = {"installation": batch.installation, "why": failure.sentence}
        log.warning("tips_unknown", extra=why)
    turn = replace(turn, failures=turn.failures + 1, said=failure.sentence)
    is_single = isinstance(failure, Retryable) and not isinstance(failure, Limited)
    if is_single and turn.failures == 1 and batch.has_others:
        _go_on(watch, batch, turn, now)
        return ()
    every = min(2 * turn.every, _TIPS_EVERY_AT_LEAST)
    after = failure.after if isinstance(failure, Retryable) else None
    watch.turns[batch.installation] = replace(turn, every=every)
    _put_off(watch, batch, now + max(every, after or every))
    return ()


def _hear(
    ports: Ports, watch: TipWatch, batch: Batch, told: BranchTips
) -> tuple[RepositoryId, ...]:
    """The repositories that were rung. They are rung before it is kept what was told of them."""
    moved: list[RepositoryId] = []
    heard: dict[RepositoryId, Watched] = {}
    for asked in batch.asked:
        repository, known = asked.repository, watch.watched.get(asked.repository)
        tips = told.of.get(repository, {})
        if known is None:
            continue
        news = {branch: tip for branch, tip in tips.items() if known.tips.get(branch) != tip}
        if news and _is_news(ports, repository, news):
            moved.append(repository)
        is_untold = len(tips) < len(asked.branches)
        if news or is_untold != known.is_untold:
            heard[repository] = replace(known, tips={**known.tips, **news}, is_untold=is_untold)
    if moved:
        look_at(ports, moved)
    untold = [
        one.full_name
        for r, one in heard.items()
        if one.is_untold and not watch.watched[r].is_untold
    ]
    watch.watched |= heard
    if untold:
        some = ", ".join(untold[:_NAMES_MAX])
        why = {"repositories": some, "count": len(untold), "why": told.complaint}
        log.warning("tips_untold", extra=why)
    return tuple(moved)


def _is_news(ports: Ports, repository: RepositoryId, told: Mapping[str, Sha]) -> bool:
    """Whether the journal knows another tip: it may have heard of this one since the last look."""
    known = served_tips(ports.journal.load(repository))
    return any(known.get(branch) != tip for branch, tip in told.items())
