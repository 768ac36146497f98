"""Headgate's own refs: heads, starts and candidates of changes, candidates of people's pulls.

They are not branches, so they start no workflows. The branch of a change (`branch_of`) only shows
its newest candidate.
"""

from bot.core.journal.state import ChangeFacts
from bot.core.values.ids import OrderId, PullNumber, Ref, Sha

SELF_TEST_REFS = "refs/headgate/selftest/"


def _name(change: ChangeFacts) -> str:
    return change.id.replace("@", "-")


def start_ref(change: ChangeFacts, attempt: int) -> Ref:
    return Ref(f"refs/headgate/starts/{_name(change)}/{attempt}")


def head_ref(order: OrderId) -> Ref:
    """The ref that keeps the imported work of an agent order until its change has landed."""
    return Ref(f"refs/headgate/heads/{order}")


def candidate_ref(change: ChangeFacts, number: int) -> Ref:
    return Ref(f"refs/headgate/candidates/{_name(change)}/{number}")


def kept_ref(change: ChangeFacts, pushed: Sha) -> Ref:
    """The ref that keeps what a person pushed to the branch; never deleted."""
    return Ref(f"refs/headgate/kept/{_name(change)}/{pushed[:12]}")


def taken_ref(change: ChangeFacts, pushed: Sha) -> Ref:
    """The ref of the head that was made of a push."""
    return Ref(f"refs/headgate/taken/{_name(change)}/{pushed[:12]}")


def candidate_folder(change: ChangeFacts) -> str:
    return f"refs/headgate/candidates/{_name(change)}/"


def pull_folder(number: PullNumber) -> str:
    return f"refs/headgate/pulls/{number}/"


def ref_folders(change: ChangeFacts) -> tuple[str, ...]:
    return tuple(
        f"refs/headgate/{kind}/{_name(change)}/" for kind in ("starts", "candidates", "taken")
    )
