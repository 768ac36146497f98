"""One command of a comment, with where it was written, and what is replied."""

from dataclasses import dataclass

from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.talk import replies
from bot.core.talk.commands import CommandRow
from bot.core.values.command import Command
from bot.core.values.repository import Comment, Role


@dataclass(frozen=True)
class AskedCommand:
    """`run` and `change` are what the comment's issue or pull belongs to; on a tracking issue
    `change` is None."""

    comment: Comment
    role: Role
    command: Command
    row: CommandRow
    run: SpecRun | None
    change: ChangeFacts | None

    @property
    def argument(self) -> str:
        return self.command.argument

    @property
    def author(self) -> str:
        return self.comment.author


@dataclass(frozen=True)
class Reply:
    """Sentences for the person; without any, a reaction says that it was done."""

    said: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def __add__(self, other: "Reply") -> "Reply":
        return Reply(self.said + other.said, self.refused + other.refused)


def reply(*sentences: str) -> Reply:
    return Reply(said=tuple(s for s in sentences if s))


def refuse(*sentences: str) -> Reply:
    """Nothing was refused where there is no sentence."""
    return Reply(refused=tuple(s for s in sentences if s))


def changes_named(
    state: RepositoryState, asked: AskedCommand, run: SpecRun
) -> tuple[ChangeFacts, ...] | Reply:
    """The changes that a command is about; a refusal where it names one that is not there."""
    changes = state.changes_of(run.id)
    if not asked.argument:
        return (asked.change,) if asked.change is not None else changes
    wanted = asked.argument.strip("`#")
    found = tuple(c for c in changes if wanted in (c.slug, str(c.issue), str(c.pull)))
    return found or refuse(replies.no_such_change(asked.argument, run, changes))
