"""Forks: an account has one of a repository, and its branches are offered to the parent as pulls."""

import pytest
from github import GithubException

from bot.localhub.model import Role
from tests.localhub.kit import Stage, at


def _fork(scene: Stage, login: str = "stranger") -> str:
    """Somebody's token, who has forked the repository."""
    token = scene.hub.add_user(login)
    scene.hub.add_collaborator("octo/demo", login, Role.READ)
    fork = scene.as_user(token).get_repo("octo/demo").create_fork()
    assert (fork.full_name, fork.fork, fork.parent.full_name) == (
        f"{login}/demo",
        True,
        "octo/demo",
    )
    return token


def _commit(scene: Stage, path: str, text: str, login: str = "stranger") -> str:
    return scene.hub.commit_files(f"{login}/demo", {path: text.encode()}, f"Add {path}", login)


def test_a_forks_branch_is_offered_followed_and_merged(scene: Stage) -> None:
    token = _fork(scene)
    head = _commit(scene, "a.txt", "a")
    upstream = scene.as_user(token).get_repo("octo/demo")
    pull = upstream.create_pull("main", "stranger:main", title="From outside", body="")
    assert (pull.head.repo.full_name, pull.base.repo.full_name) == ("stranger/demo", "octo/demo")
    assert pull.head.label == "stranger:main"
    listed = [p.number for p in upstream.get_pulls(head="stranger:main")]
    assert listed == [pull.number]
    assert list(upstream.get_pulls(head="octo:main")) == []

    ours = scene.as_app().get_repo("octo/demo")
    ref = ours.get_git_ref(f"pull/{pull.number}/head")
    assert ref.object.sha == head
    head = _commit(scene, "b.txt", "b")
    assert ours.get_pull(pull.number).head.sha == head
    scene.settle()
    (followed,) = scene.receiver.payloads("pull_request.synchronize")
    assert at(followed, "pull_request", "head", "repo", "fork") is True

    merged = ours.get_pull(pull.number).merge()
    message = ours.get_commit(merged.sha).commit.message
    assert message.startswith(f"Merge pull request #{pull.number} from stranger/main")


def test_an_account_has_one_fork_and_offers_what_is_there(scene: Stage) -> None:
    token = _fork(scene)
    again = scene.as_user(token).get_repo("octo/demo").create_fork()
    assert again.full_name == "stranger/demo"
    assert scene.as_app().get_repo("octo/demo").forks_count == 1
    upstream = scene.as_user(token).get_repo("octo/demo")
    for head in ("stranger:gone", "nobody:main"):
        with pytest.raises(GithubException) as refused:
            upstream.create_pull("main", head, title="x", body="")
        assert refused.value.status == 422


def test_an_app_cannot_fork(scene: Stage) -> None:
    with pytest.raises(GithubException) as refused:
        scene.as_app().get_repo("octo/demo").create_fork()
    assert refused.value.status == 403
