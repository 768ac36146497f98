"""All workflows, those that we propose to teams and our own, and the action pass public linters."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.core.talk.workflow_file import FOLDER, ActionSource, workflow_files
from tests.localhub_actions.kit import ROOT

ACTION = str(ROOT / "action" / "action.yml")
CONFIGS = ROOT / ".github"
PROPOSED = {
    "action": ActionSource(repository="headgate/headgate", sha="0123456789abcdef" * 2 + "01234567"),
    "image": None,
}


@pytest.fixture
def workflows(tmp_path: Path) -> list[str]:
    """Every workflow file, where linters look for workflows."""
    for name, source in PROPOSED.items():
        for path, text in workflow_files(source).items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    proposed = [str(p) for p in tmp_path.rglob("*.yml")]
    return [*proposed, *(str(p) for p in (ROOT / FOLDER).glob("*.yml"))]


def lint(program: str, *arguments: str) -> None:
    """Run a linter that is installed beside the interpreter or on the PATH."""
    found = shutil.which(program, path=str(Path(sys.executable).parent)) or shutil.which(program)
    assert found is not None, f"{program} is a development dependency"
    done = subprocess.run(
        [found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_reports_no_problem(workflows: list[str]) -> None:
    lint("actionlint", "-config-file", str(CONFIGS / "actionlint.yaml"), *workflows)


def test_the_files_match_the_published_schemas(workflows: list[str]) -> None:
    lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    lint("check-jsonschema", "--builtin-schema", "vendor.github-actions", ACTION)


def test_zizmor_reports_no_problem(workflows: list[str]) -> None:
    lint("zizmor", "--offline", "--no-progress", *workflows, ACTION)


def test_hadolint_reports_no_problem() -> None:
    lint("hadolint", "--config", ".hadolint.yaml", "Dockerfile", "action/runner/Dockerfile")
