"""Adds to an agent's order the files that it will probably need; no decision depends on them."""

from action.order import AgentOrder, GateOrder
from bot.core.prompts.likely_files import COMMITS_ASKED, likely_files
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports


def with_likely_files(
    ports: Ports, facts: RepositoryFacts, order: AgentOrder | GateOrder
) -> AgentOrder | GateOrder:
    """The same for the same base, so that an order that is placed again is the same order."""
    if not isinstance(order, AgentOrder) or order.remake:
        return order
    base = Sha(order.base_sha)
    paths = tuple(ports.git.blobs(facts, base, ("",)))
    commits = ports.git.changed_together(facts, base, COMMITS_ASKED)
    likely = likely_files(order, paths, commits)
    return order.replace(brief=order.brief.replace(likely=likely))
