"""Our own machines: what a stranger's pull could do with our CI, and what a runner's other users can read."""

import base64
import os
import re
import shlex
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.action.fake_server import (
    LEASE_TOKEN,
    MODEL_KEY,
    OIDC_BEARER,
    OIDC_TOKEN,
    READ_TOKEN,
    FakeServer,
)
from tests.action.kit import Harness, Project
from tests.security.kit import attack
from tests.testkit.planting import ROOT

_OURS = "github.event.pull_request.head.repo.full_name == github.repository"
_KEEPS_FORKS_OUT = f"github.event_name != 'pull_request' || {_OURS}"
# They run with our secrets, whoever made them happen.
_FOR_STRANGERS = {"pull_request_target", "workflow_run", "issue_comment", "issues", "discussion"}
_RECORDING = """#!/bin/sh
printf '%s\\n' "$0 $*" >> {folder}/words
"""


def _workflows() -> dict[str, dict[Any, Any]]:
    found = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
    return {path.name: YAML(typ="safe").load(path.read_text()) for path in found}


@pytest.mark.parametrize("name", _workflows())
@pytest.mark.attack(
    "A stranger opens a pull against Headgate itself, to run it on our machine or with our secrets",
    held="`.github/workflows`: no job of a fork's pull runs on a machine of ours, and no word of a pull is code",
)
def test_a_strangers_pull_never_runs_on_our_own_machines(name: str) -> None:
    workflow = _workflows()[name]
    # YAML 1.1 reads `on` as a truth.
    events = workflow["on"] if "on" in workflow else workflow[True]

    assert not _FOR_STRANGERS & set(events)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        if "self-hosted" in str(job.get("runs-on")) and "pull_request" in events:
            assert job["if"] == _KEEPS_FORKS_OUT
        # A file of the same commit, or nothing that a tag can change.
        called = [job.get("uses"), *(step.get("uses") for step in job.get("steps", ()))]
        assert all(re.fullmatch(r"[.$]/\.github/.+|.+@[0-9a-f]{40}", one) for one in called if one)
        for step in job.get("steps", ()):
            assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("name", _workflows())
@pytest.mark.attack(
    "Another user of our CI's machine reads the job's token off the list of processes",
    held="`.github/workflows`: git is told in its environment",
)
def test_our_ci_passes_no_token_on_a_command_line(name: str, tmp_path: Path) -> None:
    (job,) = (j for j in _workflows()[name]["jobs"].values() if "steps" in j)
    (step,) = (s for s in job["steps"] if s["name"] == "Fetch the commit")
    for program in ("git", "base64", "printf"):
        (tmp_path / program).write_text(
            _RECORDING.format(folder=shlex.quote(str(tmp_path)))
            + (f'exec {shutil.which(program)} "$@"\n' if program != "git" else "")
        )
        (tmp_path / program).chmod(0o755)
    token = "ghs_ourown4711"
    told = {
        **dict.fromkeys({**job.get("env", {}), **step["env"]}, "x"),
        "SERVER": "https://x.example",
    }
    told |= {key: token for key in told if key.endswith("TOKEN")}
    path = f"{tmp_path}:{os.environ['PATH']}"

    subprocess.run(
        ["bash", "-e", "-c", step["run"]], env={**told, "PATH": path}, cwd=tmp_path, check=True
    )

    words = (tmp_path / "words").read_text()
    assert "git fetch" in words
    assert token not in words
    assert _pair(token) not in words


@pytest.mark.slow
@pytest.mark.attack(
    "Another user of the runner reads tokens off the list of processes while an order is carried out",
    held="`action.harness.git`, `action.harness.model_proxy`: tokens stand in memory, one in git's environment",
)
def test_the_harness_passes_no_token_on_a_command_line(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(server, project, "echo 2 >shop.py; sleep 0.2")
    seen: set[bytes] = set()
    is_over = threading.Event()
    watch = threading.Thread(target=_watched, args=(seen, is_over))
    watch.start()
    run = harness.run()
    is_over.set()
    watch.join()

    assert run.code == 0, run.output
    assert any(b"git" in words and b"fetch" in words for words in seen)
    secrets = (READ_TOKEN, _pair(READ_TOKEN), LEASE_TOKEN, OIDC_TOKEN, OIDC_BEARER, MODEL_KEY)
    assert not [one for one in secrets if any(one.encode() in words for words in seen)]


def _watched(seen: set[bytes], is_over: threading.Event) -> None:
    while not is_over.is_set():
        for folder in os.scandir("/proc"):
            if folder.name.isdigit():
                try:
                    seen.add(Path(folder.path, "cmdline").read_bytes())
                except OSError:
                    continue


def _pair(token: str) -> str:
    return base64.b64encode(f"x-access-token:{token}".encode()).decode()
