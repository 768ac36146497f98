"""`headgate journal`: the journal for people and programs, read only."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bot.adapters.store.journal import SqlJournal
from bot.core.journal.events import EVENTS, EffectIntended
from bot.core.journal.evolve import evolve
from bot.core.journal.state import RepositoryState
from bot.core.state.candidates import state_shown
from bot.core.values.ids import RepositoryId
from bot.entry.local_journal import (
    JOURNAL_EMPTY,
    not_in_journal,
    open_journal,
    print_unreadable,
    repositories_named,
)
from bot.entry.terminal import Terminal
from bot.ports import Record

_FOLLOW_SECONDS = 0.5


@dataclass(frozen=True)
class JournalView:
    change: str
    repository: str
    follow: bool
    replay: bool
    as_json: bool


def print_journal(view: JournalView) -> int:
    """Returns 1 if no repository has that name, or an event cannot be read by this release."""
    journal = open_journal()
    repositories = repositories_named(journal, view.repository)
    if not repositories and not view.follow:
        if view.repository:
            Terminal(stderr=True, soft_wrap=True).out(not_in_journal(view.repository))
            return 1
        if not view.as_json:
            Terminal(soft_wrap=True).out(JOURNAL_EMPTY)
        return 0
    if view.replay:
        for repository in repositories:
            _replay(journal, repository)
        return print_unreadable(journal, repositories)
    seen: dict[RepositoryId, int] = {}
    try:
        while True:
            for repository in repositories_named(journal, view.repository):
                for record in journal.records(repository, seen.get(repository, 0)):
                    seen[repository] = record.number
                    if _is_about(record, view.change):
                        _print_record(repository, record, view)
            if not view.follow:
                return print_unreadable(journal, repositories)
            time.sleep(_FOLLOW_SECONDS)
    except KeyboardInterrupt:
        return 0


def _is_about(record: Record, change: str) -> bool:
    if not change:
        return True
    event = record.event
    subject = event.effect if isinstance(event, EffectIntended) else event
    words = f"{getattr(subject, 'change', None) or ''} {getattr(event, 'key', '')}"
    return f"/{change}" in words or change in words.split()


def _print_record(repository: RepositoryId, record: Record, view: JournalView) -> None:
    console = Terminal(soft_wrap=True, highlight=False)
    if view.as_json:
        line = {
            "repository": repository,
            "number": record.number,
            "at": record.at.isoformat(),
            "event": json.loads(EVENTS.dump_json(record.event)),
        }
        console.out(json.dumps(line, ensure_ascii=False))
        return
    event = record.event
    subject = event.effect.key if isinstance(event, EffectIntended) else _summary(event)
    console.out(f"{record.number:>6} {record.at:%H:%M:%S.%f} {event.type:<20} {subject}"[:200])


def _summary(event: object) -> str:
    parts = []
    for name in ("change", "key", "order", "spec_run", "subject", "sha", "sentence"):
        value = getattr(event, name, None)
        if value:
            parts.append(f"{name}={value}")
    return " ".join(parts)


def _replay(journal: SqlJournal, repository: RepositoryId) -> None:
    console = Terminal(soft_wrap=True, highlight=False)
    folded = RepositoryState()
    for record, before, after in _steps(journal, repository):
        folded = after
        for id_, change in after.changes.items():
            known = before.changes.get(id_)
            was = state_shown(before, known) if known else "new"
            now = state_shown(after, change)
            if was != now:
                console.out(
                    f"{record.number:>6} {record.at:%H:%M:%S} {change.slug:<30} "
                    f"{was:>10} -> {now} ({record.event.type})"
                )
    stored = journal.load(repository)
    same = "equals" if folded == stored else "DIFFERS from"
    console.out(
        f"{folded.events} events folded from the beginning. The state {same} the stored one"
    )


def _steps(
    journal: SqlJournal, repository: RepositoryId
) -> Iterator[tuple[Record, RepositoryState, RepositoryState]]:
    state = RepositoryState()
    for record in journal.records(repository, 0):
        after = evolve(state, record.event)
        yield record, state, after
        state = after
