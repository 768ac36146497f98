"""Operations on comments and reactions, on issues and pulls.

A comment sends `issue_comment`, as on GitHub for pulls too; a reaction sends nothing.
"""

from bot.localhub.errors import invalid, not_found
from bot.localhub.github_json import Json
from bot.localhub.issues import Issues, author
from bot.localhub.model import Actor, Comment, Issue, Reaction, Repository
from bot.localhub.review_model import ReviewComment
from bot.localhub.shapes.issues import REACTIONS, announced_issue_shape, comment_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks


class Comments:
    def __init__(self, state: State, webhooks: Webhooks, issues: Issues) -> None:
        self._state = state
        self._webhooks = webhooks
        self._issues = issues

    def find(self, repository: Repository, comment_id: int) -> Comment:
        comment = self._state.comments.get(comment_id)
        if comment is None or comment.issue.repository is not repository:
            raise not_found()
        return comment

    def add(self, issue: Issue, actor: Actor, body: str) -> Comment:
        with self._state.lock:
            now = self._state.now()
            comment = Comment(
                self._state.next_id(), issue, author(actor), body, now, now, app=actor.app
            )
            issue.comments.append(comment)
            self._state.comments[comment.id] = comment
            self._issues.touch(issue)
            self._announce(comment, "created", actor)
            return comment

    def edit(self, comment: Comment, actor: Actor, body: str) -> None:
        with self._state.lock:
            previous, comment.body = comment.body, body
            comment.updated_at = self._state.now()
            self._issues.touch(comment.issue)
            self._announce(comment, "edited", actor, {"changes": {"body": {"from": previous}}})

    def delete(self, comment: Comment, actor: Actor) -> None:
        with self._state.lock:
            comment.issue.comments.remove(comment)
            del self._state.comments[comment.id]
            self._issues.touch(comment.issue)
            self._announce(comment, "deleted", actor)

    def react(
        self, thing: Issue | Comment | ReviewComment, actor: Actor, content: str
    ) -> tuple[Reaction, bool]:
        """React, once per account and content; also whether the reaction is new."""
        if content not in REACTIONS:
            raise invalid("Reaction", "content", "invalid")
        with self._state.lock:
            account = author(actor)
            for held in thing.reactions:
                if held.user is account and held.content == content:
                    return held, False
            reaction = Reaction(self._state.next_id(), account, content, self._state.now())
            thing.reactions.append(reaction)
            return reaction, True

    def withdraw_reaction(self, thing: Issue | Comment, actor: Actor, reaction_id: int) -> None:
        """Remove one's own reaction; 404 for any other."""
        with self._state.lock:
            for held in thing.reactions:
                if held.id == reaction_id and held.user is actor.account:
                    thing.reactions.remove(held)
                    return
        raise not_found()

    def _announce(
        self, comment: Comment, action: str, actor: Actor, extra: Json | None = None
    ) -> None:
        body: Json = {
            "issue": announced_issue_shape(self._state, comment.issue),
            "comment": comment_shape(self._state, comment),
            **(extra or {}),
        }
        announcement = Announcement(
            comment.issue.repository, "issue_comment", action, body, author(actor)
        )
        self._webhooks.announce(announcement)
