"""Links and names in Markdown: of an issue, a commit, an author."""

from bot.core.journal.state import ChangeFacts
from bot.core.talk.text import login
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts


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
