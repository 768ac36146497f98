"""Pulls: opened, updated, checked for conflicts, merged by REST and by push."""

import base64

import pytest
from github import GithubException
from github.Repository import Repository

from bot.localhub.code_owners import unreviewed
from bot.localhub.errors import ApiError
from bot.localhub.model import Role
from bot.localhub.rule_model import MergeMethod, RefRule, RequiredCheck, Ruleset
from tests.localhub.kit import Box, GitError, at


def branch_with(repository: Repository, branch: str, path: str, content: str) -> str:
    """A branch off main with one file; returns its head."""
    main = repository.get_branch("main").commit.sha
    repository.create_git_ref(f"refs/heads/{branch}", main)
    made = repository.create_file(path, f"Add {path}", content, branch=branch)
    return str(made["commit"].sha)


def test_mergeable_is_unknown_at_first(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
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


def test_a_merge_checks_the_head_and_closes_the_issues_it_fixes(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
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
    box.settle()
    (closed,) = box.receiver.payloads("pull_request.closed")
    assert at(closed, "pull_request", "merged") is True
    assert at(closed, "pull_request", "merge_commit_sha") == merged.sha


@pytest.mark.parametrize("method", ["squash", "rebase"])
def test_squash_and_rebase_make_commits_with_one_parent(box: Box, method: str) -> None:
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    repository.create_file("b.txt", "Move main", "b", branch="main")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    sha = pull.merge(merge_method=method).sha
    assert len(repository.get_git_commit(sha).parents) == 1
    assert repository.get_pull(pull.number).merged


def test_a_pull_counts_as_merged_when_main_contains_its_head(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    repository.get_git_ref("heads/main").edit(head)
    shown = repository.get_pull(pull.number)
    assert (shown.merged, shown.state, shown.merge_commit_sha) == (True, "closed", head)
    box.settle()
    assert box.receiver.names()[-3:] == [
        "push",
        "check_suite.requested",
        "pull_request.closed",
    ] or box.receiver.names()[-2:] == ["push", "pull_request.closed"]


def test_pushing_branch_and_main_together_merges_the_pull(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    clone = box.clone(box.installation_token())
    clone.git("merge", "--no-ff", "--quiet", "origin/topic", "--message", "Land")
    clone.git("push", "--atomic", "origin", "HEAD:main", "HEAD:topic")
    assert repository.get_pull(pull.number).merged


def test_a_push_to_the_head_branch_sends_synchronize(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    before = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    clone = box.clone(box.installation_token())
    clone.git("switch", "--quiet", "topic")
    after = clone.commit("b.txt", "b\n")
    clone.git("push", "origin", "topic")
    box.settle()
    (event,) = box.receiver.payloads("pull_request.synchronize")
    assert (event["before"], event["after"]) == (before, after)
    assert repository.get_pull(pull.number).head.sha == after
    assert [file.filename for file in pull.get_files()] == ["a.txt", "b.txt"]
    assert pull.get_commits().totalCount == 2
    clone.git("fetch", "origin", f"refs/pull/{pull.number}/head")


def test_a_pull_is_closed_when_its_branch_is_deleted(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    repository.get_git_ref("heads/topic").delete()
    shown = repository.get_pull(pull.number)
    assert (shown.state, shown.merged) == ("closed", False)


def test_a_pull_needs_commits_and_can_be_opened_once(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
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


def test_authors_cannot_approve_their_own_pull(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    with pytest.raises(GithubException, match="approve your own pull request"):
        pull.create_review(event="APPROVE")
    person = box.as_user().get_repo("octo/demo").get_pull(pull.number)
    person.create_review(body="Good.", event="APPROVE")
    assert [review.state for review in pull.get_reviews()] == ["APPROVED"]
    box.settle()
    (event,) = box.receiver.payloads("pull_request_review.submitted")
    assert at(event, "review", "state") == "approved"


def test_a_required_check_blocks_merges_and_pushes(box: Box) -> None:
    required = RequiredCheck("headgate/verdict", box.app.app_id)
    rules = frozenset({RefRule.NON_FAST_FORWARD})
    ruleset = Ruleset(7, "main", ("main",), rules, (required,))
    box.hub.add_ruleset("octo/demo", ruleset)
    repository = box.as_app().get_repo("octo/demo")
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
    with box.rest(box.installation_token()) as client:
        rules_shown = client.get("/repos/octo/demo/rules/branches/main").json()
    assert [rule["type"] for rule in rules_shown] == ["non_fast_forward", "required_status_checks"]


def test_a_ref_moves_by_compare_and_swap_only(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    repository.create_file("b.txt", "Move main", "b", branch="main")
    with pytest.raises(GithubException, match="not a fast forward"):
        repository.get_git_ref("heads/main").edit(head)
    with pytest.raises(GithubException, match="already exists"):
        repository.create_git_ref("refs/heads/topic", head)
    with pytest.raises(GithubException, match="does not exist"):
        repository.create_git_ref("refs/heads/other", "1" * 40)
    assert repository.compare("main", "topic").status == "diverged"


def test_writing_a_file_requires_the_sha_of_the_current_blob(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    readme = repository.get_contents("README.md")
    assert not isinstance(readme, list)
    repository.update_file("README.md", "First", "one", readme.sha)
    with pytest.raises(GithubException) as stale:
        repository.update_file("README.md", "Second", "two", readme.sha)
    assert stale.value.status == 409
    with box.rest(box.installation_token()) as client:
        content = base64.b64encode(b"on: push\n").decode()
        workflow = client.put(
            "/repos/octo/demo/contents/.github/workflows/ci.yml",
            json={"message": "m", "content": content},
        )
    assert workflow.status_code == 403
    with pytest.raises(GitError):
        box.clone().git("cat-file", "-e", "HEAD:.github/workflows/ci.yml")


def test_an_approval_is_dismissed_when_the_branch_moves(box: Box) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    ruleset = Ruleset(9, "main", ("main",), rules, (), 1, dismisses_stale_reviews=True)
    box.hub.add_ruleset("octo/demo", ruleset)
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    box.as_user().get_repo("octo/demo").get_pull(pull.number).create_review(event="APPROVE")
    repository.create_file("later.txt", "Later", "later", branch="topic")
    assert [review.state for review in pull.get_reviews()] == ["DISMISSED"]
    with pytest.raises(GithubException) as refused:
        pull.merge()
    assert refused.value.status == 405
    box.settle()
    assert box.receiver.names().count("pull_request_review.dismissed") == 1


def test_only_the_last_review_of_each_writer_counts(box: Box) -> None:
    ruleset = Ruleset(9, "main", ("main",), frozenset({RefRule.PULL_REQUEST}), (), 1)
    box.hub.add_ruleset("octo/demo", ruleset)
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    reader = box.hub.add_user("eve")
    box.hub.add_collaborator("octo/demo", "eve", Role.READ)
    owner = box.as_user().get_repo("octo/demo").get_pull(pull.number)
    box.as_user(reader).get_repo("octo/demo").get_pull(pull.number).create_review(event="APPROVE")
    owner.create_review(event="APPROVE")
    owner.create_review(event="REQUEST_CHANGES", body="On second thoughts")
    with pytest.raises(GithubException):
        pull.merge()
    owner.create_review(event="APPROVE")
    assert pull.merge().merged


def test_the_last_pusher_cannot_approve(box: Box) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    held = Ruleset(1, "others", ("~DEFAULT_BRANCH",), rules, needs_last_push=True)
    box.hub.add_ruleset("octo/demo", held)
    mona, lisa = box.hub.add_user("mona"), box.hub.add_user("lisa")
    for login in ("mona", "lisa"):
        box.hub.add_collaborator("octo/demo", login, Role.WRITE)
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    approvals = [
        box.as_user(who).get_repo("octo/demo").get_pull(pull.number) for who in (mona, lisa)
    ]
    by_mona, by_lisa = approvals
    by_lisa.create_review(event="APPROVE")
    theirs = box.as_user(mona).get_repo("octo/demo")
    theirs.create_file("b.txt", "More", b"b", branch="topic")
    by_mona.create_review(event="APPROVE")

    # The one pushed it, and the other approved something else.
    with pytest.raises(GithubException, match="someone other than mona because they were the last"):
        repository.get_pull(pull.number).merge()
    by_lisa.create_review(event="APPROVE")
    assert repository.get_pull(pull.number).merge().merged


@pytest.mark.parametrize("by_queue", [False, True])
def test_an_open_thread_blocks_a_merge_if_a_rule_requires_resolution(
    box: Box, *, by_queue: bool
) -> None:
    rules = {RefRule.PULL_REQUEST, *([RefRule.MERGE_QUEUE] if by_queue else [])}
    held = Ruleset(1, "threads", ("~DEFAULT_BRANCH",), frozenset(rules), needs_resolution=True)
    box.hub.add_ruleset("octo/demo", held)
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    commit = repository.get_commit(pull.head.sha)
    box.as_user().get_repo("octo/demo").get_pull(pull.number).create_review_comment(
        "Why?", commit, "a.txt", line=1
    )
    (root,) = box.hub.state.review_comments.values()
    if by_queue:
        actor = box.hub.as_user(root.user.login)
        with pytest.raises(ApiError, match="A conversation must be resolved before this"):
            box.hub.merge_queue.enqueue(root.issue, root.pull, actor, None)
        return

    with pytest.raises(GithubException, match="A conversation must be resolved before this") as no:
        pull.merge()
    assert no.value.status == 405
    root.resolved_by = root.user
    assert pull.merge().merged


def test_a_pull_needs_the_review_of_its_code_owners(box: Box) -> None:
    mona = box.hub.add_user("mona")
    box.hub.add_collaborator("octo/demo", "mona", Role.WRITE)
    owners = b"* @hubot\n/docs/ @mona # theirs\n/docs/free.md\n"
    box.hub.commit_files("octo/demo", {".github/CODEOWNERS": owners}, "Say who owns what")
    rules = frozenset({RefRule.PULL_REQUEST})
    box.hub.add_ruleset(
        "octo/demo", Ruleset(1, "owners", ("~DEFAULT_BRANCH",), rules, needs_code_owners=True)
    )
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "theirs", "docs/a.md", "a")
    branch_with(repository, "free", "docs/free.md", "b")
    theirs = repository.create_pull("main", "theirs", title="Theirs", body="")
    with pytest.raises(GithubException, match="Waiting on code owner review from mona"):
        theirs.merge()
    assert repository.create_pull("main", "free", title="Free", body="").merge().merged
    box.as_user(mona).get_repo("octo/demo").get_pull(theirs.number).create_review(event="APPROVE")
    assert repository.get_pull(theirs.number).merge().merged


def test_code_owner_patterns_match_as_on_github(box: Box) -> None:
    """`docs/*` is the folder's own files, a path may have an escaped space, and what is no pattern is skipped."""
    owners = b"\xef\xbb\xbf* @mona\n/docs/* @lisa\n/my\\ notes/ @hubot\ndocs\\\n"
    box.hub.commit_files("octo/demo", {".github/CODEOWNERS": owners}, "Say who owns what")
    git = box.hub.repository("octo/demo").git

    def owner_of(path: str) -> list[str]:
        return unreviewed(git, "main", [path], ())

    assert owner_of("docs/a.md") == ["lisa"]
    assert owner_of("docs/deep/a.md") == ["mona"]
    assert owner_of("my notes/a.md") == ["hubot"]
    assert owner_of("a.md") == ["mona"]


def test_a_merge_queue_refuses_merges_by_hand_as_it_refuses_pushes(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Mend", body="")
    main = repository.get_branch("main").commit.sha
    queue = Ruleset(7, "queue", ("main",), frozenset({RefRule.MERGE_QUEUE}))
    box.hub.add_ruleset("octo/demo", queue)

    with pytest.raises(GithubException) as refused:
        pull.merge(sha=head)

    assert refused.value.status == 405
    assert "Changes must be made through the merge queue" in str(refused.value)
    assert repository.get_branch("main").commit.sha == main


@pytest.mark.parametrize("is_setting", [True, False])
def test_only_the_methods_of_rule_and_repository_merge_a_pull(box: Box, is_setting: bool) -> None:
    repository = box.as_app().get_repo("octo/demo")
    head = branch_with(repository, "topic", "a.txt", "a")
    pull = repository.create_pull("main", "topic", title="Mend", body="")
    squash = frozenset({MergeMethod.SQUASH})
    if is_setting:
        box.hub.repository("octo/demo").merge_methods = squash
    else:
        rules = frozenset({RefRule.PULL_REQUEST})
        rule = Ruleset(7, "squash", ("main",), rules, merge_methods=squash)
        box.hub.add_ruleset("octo/demo", rule)

    for method in ("merge", "rebase"):
        with pytest.raises(GithubException, match="are not allowed on this repository") as refused:
            pull.merge(sha=head, merge_method=method)
        assert refused.value.status == 405

    assert pull.merge(sha=head, merge_method="squash").merged
    fresh = box.as_app().get_repo("octo/demo")
    assert fresh.allow_merge_commit is not is_setting
    assert fresh.allow_squash_merge
