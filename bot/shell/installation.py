"""Begins the journal of a repository: its first event names main and every spec that is on it."""

from bot.core.journal.events import RepositoryInstalled
from bot.core.spec.policy_file import WATCHED
from bot.core.state.observed import Hint, HintKind
from bot.core.state.webhook import Installation
from bot.ports import Retryable
from bot.shell.observe import specs_on
from bot.shell.process_ports import Ports


def install(ports: Ports, installation: Installation) -> None:
    """Begin the journal of a repository; does nothing where it has begun.

    Raises `Retryable` where another worker holds the lease.
    """
    known = ports.journal.load(installation.repository)
    if known.facts is not None or known.unreadable is not None:
        return
    facts = ports.forge.repository(installation.installation, installation.full_name)
    if facts is None:
        return
    ports.git.fetch(facts)
    main = ports.git.remote_ref(facts, facts.main_ref)
    if main is None:
        return
    now = ports.clock.now()
    lease = ports.journal.acquire(facts.id, ports.holder, now)
    if lease is None:
        raise Retryable(f"{facts.full_name} is being written by another worker")
    event = RepositoryInstalled(
        facts=facts,
        main=main,
        tree=ports.git.tree_of(facts, main),
        known_specs=specs_on(ports, facts, main, WATCHED),
        installed_at=now,
    )
    ports.journal.append(lease, (event,), now)
    ports.journal.release(lease)
    ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    ports.doorbell.ring_repository(facts.id)
