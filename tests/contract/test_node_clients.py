"""octokit and Probot, GitHub's own client and framework, work with localhub unchanged."""

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.localhub.apps import AppCredentials
from tests.contract.foreign import NODE, NODE_PROGRAM, run_node
from tests.localhub.kit import SECRET, Box, served_box, wait_for


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """The stage of localhub's stories."""
    with served_box(tmp_path) as one:
        yield one


def key_of(app: AppCredentials, folder: Path) -> str:
    """The App's key as a file, because command lines are visible."""
    path = folder / f"{app.app_id}.pem"
    path.write_text(app.private_key_pem, encoding="utf-8")
    return str(path)


@contextmanager
def probot(url: str, app: AppCredentials, folder: Path) -> Iterator[int]:
    """Runs a Probot App; yields its port."""
    arguments = [url, str(app.app_id), key_of(app, folder), SECRET]
    process = subprocess.Popen(
        [NODE_PROGRAM, "probot_app.mjs", *arguments],
        cwd=NODE,
        env={"PATH": os.environ["PATH"], "NODE_ENV": "production"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in process.stdout or []:
            lines.put(line)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        # Probot prints a line before it listens.
        while not (said := lines.get(timeout=60)).startswith("port "):
            pass
        yield int(said.split()[1])
    finally:
        process.terminate()
        process.wait(20)
        reader.join(5)
        if process.stdout is not None:
            process.stdout.close()


def test_octokit_paginates_and_signs_in_as_an_app(box: Box, tmp_path: Path) -> None:
    credentials = (box.user_token, str(box.app.app_id), key_of(box.app, tmp_path))
    seen = json.loads(run_node("octokit_tour.mjs", box.url, *credentials))
    assert seen["titles"] == ["one", "two", "three"]
    assert seen["count"] == 3
    assert seen["slug"] == "headgate-test"
    assert seen["repositories"] == ["octo/demo"]
    assert seen["refused"]["status"] == 404
    runs = box.as_app().get_repo("octo/demo").get_commit("main").get_check_runs()
    assert [(run.name, run.conclusion) for run in runs] == [("octokit", "success")]


def test_a_probot_app_answers_a_comment_beside_our_own_app(box: Box, tmp_path: Path) -> None:
    hub = box.hub
    permissions = {"issues": "write"}
    app = hub.register_app("Thanks", None, SECRET, permissions, ("issue_comment",))
    hub.install_app(app.app_id, "octo")
    with probot(box.url, app, tmp_path) as port:
        hub.set_webhook_url(app.app_id, f"http://127.0.0.1:{port}/webhook")
        issue = box.as_user().get_repo("octo/demo").create_issue("A leak")
        comment = issue.create_comment("I mended it.")
        wait_for(lambda: issue.get_comments().totalCount == 2, 30)
        box.settle()
    first, second = issue.get_comments()
    assert [reaction.content for reaction in first.get_reactions()] == ["heart"]
    assert first.id == comment.id
    assert (second.user.login, second.body) == ("thanks[bot]", "Thank you, @octo.")
    box.settle()
    assert "issue_comment.created" in box.receiver.names()
