"""What of an agent's tree is no part of its work, as it is told to people."""

from action.report import AgentReport

# Leftovers that are named to people, and characters of each.
_KEPT, _CHARACTERS = 20, 200


def leftovers(report: AgentReport) -> tuple[str, ...]:
    return tuple(path[:_CHARACTERS] for path in report.left_out[:_KEPT])
