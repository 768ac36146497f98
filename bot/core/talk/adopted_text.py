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
    return f"{named} came to {branch or 'main'} past Headgate"


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
    head = f"Headgate did not land what is on {code(facts.default_branch)} now:"
    goes_on = (
        "**The queue is frozen.** Gates and agents go on; nothing lands until somebody comments "
        f"{how_to_unfreeze(incident.branch)}."
        if is_frozen
        else f"The queue goes on when {main_or(incident.branch)} has passed."
    )
    after = (
        f"The ledger names each as *adopted*, and the gates judge {main_or(incident.branch)} as it is now. {goes_on} Paths "
        "that people may push without this stand under `admit` in the policy."
    )
    return "\n\n".join((incident_marker(incident.slug), head, "\n".join(lines), after))


def why_frozen(tip: CommitFacts, branch: str) -> str:
    """The end of a sentence, without a full stop."""
    return f"{tip.author} brought {tip.sha[:12]} to {branch or 'main'} past Headgate"


def adopted_is_over(branch: str, main: Sha) -> str:
    return (
        f"{code(branch)} has passed its gates since, at {code(main[:12])}, and nothing that came past Headgate "
        "keeps the queue any more."
    )
