"""Deliveries: stored before they are answered, read later, once or many times alike.

`accept` is all that happens inside a webhook request: one row and a nudge that may fail. `digest`
leaves hints for reconcile. The rule (law 2): nothing here decides.
"""

from enum import StrEnum

from bot.core.state.observed import Hint, HintKind
from bot.core.state.webhook import BODY_BYTES_MAX, is_payload, is_signed, read_delivery
from bot.ports import Delivery
from bot.shell.installation import install
from bot.shell.process_ports import Ports


class Accepted(StrEnum):
    """What the door answers: 202 for both of the first two."""

    STORED = "stored"
    KNOWN = "known"
    UNSIGNED = "unsigned"
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"


def accept(ports: Ports, secret: str, delivery: Delivery, signature: str | None) -> Accepted:
    """Check a delivery and store it; nothing is stored of one that is not GitHub's."""
    if len(delivery.body) > BODY_BYTES_MAX:
        return Accepted.TOO_LARGE
    if not is_signed(secret, delivery.body, signature):
        return Accepted.UNSIGNED
    if not delivery.id or not delivery.event or not is_payload(delivery.body):
        return Accepted.MALFORMED
    is_new = ports.inbox.put(delivery, ports.clock.now())
    ports.doorbell.ring_delivery(delivery.id)
    return Accepted.STORED if is_new else Accepted.KNOWN


def digest(ports: Ports, delivery_id: str) -> None:
    """Read a stored delivery: hints for its repository, then a nudge. Twice does no harm."""
    delivery = ports.inbox.get(delivery_id)
    if delivery is None or not delivery.body:
        return
    reading = read_delivery(delivery.event, delivery.body)
    for installation in reading.installations:
        install(ports, installation)
    if reading.repository is not None:
        state = ports.journal.load(reading.repository)
        if state.facts is not None and reading.hints:
            ports.journal.put_hints(reading.repository, reading.hints)
            ports.doorbell.ring_repository(reading.repository)
    ports.inbox.mark_read(delivery_id)


def look_at_everything(ports: Ports) -> None:
    """Leave word that every repository is to be looked at whole; the sweep's slow beat."""
    for repository in ports.journal.repositories():
        ports.journal.put_hints(repository, (Hint(kind=HintKind.EVERYTHING),))
        ports.doorbell.ring_repository(repository)
