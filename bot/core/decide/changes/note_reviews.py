"""What reviews say of a person's pull in the queue, written down where it is news."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import PullReviewed
from bot.core.journal.state import QueuedPull
from bot.core.state.approvals import approvals_needed, needs_owners, needs_resolution


def note_reviews(decision: Decision, pull: QueuedPull) -> None:
    """Record the approvals and how many are needed now; the need may change without a look at reviews."""
    rules = decision.state.rules
    needed = approvals_needed(decision.policy, rules, is_automatic=pull.is_by_policy)
    seen = decision.observed.approvals.get(pull.number, pull.approvals)
    if seen.unresolved and not needs_resolution(decision.policy, rules):
        seen = seen.replace(unresolved=())
    if seen.owners and not needs_owners(decision.policy):
        seen = seen.replace(owners=())
    if (needed, seen) != (pull.approvals_needed, pull.approvals):
        decision.emit(PullReviewed(number=pull.number, approvals=seen, needed=needed))
