"""Machines that lack something: git, letters, room for what is printed. Each is told in a sentence."""

import importlib.metadata
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.entry import workflow_files
from tests.entry.browser_kit import free_port
from tests.test_command_line import ROOT, SPEC, headgate

UMLAUTS = SPEC.replace("Sum up", "Eine Kässe → 🧾")
# Where Python would take UTF-8 by itself, it is told not to.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "till.md").write_text(UMLAUTS)
    return folder


def path_without_git(folder: Path, git: str = "") -> str:
    """A PATH with what else a server needs; with `git`, one that says that it is this version."""
    programs = folder / "programs"
    programs.mkdir()
    server = shutil.which("redis-server") or shutil.which("valkey-server")
    if server:
        (programs / Path(server).name).symlink_to(server)
    if git:
        (programs / "git").write_text(f"#!/bin/sh\necho git version {git}\n")
        (programs / "git").chmod(0o755)
    return str(programs)


def fresh(arguments: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter of its own: what it does with letters it decides when it begins."""
    return subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m bot.entry.cli {arguments}"],
        cwd=folder,
        env={
            **os.environ,
            "HEADGATE_VAR": str(folder / "var"),
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_version_is_printed_with_the_commit(tmp_path: Path) -> None:
    done = headgate("--version", cwd=tmp_path)
    version = importlib.metadata.version("headgate")
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    ).stdout.strip()
    assert (done.returncode, done.stdout) == (0, f"headgate {version} ({head})\n")


def test_the_version_is_printed_without_a_known_commit(tmp_path: Path) -> None:
    done = headgate("--version", cwd=tmp_path, PATH=path_without_git(tmp_path))
    assert (done.returncode, done.stdout.startswith("headgate ")) == (0, True)


@pytest.mark.parametrize("command", ["doctor", "plan till.md"])
def test_a_terminal_without_umlauts_gets_a_mark_for_each(command: str, clone: Path) -> None:
    done = fresh(command, clone, **ASCII)
    assert "Traceback" not in done.stderr
    assert "?" in done.stdout


@pytest.mark.parametrize("command", ["plan till.md --json", "spec show till.md --json"])
def test_json_is_whole_on_a_terminal_without_umlauts(command: str, clone: Path) -> None:
    told = fresh(command, clone, **ASCII)
    assert told.stdout.isascii()
    assert "Eine Kässe → 🧾" in json.dumps(json.loads(told.stdout), ensure_ascii=False)


@pytest.mark.parametrize("command", ["--help", "plan till.md --json"])
def test_a_failed_write_to_standard_output_is_reported(command: str, clone: Path) -> None:
    done = fresh(f"{command} > /dev/full", clone)
    told = ["The output cannot be written: No space left on device."]
    assert (done.returncode, done.stderr.splitlines()) == (1, told)


def test_init_needs_no_git(clone: Path, tmp_path: Path) -> None:
    done = headgate("init", cwd=clone, PATH=path_without_git(tmp_path))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert (clone / ".github/workflows/headgate-agent.yml").is_file()


def test_no_commit_is_known_without_git(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow_files, "ROOT", clone)
    monkeypatch.setenv("PATH", path_without_git(tmp_path))
    assert workflow_files.own_commit() == ""


def test_gates_are_not_run_without_git(clone: Path, tmp_path: Path) -> None:
    done = headgate("gates", "run", cwd=clone, PATH=path_without_git(tmp_path))
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "There is no git on PATH: install git, for example with `apt-get install git`.",
    )


@pytest.mark.parametrize(
    ("git", "says"),
    [("", "There is no git on PATH: "), ("2.25.1", "git version 2.25.1 is too old: ")],
)
def test_a_server_is_not_started_without_a_git_that_can_merge(
    git: str, says: str, tmp_path: Path
) -> None:
    machine = {"PATH": path_without_git(tmp_path, git), "HEADGATE_PORT": free_port()}
    started = fresh("up", tmp_path, **machine)
    assert (started.returncode, says in started.stderr) == (2, True)
    doctor = headgate("doctor", "--json", cwd=tmp_path, **machine)
    found = {f["name"]: f for f in json.loads(doctor.stdout)["findings"]}
    assert found["git"]["health"] == "missing"


def test_a_folder_that_cannot_be_written_is_one_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = headgate("doctor", cwd=tmp_path, HEADGATE_VAR=str(tmp_path / "file" / "var"))
    assert "Retryable" not in done.stdout
    assert "journal: not checked" in done.stdout


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for command in (("plan",), ("spec", "show"), ("spec", "check")):
        done = headgate(*command, "/proc/self/mem", cwd=tmp_path)
        assert (done.returncode, done.stderr.splitlines()) == (
            2,
            ["/proc/self/mem cannot be read (Input/output error)."],
        )


def test_explaining_gates_without_a_policy_suggests_init(tmp_path: Path) -> None:
    done = headgate("gates", "explain", "fix", cwd=tmp_path)
    assert (done.returncode, "To write a first one, run `headgate init`" in done.stderr) == (
        1,
        True,
    )


def test_localhub_accepts_only_valid_ports(tmp_path: Path) -> None:
    (tmp_path / "seed.yml").write_text("users: [ada]\n")
    for port in ("-1", "99999"):
        done = headgate("localhub", "--seed", "seed.yml", "--port", port, cwd=tmp_path)
        assert (done.returncode, "--port" in done.stderr) == (2, True)


def test_localhub_names_the_port_in_use(tmp_path: Path) -> None:
    (tmp_path / "seed.yml").write_text("users: [ada]\n")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = headgate("localhub", "--seed", "seed.yml", "--port", port, cwd=tmp_path)
    assert (done.returncode, f"Port {port} at 127.0.0.1 is already in use" in done.stderr) == (
        2,
        True,
    )
    assert "--port" in done.stderr
