"""Issues: opened, labelled, discussed, related and closed."""

import pytest
from github import GithubException

from bot.localhub.model import Role
from tests.localhub.kit import Box, at


def test_an_issue_is_opened_with_labels_and_assignees_in_one_call(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    issue = repository.create_issue(
        "A plan", body="Do it.", labels=["headgate", "plan"], assignees=["octo"]
    )
    assert [label.name for label in issue.labels] == ["headgate", "plan"]
    assert issue.user.login == "headgate-test[bot]"
    assert issue.user.type == "Bot"
    box.settle()
    assert box.receiver.names() == [
        "label.created",
        "label.created",
        "issues.opened",
        "issues.labeled",
        "issues.labeled",
        "issues.assigned",
    ]
    with box.rest(box.installation_token()) as client:
        wanted = {"labels": "plan", "creator": "headgate-test[bot]"}
        found = client.get("/repos/octo/demo/issues", params=wanted).json()
    assert [one["number"] for one in found] == [issue.number]


def test_fields_that_are_too_long_or_missing_are_refused(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    with pytest.raises(GithubException, match="too long") as long:
        repository.create_issue("Long", body="x" * 65_537)
    assert long.value.status == 422
    issue = repository.create_issue("Just fits", body="x" * 65_536)
    with pytest.raises(GithubException, match="too long"):
        issue.create_comment("x" * 65_537)
    with pytest.raises(GithubException, match="missing_field"):
        repository.create_issue("")


def test_an_edited_webhook_holds_the_previous_values(box: Box) -> None:
    issue = box.as_app().get_repo("octo/demo").create_issue("Old", body="old")
    issue.edit(title="New", body="new", state="closed", state_reason="not_planned")
    issue.edit(state="open")
    box.settle()
    (edited,) = box.receiver.payloads("issues.edited")
    assert at(edited, "changes", "title", "from") == "Old"
    assert at(edited, "changes", "body", "from") == "old"
    (closed,) = box.receiver.payloads("issues.closed")
    assert at(closed, "issue", "state_reason") == "not_planned"
    assert box.receiver.names()[-1] == "issues.reopened"


def test_comments_of_a_repository_are_listed_since_a_time(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    issue = repository.create_issue("One")
    comment = issue.create_comment("first")
    comment.edit("edited")
    second = issue.create_comment("second")
    assert [one.body for one in repository.get_issues_comments()] == ["edited", "second"]
    second.delete()
    assert [one.body for one in issue.get_comments()] == ["edited"]
    box.settle()
    names = [name for name in box.receiver.names() if name.startswith("issue_comment")]
    assert [name.partition(".")[2] for name in names] == [
        "created",
        "edited",
        "created",
        "deleted",
    ]


def test_reactions_are_idempotent(box: Box) -> None:
    issue = box.as_app().get_repo("octo/demo").create_issue("One")
    comment = issue.create_comment("look")
    path = f"/repos/octo/demo/issues/comments/{comment.id}/reactions"
    with box.rest(box.installation_token()) as client:
        first = client.post(path, json={"content": "eyes"})
        second = client.post(path, json={"content": "eyes"})
        assert (first.status_code, second.status_code) == (201, 200)
        assert first.json()["id"] == second.json()["id"]
        assert client.post(path, json={"content": "shrug"}).status_code == 422
        assert client.delete(f"{path}/{first.json()['id']}").status_code == 204
        assert client.get(path).json() == []


def test_sub_issues_have_one_parent_and_no_cycles(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    parent, child, other = (repository.create_issue(name) for name in ("P", "C", "O"))
    root = "/repos/octo/demo/issues"
    with box.rest(box.installation_token()) as client:

        def add_sub_issue(number: int, issue_id: int, **extra: bool) -> int:
            body = {"sub_issue_id": issue_id, **extra}
            return client.post(f"{root}/{number}/sub_issues", json=body).status_code

        assert add_sub_issue(parent.number, child.id) == 201
        assert add_sub_issue(parent.number, child.id) == 422
        assert add_sub_issue(other.number, child.id) == 422
        assert add_sub_issue(child.number, parent.id) == 422
        assert add_sub_issue(other.number, child.id, replace_parent=True) == 201
        assert client.get(f"{root}/{child.number}/parent").json()["number"] == other.number
        assert client.get(f"{root}/{parent.number}/sub_issues").json() == []
        gone = client.request(
            "DELETE", f"{root}/{other.number}/sub_issue", json={"sub_issue_id": child.id}
        )
        assert gone.status_code == 200
        assert client.get(f"{root}/{child.number}/parent").status_code == 404
    box.settle()
    assert "sub_issues.sub_issue_added" in box.receiver.names()
    assert "sub_issues.parent_issue_removed" in box.receiver.names()


def test_dependencies_are_listed_from_both_issues_and_have_no_cycles(
    box: Box,
) -> None:
    repository = box.as_app().get_repo("octo/demo")
    first, second = repository.create_issue("First"), repository.create_issue("Second")
    root = "/repos/octo/demo/issues"
    with box.rest(box.installation_token()) as client:
        blocked = f"{root}/{second.number}/dependencies/blocked_by"
        assert client.post(blocked, json={"issue_id": first.id}).status_code == 201
        assert client.post(blocked, json={"issue_id": first.id}).status_code == 422
        back = f"{root}/{first.number}/dependencies/blocked_by"
        assert client.post(back, json={"issue_id": second.id}).status_code == 422
        assert [one["number"] for one in client.get(blocked).json()] == [first.number]
        blocking = client.get(f"{root}/{first.number}/dependencies/blocking").json()
        assert [one["number"] for one in blocking] == [second.number]
        assert client.delete(f"{blocked}/{first.id}").status_code == 200
        assert client.get(blocked).json() == []


def test_lists_link_to_their_next_page(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    for number in range(5):
        repository.create_issue(f"Issue {number}")
    with box.rest(box.installation_token()) as client:
        page = client.get("/api/v3/repos/octo/demo/issues", params={"per_page": 2})
        seen = [one["number"] for one in page.json()]
        assert set(page.links) == {"next", "last"}
        while "next" in page.links:
            page = client.get(page.links["next"]["url"])
            seen.extend(one["number"] for one in page.json())
    assert seen == [5, 4, 3, 2, 1]


def test_a_reader_may_open_an_issue_but_not_label_it(box: Box) -> None:
    token = box.hub.add_user("reader")
    box.hub.add_collaborator("octo/demo", "reader", Role.READ)
    repository = box.as_user(token).get_repo("octo/demo")
    issue = repository.create_issue("Please", labels=["urgent"])
    assert issue.labels == []
    mine = box.as_app().get_repo("octo/demo").create_issue("Mine")
    with pytest.raises(GithubException) as refused:
        repository.get_issue(mine.number).edit(state="closed")
    assert refused.value.status == 403
    assert repository.get_collaborator_permission("reader") == "read"
    assert repository.get_collaborator_permission("octo") == "admin"


def test_permission_of_a_non_collaborator_is_none_and_of_an_unknown_user_404(box: Box) -> None:
    box.hub.add_user("stranger")
    with box.rest(box.installation_token()) as client:
        root = "/repos/octo/demo/collaborators"
        stranger = client.get(f"{root}/stranger/permission").json()
        assert (stranger["permission"], stranger["role_name"]) == ("none", "none")
        assert client.get(f"{root}/nobody/permission").status_code == 404
        assert client.get(f"{root}/stranger").status_code == 404
        assert client.get(f"{root}/octo").status_code == 204


def test_a_pushed_commit_closes_the_issues_it_fixes(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    issue = repository.create_issue("A fault")
    clone = box.clone()
    clone.commit("a.txt", "a\n", f"Mend it\n\nResolves: #{issue.number}")
    clone.git("push", "origin", "main")
    assert repository.get_issue(issue.number).state == "closed"


def test_a_parent_has_at_most_a_hundred_sub_issues(box: Box) -> None:
    box.hub.secondary_limits.lift()
    issues = "/repos/octo/demo/issues"
    with box.rest(box.user_token) as client:
        ids = [client.post(issues, json={"title": f"{n}"}).json()["id"] for n in range(102)]
        statuses = [
            client.post(f"{issues}/1/sub_issues", json={"sub_issue_id": one}).status_code
            for one in ids[1:]
        ]
        listed = client.get(f"{issues}/1/sub_issues", params={"per_page": 100}).json()
    assert statuses == [201] * 100 + [422]
    assert len(listed) == 100
