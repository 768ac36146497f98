"""`python -m action doctor` and `headgate runner doctor`: what a runner lacks, with the fix."""

import ast
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

from action.bare_python import PACKAGES
from action.harness.doctor import Health, clock_finding, sandbox_advice
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
def test_a_complete_runner_has_no_findings(argv: tuple[str, ...]) -> None:
    code, found = run("-m", *argv)
    assert code == 0
    states = {name: finding["health"] for name, finding in found.items()}
    names = ("python", "packages", "git", "sandbox", "agents", "profiles", "disk")
    fine = dict.fromkeys(names, "fine")
    assert states == {**fine, "egress": "unknown", "clock": "unknown", "labels": "unknown"}


@pytest.mark.parametrize("mode", ["doctor", "gates"])
def test_missing_python_packages_are_listed_with_the_install_command(mode: str) -> None:
    order = ("--order-id", "o-1", "--server", "https://headgate.example") if mode == "gates" else ()
    # -S: no site-packages, as on a machine where nothing was installed yet.
    bare = [sys.executable, "-S", "-m", "action", mode, *order]
    done = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == (1 if mode == "doctor" else 2)
    assert "packages: lacks pydantic, httpx2" in said
    assert "-m venv /usr/local/lib/headgate && " in said
    assert "Traceback" not in said


def test_an_old_python_is_reported_before_newer_syntax_is_imported() -> None:
    """The test has no older Python, so the current one pretends to be old."""
    old = "import sys; sys.version_info = (3, 9, 2); sys.argv = ['action', 'doctor', '--json']; "
    start = f"{old}from action.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["findings"]
    assert found["name"] == "python"
    assert found["how"] == "install Python 3.11 or later"


@pytest.mark.parametrize("file", ["action/__main__.py", "action/bare_python.py"])
def test_the_python_check_parses_with_old_python_versions(file: str) -> None:
    ast.parse((ROOT / file).read_text(), feature_version=(3, 8))


def test_the_doctor_says_how_to_fix_missing_git_and_an_unreachable_server(
    tmp_path: Path,
) -> None:
    argv = ("-m", "action", "doctor", "--server", "http://127.0.0.1:1")
    code, found = run(*argv, PATH=str(tmp_path), HEADGATE_PLAIN_HTTP="loopback")
    assert code == 1
    assert found["git"]["how"] == "apt-get install git"
    assert found["egress"]["health"] == "missing"
    assert "firewall" in found["egress"]["how"]


def test_a_server_address_that_orders_refuse_is_a_finding() -> None:
    argv = ("-m", "action", "doctor", "--server")
    code, found = run(*argv, "http://127.0.0.1:1")
    assert (code, found["egress"]["health"]) == (1, "missing")
    assert "is not https" in found["egress"]["says"]
    _, found = run(*argv, "https://a.example", HEADGATE_SERVERS="https://b.example")
    assert "is not in HEADGATE_SERVERS" in found["egress"]["says"]


def test_the_doctor_reports_a_disk_with_little_space(tmp_path: Path) -> None:
    """It uses a file system of 16 MiB in a mount namespace of its own."""
    doctor = f"unshare --map-user=1000 {sys.executable} -m action doctor --json"
    inside = f"mount -t tmpfs -o size=16m,mode=777 none {tmp_path} && exec {doctor}"
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", inside],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}["disk"]
    assert found["health"] == "missing"
    assert found["says"] == f"0.0 GiB free in {tmp_path}"
    assert found["how"] == f"give {tmp_path} 2 GiB or more, or set RUNNER_TEMP to a larger disk"


@pytest.mark.parametrize(
    ("seconds", "health", "says"),
    [
        (5, Health.FINE, "5 s ahead of the server's"),
        (-59, Health.FINE, "59 s behind the server's"),
        (600, Health.MISSING, "600 s ahead of the server's"),
        (-600, Health.MISSING, "600 s behind the server's"),
    ],
)
def test_the_doctor_reports_a_wrong_clock(seconds: int, health: Health, says: str) -> None:
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
def test_the_sandbox_advice_names_the_sysctl_line_to_set(
    tmp_path: Path, path: str, value: str, wanted: str
) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True)
    place.write_text(f"{value}\n")
    assert wanted in sandbox_advice(tmp_path)


def test_the_doctor_checks_the_packages_that_the_action_needs() -> None:
    (needed,) = re.findall(r"needed=\((.*)\)", (ROOT / "action/action.yml").read_text())
    assert needed.split() == list(PACKAGES)
