"""A machine of GitHub's is made ready before the harness starts; what fails there says so."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action"
FOLDER = "/usr/local/lib/headgate"
NAMESPACES = "kernel.apparmor_restrict_unprivileged_userns"
VENV = [
    f"/usr/bin/python3 -m venv {FOLDER}",
    f"{FOLDER}/bin/pip install --quiet --no-cache-dir --require-hashes --requirement "
    f"{ACTION}/requirements.lock",
]
BUBBLEWRAP = [
    "apt-get update -qq",
    "apt-get install --yes -qq --no-install-recommends bubblewrap",
]


@dataclass
class Machine:
    """Programs that a machine has; what is done as root is written down, and not done."""

    folder: Path

    def give(self, name: str, script: str = "exit 0") -> None:
        program = self.folder / name
        program.unlink(missing_ok=True)
        program.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        program.chmod(0o755)

    def step(self, **environment: str) -> "subprocess.CompletedProcess[str]":
        """The action's step, as a runner starts it."""
        action = YAML(typ="safe").load((ACTION / "action.yml").read_text())
        (step,) = action["runs"]["steps"]
        said = {
            "HEADGATE_MODE": "gates",
            "HEADGATE_ORDER_ID": "o1",
            "HEADGATE_SERVER": "https://headgate.example.org",
            "HEADGATE_HARNESS": "",
            "GITHUB_ACTION_PATH": str(ACTION),
            "PATH": str(self.folder),
            **environment,
        }
        argv = [str(shutil.which("bash")), "--noprofile", "--norc", "-e", "-o", "pipefail", "-c"]
        return subprocess.run(
            [*argv, step["run"]], env=said, capture_output=True, text=True, check=False, timeout=60
        )

    @property
    def as_root(self) -> list[str]:
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """As GitHub's are: Ubuntu, without bubblewrap, and with namespaces forbidden."""
    made = Machine(tmp_path)
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    made.give("uname", "echo Linux")
    made.give("apt-get")
    made.give("sudo", f'echo "$*" >>{tmp_path}/log')
    made.give("sysctl", f'[ "$*" = "--values {NAMESPACES}" ] && echo 1')
    return made


def test_a_hosted_machine_gets_bubblewrap_and_a_virtual_environment(machine: Machine) -> None:
    done = machine.step(RUNNER_ENVIRONMENT="github-hosted")
    assert machine.as_root == [
        *BUBBLEWRAP,
        f"sysctl --quiet --write {NAMESPACES}=0",
        *VENV,
    ]
    if not Path(FOLDER).exists():
        assert f"::error::{FOLDER}/bin/python is not on this runner's PATH" in done.stdout


def test_installed_tools_of_a_hosted_machine_are_not_replaced(machine: Machine) -> None:
    machine.give("bwrap")
    machine.give("sysctl", "exit 1")
    machine.step(RUNNER_ENVIRONMENT="github-hosted")
    assert machine.as_root == VENV


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"RUNNER_ENVIRONMENT": "self-hosted"},
        {"RUNNER_ENVIRONMENT": "github-hosted", "HEADGATE_HARNESS": "my-python"},
    ],
)
def test_other_machines_are_not_set_up(machine: Machine, environment: dict[str, str]) -> None:
    done = machine.step(**environment)
    assert machine.as_root == []
    assert "is not on this runner's PATH" in done.stdout


def test_a_failed_installation_is_an_error_with_the_command(machine: Machine) -> None:
    machine.give("sudo", "exit 1")
    done = machine.step(RUNNER_ENVIRONMENT="github-hosted")
    assert done.returncode == 2
    assert "::error::This machine of GitHub could not be made ready" in done.stdout
    assert "sudo apt-get update" in done.stdout
    # Nothing is started on a machine that is not ready.
    assert "PATH" not in done.stdout


def test_a_hosted_machine_of_another_operating_system_is_refused(machine: Machine) -> None:
    machine.give("uname", "echo Darwin")
    done = machine.step(RUNNER_ENVIRONMENT="github-hosted")
    assert done.returncode == 2
    assert "runs_on: ubuntu-latest" in done.stdout
    assert machine.as_root == []
