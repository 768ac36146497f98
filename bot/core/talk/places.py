"""Where things are, in words and links: one place for how a change, an issue, a commit is named."""

from enum import StrEnum

from bot.core.change.lifecycle import ChangeState
from bot.core.ids import ChangeId, Sha
from bot.core.journal.state import ChangeFacts, RepositoryState, change_id
from bot.core.repository import RepositoryFacts
from bot.core.talk.text import login


class Shown(StrEnum):
    """Where a change is, as people are told; several states are one to them."""

    WAITING = "waiting"
    HELD_BACK = "held back"
    WORKING = "working"
    ASKING = "waits for an answer"
    JUDGING = "judging"
    QUEUED = "queued"
    LANDED = "landed"
    FAILED = "failed"
    STOPPED = "stopped"
    REPLACED = "planned again"


_SHOWN = {
    ChangeState.WAITING: Shown.WAITING,
    ChangeState.ORDERED: Shown.WORKING,
    ChangeState.WORKING: Shown.WORKING,
    ChangeState.ASKING: Shown.ASKING,
    ChangeState.IMPORTING: Shown.WORKING,
    ChangeState.BUILDING: Shown.JUDGING,
    ChangeState.JUDGING: Shown.JUDGING,
    ChangeState.QUEUED: Shown.QUEUED,
    ChangeState.LANDING: Shown.QUEUED,
    ChangeState.RETRYING: Shown.WORKING,
    ChangeState.LANDED: Shown.LANDED,
    ChangeState.FAILED: Shown.FAILED,
    ChangeState.STOPPED: Shown.STOPPED,
}


def shown(state: RepositoryState, change: ChangeFacts) -> Shown:
    """Where a change is, as people are told."""
    if state.is_replaced(change):
        return Shown.REPLACED
    if held_back_by(state, change):
        return Shown.HELD_BACK
    if change.queued_at is not None and not change.is_ended:
        return Shown.QUEUED
    return _SHOWN[change.state]


def held_back_by(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """The failed or stopped changes that a waiting change depends on, through others too."""
    if change.state not in {ChangeState.WAITING, ChangeState.RETRYING}:
        return ()
    found: list[str] = []
    seen: set[ChangeId] = set()
    left = [change]
    while left:
        one = left.pop()
        # Each once: paths through a plan are many more than its changes.
        if one.id in seen:
            continue
        seen.add(one.id)
        if one.state in {ChangeState.FAILED, ChangeState.STOPPED}:
            found.append(one.slug)
        elif one.state in {ChangeState.WAITING, ChangeState.RETRYING}:
            edges = reversed(one.planned.depends_on)
            left += [state.changes[change_id(one.spec_run, e.on)] for e in edges]
    return tuple(found)


def waits_for(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeFacts, ...]:
    """The changes that must land before a waiting change starts."""
    others = (state.changes[change_id(change.spec_run, e.on)] for e in change.planned.depends_on)
    return tuple(o for o in others if o.state is not ChangeState.LANDED)


def issue_link(change: ChangeFacts) -> str:
    """`#12`, or the slug while there is no issue."""
    return f"#{change.issue}" if change.issue else f"`{change.slug}`"


def commit_link(facts: RepositoryFacts, sha: Sha) -> str:
    """A short SHA that leads to the commit."""
    return f"[`{sha[:10]}`]({facts.html_url}/commit/{sha})"


def credit(author: str, author_id: int, facts: RepositoryFacts) -> str:
    """The trailer of a commit by which this GitHub knows who wrote its text."""
    name = login(author).removeprefix("@")
    return f"Co-authored-by: {name} <{author_id}+{name}@{facts.mail_domain}>"
