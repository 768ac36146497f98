"""Operations on comments on commits.

A comment belongs to a commit even if no branch contains it, and sends `commit_comment` once; GitHub
sends nothing for edits. There are no comments on lines of a diff.
"""

from dataclasses import dataclass

from bot.localhub.errors import not_found
from bot.localhub.issues import author
from bot.localhub.model import Actor, CommitComment, Repository
from bot.localhub.shapes.issues import commit_comment_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks


@dataclass(frozen=True)
class CommitCommentDraft:
    body: str
    path: str | None = None
    position: int | None = None
    line: int | None = None


class CommitComments:
    def __init__(self, state: State, webhooks: Webhooks) -> None:
        self._state = state
        self._webhooks = webhooks

    def find(self, repository: Repository, comment_id: int) -> CommitComment:
        with self._state.lock:
            for held in repository.commit_comments:
                if held.id == comment_id:
                    return held
        raise not_found()

    def on_commit(self, repository: Repository, sha: str) -> list[CommitComment]:
        with self._state.lock:
            return [held for held in repository.commit_comments if held.sha == sha]

    def add(
        self, repository: Repository, sha: str, actor: Actor, draft: CommitCommentDraft
    ) -> CommitComment:
        account = author(actor)
        with self._state.lock:
            now = self._state.now()
            comment = CommitComment(
                id=self._state.next_id(),
                repository=repository,
                sha=sha,
                user=account,
                body=draft.body,
                created_at=now,
                updated_at=now,
                path=draft.path,
                position=draft.position,
                line=draft.line,
            )
            repository.commit_comments.append(comment)
            body = {"comment": commit_comment_shape(self._state, comment)}
            self._webhooks.announce(
                Announcement(repository, "commit_comment", "created", dict(body), account)
            )
            return comment

    def edit(self, comment: CommitComment, body: str) -> None:
        with self._state.lock:
            comment.body = body
            comment.updated_at = self._state.now()

    def delete(self, comment: CommitComment) -> None:
        with self._state.lock:
            comment.repository.commit_comments.remove(comment)
