"""Wiring: the only place that names concrete adapters.

A bench is made once per process, after any fork. Deliberately absent: global objects.
"""

import contextlib
import os
import socket
from datetime import UTC, datetime
from urllib.parse import urlsplit

import sqlalchemy as sa

from bot.adapters.blobs.folder import FolderBlobs
from bot.adapters.doorbell.redis_queue import RedisDoorbell
from bot.adapters.git.mirror_git import MirrorGit
from bot.adapters.github.app_tokens import Purpose
from bot.adapters.github.forge import GitHubForge
from bot.adapters.quota.budget import SharedBudget
from bot.adapters.quota.etag_cache import EtagCache
from bot.adapters.quota.redis_link import RedisLink
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.prompt_store import SqlPromptStore
from bot.entry.models import make_model, server_models
from bot.entry.settings import Settings
from bot.ports import Doorbell
from bot.shell.process_ports import Ports


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        return datetime.now(UTC)


def holder_name(role: str) -> str:
    """A writer's name: the same after a restart in the same place, so that it gets its lease."""
    return _holder_at(os.environ.get("HEADGATE_SLOT", role))


def _holder_at(slot: str) -> str:
    return f"{socket.gethostname()}/{slot}"


def prepare_store(settings: Settings) -> None:
    """Make the folder and bring the databases to their newest shape."""
    settings.var.mkdir(parents=True, exist_ok=True)
    journal, inbox = open_engine(settings.journal_url), open_engine(settings.inbox_url)
    migrate(journal, inbox)
    journal.dispose()
    inbox.dispose()


def let_go(settings: Settings, slot: str) -> None:
    """Free the leases of a process that has died on this machine, and have its work taken up.

    Only for a process that is known to be dead. Without it, the same slot takes them back when it
    is up again, or anybody when they run out.
    """
    engine = open_engine(settings.journal_url)
    doorbell = RedisDoorbell(settings.doorbell_url)
    with contextlib.suppress(sa.exc.SQLAlchemyError):
        SqlPromptStore(engine).let_go(_holder_at(slot))
        for repository in SqlJournal(engine).release_all_of(_holder_at(slot)):
            doorbell.ring_repository(repository)
    engine.dispose()


def make_bench(settings: Settings, role: str, doorbell: Doorbell | None = None) -> Ports:
    """Every port of one process, on real adapters."""
    journal = open_engine(settings.journal_url)
    inbox = open_engine(settings.inbox_url)
    link = RedisLink(settings.doorbell_url)
    answers = EtagCache(link)
    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key(), answers)
    git = MirrorGit(
        settings.var / "mirrors",
        lambda repository: forge.tokens.token_for(repository, Purpose.PUSH),
    )
    return Ports(
        forge=forge,
        git=git,
        journal=SqlJournal(journal),
        inbox=SqlInbox(inbox),
        order_store=SqlOrderStore(journal),
        blobs=FolderBlobs(settings.var / "blobs"),
        doorbell=doorbell or RedisDoorbell(settings.doorbell_url),
        budget=SharedBudget(link),
        clock=SystemClock(),
        prompt_store=SqlPromptStore(journal),
        model=make_model(settings),
        models=server_models(settings, os.environ),
        holder=holder_name(role),
        server_url=settings.public_url.rstrip("/"),
    )


def is_loopback(url: str) -> bool:
    """Whether a URL stays on this machine."""
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"
