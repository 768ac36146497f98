"""`headgate journal` and `headgate explain`: the journal for people and programs, read only."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import to_jsonable_python
from rich.console import Console
from sqlalchemy.exc import OperationalError

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.journal.events import EVENTS, EffectIntended, Event, Landed
from bot.core.journal.evolve import evolve
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.waiting import held_back_by, shown, waits_for
from bot.core.values.ids import RepositoryId
from bot.core.values.lifecycle import OWNERS
from bot.entry.settings import Settings
from bot.ports import Record

_FOLLOW_SECONDS = 0.5


@dataclass(frozen=True)
class JournalView:
    """What of the journal is wanted, and how."""

    change: str
    repository: str
    follow: bool
    replay: bool
    as_json: bool


def _journal() -> SqlJournal:
    return SqlJournal(open_engine(Settings().journal_url))


def _repositories(journal: SqlJournal, name: str) -> list[RepositoryId]:
    found = []
    for repository in journal.repositories():
        facts = journal.load(repository).facts
        if facts is not None and name in {"", facts.full_name}:
            found.append(repository)
    return found


def state_of(full_name: str) -> RepositoryState | None:
    """What a repository's journal amounts to; None where the journal does not know it."""
    journal = _journal()
    try:
        found = _repositories(journal, full_name)
    except OperationalError:
        # There is no journal on this machine.
        return None
    return journal.load(found[0]) if found else None


def print_journal(view: JournalView) -> int:
    """0; 1 where there is no such repository."""
    journal = _journal()
    repositories = _repositories(journal, view.repository)
    if not repositories and not view.follow:
        Console(stderr=True).print("The journal is empty, or has no such repository.")
        return 1
    if view.replay:
        for repository in repositories:
            _replay(journal, repository)
        return 0
    seen: dict[RepositoryId, int] = {}
    try:
        while True:
            for repository in _repositories(journal, view.repository):
                for record in journal.records(repository, seen.get(repository, 0)):
                    seen[repository] = record.number
                    if _is_about(record, view.change):
                        _print_record(repository, record, view)
            if not view.follow:
                return 0
            time.sleep(_FOLLOW_SECONDS)
    except KeyboardInterrupt:
        return 0


def _is_about(record: Record, change: str) -> bool:
    if not change:
        return True
    event = record.event
    subject = event.effect if isinstance(event, EffectIntended) else event
    said = f"{getattr(subject, 'change', None) or ''} {getattr(event, 'key', '')}"
    return f"/{change}" in said or change in said.split()


def _print_record(repository: RepositoryId, record: Record, view: JournalView) -> None:
    console = Console(soft_wrap=True, highlight=False)
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
    subject = event.effect.key if isinstance(event, EffectIntended) else _said(event)
    console.out(f"{record.number:>6} {record.at:%H:%M:%S.%f} {event.type:<20} {subject}"[:200])


def _said(event: object) -> str:
    parts = []
    for name in ("change", "key", "order", "spec_run", "subject", "sha", "sentence"):
        value = getattr(event, name, None)
        if value:
            parts.append(f"{name}={value}")
    return " ".join(parts)


def _replay(journal: SqlJournal, repository: RepositoryId) -> None:
    console = Console(soft_wrap=True, highlight=False)
    folded = RepositoryState()
    for record, before, after in _steps(journal, repository):
        folded = after
        for id_, change in after.changes.items():
            was = before.changes.get(id_)
            if was is None or was.state is not change.state:
                console.out(
                    f"{record.number:>6} {record.at:%H:%M:%S} {change.slug:<30} "
                    f"{was.state if was else 'new':>10} -> {change.state} ({record.event.type})"
                )
    kept = journal.load(repository)
    same = "equals" if folded == kept else "DIFFERS from"
    console.out(f"{folded.events} events folded from nothing; the state {same} the kept one")


def _steps(
    journal: SqlJournal, repository: RepositoryId
) -> Iterator[tuple[Record, RepositoryState, RepositoryState]]:
    state = RepositoryState()
    for record in journal.records(repository, 0):
        after = evolve(state, record.event)
        yield record, state, after
        state = after


def print_explanation(name: str, as_json: bool) -> int:
    """0; 1 where no change has that name."""
    journal = _journal()
    console = Console(soft_wrap=True, highlight=False)
    wanted = name.lstrip("#")
    for repository in _repositories(journal, ""):
        state = journal.load(repository)
        for change in state.changes.values():
            if wanted in {change.id, change.slug, str(change.issue), str(change.pull)}:
                if as_json:
                    console.out(json.dumps(_explained(state, change), ensure_ascii=False))
                else:
                    _print_explained(console, journal, state, change)
                return 0
    Console(stderr=True).print(f"No change is called {name}. `headgate journal` shows all.")
    return 1


def _explained(state: RepositoryState, change: ChangeFacts) -> dict[str, object]:
    return {
        "change": change.id,
        "title": change.planned.title,
        "shown": shown(state, change).value,
        "state": change.state.value,
        "next": OWNERS[change.state],
        "waits_for": [c.slug for c in waits_for(state, change)],
        "held_back_by": list(held_back_by(state, change)),
        "attempts": to_jsonable_python(change.agent_runs),
        "retry": change.retry.model_dump(mode="json") if change.retry else None,
        "issue": change.issue,
        "pull": change.pull,
        "landed": change.landed,
        "sentence": change.sentence,
        "frozen": state.frozen,
    }


def _print_explained(
    console: Console, journal: SqlJournal, state: RepositoryState, change: ChangeFacts
) -> None:
    facts = _explained(state, change)
    console.out(f"{change.slug}: {facts['shown']} ({change.state})")
    console.out(f"  {change.planned.title}")
    console.out(f"  next: {facts['next']}")
    for label in ("waits_for", "held_back_by"):
        if facts[label]:
            console.out(f"  {label.replace('_', ' ')}: {facts[label]}")
    if change.sentence:
        console.out(f"  {change.sentence}")
    for run in change.agent_runs:
        console.out(f"  attempt {run.attempt}: {run.outcome} {run.sentence}")
    if state.facts is None:
        return
    console.out("  how it came there:")
    for record in journal.records(state.facts.id, 0):
        if getattr(record.event, "change", None) == change.id:
            console.out(f"    {record.at:%H:%M:%S} {_told(record.event)}")


def _told(event: Event) -> str:
    """An event's name, and how main was moved where it was."""
    if isinstance(event, Landed):
        return f"{event.type} by {event.moved_by or 'a deed whose answer was lost'}"
    return event.type
