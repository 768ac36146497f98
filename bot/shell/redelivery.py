"""Asks GitHub to send again the deliveries that never reached the inbox."""

from datetime import datetime

from bot.core.values.redelivery import AGAIN_AFTER, LOOK_BACK, due_again
from bot.shell.process_ports import Ports


def ask_for_lost_deliveries(ports: Ports, asked_at: dict[str, datetime]) -> int:
    """How many deliveries were asked for; a GUID that the inbox holds is not.

    `asked_at` is when each GUID was last asked for; it lives with the process, because asking twice
    does no harm. Raises `Retryable` where GitHub cannot be reached.
    """
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
