"""Forks: one per account, whose branches can become pulls of the parent."""

import pytest
from github import GithubException

from bot.localhub.model import Role
from tests.localhub.kit import Box, at


def _fork(box: Box, login: str = "stranger") -> str:
    """The token of a user who has forked the repository."""
    token = box.hub.add_user(login)
    box.hub.add_collaborator("octo/demo", login, Role.READ)
    fork = box.as_user(token).get_repo("octo/demo").create_fork()
    assert (fork.full_name, fork.fork, fork.parent.full_name) == (
        f"{login}/demo",
        True,
        "octo/demo",
    )
    assert not fork.has_issues
    return token


def _commit(box: Box, path: str, text: str, login: str = "stranger") -> str:
    return box.hub.commit_files(f"{login}/demo", {path: text.encode()}, f"Add {path}", login)


def test_a_pull_from_a_fork_is_opened_updated_and_merged(box: Box) -> None:
    token = _fork(box)
    head = _commit(box, "a.txt", "a")
    upstream = box.as_user(token).get_repo("octo/demo")
    pull = upstream.create_pull("main", "stranger:main", title="From outside", body="")
    assert (pull.head.repo.full_name, pull.base.repo.full_name) == ("stranger/demo", "octo/demo")
    assert pull.head.label == "stranger:main"
    listed = [p.number for p in upstream.get_pulls(head="stranger:main")]
    assert listed == [pull.number]
    assert list(upstream.get_pulls(head="octo:main")) == []

    ours = box.as_app().get_repo("octo/demo")
    ref = ours.get_git_ref(f"pull/{pull.number}/head")
    assert ref.object.sha == head
    head = _commit(box, "b.txt", "b")
    assert ours.get_pull(pull.number).head.sha == head
    box.settle()
    (followed,) = box.receiver.payloads("pull_request.synchronize")
    assert at(followed, "pull_request", "head", "repo", "fork") is True

    merged = ours.get_pull(pull.number).merge()
    message = ours.get_commit(merged.sha).commit.message
    assert message.startswith(f"Merge pull request #{pull.number} from stranger/main")


def test_an_account_has_one_fork_and_its_pull_needs_an_existing_branch(box: Box) -> None:
    token = _fork(box)
    again = box.as_user(token).get_repo("octo/demo").create_fork()
    assert again.full_name == "stranger/demo"
    assert box.as_app().get_repo("octo/demo").forks_count == 1
    upstream = box.as_user(token).get_repo("octo/demo")
    for head in ("stranger:gone", "nobody:main"):
        with pytest.raises(GithubException) as refused:
            upstream.create_pull("main", head, title="x", body="")
        assert refused.value.status == 422


def test_an_app_cannot_fork(box: Box) -> None:
    with pytest.raises(GithubException) as refused:
        box.as_app().get_repo("octo/demo").create_fork()
    assert refused.value.status == 403
