"""The only place that names concrete adapters; they are made once per process, after any fork."""

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from bot.adapters.blobs.folder import FolderBlobs
from bot.adapters.doorbell.redis_queue import RedisDoorbell
from bot.adapters.git.mirror_git import MirrorGit
from bot.adapters.github.app_tokens import Purpose
from bot.adapters.github.forge import GitHubForge, ServingForge
from bot.adapters.quota.budget import SharedBudget
from bot.adapters.quota.etag_cache import EtagCache
from bot.adapters.quota.redis_link import RedisLink
from bot.adapters.store.blobs import SqlBlobs
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.prompt_store import SqlPromptStore
from bot.adapters.store.readings import SqlReadings
from bot.adapters.store.transcripts import SqlTranscripts
from bot.adapters.store.troubles import SqlTroubles
from bot.adapters.store.vitals import SqlVitals
from bot.core.values.vitals import Part, Pulse
from bot.entry.model_settings import make_model, server_models
from bot.entry.settings import Settings
from bot.entry.slots import dead_holders_at, holder_at
from bot.entry.workflow_files import workflow_files
from bot.ports import Blobs, Doorbell, Retryable
from bot.shell.meter import Meter
from bot.shell.process_ports import Ports


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def _holder_name(settings: Settings, role: str) -> str:
    """The name of a lease holder: the same after a restart, so that it gets its leases back."""
    return holder_at(settings.var, os.environ.get("HEADGATE_SLOT", role))


def keep_private(var: Path) -> None:
    """Everything kept is for this user alone: the journal, mirrors of private code, bundles."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A folder of somebody else's, which a container was given, stays as it is.
    with contextlib.suppress(PermissionError):
        var.chmod(0o700)


def prepare_store(settings: Settings) -> None:
    keep_private(settings.var)
    journal, inbox = open_engine(settings.journal_url), open_engine(settings.inbox_url)
    migrate(journal, inbox)
    # A database that is full or read-only is only found out by writing.
    now = SystemClock().now()
    SqlVitals(journal).beat(Pulse(process=Part.DATABASE, part=Part.DATABASE, at=now))
    journal.dispose()
    inbox.dispose()


def release_leases_of_dead(settings: Settings, slot: str) -> None:
    """Release the leases of a dead process of this machine, and ring for its repositories.

    Only for a process that is known to be dead. Without this call, the same slot gets them back
    after its restart, or another holder once they have expired.
    """
    engine = open_engine(settings.journal_url)
    doorbell = RedisDoorbell(settings.doorbell_url)
    with contextlib.suppress(sa.exc.SQLAlchemyError, Retryable):
        for holder in dead_holders_at(settings.var, slot):
            SqlPromptStore(engine).release_claims_of(holder)
            for repository in SqlJournal(engine).release_all_of(holder, SystemClock().now()):
                doorbell.ring_repository(repository)
    engine.dispose()


def make_ports(settings: Settings, role: str, doorbell: Doorbell | None = None) -> Ports:
    journal = open_engine(settings.journal_url)
    inbox = open_engine(settings.inbox_url)
    link = RedisLink(settings.doorbell_url)
    answers = EtagCache(link)
    forge = _forge(settings, answers)
    git = MirrorGit(
        settings.var / "mirrors",
        lambda repository: forge.tokens.token_for(repository, Purpose.PUSH),
        forget=forge.tokens.forget,
    )
    holder = _holder_name(settings, role)
    vitals = SqlVitals(journal)
    return Ports(
        forge=forge,
        git=git,
        journal=SqlJournal(journal),
        inbox=SqlInbox(inbox),
        order_store=SqlOrderStore(journal),
        transcripts=SqlTranscripts(journal),
        blobs=_blobs(settings, journal),
        doorbell=doorbell or RedisDoorbell(settings.doorbell_url),
        budget=SharedBudget(link),
        clock=SystemClock(),
        prompt_store=SqlPromptStore(journal),
        model=make_model(settings),
        models=server_models(settings, os.environ),
        vitals=vitals,
        troubles=SqlTroubles(inbox),
        readings=SqlReadings(journal),
        meter=Meter(vitals, holder),
        holder=holder,
        server_url=settings.public_url.rstrip("/"),
        workflow_files=workflow_files(settings),
    )


def _blobs(settings: Settings, journal: sa.Engine) -> Blobs:
    """With a database of their own, machines share nothing else: no folder."""
    folder = FolderBlobs(settings.var / "blobs")
    return SqlBlobs(journal, before=folder) if settings.database_url else folder


def _forge(settings: Settings, answers: EtagCache) -> GitHubForge:
    app = (settings.github_api_url, settings.app_id, settings.app_key(), answers)
    if not settings.served_owners:
        return GitHubForge(*app)
    forge = ServingForge(*app)
    forge.owners = settings.served_owners
    return forge


def make_order_store(settings: Settings) -> SqlOrderStore:
    """For a process that needs nothing else."""
    return SqlOrderStore(open_engine(settings.journal_url))
