"""Commits and pushes of Headgate's own: every ref moves from exactly the commit expected there."""

from datetime import datetime

from bot.core.values.candidate import (
    WORKFLOWS_FOLDER,
    CommitRecipe,
    PushOutcome,
    PushResult,
    RefUpdate,
)
from bot.core.values.github_refusal import read_refusal
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError
from bot.shell.failure import NotPushed
from bot.shell.process_ports import Ports


def recipe(
    facts: RepositoryFacts, effect_time: datetime, tree: Sha, parents: tuple[Sha, ...], said: str
) -> CommitRecipe:
    return CommitRecipe(
        tree=tree,
        parents=parents,
        message=said,
        author_name="headgate[bot]",
        author_email=facts.our_address,
        at=effect_time.replace(microsecond=0),
    )


def by_author(
    facts: RepositoryFacts,
    effect_time: datetime,
    tree: Sha,
    parents: tuple[Sha, ...],
    said: str,
    author: str,
) -> CommitRecipe:
    """A commit that Headgate makes of the work of `author` (`Name <mail>`; empty: its own)."""
    own = recipe(facts, effect_time, tree, parents, said)
    if not author:
        return own
    name, _, mail = author.removesuffix(">").rpartition("<")
    return own.replace(
        # git refuses a commit without a name.
        author_name=name.strip() or mail.partition("@")[0] or "unnamed",
        author_email=mail.strip(),
        committer_name=own.author_name,
        committer_email=own.author_email,
    )


def push(ports: Ports, facts: RepositoryFacts, *updates: RefUpdate) -> PushResult:
    """Move all refs or none. Raises `NotPushed` where GitHub refuses that."""
    try:
        result = ports.git.push(facts, updates)
    except UserError as refused:
        raise NotPushed(read_refusal(refused.sentence)) from refused
    if result.outcome is PushOutcome.REFUSED:
        raise NotPushed(read_refusal(result.sentence))
    return result


def push_all(ports: Ports, facts: RepositoryFacts, *updates: RefUpdate) -> None:
    """Move all refs or none; what moved meanwhile is looked at again."""
    result = push(ports, facts, *updates)
    if result.outcome is PushOutcome.STALE:
        raise Retryable(f"A ref moved under a push: {result.sentence}")


def push_ours(
    ports: Ports, facts: RepositoryFacts, ref: Ref, expected: Sha | None, sha: Sha
) -> None:
    """Push a ref that only we write; nothing to do if it is there already.

    The journal is the truth: a ref that somebody else moved is moved back.
    """
    result = push(ports, facts, RefUpdate(ref=ref, old=expected, new=sha))
    if result.outcome is PushOutcome.STALE:
        there = ports.git.remote_ref(facts, ref)
        if there != sha:
            push_all(ports, facts, RefUpdate(ref=ref, old=there, new=sha))


def with_mains_workflows(ports: Ports, facts: RepositoryFacts, tree: Sha) -> Sha:
    """The tree with `.github/workflows` as the default branch has it now.

    GitHub takes no other from an App without the `workflows` permission, on any ref.
    """
    main = ports.git.remote_ref(facts, facts.main_ref)
    if main is None:
        return tree
    if not ports.git.has(facts, main):
        ports.git.fetch(facts)
    return ports.git.with_folder_of(facts, tree, main, WORKFLOWS_FOLDER)
