"""After another branch became the default, a change that is being judged gets a pull onto it.

GitHub takes pulls along when a branch is renamed, and leaves them where the default was set anew: a
landing would never close them.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ClosePull
from bot.core.state.candidates import is_being_judged
from bot.core.values.repository import PullState


def next_steps(decision: Decision) -> None:
    """Close pulls onto other branches; the next round opens one onto the default branch."""
    facts = decision.state.facts
    for change in tuple(decision.state.changes.values()):
        pull = decision.observed.pulls.get(change.pull) if change.pull is not None else None
        if facts is None or pull is None or change.pull_closed:
            continue
        is_elsewhere = pull.base_branch != facts.default_branch
        is_open = pull.state is PullState.OPEN
        if is_elsewhere and is_open and is_being_judged(decision.state, change):
            decision.intend(ClosePull(change=change.id, pull=pull.number))
