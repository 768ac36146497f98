"""Begins the journal of a repository: its first event names main and every spec that is on it."""

import logging
from collections.abc import Iterable, Sequence

from bot.core.journal.events import RepositoryInstalled
from bot.core.journal.state import Away
from bot.core.spec.policy_file import WATCHED
from bot.core.state.observed import Hint, HintKind
from bot.core.state.own_refs import SELF_TEST_REFS
from bot.core.state.webhook import Installation
from bot.core.talk.trouble_text import left_by_another
from bot.core.values.ids import Ref, RepositoryId
from bot.core.values.repository import RepositoryFacts
from bot.core.values.trouble import TroubleKind
from bot.ports import Retryable
from bot.shell.observe import specs_on
from bot.shell.process_ports import Ports
from bot.shell.troubles import meet

_OURS = "refs/headgate/"

log = logging.getLogger(__name__)


def _has_changed(facts: RepositoryFacts, away: Away | None, named: Installation | None) -> bool:
    """Whether what GitHub lists of a repository is not what we know; None: it is not listed."""
    if named is None or named.lacks:
        return away is None
    known = (facts.full_name, facts.installation_id)
    return away is not None or known != (named.full_name, named.installation)


def doubt_changed(ports: Ports, listed: Sequence[Installation]) -> None:
    """Leave word about every repository that is not listed as we know it."""
    found = {one.repository: one for one in listed}
    for repository in ports.journal.repositories():
        state = ports.journal.load(repository)
        if state.facts and _has_changed(state.facts, state.away, found.get(repository)):
            doubt(ports, repository)


def doubt(ports: Ports, repository: RepositoryId) -> None:
    ports.journal.put_hints(repository, (Hint(kind=HintKind.REPOSITORY),))
    ports.doorbell.ring_repository(repository)


def install(ports: Ports, installation: Installation) -> None:
    """Begin the journal of a repository; does nothing where it has begun, or is not served.

    Raises `Retryable` where another worker holds the lease.
    """
    if not ports.forge.serves(installation.full_name):
        log.warning("owner_not_served", extra={"repository": installation.full_name})
        return
    known = ports.journal.load(installation.repository)
    if known.facts is not None or known.unreadable is not None:
        return
    facts = ports.forge.repository(installation.installation, installation.repository)
    if facts is None:
        return
    ports.git.fetch(facts)
    there = ports.git.remote_refs(facts, (facts.main_ref, _OURS))
    main = there.get(facts.main_ref)
    if main is None:
        meet(ports, TroubleKind.EMPTY, str(facts.id), "", facts.full_name)
        return
    ports.troubles.over((TroubleKind.EMPTY,), (str(facts.id),))
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
    _tell_of_another(ports, facts, there)
    ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    ports.doorbell.ring_repository(facts.id)


def _tell_of_another(ports: Ports, facts: RepositoryFacts, there: Iterable[Ref]) -> None:
    """Say that a server with another database works, or has worked, where this one begins."""
    found = [ref for ref in there if ref.startswith(_OURS) and not ref.startswith(SELF_TEST_REFS)]
    if found:
        sentence = left_by_another(len(found))
        meet(ports, TroubleKind.SERVER, str(facts.id), sentence, facts.full_name)
