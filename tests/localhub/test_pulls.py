"""Stories of pulls: opened, followed, found mergeable or not, merged by button and by push."""

import base64

import pytest
from github import GithubException
from github.Repository import Repository

from bot.localhub.model import RefRule, RequiredCheck, Role, Ruleset
from tests.localhub.kit import GitError, Stage, at


def branch_with(repository: Repository, branch: str, path: str, content: str) -> str:
    """A branch off main with one file; returns its head."""
    main = repository.get_branch("main").commit.sha
    repository.create_git_ref(f"refs/heads/{branch}", main)
    made = repository.create_file(path, f"Add {path}", content, branch=branch)
    return str(made["commit"].sha)


def test_mergeable_is_unknown_first_and_then_what_git_says(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "good", "a.txt", "a")
    branch_with(repository, "bad", "README.md.txt", "b")
    readme = repository.get_contents("README.md", ref="bad")
    assert not isinstance(readme, list)
    repository.update_file("README.md", "Theirs", "theirs", readme.sha, branch="bad")
    repository.update_file("README.md", "Ours", "ours", readme.sha, branch="main")
    good = repository.create_pull("main", "good", title="Good", body="")
    bad = repository.create_pull("main", "bad", title="Bad", body="")
    assert repository.get_pull(good.number).mergeable is None
    assert repository.get_pull(good.number).mergeable is True
    assert repository.get_pull(bad.number).mergeable is None
    shown = repository.get_pull(bad.number)
    assert (shown.mergeable, shown.mergeable_state) == (False, "dirty")
    with pytest.raises(GithubException) as refused:
        shown.merge()
    assert refused.value.status == 405


