"""Reads what people say in reviews of pulls: their opinions, and comments at lines."""

from datetime import datetime

from bot.adapters.github.api import stamp
from bot.adapters.github.app_tokens import Purpose
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.graphql import GraphQLUnavailable, complaint_of
from bot.adapters.github.shapes import ReviewAnswer, ReviewCommentAnswer, person, read
from bot.adapters.github.thread_shapes import THREADS, ThreadsAnswer
from bot.core.values.ids import PullNumber, ReviewCommentId, Sha
from bot.core.values.pull_review import PullReview
from bot.core.values.repository import RepositoryFacts
from bot.core.values.review import ReviewComment, ReviewThread
from bot.ports import UserError


class ReviewReads(Conversation):
    def reviews(self, repository: RepositoryFacts, pull: PullNumber) -> tuple[PullReview, ...]:
        """Submitted reviews, oldest first; one whose commit is gone names no commit."""
        found = {
            review.id: PullReview(
                by=person(review.user),
                state=review.state,
                commit=Sha(review.commit_id or ""),
                body=review.body or "",
            )
            for page in self.get_pages(repository, f"/pulls/{pull}/reviews", {})
            for review in read(list[ReviewAnswer], page)
        }
        return tuple(found[id_] for id_ in sorted(found) if found[id_].by)

    def review_comment(
        self, repository: RepositoryFacts, comment: ReviewCommentId
    ) -> ReviewComment | None:
        answer = self.get(repository, f"/pulls/comments/{comment}")
        return None if answer is None else read(ReviewCommentAnswer, answer).to_value()

    def review_comments_since(
        self, repository: RepositoryFacts, since: datetime
    ) -> tuple[ReviewComment, ...]:
        """Comments at lines of all pulls that were written, submitted or edited since."""
        query = {"since": stamp(since), "sort": "updated", "direction": "asc"}
        # Each once, because pages shift when one is added while they are read.
        found = {
            comment.id: comment.to_value()
            for page in self.get_pages(repository, "/pulls/comments", query)
            for comment in read(list[ReviewCommentAnswer], page)
        }
        return tuple(found.values())

    def review_threads(
        self, repository: RepositoryFacts, pull: PullNumber
    ) -> tuple[ReviewThread, ...]:
        """The threads of a pull, oldest first. Raises UserError where GitHub does not show all of them."""
        owner, _, name = repository.full_name.partition("/")
        found: list[ReviewThread] = []
        after: str | None = None
        while True:
            asked = {"owner": owner, "name": name, "number": pull, "after": after}
            try:
                answer = self.query(repository, Purpose.READ, THREADS, asked)
                complaint = complaint_of(answer)
            except GraphQLUnavailable as unavailable:
                raise UserError(f"Review threads cannot be read: {unavailable}") from unavailable
            if complaint:
                # GitHub answers a part, too, where all would take too much.
                raise UserError(f"Review threads cannot be read: GitHub answers: {complaint}")
            page = read(ThreadsAnswer, answer.data or {}).threads
            if page is None or (page.page.has_next and page.page.end in {None, after}):
                raise UserError("Review threads cannot be read: GitHub's answer lacks some.")
            found += [one.to_value() for one in page.nodes]
            if not page.page.has_next:
                return tuple(found)
            after = page.page.end
