"""Files in which an agent leaves what it says to people: a command its questions, for which the built-in
agent has a tool, and any agent what became of threads of reviews.

What lies in the tree is hostile: no link is followed, little is read, and only when nothing runs
inside any more. `questions` and `threads` read the content.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from action.agents.outcome import AgentOutcome
from action.agents.questions import QUESTIONS_FILE, ended_by_asking, read_questions
from action.agents.threads import THREADS_FILE, read_accounts
from action.order import AgentKind, AgentOrder, AskingRule
from action.redaction import redacted
from action.report import AgentEnding
from action.sandbox.trees import left_in

# They are no part of the work.
FILES = (QUESTIONS_FILE, THREADS_FILE)

# Three questions of the longest kind, whatever their characters and escapes.
FILE_BYTES_MAX = 128 * 1024

# A run that was cut off by a limit, or reached no model, has not chosen to end with a question.
_ENDED_BY_ITSELF = frozenset({AgentEnding.FINISHED, AgentEnding.CRASHED})


@dataclass(frozen=True)
class FilesLeft:
    """The first bytes of both files; None where there is no such file."""

    questions: bytes | None
    accounts: bytes | None


def words_left_in(tree: Path) -> FilesLeft:
    questions, accounts = (left_in(tree, file, FILE_BYTES_MAX) for file in FILES)
    return FilesLeft(questions, accounts)


def with_words(
    order: AgentOrder,
    tree: Path,
    outcome: AgentOutcome,
    before: FilesLeft,
    secrets: Collection[str],
) -> AgentOutcome:
    left = words_left_in(tree)
    if left.questions != before.questions:
        outcome = _with_questions(order, outcome, left.questions)
    if left.accounts is None or left.accounts == before.accounts:
        return outcome
    # People read them: no secret of the runner is in them.
    said = (one.replace(text=redacted(one.text, secrets)) for one in read_accounts(left.accounts))
    return replace(outcome, accounts=tuple(said))


def _with_questions(order: AgentOrder, outcome: AgentOutcome, left: bytes | None) -> AgentOutcome:
    """The outcome of an agent that left a file of questions; unchanged if it may not ask."""
    may_ask = order.agent.kind is not AgentKind.BUILTIN and order.asking is AskingRule.ALLOWED
    if not may_ask or left is None or outcome.ending not in _ENDED_BY_ITSELF:
        return outcome
    asked = read_questions(left)
    if isinstance(asked, str):
        return AgentOutcome(outcome.ending, f"{outcome.sentence} {QUESTIONS_FILE}: {asked}")
    return ended_by_asking(asked)
