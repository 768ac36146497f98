"""git over HTTP: clones, pushes, their effects, and what is refused."""

import base64

import pytest

from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset
from tests.localhub.kit import Box, GitError, at


def test_a_push_sends_a_push_webhook_and_opens_a_check_suite(box: Box) -> None:
    clone = box.clone()
    before = clone.git("rev-parse", "HEAD")
    after = clone.commit("src/app.py", "print('hello')\n", "Say hello")
    clone.git("push", "origin", "main")
    box.settle()
    assert box.receiver.names() == ["push", "check_suite.requested"]
    (push,) = box.receiver.payloads("push")
    assert (push["ref"], push["before"], push["after"]) == ("refs/heads/main", before, after)
    assert at(push, "commits", 0, "added", 0) == "src/app.py"
    assert all(one.is_signed for one in box.receiver.received)


def test_a_new_branch_is_created_pushed_and_deleted(box: Box) -> None:
    clone = box.clone()
    clone.git("switch", "--quiet", "-c", "topic")
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "topic")
    clone.git("push", "origin", ":topic")
    box.settle()
    assert box.receiver.names() == ["create", "push", "check_suite.requested", "push", "delete"]


def test_other_refs_send_no_webhooks_and_can_be_fetched(box: Box) -> None:
    clone = box.clone(box.installation_token())
    sha = clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "HEAD:refs/headgate/heads/1")
    box.settle()
    assert box.receiver.names() == []
    other = box.clone()
    other.git("fetch", "origin", "refs/headgate/heads/1")
    assert other.git("rev-parse", "FETCH_HEAD") == sha


def test_a_large_push_arrives_in_chunks(box: Box) -> None:
    clone = box.clone()
    noise = "".join(f"{number * 7919 % 1_000_003:x}-{number}\n" for number in range(400_000))
    clone.commit("big.txt", noise)
    clone.git("-c", "http.postBuffer=65536", "-c", "core.compression=0", "push", "origin", "main")
    assert box.clone().git("rev-parse", "HEAD") == clone.git("rev-parse", "HEAD")


def test_a_token_without_contents_write_cannot_push(box: Box) -> None:
    clone = box.clone(box.installation_token(contents="read"))
    clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match="403"):
        clone.git("push", "origin", "main")


def test_a_private_repository_is_404_without_access(box: Box) -> None:
    stranger = box.hub.add_user("stranger")
    with pytest.raises(GitError, match="not found"):
        box.clone(stranger)
    with pytest.raises(GitError):
        box.clone("ghp_wrong")


def test_a_stale_force_with_lease_is_refused(box: Box) -> None:
    one, other = box.clone(), box.clone()
    one.commit("a.txt", "a\n")
    one.git("push", "origin", "main")
    other.commit("b.txt", "b\n")
    with pytest.raises(GitError, match="stale info"):
        other.git("push", "--force-with-lease", "origin", "main")


def test_an_app_without_the_workflows_permission_cannot_push_workflow_files(box: Box) -> None:
    clone = box.clone(box.installation_token())
    clone.commit(".github/workflows/ci.yml", "on: push\n")
    with pytest.raises(GitError, match="without `workflows` permission"):
        clone.git("push", "origin", "main")
    assert box.hub.repository("octo/demo").refs["refs/heads/main"] != clone.git("rev-parse", "HEAD")


def test_an_app_may_push_commits_on_top_of_a_persons_workflow_files(box: Box) -> None:
    person = box.clone()
    person.commit(".github/workflows/ci.yml", "on: push\n")
    person.git("push", "origin", "main")
    clone = box.clone(box.installation_token())
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "HEAD:topic")
    assert "refs/heads/topic" in box.hub.repository("octo/demo").refs


def test_a_ruleset_refuses_force_pushes_and_unchecked_commits(box: Box) -> None:
    ruleset = Ruleset(
        id=1,
        name="main",
        branches=("~DEFAULT_BRANCH",),
        rules=frozenset({RefRule.NON_FAST_FORWARD, RefRule.DELETION}),
        required_checks=(RequiredCheck("headgate/verdict", box.app.app_id),),
    )
    box.hub.add_ruleset("octo/demo", ruleset)
    clone = box.clone()
    sha = clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match='Required status check "headgate/verdict" is expected'):
        clone.git("push", "origin", "main")
    clone.git("push", "origin", "main:topic")
    repository = box.as_app().get_repo("octo/demo")
    repository.create_check_run("headgate/verdict", sha, conclusion="success")
    clone.git("push", "origin", "main")
    clone.git("commit", "--amend", "--message", "Other")
    amended = clone.git("rev-parse", "HEAD")
    clone.git("push", "--force", "origin", "main:topic")
    repository.create_check_run("headgate/verdict", amended, conclusion="success")
    with pytest.raises(GitError, match="Cannot force-push"):
        clone.git("push", "--force", "origin", "main")


