"""Redelivery: webhooks that did not reach us are asked for again, under the GUID that they had.

The rule: what lies in the inbox is not asked for, whatever GitHub made of our answer; the inbox
takes every GUID once, so that asking twice does nothing twice. What is forgotten with the process
is only when a GUID was last asked for.
"""

from datetime import datetime

from bot.core.values.redelivery import AGAIN_AFTER, LOOK_BACK, due_again
from bot.shell.process_ports import Ports


def ask_for_lost_deliveries(ports: Ports, asked_at: dict[str, datetime]) -> int:
    """Have GitHub send again what failed; how many. Raises `Retryable` where it cannot be asked."""
    now = ports.clock.now()
    for guid in [g for g, at in asked_at.items() if at < now - AGAIN_AFTER]:
        del asked_at[guid]
    attempts = ports.forge.delivery_attempts(now - LOOK_BACK)
    asked = 0
    for attempt in due_again(attempts, asked_at, now):
        if ports.inbox.get(attempt.guid) is None:
            asked_at[attempt.guid] = now
            ports.forge.redeliver(attempt.id)
            asked += 1
    return asked
