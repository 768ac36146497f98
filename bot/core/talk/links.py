"""Links to issues, commits and pages for new files, and the trailer that credits an author."""

from urllib.parse import quote, urlencode

from bot.core.journal.state import ChangeFacts
from bot.core.talk.text import login
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts


def issue_link(change: ChangeFacts) -> str:
    """`#12`, or the change's slug if it has no issue yet."""
    return f"#{change.issue}" if change.issue else f"`{change.slug}`"


def commit_link(facts: RepositoryFacts, sha: Sha) -> str:
    """The first ten digits of the SHA, linked to the commit's page."""
    return f"[`{sha[:10]}`]({facts.html_url}/commit/{sha})"


def credit(author: str, author_id: int, facts: RepositoryFacts) -> str:
    """The `Co-authored-by` trailer, with the no-reply address that this GitHub gives its users."""
    name = login(author).removeprefix("@")
    return f"Co-authored-by: {name} <{author_id}+{name}@{facts.mail_domain}>"


def new_file(facts: RepositoryFacts, branch: str, path: str, text: str) -> str:
    """The page of a new file on a branch, filled in."""
    query = urlencode({"filename": path, "value": text}, quote_via=quote)
    return f"{facts.html_url}/new/{quote(branch)}?{query}"
