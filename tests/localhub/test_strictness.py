"""Refusals of GitHub: small ones of the API, and rules about pushes."""

import base64

import httpx
import pytest

from bot.localhub.rule_model import PUSH_KINDS, ContentRule, ContentRuleKind, RefRule, Ruleset
from tests.localhub.kit import Box, GitError
from tests.localhub.test_apps import app_jwt

REPO = "/api/v3/repos/octo/demo"
K = ContentRuleKind


def ask(box: Box, verb: str, path: str, body: object = None, token: str = "") -> httpx.Response:
    with box.rest(token or box.user_token) as client:
        return client.request(verb, path, json=body)


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("POST", f"{REPO}/issues", {"title": "One", "milestone": 7}),
        ("POST", f"{REPO}/issues", {"title": "One", "labels": [f"l{n}" for n in range(101)]}),
        ("POST", f"{REPO}/labels", {"name": "red", "color": "#ff0000"}),
        (
            "PUT",
            f"{REPO}/contents/a.txt",
            {"message": "A file", "content": "***", "branch": "main"},
        ),
        ("PUT", f"{REPO}/contents/.git/config", {"message": "A file", "content": "YQ=="}),
    ],
)
def test_invalid_requests_are_answered_with_422(
    box: Box, verb: str, path: str, body: dict[str, object]
) -> None:
    assert ask(box, verb, path, body).status_code == 422


@pytest.mark.parametrize("ref", ["refs/heads/", "refs/tags/"])
def test_a_name_of_forty_hex_digits_is_refused(box: Box, ref: str) -> None:
    sha = box.hub.repository("octo/demo").refs["refs/heads/main"]
    made = ask(box, "POST", f"{REPO}/git/refs", {"ref": ref + sha, "sha": sha})
    assert (made.status_code, "40 hex characters" in made.text) == (422, True)
    with pytest.raises(GitError, match="GH002"):
        box.clone().git("push", "origin", f"HEAD:{ref}{sha}")
    for free in (f"{ref}{sha[:39]}", f"{ref}a/{sha}"):
        assert ask(box, "POST", f"{REPO}/git/refs", {"ref": free, "sha": sha}).status_code == 201


@pytest.mark.parametrize(
    "rule",
    [
        *(RefRule.REQUIRED_DEPLOYMENTS, RefRule.WORKFLOWS),
        *(RefRule.CODE_SCANNING, RefRule.LICENSES),
    ],
)
def test_a_rule_that_no_pushed_commit_can_satisfy_refuses_the_push(box: Box, rule: RefRule) -> None:
    clone = box.clone()
    clone.commit("a.txt", "a\n")
    box.hub.add_ruleset("octo/demo", Ruleset(1, "Strict", ("main",), frozenset({rule})))
    with pytest.raises(GitError, match="GH013"):
        clone.git("push", "origin", "main")
    (told,) = ask(box, "GET", f"{REPO}/rules/branches/main").json()
    assert told["type"] == rule.value
    clone.git("push", "origin", "HEAD:refs/heads/another")


def test_an_archived_repository_is_read_only(box: Box) -> None:
    clone = box.clone()
    clone.commit("a.txt", "a\n")
    held = box.hub.repository("octo/demo")
    box.hub.lives.archive(held, box.hub.as_user("octo"))
    for token in (box.user_token, box.installation_token()):
        refused = ask(box, "POST", f"{REPO}/issues", {"title": "One"}, token)
        assert (refused.status_code, "archived" in refused.text) == (403, True)
    with pytest.raises(GitError, match="403"):
        clone.git("push", "origin", "main")
    clone.git("fetch", "origin")
    assert ask(box, "GET", REPO).json()["archived"] is True


def test_a_repository_without_issues_refuses_new_issues(box: Box) -> None:
    box.hub.repository("octo/demo").has_issues = False
    refused = ask(box, "POST", f"{REPO}/issues", {"title": "One"})
    assert (refused.status_code, "disabled" in refused.text) == (410, True)
    assert ask(box, "GET", REPO).json()["has_issues"] is False


