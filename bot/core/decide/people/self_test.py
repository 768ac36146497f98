"""`/headgate selftest`: what Headgate needs here is tried by a worker that holds no lease."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import RunSelfTest
from bot.core.journal.state import HeardComment
from bot.core.talk import selftest_text


def ask_self_test(decision: Decision, heard: HeardComment) -> str:
    """Ask for one; why not, where another one of this repository is under way."""
    for effect in decision.state.open_effects.values():
        if isinstance(effect, RunSelfTest):
            return selftest_text.under_way(effect.issue)
    asked = RunSelfTest(issue=heard.issue, comment=heard.comment, asked_at=decision.now)
    decision.intend(asked)
    return ""
