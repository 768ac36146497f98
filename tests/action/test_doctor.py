"""`python -m action doctor` and `headgate runner doctor`: what a runner lacks, with the fix."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from action.harness.doctor import PACKAGES, Health, clock_finding, sandbox_advice
from action.harness.http_client import Answer

ROOT = Path(__file__).parents[2]


def run(*argv: str, **environment: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run it as a program with `--json`; the exit code and the findings by name."""
    done = subprocess.run(
        [sys.executable, *argv, "--json"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)["findings"]
    return done.returncode, {finding["name"]: finding for finding in found}


@pytest.mark.parametrize("argv", [("action", "doctor"), ("bot.entry.cli", "runner", "doctor")])
def test_a_whole_runner_lacks_nothing(argv: tuple[str, ...]) -> None:
    code, found = run("-m", *argv)
    assert code == 0
    states = {name: finding["health"] for name, finding in found.items()}
    names = ("python", "packages", "git", "sandbox", "agents", "profiles", "disk")
    fine = dict.fromkeys(names, "fine")
    assert states == {**fine, "egress": "unknown", "clock": "unknown", "labels": "unknown"}


def test_a_runner_without_git_and_with_an_unreachable_server_is_told_what_to_do(
    tmp_path: Path,
) -> None:
    argv = ("-m", "action", "doctor", "--server", "http://127.0.0.1:1")
    code, found = run(*argv, PATH=str(tmp_path))
    assert code == 1
    assert found["git"]["how"] == "apt-get install git"
    assert found["egress"]["health"] == "missing"
    assert "firewall" in found["egress"]["how"]


@pytest.mark.parametrize(
    ("seconds", "health", "says"),
    [
        (5, Health.FINE, "5 s ahead of the server's"),
        (-59, Health.FINE, "59 s behind the server's"),
        (600, Health.MISSING, "600 s ahead of the server's"),
        (-600, Health.MISSING, "600 s behind the server's"),
    ],
)
def test_a_clock_that_is_off_is_seen(seconds: int, health: Health, says: str) -> None:
    there = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    answer = Answer(200, b"", format_datetime(there, usegmt=True))
    found = clock_finding(answer, there + timedelta(seconds=seconds))
    assert (found.health, found.says) == (health, says)


@pytest.mark.parametrize(
    ("path", "value", "wanted"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "userns=0"),
        ("kernel/unprivileged_userns_clone", "0", "clone=1"),
        ("user/max_user_namespaces", "0", "namespaces=15000"),
    ],
)
def test_what_the_kernel_forbids_is_named_with_the_line_that_allows_it(
    tmp_path: Path, path: str, value: str, wanted: str
) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True)
    place.write_text(f"{value}\n")
    assert wanted in sandbox_advice(tmp_path)


def test_it_looks_for_the_packages_that_the_action_asks_for() -> None:
    (needed,) = re.findall(r"needed=\((.*)\)", (ROOT / "action/action.yml").read_text())
    assert needed.split() == list(PACKAGES)
