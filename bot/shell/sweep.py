"""The sweep: a slow beat that needs no webhook and no Redis.

It rings what is due (`wake_at`), what was left unread or open, and, less often, everything. Losing
every webhook and every nudge makes Headgate slow, and nothing else. The rule: it only rings.
"""

from datetime import datetime, timedelta

from bot.shell.bench import Bench
from bot.shell.intake import look_at_everything

# A delivery that nobody has read for this long is rung again.
UNREAD_AFTER = timedelta(seconds=2)

# How often everything is looked at, webhooks or not. A lost comment is heard within this time.
FULL_LOOK_EVERY = timedelta(seconds=30)


def sweep(bench: Bench, last_full_look: datetime | None) -> datetime:
    """One beat; returns when everything was last looked at."""
    now = bench.clock.now()
    for delivery_id in bench.inbox.unread(now - UNREAD_AFTER):
        bench.doorbell.ring_delivery(delivery_id)
    if last_full_look is None or now >= last_full_look + FULL_LOOK_EVERY:
        look_at_everything(bench)
        last_full_look = now
    for repository in bench.journal.due(now):
        bench.doorbell.ring_repository(repository)
    return last_full_look
