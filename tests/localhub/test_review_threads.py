"""Threads of reviews: replies to their first comment, and who may resolve them."""

from github.PullRequest import PullRequest

from tests.localhub.kit import Box, at
from tests.localhub.test_graphql import ask
from tests.localhub.test_pulls import branch_with

THREADS = """
query($number: Int!) {
  repository(owner: "octo", name: "demo") {
    pullRequest(number: $number) {
      reviewThreads(first: 100) {
        nodes {
          id isResolved isOutdated viewerCanResolve path diffSide originalLine originalStartLine
          comments(first: 100) {
            nodes { databaseId fullDatabaseId viewerDidAuthor author { login } originalCommit { oid } }
          }
        }
      }
    }
  }
}
"""
RESOLVE = """
mutation($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } } }
"""
REOPEN = RESOLVE.replace("resolve", "unresolve")


def _reviewed(box: Box) -> tuple[PullRequest, int]:
    """A pull, and a person's comment at its second line."""
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "shop.py", "one\ntwo\n")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    person = box.as_user().get_repo("octo/demo")
    commit = person.get_commit(pull.head.sha)
    said = person.get_pull(pull.number).create_review_comment("Why?", commit, "shop.py", line=2)
    return pull, said.id


def _thread(box: Box, pull: PullRequest, token: str = "") -> dict[str, object]:
    found = ask(box, THREADS, token, number=pull.number)
    one = at(found, "data", "repository", "pullRequest", "reviewThreads", "nodes", 0)
    assert isinstance(one, dict)
    return one


def _post(box: Box, path: str, token: str = "") -> tuple[int, dict[str, object]]:
    with box.rest(token or box.installation_token()) as client:
        answer = client.post(f"/repos/octo/demo/pulls/{path}", json={"body": "Done."})
        return answer.status_code, answer.json()


def test_a_reply_has_the_thread_and_the_position_of_its_parent(box: Box) -> None:
    pull, said = _reviewed(box)

    status, reply = _post(box, f"{pull.number}/comments/{said}/replies")

    assert (status, reply["in_reply_to_id"], reply["path"]) == (201, said, "shop.py")
    thread = _thread(box, pull)
    assert (thread["path"], thread["diffSide"], thread["originalLine"]) == ("shop.py", "RIGHT", 2)
    for number, (id_, is_ours) in enumerate(((said, False), (reply["id"], True))):
        comment = at(thread, "comments", "nodes", number)
        assert (at(comment, "databaseId"), at(comment, "viewerDidAuthor")) == (id_, is_ours)
        # A number of 64 bits is a text in GraphQL's JSON.
        assert at(comment, "fullDatabaseId") == str(id_)
        assert at(comment, "originalCommit", "oid") == pull.head.sha
    box.settle()
    assert box.receiver.names().count("pull_request_review_comment.created") == 2


def test_replies_to_replies_or_comments_of_other_pulls_are_refused(box: Box) -> None:
    pull, said = _reviewed(box)
    _, reply = _post(box, f"{pull.number}/comments/{said}/replies")

    assert _post(box, f"{pull.number}/comments/{reply['id']}/replies")[0] == 404
    assert _post(box, f"{pull.number + 1}/comments/{said}/replies")[0] == 404
    assert _post(box, f"{pull.number}/comments/4321/replies")[0] == 404


def test_a_thread_is_resolved_twice_and_opened_again(box: Box) -> None:
    pull, said = _reviewed(box)
    thread = str(_thread(box, pull)["id"])

    for _ in range(2):
        answer = ask(box, RESOLVE, thread=thread)
        assert at(answer, "data", "resolveReviewThread", "thread", "isResolved") is True
    seen = _thread(box, pull)
    assert (seen["isResolved"], seen["viewerCanResolve"]) == (True, False)

    for _ in range(2):
        ask(box, REOPEN, box.user_token, thread=thread)
    assert _thread(box, pull)["isResolved"] is False

    # What changes nothing is told to nobody.
    box.settle()
    told = [name for name in box.receiver.names() if "review_thread" in name]
    event = "pull_request_review_thread"
    assert told == [f"{event}.resolved", f"{event}.unresolved"]
    (reopened,) = box.receiver.payloads(f"{event}.unresolved")
    assert at(reopened, "thread", "node_id") == thread
    assert at(reopened, "thread", "comments", 0, "id") == said
    assert at(reopened, "pull_request", "number") == pull.number
    assert at(reopened, "sender", "type") == "User"


def test_an_app_without_contents_write_can_reply_but_not_resolve(box: Box) -> None:
    pull, said = _reviewed(box)
    few = box.installation_token(pull_requests="write", contents="read")

    seen = _thread(box, pull, few)
    answer = ask(box, RESOLVE, few, thread=seen["id"])

    assert seen["viewerCanResolve"] is False
    assert at(answer, "errors", 0, "type") == "FORBIDDEN"
    assert at(answer, "errors", 0, "message") == "Resource not accessible by integration"
    assert _thread(box, pull)["isResolved"] is False
    assert _post(box, f"{pull.number}/comments/{said}/replies", few)[0] == 201


def test_an_unknown_thread_is_not_found(box: Box) -> None:
    answer = ask(box, RESOLVE, thread="PRRT_unknown")
    assert at(answer, "errors", 0, "type") == "NOT_FOUND"
