"""`/headgate selftest`: what Headgate needs here is tried by a worker that holds no lease."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import RunSelfTest
from bot.core.talk import selftest_text
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.values.repository import Comment


def ask_self_test(decision: Decision, comment: Comment) -> Reply:
    """Ask for one; why not, where another one of this repository is under way."""
    for effect in decision.state.open_effects.values():
        if isinstance(effect, RunSelfTest):
            return refuse(selftest_text.under_way(effect.issue))
    decision.intend(RunSelfTest(issue=comment.issue, comment=comment.id, asked_at=decision.now))
    return reply()