def test_pull_refs_cannot_be_pushed(box: Box) -> None:
    clone = box.clone()
    with pytest.raises(GitError, match="hidden ref"):
        clone.git("push", "origin", "main:refs/pull/1/head")


def test_a_shallow_fetch_of_any_commit_works(box: Box) -> None:
    clone = box.clone()
    middle = clone.commit("a.txt", "a\n")
    clone.commit("b.txt", "b\n")
    clone.git("push", "origin", "main")
    other = box.clone()
    other.git("fetch", "--depth=1", "origin", middle)
    assert other.git("rev-parse", "FETCH_HEAD") == middle


CI = ".github/workflows/ci.yml"
# Joined here, so that no push of this file looks like a push of a token.
TOKEN = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def test_an_app_cannot_push_workflows_that_the_default_branch_no_longer_has(box: Box) -> None:
    person = box.clone()
    person.commit(CI, "on: push\n")
    person.git("push", "origin", "main")
    clone = box.clone(box.installation_token())
    old = clone.commit("a.txt", "a\n")
    person.commit(CI, "on: [push, pull_request]\n")
    person.git("push", "origin", "main")
    for ref in ("refs/heads/topic", "refs/headgate/heads/1"):
        with pytest.raises(GitError, match=r"workflow `\.github/workflows/ci\.yml` without"):
            clone.git("push", "origin", f"{old}:{ref}")
    person.git("fetch", clone.folder.as_posix(), old)
    person.git("push", "origin", f"{old}:refs/heads/topic")


def test_an_app_may_push_the_default_branchs_own_workflows_on_an_older_commit(box: Box) -> None:
    person = box.clone()
    person.commit(CI, "on: push\n")
    person.git("push", "origin", "main")
    clone = box.clone(box.installation_token())
    person.commit(CI, "on: [push, pull_request]\n")
    person.git("push", "origin", "main")
    clone.commit(CI, "on: [push, pull_request]\n")
    clone.git("push", "origin", "HEAD:refs/headgate/heads/1")


def test_an_app_cannot_move_a_ref_by_rest_to_workflows_that_differ(box: Box) -> None:
    person = box.clone()
    old = person.git("rev-parse", "HEAD^{commit}")
    person.commit(CI, "on: push\n")
    person.git("push", "origin", "main")
    older = person.git("rev-parse", "HEAD")
    person.commit(CI, "on: [push]\n")
    person.git("push", "origin", "main")
    with box.rest(box.installation_token()) as client:
        refs = "/api/v3/repos/octo/demo/git/refs"
        done = client.post(refs, json={"ref": "refs/heads/topic", "sha": older})
        assert (done.status_code, "`workflows` permission" in done.json()["message"]) == (403, True)
        assert client.post(refs, json={"ref": "refs/heads/topic", "sha": old}).status_code == 201


def test_a_file_over_100_mb_is_refused(box: Box) -> None:
    clone = box.clone()
    with (clone.folder / "big.bin").open("wb") as file:
        file.truncate(101 * 1024 * 1024)
    clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match="GH001") as refused:
        clone.git("push", "origin", "main")
    assert "File big.bin is 101.00 MB; this exceeds GitHub's file size limit" in str(refused.value)


def test_push_protection_refuses_a_token_and_names_its_place_until_it_is_allowed(box: Box) -> None:
    clone = box.clone()
    clone.commit("tests/fixture file.txt", f"one\nkey = {TOKEN}\n")
    clone.commit("other.txt", "harmless\n")
    with pytest.raises(GitError, match="Push cannot contain secrets") as refused:
        clone.git("push", "origin", "main")
    assert "path: tests/fixture file.txt:2" in str(refused.value)
    assert "/octo/demo/security/secret-scanning/unblock-secret/" in str(refused.value)
    box.hub.allow_secret("octo/demo", TOKEN)
    clone.git("push", "origin", "main")


def test_push_protection_looks_at_files_made_by_rest_too(box: Box) -> None:
    content = base64.b64encode(TOKEN.encode()).decode()
    with box.rest(box.user_token) as client:
        body = {"message": "A key", "content": content}
        done = client.put("/api/v3/repos/octo/demo/contents/key.txt", json=body)
    assert done.status_code == 409
    assert "Secret detected in content" in done.json()["message"]


def test_a_file_that_becomes_a_link_is_one_changed_file(box: Box) -> None:
    clone = box.clone()
    before = clone.commit("a.txt", "a\n")
    (clone.folder / "a.txt").unlink()
    (clone.folder / "a.txt").symlink_to("b.txt")
    after = clone.commit("b.txt", "b\n")
    clone.git("push", "origin", "main")
    files = box.as_user().get_repo("octo/demo").compare(before, after).files
    assert {one.filename: one.status for one in files} == {"a.txt": "changed", "b.txt": "added"}
