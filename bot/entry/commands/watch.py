"""`headgate watch` and `headgate explain --transcript`: what a change's newest run says and does."""

import time

from action.order import Fingerprint
from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.transcripts import SqlTranscripts
from bot.core.journal.state import ChangeFacts
from bot.core.state.newest_run import newest_run
from bot.core.talk.activity_text import activity_words, event_text
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.ids import OrderId, RepositoryId
from bot.entry.local_journal import open_journal, repositories_named
from bot.entry.settings import Settings
from bot.entry.terminal import Terminal

_EVERY_SECONDS = 2.0


def print_run(name: str, follow: bool) -> int:
    """Returns 1 if there is no such change, or it has no run; `follow` waits for the run's end."""
    journal = open_journal()
    wanted = name.lstrip("#")
    for repository in repositories_named(journal, ""):
        state = journal.load(repository)
        for change in state.changes.values():
            if wanted in {change.id, change.slug, str(change.issue), str(change.pull)}:
                return _print_newest(journal, repository, change, follow)
    Terminal(stderr=True).print(
        f"There is no change {name}. To see all changes, run `headgate journal`."
    )
    return 1


def _print_newest(
    journal: SqlJournal, repository: RepositoryId, change: ChangeFacts, follow: bool
) -> int:
    order = newest_run(journal.load(repository), change)
    if order is None:
        Terminal(stderr=True).print(f"No agent has worked on {change.slug} yet.")
        return 1
    transcripts = SqlTranscripts(open_engine(Settings().journal_url))
    printed = _print_lines(transcripts, repository, order, 0)
    come_to = Fingerprint()
    while follow and order in journal.load(repository).open_orders:
        come_to = _print_come_to(transcripts.doing(repository, order), come_to)
        time.sleep(_EVERY_SECONDS)
        printed = _print_lines(transcripts, repository, order, printed)
    _print_lines(transcripts, repository, order, printed)
    _print_come_to(transcripts.doing(repository, order), come_to)
    return 0


def _print_come_to(doing: AgentActivity | None, before: Fingerprint) -> Fingerprint:
    """A line where the work has come to something else than before."""
    if doing is None or doing.status.fingerprint == before:
        return before
    Terminal(soft_wrap=True, highlight=False).out(_printable(f"= {activity_words(doing)}"))
    return doing.status.fingerprint


def _print_lines(
    transcripts: SqlTranscripts, repository: RepositoryId, order: OrderId, since: int
) -> int:
    """The number of the first line that is not printed yet."""
    console = Terminal(soft_wrap=True, highlight=False)
    for number, line in transcripts.lines(repository, order, since):
        console.out(_printable(event_text(line)))
        since = number + 1
    return since


def _printable(text: str) -> str:
    """Without characters that move a terminal's cursor or change its title."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)
