"""A repository that gets another name, owner or default branch: what an App sees and hears."""

import pytest

from bot.localhub.model import Actor, Repository
from tests.localhub.kit import Box, at
from tests.localhub.test_apps import app_jwt


@pytest.fixture
def demo(box: Box) -> Repository:
    """The repository of the box; its App hears of repositories and accounts, too."""
    app = box.hub.state.apps[box.app.app_id]
    app.events = (*app.events, "repository", "installation_target")
    return box.hub.repository("octo/demo")


@pytest.fixture
def octo(box: Box) -> Actor:
    return box.hub.as_user("octo")


def test_a_former_name_redirects_to_the_id(box: Box, demo: Repository, octo: Actor) -> None:
    box.hub.lives.rename(demo, octo, "trial")
    with box.rest(box.installation_token()) as client:
        read = client.get("/api/v3/repos/octo/demo/issues?state=all")
        assert read.status_code == 301
        assert read.headers["location"].endswith(f"/repositories/{demo.id}/issues?state=all")
        write = client.post("/repos/octo/demo/issues", json={"title": "x"})
        assert write.status_code == 307
        assert client.get(f"/repositories/{demo.id}").json()["full_name"] == "octo/trial"
        assert client.get(f"/repositories/{demo.id}/issues").json() == []
        assert client.get("/repositories/4711").status_code == 404
    box.settle()
    (told,) = box.receiver.payloads("repository.renamed")
    assert at(told, "changes", "repository", "name", "from") == "demo"
    assert at(told, "repository", "full_name") == "octo/trial"


def test_a_stranger_does_not_learn_the_new_name(box: Box, demo: Repository, octo: Actor) -> None:
    box.hub.lives.rename(demo, octo, "trial")
    with box.rest(box.hub.add_user("eve")) as stranger:
        assert stranger.get("/repos/octo/demo").status_code == 404
        assert stranger.get(f"/repositories/{demo.id}").status_code == 404


def test_git_follows_a_former_name(box: Box, demo: Repository, octo: Actor) -> None:
    clone = box.clone()
    box.hub.lives.rename(demo, octo, "trial")
    sha = clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "main")
    assert demo.refs["refs/heads/main"] == sha


def test_another_repository_takes_a_former_name(box: Box, demo: Repository, octo: Actor) -> None:
    box.hub.lives.rename(demo, octo, "trial")
    other = box.hub.add_repository("octo", "demo")
    with box.rest(box.user_token) as client:
        assert client.get("/repos/octo/demo").json()["id"] == other.id
        assert client.get("/repos/octo/trial").json()["id"] == demo.id


def test_after_a_transfer_the_new_owners_installation_counts(
    box: Box, demo: Repository, octo: Actor
) -> None:
    box.hub.add_organization("acme")
    app = box.hub.state.apps[box.app.app_id]
    new = box.hub.install_app(app.id, "acme")
    box.settle()
    box.receiver.received.clear()
    with box.rest(box.installation_token()) as former, box.rest(app_jwt(box)) as ourselves:
        box.hub.lives.transfer(demo, octo, box.hub.account("acme"))
        assert former.get(f"/repositories/{demo.id}").status_code == 404
        assert ourselves.get(f"/repositories/{demo.id}/installation").json()["id"] == new
    box.settle()
    assert box.receiver.names() == [
        "installation_repositories.removed",
        "installation_repositories.added",
        "repository.transferred",
    ]
    (told,) = box.receiver.payloads("repository.transferred")
    assert at(told, "changes", "owner", "from", "user", "login") == "octo"


def test_an_account_with_another_login_takes_its_repositories_along(
    box: Box, demo: Repository
) -> None:
    box.hub.lives.rename_account(box.hub.account("octo"), "mona")
    with box.rest(box.installation_token()) as client:
        assert client.get(f"/repositories/{demo.id}").json()["full_name"] == "mona/demo"
        assert client.get("/repos/octo/demo").status_code == 301
    box.settle()
    (told,) = box.receiver.payloads("installation_target.renamed")
    assert at(told, "changes", "login", "from") == "octo"
    assert at(told, "installation", "id") == box.installation_id


def test_a_renamed_default_branch_takes_its_pulls_along(
    box: Box, demo: Repository, octo: Actor
) -> None:
    clone = box.clone()
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "main:topic")
    pull = box.as_user().get_repo("octo/demo").create_pull("main", "topic", title="A", body="")
    box.hub.lives.rename_branch(demo, octo, "main", "trunk")
    with box.rest(box.user_token) as client:
        assert client.get("/repos/octo/demo").json()["default_branch"] == "trunk"
        assert client.get("/repos/octo/demo/branches/main").status_code == 404
        seen = client.get(f"/repos/octo/demo/pulls/{pull.number}").json()
        assert (seen["state"], seen["base"]["ref"]) == ("open", "trunk")
    assert box.clone().git("rev-parse", "--abbrev-ref", "HEAD") == "trunk"


def test_another_default_branch_leaves_pulls_where_they_are(
    box: Box, demo: Repository, octo: Actor
) -> None:
    clone = box.clone()
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "main:topic", "main~1:refs/heads/next")
    pull = box.as_user().get_repo("octo/demo").create_pull("main", "topic", title="A", body="")
    box.hub.lives.set_default_branch(demo, octo, "next")
    with box.rest(box.user_token) as client:
        assert client.get(f"/repos/octo/demo/pulls/{pull.number}").json()["base"]["ref"] == "main"
    box.settle()
    (told,) = box.receiver.payloads("repository.edited")
    assert at(told, "changes", "default_branch", "from") == "main"


def test_a_deleted_repository_is_answered_with_404(box: Box, demo: Repository, octo: Actor) -> None:
    box.hub.lives.delete(demo, octo)
    with box.rest(box.user_token) as client:
        assert client.get("/repos/octo/demo").status_code == 404
        assert client.get(f"/repositories/{demo.id}").status_code == 404
    box.settle()
    assert "repository.deleted" in box.receiver.names()


def test_a_token_cannot_have_permissions_that_the_owner_revoked(box: Box) -> None:
    installation = box.hub.state.installations[box.installation_id]
    box.hub.apps.accept_permissions(installation, {"contents": "read"})
    path = f"/app/installations/{box.installation_id}/access_tokens"
    with box.rest(app_jwt(box)) as client:
        asked = {"permissions": {"contents": "write"}}
        assert client.post(path, json=asked).status_code == 422
    box.settle()
    assert "installation.new_permissions_accepted" in box.receiver.names()
