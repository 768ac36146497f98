"""Look: what people said in reviews of changes' pulls, and what they may do."""

from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Looks
from bot.core.state.reviews import is_news
from bot.core.values.repository import RepositoryFacts
from bot.core.values.review import ReviewCommentWithRole, ReviewSnapshot
from bot.shell.process_ports import Ports


def review_snapshot(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, looks: Looks
) -> ReviewSnapshot:
    """Each author is asked about once, and only where a comment of theirs is news."""
    since = looks.reviews.since
    listed = ports.forge.review_comments_since(facts, since) if since is not None else ()
    found = {comment.id: comment for comment in listed}
    for id_ in looks.reviews.comments:
        comment = None if id_ in found else ports.forge.review_comment(facts, id_)
        if comment is not None:
            found[id_] = comment
    news = [found[id_] for id_ in sorted(found) if is_news(state, found[id_])]
    roles = {login: ports.forge.role(facts, login) for login in {c.author for c in news}}
    return ReviewSnapshot(
        comments=tuple(ReviewCommentWithRole(comment=c, role=roles[c.author]) for c in news),
        seen_to=max((c.updated_at for c in listed), default=None),
    )
