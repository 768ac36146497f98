"""GraphQL: refs that move together or not at all, and queries that are refused."""

import pytest

from bot.localhub.model import TokenKind
from tests.localhub.kit import Box, at

ZERO = "0" * 40
UPDATE = """
mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }
"""


def ask(box: Box, query: str, token: str = "", **variables: object) -> dict[str, object]:
    """GitHub's answer to a query."""
    with box.rest(token or box.installation_token()) as client:
        answer = client.post("/graphql", json={"query": query, "variables": variables})
        assert answer.status_code == 200
        found: dict[str, object] = answer.json()
        return found


def tips(box: Box) -> dict[str, str]:
    """The head of every branch."""
    refs = box.hub.repository("octo/demo").refs
    prefix = "refs/heads/"
    return {name.removeprefix(prefix): sha for name, sha in refs.items() if name.startswith(prefix)}


def update_refs(box: Box, *wishes: dict[str, object], token: str = "") -> dict[str, object]:
    owned = ask(box, '{ repository(owner: "octo", name: "demo") { id } }')
    wish = {"repositoryId": at(owned, "data", "repository", "id"), "refUpdates": list(wishes)}
    return ask(box, UPDATE, token, input=wish)


@pytest.fixture
def commits(box: Box) -> tuple[str, str]:
    """Main's head, and a commit on it that is on no branch."""
    repository = box.as_app().get_repo("octo/demo")
    main = repository.get_branch("main").commit.sha
    parent = repository.get_git_commit(main)
    return main, repository.create_git_commit("Next", parent.tree, [parent]).sha


def test_refs_move_together_with_a_webhook_for_each(box: Box, commits: tuple[str, str]) -> None:
    main, following = commits
    answer = update_refs(
        box,
        {"name": "refs/heads/main", "beforeOid": main, "afterOid": following},
        {"name": "refs/heads/queue", "beforeOid": ZERO, "afterOid": following},
    )
    assert "errors" not in answer
    assert tips(box) == {"main": following, "queue": following}
    box.settle()
    pushed = {str(push["ref"]) for push in box.receiver.payloads("push")}
    assert pushed == {"refs/heads/main", "refs/heads/queue"}


@pytest.mark.parametrize(
    ("branch", "before", "after"),
    [
        ("main", "behind", "following"),
        ("main", "main", "missing"),
        ("topic", "main", "following"),
    ],
)
def test_no_ref_moves_if_one_is_not_as_expected(
    box: Box, commits: tuple[str, str], branch: str, before: str, after: str
) -> None:
    main, following = commits
    named = {"main": main, "following": following, "behind": following, "missing": "f" * 40}
    answer = update_refs(
        box,
        {"name": "refs/heads/other", "beforeOid": ZERO, "afterOid": main},
        {"name": f"refs/heads/{branch}", "beforeOid": named[before], "afterOid": named[after]},
    )
    assert at(answer, "errors", 0, "type") == "UNPROCESSABLE"
    assert at(answer, "data", "updateRefs") is None
    assert tips(box) == {"main": main}


def test_history_is_rewritten_only_with_force(box: Box, commits: tuple[str, str]) -> None:
    main, following = commits
    update_refs(box, {"name": "refs/heads/main", "afterOid": following})
    back: dict[str, object] = {"name": "refs/heads/main", "beforeOid": following, "afterOid": main}
    assert "errors" in update_refs(box, back)
    assert "errors" not in update_refs(box, {**back, "force": True})
    assert tips(box) == {"main": main}


def test_moving_refs_requires_contents_write(box: Box, commits: tuple[str, str]) -> None:
    main, following = commits
    wish: dict[str, object] = {"name": "refs/heads/main", "beforeOid": main, "afterOid": following}
    answer = update_refs(box, wish, token=box.installation_token(contents="read"))
    assert at(answer, "errors", 0, "type") == "FORBIDDEN"
    assert tips(box) == {"main": main}


