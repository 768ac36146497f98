"""Hub, Actions and runner together: pushes, pulls and dispatches start workflows."""

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bot.localhub.actions.service import ActionsService
from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running
from tests.localhub.kit import ALL_EVENTS, ALL_PERMISSIONS, SECRET, receiving, wait_for

WORKFLOW = b"""
name: Greet
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
    inputs:
      who: {required: true, type: string}
permissions: {contents: read}
jobs:
  greet:
    runs-on: [self-hosted]
    steps:
      - run: echo "hello ${{ inputs.who }}"
"""
PATH = ".github/workflows/greet.yml"


@contextmanager
def box(folder: Path, webhook_url: str | None = None) -> Iterator[tuple[Hub, ActionsService, str]]:
    """A hub with Actions, the user mona, `mona/tide`, and an App that subscribes to all events."""
    hub = Hub(folder / "hub")
    service = actions_of(hub)
    with running(hub, extensions=[extension(service)]) as url:
        hub.add_user("mona")
        hub.add_repository("mona", "tide")
        app = hub.register_app("App", webhook_url, SECRET, ALL_PERMISSIONS, ALL_EVENTS)
        hub.install_app(app.app_id, "mona")
        hub.commit_files("mona/tide", {PATH: WORKFLOW}, "Begin")
        try:
            yield hub, service, url
        finally:
            service.close()


@contextmanager
def runner(url: str, work: Path) -> Iterator[None]:
    """A runner process that ends with the test."""
    module = ["-m", "bot.localhub.actions.runner"]
    options = ["--url", url, "--labels", "self-hosted", "--work", str(work)]
    process = subprocess.Popen(
        [sys.executable, *module, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(15)


def test_a_push_and_a_dispatch_run_on_a_runner_with_webhooks(tmp_path: Path) -> None:
    with (
        receiving() as receiver,
        box(tmp_path, receiver.url) as (hub, _, url),
        runner(url, tmp_path / "work"),
    ):
        headers = {"Authorization": f"token {hub.mint_user_token('mona')}"}
        root = "/api/v3/repos/mona/tide/actions"
        with httpx.Client(base_url=url, headers=headers, trust_env=False) as client:
            body = {"ref": "main", "inputs": {"who": "tide"}}
            dispatch = client.post(f"{root}/workflows/greet.yml/dispatches", json=body)
            assert dispatch.is_success

            def ends() -> list[tuple[str, str | None]]:
                runs = client.get(f"{root}/runs").json()["workflow_runs"]
                return sorted((run["event"], run["conclusion"]) for run in runs)

            both = [("push", "success"), ("workflow_dispatch", "success")]
            wait_for(lambda: ends() == both, 30)
            shown = client.get(f"{root}/runs").json()["workflow_runs"][0]
            assert httpx.get(shown["html_url"], trust_env=False).status_code == 200
        assert hub.wait_until_delivered(10)
        assert receiver.names().count("workflow_run.completed") == 2
        assert "check_run.completed" in receiver.names()


def test_a_pull_starts_a_run_at_its_head_and_again_when_its_branch_moves(tmp_path: Path) -> None:
    with box(tmp_path) as (hub, service, url):
        headers = {"Authorization": f"token {hub.mint_user_token('mona')}"}
        root = "/api/v3/repos/mona/tide"
        with httpx.Client(base_url=url, headers=headers, trust_env=False) as client:
            main = client.get(f"{root}/git/ref/heads/main").json()["object"]["sha"]
            client.post(f"{root}/git/refs", json={"ref": "refs/heads/swell", "sha": main})
            for number, text in enumerate((b"one", b"two")):
                _put(client, f"{root}/contents/wave.txt", text)
                if number == 0:
                    pull = {"title": "A swell", "head": "swell", "base": "main"}
                    assert client.post(f"{root}/pulls", json=pull).status_code == 201
            tip = client.get(f"{root}/git/ref/heads/swell").json()["object"]["sha"]
        found = [run for run in service.runs("mona/tide") if run.event == "pull_request"]
        assert [run.event_payload["action"] for run in found] == ["synchronize", "opened"]
        assert [run.head_sha == tip for run in found] == [True, False]
        assert {(run.head_branch, run.display_title) for run in found} == {("swell", "A swell")}


def _put(client: httpx.Client, url: str, text: bytes) -> None:
    body: dict[str, str] = {
        "message": "Write",
        "branch": "swell",
        "content": base64.b64encode(text).decode(),
    }
    held = client.get(url, params={"ref": "swell"})
    if held.is_success:
        body["sha"] = held.json()["sha"]
    client.put(url, json=body).raise_for_status()