def test_an_app_cannot_comment_on_a_locked_conversation(box: Box) -> None:
    number = ask(box, "POST", f"{REPO}/issues", {"title": "One"}).json()["number"]
    box.hub.repository("octo/demo").issues[number].locked = True
    comments = f"{REPO}/issues/{number}/comments"
    refused = ask(box, "POST", comments, {"body": "Hello"}, box.installation_token())
    assert (refused.status_code, "issue is locked" in refused.text) == (403, True)
    assert ask(box, "POST", comments, {"body": "Hello"}).status_code == 201


def test_more_than_a_hundred_labels_are_refused(box: Box) -> None:
    number = ask(box, "POST", f"{REPO}/issues", {"title": "One"}).json()["number"]
    labels = f"{REPO}/issues/{number}/labels"
    hundred = {"labels": [f"l{n}" for n in range(100)]}
    assert ask(box, "POST", labels, hundred).status_code == 200
    assert ask(box, "POST", labels, {"labels": ["l1"]}).status_code == 200
    assert ask(box, "POST", labels, {"labels": ["one more"]}).status_code == 422


def test_base64_content_may_contain_line_breaks(box: Box) -> None:
    content = base64.encodebytes(b"x" * 100).decode()
    body = {"message": "A file", "content": content}
    assert ask(box, "PUT", f"{REPO}/contents/a.txt", body).status_code == 201


@pytest.mark.parametrize("address", ["javascript:1", "ftp://example.org"])
def test_the_details_of_a_check_run_are_a_web_page(box: Box, address: str) -> None:
    sha = box.hub.repository("octo/demo").refs["refs/heads/main"]
    body = {"name": "ci", "head_sha": sha, "details_url": address}
    token = box.installation_token()
    assert ask(box, "POST", f"{REPO}/check-runs", body, token).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {"output": {"title": "t", "summary": "s", "annotations": 51}},
        {"output": {"title": "t", "summary": "é" * 32_768}},
        {"output": {"title": "t", "summary": "s", "text": "é" * 32_768}},
        {"actions": [{"label": "l", "description": "d", "identifier": f"i{n}"} for n in range(4)]},
        {"actions": [{"label": "l" * 21, "description": "d", "identifier": "i"}]},
        {"actions": [{"label": "l", "description": "d" * 41, "identifier": "i"}]},
        {"actions": [{"label": "l", "description": "d", "identifier": "i" * 21}]},
    ],
)
def test_check_runs_keep_to_their_limits(box: Box, body: dict[str, object]) -> None:
    output = body.get("output")
    if isinstance(output, dict) and "annotations" in output:
        note = {
            "path": "a",
            "start_line": 1,
            "end_line": 1,
            "annotation_level": "notice",
            "message": "m",
        }
        output["annotations"] = [note] * 51
    sha = box.hub.repository("octo/demo").refs["refs/heads/main"]
    asked = {"name": "ci", "head_sha": sha, **body}
    token = box.installation_token()
    assert ask(box, "POST", f"{REPO}/check-runs", asked, token).status_code == 422


def test_an_apps_own_token_opens_no_repository(box: Box) -> None:
    assert ask(box, "GET", REPO, token=app_jwt(box)).status_code == 401


def test_an_unprotected_branch_is_reported_as_unprotected(box: Box) -> None:
    found = ask(box, "GET", f"{REPO}/branches/main/protection")
    assert (found.status_code, found.json()["message"]) == (404, "Branch not protected")
    found = ask(box, "GET", f"{REPO}/branches/nothing/protection")
    assert (found.status_code, found.json()["message"]) == (404, "Branch not found")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v3/search/issues",
        "/search/issues",
        "/user/repos",
        "/notifications",
        f"{REPO}/no/such/thing",
        "/nowhere",
    ],
)
def test_every_unknown_path_of_the_api_is_a_json_404(box: Box, path: str) -> None:
    found = ask(box, "GET", path)
    assert found.status_code == 404
    assert found.json()["message"] == "Not Found"


