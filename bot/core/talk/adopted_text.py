"""What people are told of commits that came to main past Headgate."""

from collections.abc import Sequence

from bot.core.talk.incident_text import how_to_unfreeze, incident_marker
from bot.core.talk.links import commit_link
from bot.core.talk.text import code, counted, inert, main_or
from bot.core.values.ids import Sha
from bot.core.values.incident import Incident
from bot.core.values.repository import CommitFacts, RepositoryFacts

_COMMITS_NAMED = 20


def adopted_title(commits: Sequence[CommitFacts], branch: str) -> str:
    """`commits` are those of one look, oldest first."""
    named = commits[-1].sha[:12] if len(commits) == 1 else counted(len(commits), "commit")
    return f"{named} reached {branch or 'main'} without Headgate"


def adopted_body(
    facts: RepositoryFacts,
    commits: Sequence[CommitFacts],
    incident: Incident,
    *,
    is_frozen: bool,
) -> str:
    newest = tuple(reversed(commits))[:_COMMITS_NAMED]
    lines = [
        f"- {commit_link(facts, one.sha)} {inert(one.subject, 200)} ({code(one.author)})"
        for one in newest
    ]
    more = len(commits) - len(newest)
    lines += [f"- … and {more} before them"] if more else []
    head = f"Headgate did not land these commits on {code(facts.default_branch)}:"
    goes_on = (
        "**The queue is frozen.** Gates and agents continue, but no change lands. To continue "
        f"landing, comment {how_to_unfreeze(incident.branch)}."
        if is_frozen
        else f"The queue continues when {main_or(incident.branch)} has passed its gates."
    )
    after = (
        "The ledger records each commit as *adopted*, and the gates now run on "
        f"{main_or(incident.branch)}. {goes_on} To let people push to some paths without this, "
        "list the paths under `admit` in the policy."
    )
    return "\n\n".join((incident_marker(incident.slug), head, "\n".join(lines), after))


def why_frozen(tip: CommitFacts, branch: str) -> str:
    """The end of a sentence, without a full stop."""
    return f"{tip.author} pushed {tip.sha[:12]} to {branch or 'main'} without Headgate"


def adopted_is_over(branch: str, main: Sha) -> str:
    return (
        f"{code(branch)} has since passed its gates at {code(main[:12])}. Commits that Headgate "
        "did not land no longer stop the queue."
    )
