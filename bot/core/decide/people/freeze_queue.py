"""`/headgate freeze`, `unfreeze` and `pause`: a person stops landings, or all new orders."""

import re
from datetime import UTC, datetime, time, timedelta

from bot.core.decide.decision import Decision
from bot.core.journal.events import OrdersStopped, QueueFrozen, QueueThawed
from bot.core.state.landing_way import is_queued
from bot.core.talk import freeze_text
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.values.freeze import OF_PEOPLE, FreezeCause

# The last words, where they begin with a digit; whatever stands before them says why.
_UNTIL = re.compile(r"(?:^|\s)until\s+(`?\d.*)$", re.IGNORECASE)
_WHY_CHARACTERS = 500


def freeze(decision: Decision, argument: str, author: str) -> Reply:
    """Stop landings until a person lifts it or its time comes; a new freeze replaces the old one."""
    said = _UNTIL.search(argument)
    until = _moment(said[1]) if said else None
    if said is not None and (until is None or until <= decision.now):
        return refuse(freeze_text.no_such_time(said[1]))
    why = argument[: said.start()] if said else argument
    decision.emit(
        QueueFrozen(
            by=author, why=why.strip()[:_WHY_CHARACTERS], until=until, frozen_at=decision.now
        )
    )
    frozen = decision.state.freezes[FreezeCause.PERSON]
    is_queued_there = is_queued(decision.policy, decision.state.rules)
    return reply(freeze_text.frozen_reply(frozen, is_queued_there=is_queued_there))


def unfreeze(decision: Decision, author: str) -> Reply:
    """All that a person's word lifts; what main froze, main lifts."""
    freezes = decision.state.freezes
    lifted = {cause: freezes[cause] for cause in OF_PEOPLE if cause in freezes}
    if lifted:
        decision.emit(QueueThawed(by=author, causes=tuple(lifted)))
    return reply(freeze_text.unfrozen_reply(decision.state, lifted))


def pause(decision: Decision, argument: str, author: str) -> Reply:
    """No new orders, of agents or of gates."""
    why = argument.strip()[:_WHY_CHARACTERS]
    decision.emit(OrdersStopped(by=author, why=why, stopped_at=decision.now))
    return reply(freeze_text.stopped_reply())


def unfreeze_when_due(decision: Decision) -> None:
    frozen = decision.state.freezes.get(FreezeCause.PERSON)
    if frozen is not None and frozen.until is not None and decision.now >= frozen.until:
        decision.emit(QueueThawed(by=""))


def _moment(said: str) -> datetime | None:
    """A time (UTC), or the end of a day; None for anything else."""
    text = re.sub(r"(?i) ?(?:utc|z)$", "", " ".join(said.strip("`. ").split()))
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
        is_day = at.time() == time() and len(text) <= len("2026-12-31")
        return at.replace(tzinfo=UTC) + (timedelta(days=1) if is_day else timedelta())
    except (ValueError, OverflowError):
        return None
