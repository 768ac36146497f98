"""Headgate's own refs for a change: heads, starts, candidates.

They are not branches, so they start no workflows. The branch of a change (`branch_of`) only shows
its newest candidate.
"""

from bot.core.journal.state import ChangeFacts
from bot.core.values.ids import OrderId, Ref


def _name(change: ChangeFacts) -> str:
    return change.id.replace("@", "-")


def start_ref(change: ChangeFacts, attempt: int) -> Ref:
    return Ref(f"refs/headgate/starts/{_name(change)}/{attempt}")


def head_ref(order: OrderId) -> Ref:
    """The ref that keeps the imported work of an agent order until its change has landed."""
    return Ref(f"refs/headgate/heads/{order}")


def candidate_ref(change: ChangeFacts, number: int) -> Ref:
    return Ref(f"refs/headgate/candidates/{_name(change)}/{number}")


def ref_folders(change: ChangeFacts) -> tuple[str, ...]:
    return tuple(f"refs/headgate/{kind}/{_name(change)}/" for kind in ("starts", "candidates"))
