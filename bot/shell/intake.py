"""Deliveries: stored before they are answered, read later, once or many times alike.

`accept` is all that happens inside a webhook request: one row and a nudge that may fail. `digest`
leaves hints for reconcile. Nothing here decides (law 2).
"""

import logging
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.state.observed import Hint, HintKind
from bot.core.state.troubles import is_given_up
from bot.core.state.webhook import (
    BODY_BYTES_MAX,
    DeliveryContent,
    Installation,
    is_signed,
    read_delivery,
)
from bot.core.values.ids import RepositoryId
from bot.core.values.trouble import TroubleKind
from bot.core.values.wanted_reading import Reading, ReadingKind
from bot.ports import Delivery, Retryable, UserError
from bot.shell.installation import install
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.troubles import meet

log = logging.getLogger(__name__)


class Accepted(StrEnum):
    """What the door answers: 202 for the first three."""

    STORED = "stored"
    KNOWN = "known"
    UNUSED = "unused"
    UNSIGNED = "unsigned"
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"


def accept(ports: Ports, secret: str, delivery: Delivery, signature: str | None) -> Accepted:
    """Check a delivery and store it; nothing is stored of one that is not GitHub's."""
    if len(delivery.body) > BODY_BYTES_MAX:
        return Accepted.TOO_LARGE
    if not is_signed(secret, delivery.body, signature):
        return Accepted.UNSIGNED
    if not delivery.id or not delivery.event:
        return Accepted.MALFORMED
    content = read_delivery(delivery.event, delivery.body)
    if content is None:
        return Accepted.MALFORMED
    if content.is_empty:
        return Accepted.UNUSED
    is_new = ports.inbox.put(delivery, ports.clock.now())
    ports.doorbell.ring_delivery(delivery.id)
    return Accepted.STORED if is_new else Accepted.KNOWN


@dataclass(frozen=True)
class _ReadDelivery:
    delivery: str
    content: DeliveryContent


def _read(ports: Ports, delivery_id: str) -> _ReadDelivery:
    """Read a stored delivery, and install the repositories that it says are new. Idempotent.

    Raises the first failure, but only after all repositories were tried.
    """
    delivery = ports.inbox.get(delivery_id)
    if delivery is None or not delivery.body:
        return _ReadDelivery(delivery_id, DeliveryContent())
    content = read_delivery(delivery.event, delivery.body) or DeliveryContent()
    failures: list[Retryable | UserError] = []
    for installation in (*content.installations, *_begun_by(ports, content)):
        try:
            install(ports, installation)
        except (Retryable, UserError) as failure:
            failures.append(failure)
    if failures:
        raise failures[0]
    return _ReadDelivery(delivery_id, content)


def _begun_by(ports: Ports, content: DeliveryContent) -> tuple[Installation, ...]:
    """The repository of a push to main whose journal has not begun, because it had no commit before."""
    repository, installation = content.repository, content.installation
    is_push = any(hint.kind is HintKind.MAIN for hint in content.hints)
    if not is_push or repository is None or installation is None:
        return ()
    if ports.journal.load(repository).facts is not None:
        return ()
    name = content.full_name
    return (Installation(repository=repository, full_name=name, installation=installation),)


def _leave_hints(ports: Ports, found: Sequence[_ReadDelivery]) -> None:
    """Store the hints of all deliveries in one write, ring for their repositories, mark them as read."""
    hints: dict[RepositoryId, tuple[Hint, ...]] = {}
    for one in found:
        for repository, new in _hints_of(ports, one.content):
            hints[repository] = (*hints.get(repository, ()), *new)
    ports.journal.put_hints_of(hints)
    for repository in hints:
        ports.doorbell.ring_repository(repository)
    done = tuple(one.delivery for one in found)
    ports.inbox.mark_read(done)
    ports.troubles.over((TroubleKind.DELIVERY,), done)


_DOUBT = (Hint(kind=HintKind.REPOSITORY),)


def _hints_of(
    ports: Ports, content: DeliveryContent
) -> Iterator[tuple[RepositoryId, tuple[Hint, ...]]]:
    """What a delivery hints at, of the repositories that we know."""
    if content.repository is not None and content.hints:
        facts = ports.journal.load(content.repository).facts
        if facts is not None:
            yield content.repository, content.hints
            if not content.is_as_known(facts):
                yield content.repository, _DOUBT
    if content.repository is not None and content.pushed:
        state = ports.journal.load(content.repository)
        if content.pushed in state.branches:
            yield content.repository, (Hint(kind=HintKind.TIP),)
    doubted = set(content.doubted)
    every = ports.journal.repositories() if content.is_of_all else content.doubted
    for repository in every:
        facts = ports.journal.load(repository).facts
        is_its = facts is not None and facts.installation_id == content.installation
        if facts is not None and (is_its or repository in doubted):
            yield repository, _DOUBT


def digest(ports: Ports, *delivery_ids: str) -> None:
    """Read stored deliveries and leave their hints. One that cannot be read is tried again later, with
    growing pauses, and given up in the end.
    """
    found = (_read_or_leave(ports, id_) for id_ in delivery_ids)
    _leave_hints(ports, [one for one in found if one is not None])


def _read_or_leave(ports: Ports, delivery_id: str) -> _ReadDelivery | None:
    try:
        return _read(ports, delivery_id)
    except (Retryable, UserError) as failure:
        sentence = failure.sentence
    except Exception as failure:
        reference = secrets.token_hex(4)
        log.exception("bug", extra={"reference": reference, "delivery": delivery_id})
        sentence = f"{type(failure).__name__} (bug {reference})"
    trouble = meet(ports, TroubleKind.DELIVERY, delivery_id, sentence)
    if is_given_up(trouble):
        ports.inbox.mark_read((delivery_id,))
    return None


def read_text(ports: Ports, observer: Observer, repository: RepositoryId, reading: Reading) -> None:
    """Read a text that a decision waits for, and leave a hint that it was read."""
    if observer.read(repository, reading):
        is_pull = reading.kind is ReadingKind.PULL
        kind = HintKind.PULL if is_pull else HintKind.MAIN
        ports.journal.put_hints(repository, (Hint(kind=kind, number=reading.number),))
        ports.doorbell.ring_repository(repository)


def look_at(ports: Ports, repositories: Sequence[RepositoryId]) -> None:
    """Leave word that these repositories are to be looked at whole; the sweep's slow beat."""
    everything = (Hint(kind=HintKind.EVERYTHING),)
    ports.journal.put_hints_of(dict.fromkeys(repositories, everything))
    for repository in repositories:
        ports.doorbell.ring_repository(repository)
