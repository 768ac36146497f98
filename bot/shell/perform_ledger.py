"""Brings the ledger's ref up to the journal, and sees where somebody else writes it.

Only a server of our App writes that ref, at every commit of main. What it holds besides our own lines was
written with another database: it is told, and stays in the history of what we push.
"""

from bot.core.journal import effects as ef
from bot.core.journal.events import Event, LedgerPublished
from bot.core.talk.trouble_text import ledger_of_another
from bot.core.values.candidate import PushOutcome, RefUpdate
from bot.core.values.ids import Ref, Sha
from bot.core.values.trouble import TroubleKind
from bot.shell.ledger_file import LEDGER_FILE, LEDGER_REF, ledger_edits
from bot.shell.own_pushes import push, push_all, recipe
from bot.shell.perform_task import Task
from bot.shell.troubles import meet

_EMPTY_TREE = Sha("4b825dc642cb6eb9a060e54bf8d69288fbee4904")


def publish_ledger(task: Task[ef.PublishLedger]) -> tuple[Event, ...]:
    """Append lines to the ledger's files as one commit on exactly the previous ledger commit."""
    ports, facts, effect = task.ports, task.facts, task.effect
    git = ports.git
    before, newest = _EMPTY_TREE, b""
    if effect.previous is not None:
        before = git.tree_of(facts, effect.previous)
        newest = git.files(facts, before, (LEDGER_FILE,)).get(LEDGER_FILE, b"")
    tree = git.edit_tree(facts, before, ledger_edits(newest, effect.first, effect.lines))
    total = effect.first + len(effect.lines)
    parents = (effect.previous,) if effect.previous else ()
    commit = git.commit(facts, recipe(facts, effect.at, tree, parents, f"Ledger: {total} lines\n"))
    branch = effect.branch_of_queue
    ref = Ref(f"refs/headgate/ledgers/{branch}") if branch else LEDGER_REF
    result = push(ports, facts, RefUpdate(ref=ref, old=effect.previous, new=commit))
    if result.outcome is PushOutcome.STALE:
        there = git.remote_ref(facts, ref)
        if there is not None:
            git.fetch(facts)
            commit = _joined(task, commit, there)
        if commit != there:
            push_all(ports, facts, RefUpdate(ref=ref, old=there, new=commit))
    return (LedgerPublished(lines=total, commit=commit, branch_of_queue=branch),)


def _joined(task: Task[ef.PublishLedger], commit: Sha, there: Sha) -> Sha:
    """Our ledger with what is there in its history; what is there, if it was made of our commit.

    A journal that lost its end, or came from a backup, finds its own later lines there: they follow
    its last ones in the line of first parents. All else is another server's, and told.
    """
    git, facts, effect = task.ports.git, task.facts, task.effect
    if git.history(facts, commit, there) is not None:
        return there
    if effect.previous is None or git.history(facts, effect.previous, there) is None:
        sentence = ledger_of_another(there)
        meet(task.ports, TroubleKind.SERVER, str(facts.id), sentence, facts.full_name)
    said = "Ledger: another one joined\n"
    return git.commit(
        facts, recipe(facts, effect.at, git.tree_of(facts, commit), (commit, there), said)
    )