def test_the_merge_button_guards_the_head_and_closes_what_the_pull_fixes(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    issue = repository.create_issue("A fault")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Mend", body=f"Fixes #{issue.number}")
    with pytest.raises(GithubException) as stale:
        pull.merge(sha="0" * 40)
    assert stale.value.status == 409
    merged = pull.merge(sha=head)
    assert merged.merged
    assert repository.get_branch("main").commit.sha == merged.sha
    assert repository.get_issue(issue.number).state == "closed"
    assert repository.get_pull(pull.number).merged_by.login == "headgate-test[bot]"
    scene.settle()
    (closed,) = scene.receiver.payloads("pull_request.closed")
    assert at(closed, "pull_request", "merged") is True
    assert at(closed, "pull_request", "merge_commit_sha") == merged.sha


@pytest.mark.parametrize("method", ["squash", "rebase"])
def test_squash_and_rebase_leave_one_parent(scene: Stage, method: str) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    repository.create_file("b.txt", "Move main", "b", branch="main")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    sha = pull.merge(merge_method=method).sha
    assert len(repository.get_git_commit(sha).parents) == 1
    assert repository.get_pull(pull.number).merged


def test_a_pull_is_merged_by_itself_when_main_reaches_its_head(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    repository.get_git_ref("heads/main").edit(head)
    shown = repository.get_pull(pull.number)
    assert (shown.merged, shown.state, shown.merge_commit_sha) == (True, "closed", head)
    scene.settle()
    assert scene.receiver.names()[-3:] == [
        "push",
        "check_suite.requested",
        "pull_request.closed",
    ] or scene.receiver.names()[-2:] == ["push", "pull_request.closed"]


def test_one_push_of_branch_and_main_merges_the_pull_too(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    clone = scene.clone(scene.installation_token())
    clone.git("merge", "--no-ff", "--quiet", "origin/topic", "--message", "Land")
    clone.git("push", "--atomic", "origin", "HEAD:main", "HEAD:topic")
    assert repository.get_pull(pull.number).merged


def test_a_push_to_the_head_branch_is_a_synchronize(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    before = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    clone = scene.clone(scene.installation_token())
    clone.git("switch", "--quiet", "topic")
    after = clone.commit("b.txt", "b\n")
    clone.git("push", "origin", "topic")
    scene.settle()
    (event,) = scene.receiver.payloads("pull_request.synchronize")
    assert (event["before"], event["after"]) == (before, after)
    assert repository.get_pull(pull.number).head.sha == after
    assert [file.filename for file in pull.get_files()] == ["a.txt", "b.txt"]
    assert pull.get_commits().totalCount == 2
    clone.git("fetch", "origin", f"refs/pull/{pull.number}/head")


def test_a_pull_closes_with_its_branch_and_without_being_merged(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    repository.get_git_ref("heads/topic").delete()
    shown = repository.get_pull(pull.number)
    assert (shown.state, shown.merged) == ("closed", False)


def test_a_pull_needs_commits_and_is_opened_once(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    main = repository.get_branch("main").commit.sha
    repository.create_git_ref("refs/heads/same", main)
    with pytest.raises(GithubException, match="No commits between main and same"):
        repository.create_pull("main", "same", title="Same", body="")
    branch_with(repository, "topic", "a.txt", "a")
    repository.create_pull("main", "topic", title="Topic", body="")
    with pytest.raises(GithubException, match="A pull request already exists"):
        repository.create_pull("main", "topic", title="Topic", body="")
    assert [pull.title for pull in repository.get_pulls(head="octo:topic")] == ["Topic"]
    assert repository.get_pulls(head="octo:other").totalCount == 0


def test_nobody_approves_their_own_pull(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    with pytest.raises(GithubException, match="approve your own pull request"):
        pull.create_review(event="APPROVE")
    person = scene.as_user().get_repo("octo/demo").get_pull(pull.number)
    person.create_review(body="Good.", event="APPROVE")
    assert [review.state for review in pull.get_reviews()] == ["APPROVED"]
    scene.settle()
    (event,) = scene.receiver.payloads("pull_request_review.submitted")
    assert at(event, "review", "state") == "approved"


def test_a_required_check_holds_back_the_button_and_the_ref_alike(scene: Stage) -> None:
    required = RequiredCheck("headgate/verdict", scene.app.app_id)
    rules = frozenset({RefRule.NON_FAST_FORWARD})
    ruleset = Ruleset(7, "main", ("main",), rules, (required,))
    scene.hub.add_ruleset("octo/demo", ruleset)
    repository = scene.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    with pytest.raises(GithubException, match="is expected") as button:
        pull.merge()
    assert button.value.status == 405
    with pytest.raises(GithubException, match="rule violations") as ref:
        repository.get_git_ref("heads/main").edit(head)
    assert ref.value.status == 422
    repository.create_check_run("headgate/verdict", head, conclusion="success")
    repository.get_git_ref("heads/main").edit(head)
    assert repository.get_pull(pull.number).merged
    with scene.rest(scene.installation_token()) as client:
        rules_shown = client.get("/repos/octo/demo/rules/branches/main").json()
    assert [rule["type"] for rule in rules_shown] == ["non_fast_forward", "required_status_checks"]


def test_a_ref_moves_by_compare_and_swap_only(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    repository.create_file("b.txt", "Move main", "b", branch="main")
    with pytest.raises(GithubException, match="not a fast forward"):
        repository.get_git_ref("heads/main").edit(head)
    with pytest.raises(GithubException, match="already exists"):
        repository.create_git_ref("refs/heads/topic", head)
    with pytest.raises(GithubException, match="does not exist"):
        repository.create_git_ref("refs/heads/other", "1" * 40)
    assert repository.compare("main", "topic").status == "diverged"


def test_files_are_written_over_the_blob_that_was_read(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    readme = repository.get_contents("README.md")
    assert not isinstance(readme, list)
    repository.update_file("README.md", "First", "one", readme.sha)
    with pytest.raises(GithubException) as stale:
        repository.update_file("README.md", "Second", "two", readme.sha)
    assert stale.value.status == 409
    with scene.rest(scene.installation_token()) as client:
        content = base64.b64encode(b"on: push\n").decode()
        workflow = client.put(
            "/repos/octo/demo/contents/.github/workflows/ci.yml",
            json={"message": "m", "content": content},
        )
    assert workflow.status_code == 403
    with pytest.raises(GitError):
        scene.clone().git("cat-file", "-e", "HEAD:.github/workflows/ci.yml")


def test_an_approval_is_stale_when_the_branch_moves(scene: Stage) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    ruleset = Ruleset(9, "main", ("main",), rules, (), 1, dismisses_stale_reviews=True)
    scene.hub.add_ruleset("octo/demo", ruleset)
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    scene.as_user().get_repo("octo/demo").get_pull(pull.number).create_review(event="APPROVE")
    repository.create_file("later.txt", "Later", "later", branch="topic")
    assert [review.state for review in pull.get_reviews()] == ["DISMISSED"]
    with pytest.raises(GithubException) as refused:
        pull.merge()
    assert refused.value.status == 405
    scene.settle()
    assert scene.receiver.names().count("pull_request_review.dismissed") == 1


def test_only_the_last_word_of_people_who_may_write_counts(scene: Stage) -> None:
    ruleset = Ruleset(9, "main", ("main",), frozenset({RefRule.PULL_REQUEST}), (), 1)
    scene.hub.add_ruleset("octo/demo", ruleset)
    repository = scene.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    reader = scene.hub.add_user("eve")
    scene.hub.add_collaborator("octo/demo", "eve", Role.READ)
    owner = scene.as_user().get_repo("octo/demo").get_pull(pull.number)
    scene.as_user(reader).get_repo("octo/demo").get_pull(pull.number).create_review(event="APPROVE")
    owner.create_review(event="APPROVE")
    owner.create_review(event="REQUEST_CHANGES", body="On second thoughts")
    with pytest.raises(GithubException):
        pull.merge()
    owner.create_review(event="APPROVE")
    assert pull.merge().merged