def test_a_missing_page_is_an_html_404(box: Box) -> None:
    with box.rest() as client:
        found = client.get("/nobody/nothing", headers={"Accept": "text/html"})
    assert (found.status_code, "html" in found.headers["content-type"]) == (404, True)


def test_versions_of_the_api_are_known_or_refused(box: Box) -> None:
    with box.rest(box.user_token) as client:
        for version in ("2022-11-28", "2026-03-10"):
            found = client.get(REPO, headers={"X-GitHub-Api-Version": version})
            assert found.headers["X-GitHub-Api-Version-Selected"] == version
        old = client.get(REPO, headers={"X-GitHub-Api-Version": "2001-01-01"})
        assert old.status_code == 400
        nameless = client.get(REPO, headers={"User-Agent": ""})
        assert nameless.status_code == 403
        assert "User-Agent" in nameless.json()["message"]


def test_an_annotated_tag_is_taken_and_its_workflow_runs_at_its_commit(box: Box) -> None:
    clone = box.clone()
    commit = clone.commit(
        ".github/workflows/ci.yml",
        "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: true\n",
    )
    clone.git("push", "origin", "main")
    clone.git("tag", "--annotate", "--message", "One", "v1")
    clone.git("push", "origin", "v1")
    assert box.hub.repository("octo/demo").refs["refs/tags/v1"] != commit
    runs = ask(box, "GET", f"{REPO}/actions/runs").json()["workflow_runs"]
    assert {run["head_sha"] for run in runs} == {commit}
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("rules", "contents", "words"),
    [
        ({RefRule.REQUIRED_SIGNATURES}, (), "Commits must have verified signatures"),
        ({RefRule.MERGE_QUEUE}, (), "Changes must be made through the merge queue"),
        (set(), ((K.COMMIT_MESSAGE_PATTERN, "^[A-Z]+-[0-9]+"),), "Commit message must match"),
        (set(), ((K.FILE_PATH_RESTRICTION, "secret/*"),), "secret/a.exe is restricted"),
        (set(), ((K.FILE_EXTENSION_RESTRICTION, ".exe"),), "secret/a.exe is restricted"),
        (set(), ((K.MAX_FILE_SIZE, "1"),), "must not exceed 1 MB"),
        (set(), ((K.MAX_FILE_PATH_LENGTH, "11"),), "must not be longer than 11 characters"),
    ],
)
def test_rules_refuse_pushes_and_are_listed(
    box: Box, rules: set[RefRule], contents: tuple[tuple[K, str], ...], words: str
) -> None:
    held = Ruleset(
        1,
        "main",
        ("~DEFAULT_BRANCH",),
        frozenset(rules),
        contents=tuple(ContentRule(kind, value) for kind, value in contents),
    )
    box.hub.add_ruleset("octo/demo", held)
    listed = {rule["type"] for rule in ask(box, "GET", f"{REPO}/rules/branches/main").json()}
    assert listed == {*(r.value for r in rules), *(kind.value for kind, _ in contents)}
    clone = box.clone()
    sha = clone.commit("secret/a.exe", "x" * 1_100_000)
    with pytest.raises(GitError, match=words):
        clone.git("push", "origin", "main")
    if any(kind in PUSH_KINDS for kind, _ in contents):
        for ref in ("refs/heads/topic", "refs/headgate/heads/one"):
            with pytest.raises(GitError, match=words):
                clone.git("push", "origin", f"main:{ref}")
        return
    clone.git("push", "origin", "main:refs/heads/topic")
    moved = ask(box, "PATCH", f"{REPO}/git/refs/heads/main", {"sha": sha})
    assert moved.status_code == 422


def test_a_rule_applies_only_to_named_branches(box: Box) -> None:
    rule = ContentRule(K.BRANCH_NAME_PATTERN, "^(main|feature/.+)$")
    box.hub.add_ruleset("octo/demo", Ruleset(1, "names", ("~ALL",), contents=(rule,)))
    clone = box.clone()
    with pytest.raises(GitError, match="Branch name must match"):
        clone.git("push", "origin", "main:refs/heads/topic")
    clone.git("push", "origin", "main:refs/heads/feature/a")
