"""The workflows and the action that teams install pass public linters."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.localhub_actions.kit import ROOT

OURS = [
    ".github/workflows/agent.yml",
    ".github/workflows/gates.yml",
    "action/install/headgate-agent.yml",
    "action/install/headgate-gates.yml",
]


def lint(program: str, *arguments: str) -> None:
    """Run a linter that is installed beside the interpreter or on the PATH."""
    found = shutil.which(program, path=str(Path(sys.executable).parent)) or shutil.which(program)
    assert found is not None, f"{program} is a development dependency"
    done = subprocess.run(
        [found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_nothing() -> None:
    lint("actionlint", "-config-file", ".github/actionlint.yaml", *OURS)


def test_the_files_match_the_published_schemas() -> None:
    lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *OURS)
    lint("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action/action.yml")


def test_zizmor_finds_nothing() -> None:
    config = ("--config", ".github/zizmor.yml")
    lint("zizmor", "--offline", "--no-progress", *config, *OURS, "action/action.yml")
