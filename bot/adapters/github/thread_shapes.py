"""Threads of reviews, which REST does not have: GraphQL, `PullRequest.reviewThreads`, `resolveReviewThread`."""

from pydantic import Field

from bot.adapters.github.shapes import AnswerPart
from bot.core.values.ids import ReviewCommentId
from bot.core.values.review import ReviewThread, ThreadComment

# A thread's first comment is its name in REST; an answer of ours that may be there is among the newest.
THREADS = """\
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          isResolved
          path
          originalLine
          first: comments(first: 1) { nodes { fullDatabaseId } }
          newest: comments(last: 30) {
            nodes { fullDatabaseId body viewerDidAuthor author { login } }
          }
        }
      }
    }
  }
}"""

RESOLVE = """\
mutation($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
}"""


class _Author(AnswerPart):
    login: str = ""


class _First(AnswerPart):
    """GitHub writes a number of 64 bits as a text."""

    id: int = Field(0, alias="fullDatabaseId")


class _Comment(_First):
    body: str = ""
    is_ours: bool = Field(False, alias="viewerDidAuthor")
    author: _Author | None = None

    def to_value(self) -> ThreadComment:
        return ThreadComment(
            id=ReviewCommentId(self.id),
            author=self.author.login if self.author else "",
            body=self.body,
            is_ours=self.is_ours,
        )


class _Firsts(AnswerPart):
    nodes: list[_First] = []


class _Comments(AnswerPart):
    nodes: list[_Comment] = []


class _Thread(AnswerPart):
    id: str
    is_resolved: bool = Field(alias="isResolved")
    path: str = ""
    line: int | None = Field(None, alias="originalLine")
    first: _Firsts
    newest: _Comments

    def to_value(self) -> ReviewThread:
        return ReviewThread(
            id=self.id,
            place=f"{self.path}:{self.line}" if self.line else self.path,
            root=ReviewCommentId(self.first.nodes[0].id if self.first.nodes else 0),
            is_resolved=self.is_resolved,
            comments=tuple(one.to_value() for one in self.newest.nodes),
        )


class _Page(AnswerPart):
    has_next: bool = Field(False, alias="hasNextPage")
    end: str | None = Field(None, alias="endCursor")


class ThreadPage(AnswerPart):
    page: _Page = Field(alias="pageInfo")
    nodes: list[_Thread] = []


class _Pull(AnswerPart):
    threads: ThreadPage = Field(alias="reviewThreads")


class _Repository(AnswerPart):
    pull: _Pull | None = Field(None, alias="pullRequest")


class ThreadsAnswer(AnswerPart):
    repository: _Repository | None = None

    @property
    def threads(self) -> ThreadPage | None:
        pull = self.repository.pull if self.repository else None
        return pull.threads if pull else None
