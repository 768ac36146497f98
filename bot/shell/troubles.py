"""Writes down what keeps failing, and says it in the log: never dropped in silence, never a loop."""

import logging
from collections.abc import Iterable
from datetime import timedelta

from bot.core.journal.events import Event
from bot.core.journal.state import Away, RepositoryState
from bot.core.state.troubles import is_told
from bot.core.talk.access_text import why_and_fix
from bot.core.talk.news_text import news
from bot.core.talk.trouble_text import trouble_text
from bot.core.values.ids import RepositoryId
from bot.core.values.repository import RepositoryFacts
from bot.core.values.trouble import Trouble, TroubleKind
from bot.shell.process_ports import Ports

log = logging.getLogger(__name__)

_WHY_CHARACTERS_MAX = 500

# Troubles that are over once a repository's work comes to an end.
_OF_WORK = (TroubleKind.ENDED, TroubleKind.DIED, TroubleKind.UNREACHABLE, TroubleKind.REFUSED)


def meet(
    ports: Ports, kind: TroubleKind, about: str, sentence: str, name: str = "", progress: int = 0
) -> Trouble:
    """Count a trouble; it is logged each time that it was counted."""
    now = ports.clock.now()
    first = Trouble(
        kind=kind,
        about=about,
        since=now,
        at=now,
        tries=1,
        until=now,
        why=sentence[:_WHY_CHARACTERS_MAX],
        progress=progress,
    )
    trouble, is_counted = ports.troubles.meet(first)
    if is_counted and is_told(trouble):
        says = trouble_text(trouble, name)
        told = {"kind": kind.value, "about": about, "tries": trouble.tries, "says": says}
        log.warning(_EVENTS[kind], extra=told)
    return trouble


_EVENTS = {
    TroubleKind.ENDED: "repository_rests",
    TroubleKind.DIED: "repository_rests",
    TroubleKind.UNREACHABLE: "repository_unreachable",
    TroubleKind.REFUSED: "repository_refused",
    TroubleKind.ACCESS: "access_lost",
    TroubleKind.DELIVERY: "delivery_given_up",
    TroubleKind.SIGNATURE: "signature_wrong",
    TroubleKind.RUNNER: "runner_refused",
    TroubleKind.SERVER: "another_server",
    TroubleKind.EMPTY: "repository_empty",
}


def rest(ports: Ports, repository: RepositoryId, kind: TroubleKind, sentence: str) -> bool:
    """A job for the repository failed, or its process died; whether it rests for a while now."""
    facts = ports.journal.load(repository).facts
    name = facts.full_name if facts else ""
    length = ports.journal.length(repository)
    trouble = meet(ports, kind, str(repository), sentence, name, progress=length)
    if trouble.until <= ports.clock.now():
        return False
    # In this order: a pause that nobody ends is worse than a ring too many.
    ports.journal.set_wake_at(repository, trouble.until)
    ports.journal.pause(str(repository), trouble.until)
    return True


def cannot_read(
    ports: Ports, facts: RepositoryFacts, kind: TroubleKind, sentence: str
) -> timedelta:
    """GitHub does not let the repository be read; how long it is left alone."""
    trouble = meet(ports, kind, str(facts.id), sentence, facts.full_name)
    return max(trouble.until - ports.clock.now(), timedelta())


def note_access(ports: Ports, facts: RepositoryFacts, away: Away | None) -> None:
    """Whether we may work in a repository where we may not, or lately might not."""
    about = str(facts.id)
    if away is None:
        ports.troubles.over((TroubleKind.ACCESS,), (about,))
    else:
        meet(ports, TroubleKind.ACCESS, about, why_and_fix(away), facts.full_name)


def clear_work_troubles(ports: Ports, repository: RepositoryId) -> None:
    ports.troubles.over(_OF_WORK, (str(repository),))


def log_news(events: Iterable[Event], state: RepositoryState) -> None:
    """Say in the log what somebody must put right, once it stands in the journal."""
    name = state.facts.full_name if state.facts else ""
    for event, says in news(events, state):
        log.warning(event, extra={"repository": name, "says": says})


def refuse_runner(ports: Ports, repository: RepositoryId, sentence: str) -> None:
    """A runner asked for an order that is not its own; told where Headgate works, else logged alone.

    Anybody's workflow can ask: what is kept is one line for each repository of ours.
    """
    facts = ports.journal.load(repository).facts
    if facts is None:
        log.warning("runner_refused", extra={"repository": int(repository), "says": sentence})
        return
    meet(ports, TroubleKind.RUNNER, str(repository), sentence, facts.full_name)


def runner_taken(ports: Ports, repository: RepositoryId) -> None:
    ports.troubles.over((TroubleKind.RUNNER,), (str(repository),))
