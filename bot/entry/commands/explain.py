"""`headgate explain`: where a change is, what it waits for, and how it got there."""

import json

from pydantic_core import to_jsonable_python

from bot.adapters.store.journal import SqlJournal
from bot.core.journal.events import Event, Landed, RetiredChange, SpecRunRetired
from bot.core.journal.state import ChangeFacts, RepositoryState, change_id
from bot.core.state.candidates import state_shown
from bot.core.state.reason import reason_of
from bot.core.state.waiting import held_back_by, shown, waits_for
from bot.core.talk.access_text import why
from bot.core.talk.attempts import is_attempt, reason_of_end, result_of
from bot.core.talk.pause_text import paused
from bot.core.talk.reason_text import reason_text
from bot.core.talk.text import plain
from bot.core.values.ids import ChangeId, RepositoryId
from bot.entry.local_journal import open_journal, print_unreadable, repositories_named
from bot.entry.terminal import Terminal


def print_explanation(name: str, as_json: bool) -> int:
    """Returns 1 if no change has that slug, id, issue or pull, or if its journal cannot be read."""
    journal = open_journal()
    console = Terminal(soft_wrap=True, highlight=False)
    wanted = name.lstrip("#")
    for repository in repositories_named(journal, ""):
        state = journal.load(repository)
        for change in state.changes.values():
            if wanted in {change.id, change.slug, str(change.issue), str(change.pull)}:
                if as_json:
                    console.out(json.dumps(_facts(state, change), ensure_ascii=False))
                else:
                    _print_facts(console, journal, state, change)
                return print_unreadable(journal, [repository])
        for run in journal.retired(repository):
            for retired in run.changes:
                if wanted in {*_names(run, retired), str(retired.issue), str(retired.pull)}:
                    _print_retired(console, journal, repository, run, retired, as_json)
                    return print_unreadable(journal, [repository])
    Terminal(stderr=True).print(
        f"There is no change {name}. To see all changes, run `headgate journal`."
    )
    return 1


def _facts(state: RepositoryState, change: ChangeFacts) -> dict[str, object]:
    reason = reason_of(state, change)
    return {
        "change": change.id,
        "title": change.planned.title,
        "shown": shown(state, change).value,
        "state": state_shown(state, change),
        "reason": reason.model_dump(mode="json"),
        "next": reason_text(state, None, change, reason),
        "waits_for": [c.slug for c in waits_for(state, change)],
        "held_back_by": list(held_back_by(state, change)),
        "attempts": to_jsonable_python(change.agent_runs),
        "retry": change.retry.model_dump(mode="json") if change.retry else None,
        "issue": change.issue,
        "pull": change.pull,
        "landed": change.landed,
        "sentence": change.sentence,
        "frozen": state.frozen,
        "paused": why(state.away) if state.away else None,
    }


def _print_facts(
    console: Terminal, journal: SqlJournal, state: RepositoryState, change: ChangeFacts
) -> None:
    facts = _facts(state, change)
    state_too = f" ({facts['state']})" if facts["shown"] != facts["state"] else ""
    console.out(f"{change.slug}: {facts['shown']}{state_too}")
    console.out(f"  {change.planned.title}")
    console.out(f"  {facts['next']}")
    if facts["paused"]:
        console.out(f"  {facts['paused']}")
    for paragraph in paused(state) if not change.is_ended else ():
        console.out(f"  {plain(paragraph)}")
    if change.sentence and change.sentence not in str(facts["next"]):
        console.out(f"  {change.sentence}")
    for run in change.agent_runs:
        number = f"attempt {run.attempt}" if is_attempt(run) else "no attempt"
        console.out(f"  {number}: {result_of(run)} {reason_of_end(run)}".rstrip())
    if state.facts is not None:
        _print_history(console, journal, state.facts.id, change.id)


def _names(run: SpecRunRetired, change: RetiredChange) -> tuple[str, str]:
    return (change.slug, change_id(run.spec_run, change.slug))


def _print_retired(
    console: Terminal,
    journal: SqlJournal,
    repository: RepositoryId,
    run: SpecRunRetired,
    change: RetiredChange,
    as_json: bool,
) -> None:
    id_ = change_id(run.spec_run, change.slug)
    if as_json:
        facts = {"change": id_, **change.model_dump(mode="json"), "spec_run_ended": run.ended_at}
        console.out(json.dumps(to_jsonable_python(facts), ensure_ascii=False))
        return
    ended = f" on {run.ended_at:%Y-%m-%d}" if run.ended_at else ""
    console.out(f"{change.slug}: {change.state}; its spec run ended{ended}")
    console.out(f"  {change.title}")
    if change.sentence:
        console.out(f"  {change.sentence}")
    _print_history(console, journal, repository, id_)


def _print_history(
    console: Terminal, journal: SqlJournal, repository: RepositoryId, change: ChangeId
) -> None:
    console.out("  how it got there:")
    for record in journal.records_about(repository, change):
        if getattr(record.event, "change", None) == change:
            console.out(f"    {record.at:%H:%M:%S} {_event_line(record.event)}")


def _event_line(event: Event) -> str:
    if isinstance(event, Landed):
        return f"{event.type} by {event.moved_by or 'a request whose answer was lost'}"
    return event.type
