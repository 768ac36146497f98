"""What is asked of people before a plan starts."""

from bot.core.journal.state import SpecRun
from bot.core.spec.policy import Policy
from bot.core.talk.text import login
from bot.core.values.plan_model import Plan

# The word with which a person starts a plan of more changes than `changes_max`.
ALL = "all"


def is_too_many(plan: Plan, policy: Policy) -> bool:
    """Whether a person is to say that they want so many changes."""
    return len(plan.changes) > policy.file.changes_max


def approve_line(plan: Plan, policy: Policy) -> str:
    return f"/headgate approve {ALL}" if is_too_many(plan, policy) else "/headgate approve"


def missing_approvals(given: tuple[str, ...], authors: tuple[str, ...], policy: Policy) -> str:
    """Who approved, and who must yet; empty where it is enough.

    `authors` wrote the spec; where nobody can see who, any one person may be its author.
    """
    if len(given) < policy.file.approvals:
        return _more_approvals(given, policy)
    if policy.file.author_may_approve:
        return ""
    wrote = {author.casefold() for author in authors}
    if authors and not all(person.casefold() in wrote for person in given):
        return ""
    if authors:
        who = "who wrote this version of the spec"
        return (
            f"Approved by {' and '.join(map(login, given))}, {who}. The policy does not let the "
            "author of a spec approve it alone (`author_may_approve: false`). Another person "
            "must approve this revision before work starts."
        )
    if len(given) > 1:
        return ""
    return (
        f"Approved by {login(given[0])}. The policy does not let the author of a spec approve "
        "it alone (`author_may_approve: false`), and GitHub does not say who wrote this "
        "version. So one more person must approve this revision before work starts."
    )


def _more_approvals(given: tuple[str, ...], policy: Policy) -> str:
    left = policy.file.approvals - len(given)
    people = "person" if left == 1 else "people"
    return (
        f"Approved by {' and '.join(map(login, given))}. The policy requires "
        f"{policy.file.approvals} approvals (`approvals`), so {left} more {people} must approve "
        "this revision before work starts."
    )


def approvals_line(run: SpecRun, plan: Plan, policy: Policy) -> str:
    """How many people must approve a plan, and who has; empty where one person is enough."""
    also = (
        "" if policy.file.author_may_approve else " The author of the spec cannot approve it alone."
    )
    if policy.file.approvals == 1:
        return also and f" Somebody must approve it.{also}"
    given = run.approvals.get(plan.revision, ())
    by = f" So far: {', '.join(map(login, given))}." if given else ""
    return f" {policy.file.approvals} people must approve it.{also}{by}"


def too_many_changes(plan: Plan, policy: Policy) -> str:
    return (
        f"The plan was not approved: it has {len(plan.changes)} changes, and the policy's "
        f"`changes_max` is {policy.file.changes_max}. Each change gets an issue, a branch and "
        f"an agent. To start all changes, comment `/headgate approve {ALL}`. To have fewer, "
        "edit the plan (`/headgate plan …`) or the spec."
    )
