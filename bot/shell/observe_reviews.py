"""Looks at what people said in reviews of changes' pulls, and at the diffs that a model reviews."""

import contextlib

from bot.core.journal.state import Candidate, RepositoryState
from bot.core.state.observed import Looks
from bot.core.state.reviews import is_news
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.review import ReviewCommentWithRole, ReviewSnapshot, ReviewThread
from bot.ports import UserError
from bot.shell.process_ports import Ports
from gates.graded.chunks import ChangedFile, Contents, changed_files


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
        threads=_threads(ports, facts, looks),
    )


def _threads(ports: Ports, facts: RepositoryFacts, looks: Looks) -> tuple[ReviewThread, ...]:
    """The threads of these pulls; a pull whose threads cannot be read has none here."""
    found: list[ReviewThread] = []
    for pull in looks.reviews.threads:
        with contextlib.suppress(UserError):
            found += ports.forge.review_threads(facts, pull)
    return tuple(found)


def diffs_at(
    ports: Ports, facts: RepositoryFacts, candidates: tuple[Candidate, ...]
) -> dict[Sha, tuple[ChangedFile, ...]]:
    """Those that can be read."""
    found = {}
    for one in candidates:
        with contextlib.suppress(UserError):
            found[one.sha] = diff_of(ports, facts, one)
    return found


def diff_of(ports: Ports, facts: RepositoryFacts, candidate: Candidate) -> tuple[ChangedFile, ...]:
    """Every file that differs, with its contents on both sides; not those that we wrote ourselves."""
    changed = ports.git.changed_paths(facts, candidate.base, candidate.sha)

    def read(paths: tuple[str, ...]) -> tuple[Contents, Contents]:
        before, after = (ports.git.files(facts, c, paths) for c in (candidate.base, candidate.sha))
        return before, after

    return changed_files([path for path in changed if path not in candidate.archive_paths], read)
