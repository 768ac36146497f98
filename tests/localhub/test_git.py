"""Stories of git over HTTP: clones, pushes, what follows from them, and what is refused."""

import pytest

from bot.localhub.model import RefRule, RequiredCheck, Ruleset
from tests.localhub.kit import GitError, Stage, at


def test_a_push_is_a_push_webhook_with_its_commits_and_a_check_suite(scene: Stage) -> None:
    clone = scene.clone()
    before = clone.git("rev-parse", "HEAD")
    after = clone.commit("src/app.py", "print('hello')\n", "Say hello")
    clone.git("push", "origin", "main")
    scene.settle()
    assert scene.receiver.names() == ["push", "check_suite.requested"]
    (push,) = scene.receiver.payloads("push")
    assert (push["ref"], push["before"], push["after"]) == ("refs/heads/main", before, after)
    assert at(push, "commits", 0, "added", 0) == "src/app.py"
    assert all(one.is_signed for one in scene.receiver.received)


def test_a_new_branch_is_created_pushed_and_deleted(scene: Stage) -> None:
    clone = scene.clone()
    clone.git("switch", "--quiet", "-c", "topic")
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "topic")
    clone.git("push", "origin", ":topic")
    scene.settle()
    assert scene.receiver.names() == ["create", "push", "check_suite.requested", "push", "delete"]


def test_refs_outside_branches_and_tags_move_silently_and_can_be_fetched(scene: Stage) -> None:
    clone = scene.clone(scene.installation_token())
    sha = clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "HEAD:refs/headgate/heads/1")
    scene.settle()
    assert scene.receiver.names() == []
    other = scene.clone()
    other.git("fetch", "origin", "refs/headgate/heads/1")
    assert other.git("rev-parse", "FETCH_HEAD") == sha


def test_a_large_push_arrives_in_chunks(scene: Stage) -> None:
    clone = scene.clone()
    noise = "".join(f"{number * 7919 % 1_000_003:x}-{number}\n" for number in range(400_000))
    clone.commit("big.txt", noise)
    clone.git("-c", "http.postBuffer=65536", "-c", "core.compression=0", "push", "origin", "main")
    assert scene.clone().git("rev-parse", "HEAD") == clone.git("rev-parse", "HEAD")


def test_a_token_without_contents_write_cannot_push(scene: Stage) -> None:
    clone = scene.clone(scene.installation_token(contents="read"))
    clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match="403"):
        clone.git("push", "origin", "main")


def test_a_stranger_is_told_that_a_private_repository_does_not_exist(scene: Stage) -> None:
    stranger = scene.hub.add_user("stranger")
    with pytest.raises(GitError, match="not found"):
        scene.clone(stranger)
    with pytest.raises(GitError):
        scene.clone("ghp_wrong")


def test_a_stale_force_with_lease_is_refused(scene: Stage) -> None:
    one, other = scene.clone(), scene.clone()
    one.commit("a.txt", "a\n")
    one.git("push", "origin", "main")
    other.commit("b.txt", "b\n")
    with pytest.raises(GitError, match="stale info"):
        other.git("push", "--force-with-lease", "origin", "main")


def test_an_app_without_the_workflows_permission_cannot_push_workflow_files(scene: Stage) -> None:
    clone = scene.clone(scene.installation_token())
    clone.commit(".github/workflows/ci.yml", "on: push\n")
    with pytest.raises(GitError, match="without `workflows` permission"):
        clone.git("push", "origin", "main")
    assert scene.hub.repository("octo/demo").refs["refs/heads/main"] != clone.git(
        "rev-parse", "HEAD"
    )


def test_an_app_may_build_on_workflow_files_that_a_person_has_pushed(scene: Stage) -> None:
    person = scene.clone()
    person.commit(".github/workflows/ci.yml", "on: push\n")
    person.git("push", "origin", "main")
    clone = scene.clone(scene.installation_token())
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "HEAD:topic")
    assert "refs/heads/topic" in scene.hub.repository("octo/demo").refs


def test_a_ruleset_refuses_force_pushes_and_unchecked_commits(scene: Stage) -> None:
    ruleset = Ruleset(
        id=1,
        name="main",
        branches=("~DEFAULT_BRANCH",),
        rules=frozenset({RefRule.NON_FAST_FORWARD, RefRule.DELETION}),
        required_checks=(RequiredCheck("headgate/verdict", scene.app.app_id),),
    )
    scene.hub.add_ruleset("octo/demo", ruleset)
    clone = scene.clone()
    sha = clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match='Required status check "headgate/verdict" is expected'):
        clone.git("push", "origin", "main")
    clone.git("push", "origin", "main:topic")
    repository = scene.as_app().get_repo("octo/demo")
    repository.create_check_run("headgate/verdict", sha, conclusion="success")
    clone.git("push", "origin", "main")
    clone.git("commit", "--amend", "--message", "Other")
    amended = clone.git("rev-parse", "HEAD")
    clone.git("push", "--force", "origin", "main:topic")
    repository.create_check_run("headgate/verdict", amended, conclusion="success")
    with pytest.raises(GitError, match="Cannot force-push"):
        clone.git("push", "--force", "origin", "main")


def test_nobody_pushes_to_the_refs_that_the_hub_keeps_for_pulls(scene: Stage) -> None:
    clone = scene.clone()
    with pytest.raises(GitError, match="hidden ref"):
        clone.git("push", "origin", "main:refs/pull/1/head")


def test_a_shallow_fetch_of_any_commit_works(scene: Stage) -> None:
    clone = scene.clone()
    middle = clone.commit("a.txt", "a\n")
    clone.commit("b.txt", "b\n")
    clone.git("push", "origin", "main")
    other = scene.clone()
    other.git("fetch", "--depth=1", "origin", middle)
    assert other.git("rev-parse", "FETCH_HEAD") == middle
