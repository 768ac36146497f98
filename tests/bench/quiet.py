"""Quiet repositories of one installation: what sweeping them asks of GitHub and of a processor.

They are copies of one at localhub, each with a journal of its own. Time is put forward a second at a time.
`measure_all` has as many as it says. In `measure_quiet` a few stand for a thousand: what the sweep costs by
itself is told from what a repository adds by measuring twice, with few repositories and with more. Queries
for tips, of which one serves a hundred repositories, are counted apart.
"""

import math
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from datetime import timedelta

from bot.adapters.store.engine import open_engine
from bot.adapters.store.tables import metadata
from bot.core.journal.events import RepositoryInstalled
from bot.core.state.observed import Hint, HintKind
from bot.core.values.branch_tips import WatchedBranches
from bot.core.values.ids import InstallationId, RepositoryId
from bot.localhub.model import TokenKind
from bot.shell.process_ports import Ports
from bot.shell.reconcile import reconcile
from bot.shell.sweep import QUIET_LOOK_EVERY, LookSchedule, SweepState, sweep
from bot.shell.watch_tips import REFS_A_QUERY, TIPS_EVERY
from tests.bench.grown_journal import Recorded
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House

_QUIET_BEFORE_SECONDS = 1_800
_SECONDS = 1_200
_MANY = 1_000
_TRIES = 10


@dataclass(frozen=True)
class _Second:
    """What a second costs for so many repositories; of a processor, in seconds. `queries` are for tips."""

    repositories: int
    requests: float
    queries: float
    cpu: float

    def at_many(self, fewer: "_Second", query_seconds: float) -> "_Second":
        """A thousand, on the straight line through both. `query_seconds`: of one query for nothing."""
        steps = (_MANY - self.repositories) / (self.repositories - fewer.repositories)
        requests = self.requests + (self.requests - fewer.requests) * steps
        queries = math.ceil(_MANY / REFS_A_QUERY) / TIPS_EVERY.total_seconds()
        cpu = self.cpu + (self.cpu - fewer.cpu) * steps
        return _Second(_MANY, requests, queries, cpu + (queries - self.queries) * query_seconds)

    def said(self) -> str:
        return (
            f"{self.requests + self.queries:.1f} requests a second to GitHub's API, {self.queries:.1f} of "
            f"them for tips, {self.cpu:.1%} of a core"
        )


def measure_quiet(shop: House, recorded: Recorded, count: int) -> str:
    """What a thousand would cost, from what `count` do, and a quarter of them."""
    names, beats = _emptied(shop, count)
    few = count // 4
    for name in names[:few]:
        _settle(shop, recorded, name)
    fewer = _second(shop, beats, few)
    for name in names[few:]:
        _settle(shop, recorded, name)
    more = _second(shop, beats, count)
    many = more.at_many(fewer, _query_seconds(shop))
    return f"{_MANY:,} quiet repositories (computed from {few} and {count}): {many.said()}"


def measure_all(shop: House, recorded: Recorded, count: int) -> str:
    """What so many cost in ten minutes, in which each is looked at once."""
    names, beats = _emptied(shop, count)
    repositories = [_settle(shop, recorded, name) for name in names]
    every = (Hint(kind=HintKind.EVERYTHING),)
    # The first looks fetch; afterwards the rhythm is the long one, as if nothing had happened for long.
    for repository in repositories * 2:
        shop.ports.journal.put_hints(repository, every)
        reconcile(shop.ports, shop.observer, repository)
    now, stirred = shop.clock.now(), shop.ports.journal.stirred()
    for place, repository in enumerate(repositories):
        state = shop.ports.journal.load(repository)
        beats.schedules[repository] = LookSchedule(
            next_at=now + place * QUIET_LOOK_EVERY / count,
            every=QUIET_LOOK_EVERY,
            stirred=stirred[repository],
            events=state.events,
        )
        beats.tips.note(repository, state)
    shop.bell.take_repositories()
    found = _pass_time(shop, beats, count, int(QUIET_LOOK_EVERY.total_seconds()))
    return f"{count:,} quiet repositories (measured): {found.said()}"


