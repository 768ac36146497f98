"""How an attempt begins, in a sentence: by rules that look at the work so far and at nothing else.

A conversation ends with its runner: the next attempt may be on another machine, and the order tells it what was
tried. Work is kept whatever its age, because it is merged on today's main first.
"""

from action.order import AgentOrder
from bot.core.journal.state import ChangeFacts


def begins(change: ChangeFacts, order: AgentOrder) -> str:
    """Of the order that this change gets next."""
    if order.start_sha != order.base_sha:
        unfinished = "" if change.head_is_whole else "unfinished "
        return f"Starts from today's main with the {unfinished}work so far, in a new conversation."
    if change.agent_runs:
        return "Starts from today's main alone, in a new conversation. Earlier work was not kept."
    return "Starts from today's main."
