"""The file in which a command agent leaves its questions; the built-in agent has a tool.

What lies in the tree is hostile: no link is followed, little is read, and only when nothing runs
inside any more. `questions` reads the content.
"""

from pathlib import Path

from action.agents.outcome import AgentOutcome
from action.agents.questions import QUESTIONS_FILE, ended_by_asking, read_questions
from action.order import AgentKind, AgentOrder, AskingRule
from action.report import AgentEnding
from action.sandbox.trees import left_in

# Three questions of the longest kind, whatever their characters and escapes.
FILE_BYTES_MAX = 128 * 1024

# A run that was cut off by a limit, or reached no model, has not chosen to end with a question.
_ENDED_BY_ITSELF = frozenset({AgentEnding.FINISHED, AgentEnding.CRASHED})


def with_questions_asked(order: AgentOrder, tree: Path, outcome: AgentOutcome) -> AgentOutcome:
    """The outcome of an agent that left a file of questions; unchanged if it may not ask."""
    may_ask = order.agent.kind is not AgentKind.BUILTIN and order.asking is AskingRule.ALLOWED
    left = questions_left_in(tree)
    if not may_ask or left is None or outcome.ending not in _ENDED_BY_ITSELF:
        return outcome
    asked = read_questions(left)
    if isinstance(asked, str):
        return AgentOutcome(outcome.ending, f"{outcome.sentence} {QUESTIONS_FILE}: {asked}")
    return ended_by_asking(asked)


def questions_left_in(tree: Path) -> bytes | None:
    """The file's first bytes; None where there is no such file."""
    return left_in(tree, QUESTIONS_FILE, FILE_BYTES_MAX)
