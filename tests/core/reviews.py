"""The reviews of a world of the core's stories."""

from datetime import datetime

from bot.core.journal.effects import AnswerThread
from bot.core.journal.events import ThreadAnswered
from bot.core.journal.state import RepositoryState
from bot.core.state.reviews import ReviewLook, is_news
from bot.core.values.ids import PullNumber, ReviewCommentId
from bot.core.values.repository import Role
from bot.core.values.review import (
    ReviewComment,
    ReviewCommentWithRole,
    ReviewSnapshot,
    ReviewThread,
)


class Reviews:
    """What people said at lines of pulls."""

    def __init__(self) -> None:
        self.said: list[ReviewCommentWithRole] = []
        self.resolved: set[ReviewCommentId] = set()
        self.answers: dict[ReviewCommentId, list[str]] = {}

    def say(
        self,
        pull: int | None,
        body: str,
        now: datetime,
        *,
        author: str = "ann",
        role: Role = Role.WRITE,
        is_person: bool = True,
        path: str = "src/shop.py",
        line: int = 12,
        reply_to: ReviewCommentId | None = None,
    ) -> ReviewCommentId:
        """Comment at a line of a pull, now; or in a thread."""
        comment = ReviewComment(
            id=ReviewCommentId(501 + len(self.said)),
            pull=PullNumber(pull or 0),
            path=path,
            line=line,
            body=body,
            author=author,
            author_is_person=is_person,
            updated_at=now.replace(microsecond=0),
            reply_to=reply_to,
        )
        self.said.append(ReviewCommentWithRole(comment=comment, role=role))
        return comment.id

    def look(self, state: RepositoryState, asked: ReviewLook) -> ReviewSnapshot:
        listed = [one for one in self.said if asked.since and one.comment.updated_at >= asked.since]
        named = [one for one in self.said if one.comment.id in asked.comments]
        found = {one.comment.id: one for one in (*listed, *named)}
        return ReviewSnapshot(
            comments=tuple(
                found[id_] for id_ in sorted(found) if is_news(state, found[id_].comment)
            ),
            seen_to=max((one.comment.updated_at for one in listed), default=None),
            threads=tuple(
                ReviewThread(id=f"T{root}", root=root, is_resolved=root in self.resolved)
                for one in self.said
                if one.comment.pull in asked.threads
                for root in (one.comment.id,)
                if one.comment.reply_to is None
            ),
        )

    def answer(self, effect: AnswerThread) -> ThreadAnswered:
        """What a perform would write: nothing was said since."""
        if effect.thread not in self.resolved or effect.was_resolved:
            self.answers.setdefault(effect.thread, []).append(effect.text)
        if effect.resolves:
            self.resolved.add(effect.thread)
        return ThreadAnswered(
            change=effect.change,
            thread=effect.thread,
            order=effect.order,
            up_to=effect.up_to,
            is_resolved=effect.thread in self.resolved,
        )
