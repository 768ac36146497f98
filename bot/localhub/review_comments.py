"""Operations on comments of reviews, at lines of a pull's diff.

Each belongs to a review: one that is written alone makes a review without a text, as on GitHub. It is
outdated once the pull has the file in another form; GitHub follows lines that only moved. There are
no ranges of lines, no edits and no deletions.
"""

import re
from dataclasses import dataclass

from bot.localhub.errors import ApiError, not_found
from bot.localhub.git_diff import changed_files
from bot.localhub.github_json import Json, node_id
from bot.localhub.issues import Issues, author
from bot.localhub.model import Actor, Issue, Pull, Repository, Review
from bot.localhub.pull_stats import base_tip, commits_of, files_of
from bot.localhub.pulls import Pulls
from bot.localhub.review_model import ReviewComment
from bot.localhub.shapes.pulls import pull_shape
from bot.localhub.shapes.review_comments import review_comment_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class CommentDraft:
    """A new comment and its place; `line` None: the whole file."""

    body: str
    commit_id: str
    path: str
    side: str
    line: int | None


@dataclass(frozen=True)
class _Place:
    blob: str
    position: int | None
    diff_hunk: str


class ReviewComments:
    def __init__(self, state: State, webhooks: Webhooks, issues: Issues, pulls: Pulls) -> None:
        self._state = state
        self._webhooks = webhooks
        self._issues = issues
        self._pulls = pulls

    def of_repository(self, repository: Repository) -> list[ReviewComment]:
        with self._state.lock:
            every = list(self._state.review_comments.values())
        return [held for held in every if held.issue.repository is repository]

    def find(self, repository: Repository, comment_id: int) -> ReviewComment:
        comment = self._state.review_comments.get(comment_id)
        if comment is None or comment.issue.repository is not repository:
            raise not_found()
        return comment

    def shape(self, comment: ReviewComment) -> Json:
        return review_comment_shape(self._state, comment, is_outdated=self.is_outdated(comment))

    def is_outdated(self, comment: ReviewComment) -> bool:
        """Whether the pull has the file in another form by now."""
        now = {file.path: file.sha for file in files_of(comment.issue, comment.pull)}
        return now.get(comment.path) != comment.blob

    def thread(self, root: ReviewComment) -> list[ReviewComment]:
        every = self.of_repository(root.issue.repository)
        return [one for one in every if root in (one, one.reply_to)]

    def resolve(self, root: ReviewComment, actor: Actor) -> None:
        """A thread that is resolved stays as it is."""
        with self._state.lock:
            if root.resolved_by is None:
                root.resolved_by = author(actor)
                self._announce_thread(root, "resolved", actor)

    def unresolve(self, root: ReviewComment, actor: Actor) -> None:
        with self._state.lock:
            if root.resolved_by is not None:
                root.resolved_by = None
                self._announce_thread(root, "unresolved", actor)

    def _announce_thread(self, root: ReviewComment, action: str, actor: Actor) -> None:
        comments = [self.shape(one) for one in self.thread(root)]
        body: Json = {
            "thread": {"node_id": thread_node_id(root), "comments": comments},
            "pull_request": pull_shape(self._state, root.issue, root.pull),
        }
        event = "pull_request_review_thread"
        self._webhooks.announce(
            Announcement(root.issue.repository, event, action, body, author(actor))
        )

    def reply(self, root: ReviewComment, actor: Actor, body: str) -> ReviewComment:
        """Answer the first comment of a thread, also of a resolved or outdated one; 404 for an answer."""
        if root.reply_to is not None:
            raise not_found()
        draft = CommentDraft(body, root.commit_id, root.path, root.side, root.line)
        place = _Place(root.blob, root.position, root.diff_hunk)
        with self._state.lock:
            review = self._pulls.comment_alone(root.issue, root.pull, actor, draft.commit_id)
            return self._add(root.issue, root.pull, actor, draft, place, review, root)

    def add(self, issue: Issue, pull: Pull, actor: Actor, draft: CommentDraft) -> ReviewComment:
        """Comment at a line; 422 where the diff does not show it."""
        place = _place(issue, pull, draft)
        with self._state.lock:
            review = self._pulls.comment_alone(issue, pull, actor, draft.commit_id)
            return self._add(issue, pull, actor, draft, place, review)

    def _add(  # noqa: PLR0913 - all that a comment is made of
        self,
        issue: Issue,
        pull: Pull,
        actor: Actor,
        draft: CommentDraft,
        place: _Place,
        review: Review,
        reply_to: ReviewComment | None = None,
    ) -> ReviewComment:
        now = self._state.now()
        comment = ReviewComment(
            id=self._state.next_id(),
            issue=issue,
            pull=pull,
            review=review,
            user=author(actor),
            body=draft.body,
            commit_id=draft.commit_id,
            path=draft.path,
            blob=place.blob,
            side=draft.side,
            line=draft.line,
            position=place.position,
            diff_hunk=place.diff_hunk,
            created_at=now,
            updated_at=now,
            reply_to=reply_to,
        )
        self._state.review_comments[comment.id] = comment
        self._issues.touch(issue)
        body: Json = {
            "comment": self.shape(comment),
            "pull_request": pull_shape(self._state, issue, pull),
        }
        self._webhooks.announce(
            Announcement(
                issue.repository, "pull_request_review_comment", "created", body, author(actor)
            )
        )
        return comment


def thread_node_id(root: ReviewComment) -> str:
    return node_id("PRRT", root.id)


def _place(issue: Issue, pull: Pull, draft: CommentDraft) -> _Place:
    """Where the diff of the commit shows what is meant."""
    if draft.commit_id not in commits_of(issue, pull):
        raise _invalid("custom", "commit_id", "is not part of the pull request")
    git = issue.repository.git
    left = git.merge_base(base_tip(issue.repository, pull, issue.state), draft.commit_id)
    files = {file.path: file for file in changed_files(git, left, draft.commit_id)}
    file = files.get(draft.path)
    if file is None:
        raise _invalid("invalid", "path")
    if draft.line is None:
        return _Place(file.sha, None, "")
    shown: list[str] = []
    old = new = 0
    for position, text in enumerate(file.patch.splitlines()):
        if hunk := _HUNK.match(text):
            shown, old, new = [text], int(hunk[1]), int(hunk[2])
            continue
        shown.append(text)
        sides = {"+": ("RIGHT",), "-": ("LEFT",), " ": ("LEFT", "RIGHT")}.get(text[:1], ())
        number = {"LEFT": old, "RIGHT": new}[draft.side]
        if draft.side in sides and number == draft.line:
            return _Place(file.sha, position, "\n".join(shown))
        old += "LEFT" in sides
        new += "RIGHT" in sides
    raise _invalid("custom", "line", "must be part of the diff")


def _invalid(code: str, field: str, message: str = "") -> ApiError:
    """GitHub names the thread that the comment would begin."""
    name = f"pull_request_review_thread.{field}"
    error: Json = {"resource": "PullRequestReviewComment", "code": code, "field": name}
    if message:
        error["message"] = f"{name} {message}"
    return ApiError(422, "Validation Failed", [error])
