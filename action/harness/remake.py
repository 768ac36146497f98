"""Files that a command of the policy makes anew, in place of an agent: lock files in conflict.

The order's checkout has the files as main has them. Its set-up is not run: one that installs what the
files name could not succeed before they are made anew.
"""

from action.agents.outcome import AgentOutcome
from action.harness.order_context import Line, OrderContext, run_lines
from action.order import AgentOrder
from action.report import AgentEnding
from action.sandbox.sandbox import Sandbox


def remake(order: AgentOrder, context: OrderContext, sandbox: Sandbox) -> AgentOutcome:
    """Run the order's lines; a line that fails ends the order without work."""
    lines = tuple(Line("Remake", r.run, r.remake_timeout_seconds) for r in order.remake)
    failed = run_lines(context, order, sandbox, lines)
    if failed is not None:
        return AgentOutcome(AgentEnding.CRASHED, failed)
    names = ", ".join(file for one in order.remake for file in one.files)
    return AgentOutcome(AgentEnding.FINISHED, f"Generated again: {names}.")
