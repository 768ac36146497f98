"""Asks GitHub to send again the deliveries that never reached the inbox."""

from collections.abc import Sequence
from datetime import datetime

from bot.core.values.redelivery import AGAIN_AFTER, LOOK_BACK, Attempt, due_again
from bot.core.values.trouble import TroubleKind
from bot.shell.process_ports import Ports
from bot.shell.troubles import meet


def ask_for_lost_deliveries(ports: Ports, asked_at: dict[str, datetime]) -> int:
    """How many deliveries were asked for; a GUID that the inbox holds is not.

    `asked_at` is when each GUID was last asked for; it lives with the process, because asking twice
    does no harm. Raises `Retryable` where GitHub cannot be reached.
    """
    now = ports.clock.now()
    for guid in [g for g, at in asked_at.items() if at < now - AGAIN_AFTER]:
        del asked_at[guid]
    attempts = ports.forge.delivery_attempts(now - LOOK_BACK)
    _note_signature(ports, attempts)
    asked = 0
    for attempt in due_again(attempts, asked_at, now):
        if ports.inbox.get(attempt.guid) is None:
            asked_at[attempt.guid] = now
            ports.forge.redeliver(attempt.id)
            asked += 1
    return asked


def _note_signature(ports: Ports, attempts: Sequence[Attempt]) -> None:
    """GitHub's own list says which deliveries we refused; strangers cannot write into it."""
    newest = max(attempts, key=lambda one: one.at, default=None)
    if newest is not None and newest.is_unsigned:
        meet(ports, TroubleKind.SIGNATURE, "", "")
    elif newest is not None:
        ports.troubles.over((TroubleKind.SIGNATURE,), ("",))
