"""How many comments of people without a role are answered: reading is anybody's on a public repository.

The first comment that is too many is answered by one reply that says so; what follows is not, until an
hour has passed. People with a role are never kept waiting by them.
"""

from bot.core.journal.evolve_people import STRANGERS_COUNTED_FOR
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.values.repository import Comment, Role

# Of all people without a role together: so many times what one of them may ask.
ALL_TIMES = 3


def is_stranger(role: Role) -> bool:
    return not role.covers(Role.TRIAGE)


def asked_too_much(state: RepositoryState, policy: Policy, comment: Comment) -> int:
    """How far this comment is above what its author, or all strangers, may ask; 0: it is not."""
    since = comment.created_at - STRANGERS_COUNTED_FOR
    recent = [who for who, at in state.strangers_asked if at > since]
    most = policy.file.strangers.commands_an_hour
    of_one = recent.count(comment.author) - most + 1
    return max(of_one, len(recent) - ALL_TIMES * most + 1, 0)