def test_a_list_is_read_page_by_page(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    for number in range(1, 4):
        repository.create_issue(f"Issue {number}")
    query = """query($after: String) { repository(owner: "octo", name: "demo") {
      issues(first: 2, after: $after, orderBy: {field: CREATED_AT, direction: ASC}) {
        totalCount nodes { title } pageInfo { hasNextPage endCursor } } } }"""
    first = at(ask(box, query), "data", "repository", "issues")
    assert at(first, "totalCount") == 3
    assert at(first, "pageInfo", "hasNextPage") is True
    after = at(first, "pageInfo", "endCursor")
    second = at(ask(box, query, after=after), "data", "repository", "issues")
    assert at(second, "nodes") == [{"title": "Issue 3"}]
    assert at(second, "pageInfo", "hasNextPage") is False


def test_unsupported_queries_are_refused(box: Box) -> None:
    missing = ask(box, '{ repository(owner: "octo", name: "nowhere") { id } }')
    assert at(missing, "errors", 0, "type") == "NOT_FOUND"
    assert at(missing, "data", "repository") is None
    unknown = ask(box, '{ repository(owner: "octo", name: "demo") { mood } }')
    assert at(unknown, "errors", 0, "message") == "Cannot query field 'mood' on type 'Repository'."
    assert "errors" in ask(box, "{ repository(")
    too_much = '{ repository(owner: "octo", name: "demo") { issues(first: 101) { totalCount } } }'
    assert at(ask(box, too_much), "errors", 0, "type") == "EXCESSIVE_PAGINATION"
    unbounded = '{ repository(owner: "octo", name: "demo") { issues { nodes { id } } } }'
    kind = at(ask(box, unbounded), "errors", 0, "type")
    assert kind == "MISSING_PAGINATION_BOUNDARIES"
    with box.rest() as client:
        assert client.post("/graphql", json={"query": "{ viewer { login } }"}).status_code == 401
        beside = client.post("/api/graphql", json={"query": "{ viewer { login } }"})
        assert beside.status_code == 401


TIPS = """query($b: String!) {
  here: repository(owner: "octo", name: "demo") {
    databaseId
    main: ref(qualifiedName: "refs/heads/main") { target { oid } }
    other: ref(qualifiedName: $b) { target { oid } }
    defaultBranchRef { name }
  }
  gone: repository(owner: "octo", name: "nowhere") { databaseId }
}"""


def test_a_missing_repository_in_a_query_does_not_hide_others(box: Box) -> None:
    answer = ask(box, TIPS, b="refs/heads/none")
    main = tips(box)["main"]
    assert at(answer, "data", "here", "main", "target", "oid") == main
    assert at(answer, "data", "here", "other") is None
    assert at(answer, "data", "gone") is None
    errors = at(answer, "errors")
    assert isinstance(errors, list)
    assert [(e["type"], e["path"]) for e in errors] == [("NOT_FOUND", ["gone"])]


def test_refs_are_for_apps_that_may_read_contents(box: Box) -> None:
    answer = ask(box, TIPS, box.installation_token(issues="read"), b="refs/heads/none")
    errors = at(answer, "errors")
    assert isinstance(errors, list)
    refused = [e["path"] for e in errors if e["type"] == "FORBIDDEN"]
    assert refused == [["here", "main"], ["here", "other"], ["here", "defaultBranchRef"]]
    assert at(answer, "data", "here", "main") is None
    assert at(answer, "data", "here", "databaseId") == box.hub.repository("octo/demo").id


def test_a_former_name_is_followed_unless_the_query_says_no(box: Box) -> None:
    repository = box.hub.repository("octo/demo")
    box.hub.lives.rename(repository, box.hub.as_user("octo"), "shop")
    asked = 'repository(owner: "octo", name: "demo"'
    found = ask(box, f"{{ {asked}) {{ name databaseId }} }}")
    assert at(found, "data", "repository") == {"name": "shop", "databaseId": repository.id}
    strict = ask(box, f"{{ {asked}, followRenames: false) {{ name }} }}")
    assert at(strict, "errors", 0, "type") == "NOT_FOUND"


MANY = """query($size: Int = 100) { repository(owner: "octo", name: "demo") { ...all } }
fragment all on Repository {
  issues(first: $size) { nodes { labels(first: 100) { nodes { name } } ... on Issue {
    comments(last: 100) { nodes { body } } assignees(first: 100) { nodes { login } } } } }
  pullRequests(first: 100) { nodes { reviewThreads(first: 100) { nodes {
    comments(first: 100) { nodes { body } } } } } }
}"""


def test_a_query_for_more_than_half_a_million_nodes_is_refused(box: Box) -> None:
    answer = ask(box, MANY)
    assert at(answer, "errors", 0, "type") == "MAX_NODE_LIMIT_EXCEEDED"
    message = str(at(answer, "errors", 0, "message"))
    assert "up to 1,040,200 possible nodes" in message
    assert "data" not in answer
    smaller = MANY.replace("reviewThreads(first: 100)", "reviewThreads(first: 10)")
    assert "errors" not in ask(box, smaller, size=1)


def test_points_of_graphql_are_counted_apart_from_requests(box: Box) -> None:
    box.hub.limits.hourly[TokenKind.INSTALLATION] = 4
    token = box.installation_token()
    with box.rest(token) as client:
        for _ in range(4):
            assert "errors" not in ask(box, TIPS.replace("gone:", "#"), token, b="x")
        assert client.get("/repos/octo/demo").status_code == 200
        refused = ask(box, TIPS, token, b="x")
    assert at(refused, "errors", 0, "type") == "RATE_LIMIT"