def _emptied(shop: House, count: int) -> tuple[tuple[str, ...], SweepState]:
    """The names of so many repositories at localhub, of which no journal knows."""
    copies = (_copied(shop, f"quiet-{count}-{number}") for number in range(1, count))
    names = (shop.full_name, *copies)
    shop.bell.take_repositories()
    engine = open_engine(shop.settings.journal_url)
    with engine.begin() as connection:
        for table in metadata.tables.values():
            connection.execute(table.delete())
    engine.dispose()
    shop.clock.stop()
    shop.restart(ports_on_story_clock(shop))
    beats = SweepState()
    beats.installations_listed_at = beats.deliveries_at = shop.clock.now() + timedelta(days=3_650)
    return names, beats


def _second(shop: House, beats: SweepState, count: int) -> _Second:
    """Measured once all of them are quiet."""
    _pass_time(shop, beats, count, _QUIET_BEFORE_SECONDS)
    return _pass_time(shop, beats, count, _SECONDS)


def _pass_time(shop: House, beats: SweepState, count: int, seconds: int) -> _Second:
    sweeper = ports_on_story_clock(shop, "sweep")
    before, cpu = _asked(shop), time.thread_time()
    for _ in range(seconds):
        shop.forward(seconds=1)
        sweep(sweeper, beats)
        for repository in dict.fromkeys(shop.bell.take_repositories()):
            reconcile(shop.ports, shop.observer, repository)
    asked, used = _asked(shop).since(before), time.thread_time() - cpu
    used += asked.git * _git_seconds(shop)
    return _Second(count, asked.rest / seconds, asked.graphql / seconds, used / seconds)


def _copied(shop: House, name: str) -> str:
    """A repository with the same commits, under this name and with a number of its own."""
    made = shop.hub.add_repository("team", name)
    original = shop.hub.repository(shop.full_name)
    shutil.rmtree(made.git.folder)
    shutil.copytree(original.git.folder, made.git.folder)
    made.refs.update(original.refs)
    return made.full_name


def _settle(shop: House, recorded: Recorded, name: str) -> RepositoryId:
    """The journal of a repository with one ended change; its id."""
    repository = RepositoryId(shop.hub.repository(name).id)
    journal = shop.ports.journal
    lease = journal.acquire(repository, shop.ports.holder, shop.clock.now())
    assert lease is not None
    installed, *others = (*recorded.before, *recorded.change)
    assert isinstance(installed, RepositoryInstalled)
    was = installed.facts
    facts = was.replace(
        id=repository,
        full_name=name,
        clone_url=was.clone_url.replace(was.full_name, name),
        html_url=was.html_url.replace(was.full_name, name),
    )
    installed = installed.replace(facts=facts)
    journal.append(lease, (installed, *others), shop.clock.now())
    journal.release(lease)
    return repository


@dataclass(frozen=True)
class _Asked:
    """Requests of the App: to the API, to GraphQL, and to git, which is not counted among them."""

    rest: int
    graphql: int
    git: int

    def since(self, before: "_Asked") -> "_Asked":
        git = self.git - before.git
        return _Asked(self.rest - before.rest, self.graphql - before.graphql, git)


def _asked(shop: House) -> _Asked:
    ours = {TokenKind.INSTALLATION, TokenKind.APP_JWT}
    paths = [e.path for e in shop.hub.exchanges if e.token_kind in ours]
    git = sum(1 for path in paths if ".git/" in path)
    graphql = sum(1 for path in paths if path.endswith("/graphql"))
    return _Asked(len(paths) - git - graphql, graphql, git)


def _query_seconds(shop: House) -> float:
    """Processor time of our side of a query for one branch, with a connection that is open already."""
    ports: Ports = ports_on_story_clock(shop, "sweep")
    repository = shop.hub.repository(shop.full_name)
    facts = ports.journal.load(RepositoryId(repository.id)).facts
    installation = facts.installation_id if facts else InstallationId(0)
    asked = WatchedBranches(
        repository=RepositoryId(repository.id), full_name=shop.full_name, branches=("main",)
    )
    ports.forge.tips(installation, (asked,))
    cpu = time.thread_time()
    for _ in range(_TRIES):
        ports.forge.tips(installation, (asked,))
    return (time.thread_time() - cpu) / _TRIES


def _git_seconds(shop: House) -> float:
    """Processor time of our side of one look at main's tip: localhub's git is a child here, too."""
    command = ("git", "ls-remote", f"{shop.url}/{shop.full_name}.git", "refs/heads/main")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime
