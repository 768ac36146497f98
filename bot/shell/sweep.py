"""The sweep: a slow beat that needs no webhook and no Redis.

It rings what is due (`wake_at`), what was left unread or open, and, less often, everything. Losing
every webhook and every nudge makes Headgate slow, and nothing else; what failed to reach us is asked for
again. The rule: it only rings and asks.
"""

from datetime import datetime, timedelta

from bot.shell.installation import install
from bot.shell.intake import look_at_everything
from bot.shell.process_ports import Ports
from bot.shell.redelivery import ask_for_lost_deliveries

# A delivery that nobody has read for this long is rung again.
UNREAD_AFTER = timedelta(seconds=2)

# How often everything is looked at, webhooks or not. A lost comment is heard within this time.
FULL_LOOK_EVERY = timedelta(seconds=30)

# How often it is asked which repositories Headgate was given, should that webhook be lost.
ARRIVALS_EVERY = timedelta(minutes=10)

# How often GitHub is asked which deliveries failed; it never sends them again by itself.
DELIVERIES_EVERY = timedelta(minutes=1)


class Beats:
    """When the rarer looks were last made; nothing is lost when it is forgotten."""

    def __init__(self) -> None:
        self.full_look_at: datetime | None = None
        self.arrivals_at: datetime | None = None
        self.deliveries_at: datetime | None = None
        self.asked_again_at: dict[str, datetime] = {}


def sweep(ports: Ports, beats: Beats) -> None:
    """One beat."""
    now = ports.clock.now()
    for delivery_id in ports.inbox.unread(now - UNREAD_AFTER):
        ports.doorbell.ring_delivery(delivery_id)
    if beats.full_look_at is None or now >= beats.full_look_at + FULL_LOOK_EVERY:
        look_at_everything(ports)
        beats.full_look_at = now
    for repository in ports.journal.due(now):
        ports.doorbell.ring_repository(repository)
    if beats.deliveries_at is None or now >= beats.deliveries_at + DELIVERIES_EVERY:
        beats.deliveries_at = now
        ask_for_lost_deliveries(ports, beats.asked_again_at)
    if beats.arrivals_at is None or now >= beats.arrivals_at + ARRIVALS_EVERY:
        # Late, and not again before its time: GitHub may fail here, the rest needs no GitHub.
        beats.arrivals_at = now
        for installation in ports.forge.installations():
            install(ports, installation)
