"""A hub that is filled from a file, and the hub as the Actions service sees it."""

import json
from pathlib import Path

import httpx
import pytest
from flask import Blueprint, request

from bot.localhub.errors import ApiError
from bot.localhub.hub import Hub
from bot.localhub.model import TokenKind, Visibility
from bot.localhub.routes import api
from bot.localhub.seed import SeedError, apply_seed, load_seed, write_credentials
from bot.localhub.server import running
from tests.localhub.kit import Box, GitError

SEED = """
users: [mona, hubot]
repositories:
  - name: mona/tide
    visibility: private
    directory: tide
    message: First commit
    collaborators: {hubot: write}
    rulesets: [{name: main, rules: [non_fast_forward]}]
apps:
  - name: Headgate
    owner: mona
    permissions: {contents: write, issues: write}
    events: [push, issues]
    installations: [{owner: mona, repositories: [mona/tide]}]
"""


def test_a_seed_file_fills_a_hub_and_writes_a_private_credentials_file(tmp_path: Path) -> None:
    (tmp_path / "tide" / "src").mkdir(parents=True)
    (tmp_path / "tide" / "src" / "a.py").write_text("print(1)\n")
    (tmp_path / "seed.yml").write_text(SEED)
    credentials = tmp_path / "credentials.json"
    credentials.write_text("{}")
    credentials.chmod(0o644)
    with Hub(tmp_path / "hub") as hub:
        planted = apply_seed(hub, load_seed(tmp_path / "seed.yml"), tmp_path)
        write_credentials(credentials, planted, "http://127.0.0.1:1")
        repository = hub.repository("mona/tide")
        head = repository.refs["refs/heads/main"]
        assert repository.git.commit(head).message.strip() == "First commit"
        assert repository.git.read_file(head, "src/a.py") == b"print(1)\n"
    written = json.loads(credentials.read_text())
    assert credentials.stat().st_mode & 0o777 == 0o600
    assert set(written["tokens"]) == {"mona", "hubot"}
    app = written["apps"]["headgate"]
    assert app["installation_ids"].keys() == {"mona"}
    assert app["private_key_pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")


def test_a_seed_file_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "seed.yml").write_text("people: [mona]\n")
    with pytest.raises(SeedError, match="people"):
        load_seed(tmp_path / "seed.yml")


def test_the_actions_host_reads_commits_and_records_check_runs_of_jobs(box: Box) -> None:
    side = box.hub.actions_host
    sha = side.resolve("octo/demo", "refs/heads/main")
    assert sha == side.resolve("octo/demo", "main")
    assert sha is not None
    assert side.read_file("octo/demo", sha, "README.md") == b"# Demo\n"
    assert side.list_files("octo/demo", sha, "") == ["README.md"]
    assert side.list_files("octo/demo", sha, ".github/workflows") == []
    first = side.record_job_check("octo/demo", sha, "build", 7, "in_progress", None, "http://x/1")
    second = side.record_job_check(
        "octo/demo", sha, "build", 7, "completed", "success", "http://x/1"
    )
    assert first == second
    (run,) = box.as_app().get_repo("octo/demo").get_commit(sha).get_check_runs()
    assert (run.app.slug, run.app.id, run.conclusion) == ("github-actions", 15368, "success")


def test_a_job_token_is_limited_to_its_repository_and_can_be_revoked(box: Box) -> None:
    side = box.hub.actions_host
    token = side.mint_job_token("octo/demo", {"contents": "read"})
    account = box.hub.access.actor_of_token(token).account
    assert account is not None
    assert account.login == "github-actions[bot]"
    clone = box.clone(token)
    clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match="403"):
        clone.git("push", "origin", "main")
    side.revoke_token(token)
    with pytest.raises(ApiError):
        box.hub.access.actor_of_token(token)


def test_push_listeners_get_the_kind_of_the_actor(box: Box) -> None:
    heard: list[tuple[str, TokenKind]] = []
    box.hub.on_push(lambda repository, move, actor: heard.append((move.ref, actor.kind)))
    token = box.hub.actions_host.mint_job_token("octo/demo", {"contents": "write"})
    clone = box.clone(token)
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "main", "main:refs/headgate/x")
    assert heard == [("refs/heads/main", TokenKind.JOB)]


def test_an_extension_is_served_by_the_hub_with_its_authorisation(tmp_path: Path) -> None:
    routes = Blueprint("extension", __name__)

    @routes.get("/repos/<owner>/<name>/extension")
    def show(owner: str, name: str) -> dict[str, str]:
        return {"login": api.authorise(f"{owner}/{name}", "actions", "read").login}

    @routes.get("/_extension")
    def echo() -> dict[str, str]:
        return {"heard": request.headers["Authorization"]}

    hub = Hub(tmp_path)
    with running(hub, extensions=[lambda app, _: app.register_blueprint(routes)]) as url:
        token = hub.add_user("mona")
        hub.add_repository("mona", "tide", Visibility.PRIVATE)
        own = {"Authorization": f"token {token}"}
        foreign = {"Authorization": "Bearer of-the-extension"}
        with httpx.Client(base_url=url, trust_env=False) as client:
            path = "/api/v3/repos/mona/tide/extension"
            assert client.get(path, headers=own).json() == {"login": "mona"}
            assert client.get(path).status_code == 404
            assert client.get(path, headers=foreign).status_code == 401
            heard = client.get("/_extension", headers=foreign).json()
    assert heard == {"heard": "Bearer of-the-extension"}


def test_pull_listeners_get_every_event(box: Box) -> None:
    heard: list[tuple[int, str]] = []
    box.hub.on_pull_request(lambda issue, action, _: heard.append((issue.number, action)))
    repository = box.as_app().get_repo("octo/demo")
    main = repository.get_branch("main").commit.sha
    repository.create_git_ref("refs/heads/topic", main)
    repository.create_file("a.txt", "Add", "a", branch="topic")
    pull = repository.create_pull("main", "topic", title="Topic", body="")
    repository.create_file("b.txt", "Add", "b", branch="topic")
    assert heard == [(pull.number, "opened"), (pull.number, "synchronize")]


def test_webhooks_of_the_actions_host_have_the_common_keys(
    box: Box,
) -> None:
    side = box.hub.actions_host
    sender = {"login": "octo"}
    body: dict[str, object] = {
        "ref": "main",
        "ref_type": "branch",
        "master_branch": "main",
        "description": None,
        "pusher_type": "user",
    }
    side.emit("octo/demo", "create", None, body, dict(sender))
    box.settle()
    (event,) = box.receiver.payloads("create")
    assert event.keys() == {
        *body,
        "repository",
        "sender",
        "installation",
    }
