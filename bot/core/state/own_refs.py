"""Our own refs for a change: heads, starts, candidates. They are no branches and start no workflows.

Deliberately absent: the change's branch, which is only a window (`branch_of`).
"""

from bot.core.journal.state import ChangeFacts
from bot.core.values.ids import OrderId, Ref


def _name(change: ChangeFacts) -> str:
    return change.id.replace("@", "-")


def start_ref(change: ChangeFacts, attempt: int) -> Ref:
    """Where a later attempt starts from."""
    return Ref(f"refs/headgate/starts/{_name(change)}/{attempt}")


def head_ref(order: OrderId) -> Ref:
    """Where the imported work of an agent order is kept until its change has landed."""
    return Ref(f"refs/headgate/heads/{order}")


def candidate_ref(change: ChangeFacts, number: int) -> Ref:
    """Where a candidate is kept."""
    return Ref(f"refs/headgate/candidates/{_name(change)}/{number}")


def ref_folders(change: ChangeFacts) -> tuple[str, ...]:
    """Below which a change's starts and candidates lie."""
    return tuple(f"refs/headgate/{kind}/{_name(change)}/" for kind in ("starts", "candidates"))
