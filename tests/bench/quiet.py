"""Quiet repositories of one installation: what sweeping them asks of GitHub and of a processor.

A few repositories stand for a thousand: copies of one at localhub, each with a journal of its own. Time
is put forward a second at a time. What the sweep costs by itself is told from what a repository adds
by measuring twice, with few repositories and with more.
"""

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from datetime import timedelta

from bot.adapters.store.engine import open_engine
from bot.adapters.store.tables import metadata
from bot.core.journal.events import RepositoryInstalled
from bot.core.values.ids import RepositoryId
from bot.localhub.model import TokenKind
from bot.shell.reconcile import reconcile
from bot.shell.sweep import Beats, sweep
from tests.bench.grown_journal import Recorded
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House

_QUIET_BEFORE_SECONDS = 1_800
_SECONDS = 1_200
_MANY = 1_000


@dataclass(frozen=True)
class _Second:
    """What a second costs for so many repositories; of a processor, in seconds."""

    repositories: int
    requests: float
    cpu: float

    def at_many(self, fewer: "_Second") -> "_Second":
        """A thousand, on the straight line through both."""
        steps = (_MANY - self.repositories) / (self.repositories - fewer.repositories)
        requests = self.requests + (self.requests - fewer.requests) * steps
        return _Second(_MANY, requests, self.cpu + (self.cpu - fewer.cpu) * steps)


def measure_quiet(shop: House, recorded: Recorded, count: int) -> str:
    """What a thousand would cost, from what `count` do, and a quarter of them."""
    names = (shop.full_name, *(_copied(shop, number) for number in range(1, count)))
    shop.settle()
    engine = open_engine(shop.settings.journal_url)
    with engine.begin() as connection:
        for table in metadata.tables.values():
            connection.execute(table.delete())
    engine.dispose()
    shop.clock.stop()
    shop.restart(ports_on_story_clock(shop))
    beats = Beats()
    beats.arrivals_at = beats.deliveries_at = shop.clock.now() + timedelta(days=3_650)
    few = count // 4
    for name in names[:few]:
        _settle(shop, recorded, name)
    fewer = _second(shop, beats, few)
    for name in names[few:]:
        _settle(shop, recorded, name)
    more = _second(shop, beats, count)
    many = more.at_many(fewer)
    return (
        f"{_MANY:,} quiet repositories (computed from {few} and {count}): "
        f"{many.requests:.1f} requests a second to GitHub's API, {many.cpu:.1%} of a core"
    )


def _second(shop: House, beats: Beats, count: int) -> _Second:
    """Measured once all of them are quiet."""
    sweeper = ports_on_story_clock(shop, "sweep")

    def pass_time(seconds: int) -> tuple[int, int, float]:
        asked, looks = _asked(shop)
        cpu = time.thread_time()
        for _ in range(seconds):
            shop.forward(seconds=1)
            sweep(sweeper, beats)
            for repository in dict.fromkeys(shop.bell.take_repositories()):
                reconcile(shop.ports, shop.observer, repository)
        asked_now, looks_now = _asked(shop)
        return asked_now - asked, looks_now - looks, time.thread_time() - cpu

    pass_time(_QUIET_BEFORE_SECONDS)
    asked, looks, cpu = pass_time(_SECONDS)
    cpu += looks * _git_seconds(shop)
    return _Second(count, asked / _SECONDS, cpu / _SECONDS)


def _copied(shop: House, number: int) -> str:
    """A repository with the same commits, under a name and a number of its own."""
    made = shop.hub.add_repository("team", f"quiet-{number}")
    name = made.full_name
    shutil.rmtree(made.git.folder)
    shutil.copytree(shop.hub.repository(shop.full_name).git.folder, made.git.folder)
    return name


def _settle(shop: House, recorded: Recorded, name: str) -> None:
    """The journal of a repository with one ended change."""
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


def _asked(shop: House) -> tuple[int, int]:
    """Requests of the App to the API, and to git, which is not counted among them."""
    ours = {TokenKind.INSTALLATION, TokenKind.APP_JWT}
    paths = [e.path for e in shop.hub.exchanges if e.token_kind in ours]
    looks = sum(1 for path in paths if ".git/" in path)
    return len(paths) - looks, looks


def _git_seconds(shop: House) -> float:
    """Processor time of our side of one look at main's tip: localhub's git is a child here, too."""
    command = ("git", "ls-remote", f"{shop.url}/{shop.full_name}.git", "refs/heads/main")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime
