"""What localhub is seeded with before the demo begins: repositories, people, Apps.

Two scenarios: the demo's own spec on a small real program, or a spec of the user's on an almost
empty repository, where no other tests can fail.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from bot.demo.material import story
from bot.demo.material.files import neutral_files, seed_files, spec_files
from bot.demo.processes import ROOT
from bot.ports import UserError

OWNER = "coast"
PERSON = "marta"
HARNESS = "headgate/headgate"

_VARIABLE = re.compile(r"\w+=")
# Else the line begins with something of the shell's.
_NAME = re.compile(r"[\w./+-]+")
_PERMISSIONS = ("contents", "issues", "pull_requests", "checks", "statuses", "actions")
_EVENTS = (
    *("push", "issues", "issue_comment", "pull_request", "check_run"),
    *("check_suite", "workflow_run", "workflow_job", "repository", "installation_target"),
    "pull_request_review_comment",
)


@dataclass(frozen=True)
class DemoScenario:
    """A repository, the spec that is pushed to it, and the command that tests main at the end.

    `agent` is a command, or empty for the built-in agent; `is_scripted`: a script is the model.
    """

    repository: str
    seed: Mapping[str, bytes]
    seed_message: str
    spec: Mapping[str, bytes]
    spec_message: str
    tests: tuple[str, ...]
    agent: str = ""
    is_scripted: bool = False

    @property
    def full_name(self) -> str:
        return f"{OWNER}/{self.repository}"


def own_scenario(agent: str) -> DemoScenario:
    """The demo's own spec; the model is scripted unless a command is the agent."""
    return DemoScenario(
        repository=story.REPOSITORY,
        seed={f.path: f.content for f in seed_files()},
        seed_message=story.SEED_MESSAGE,
        spec={f.path: f.content for f in spec_files()},
        spec_message=story.SPEC_MESSAGE,
        tests=(sys.executable, "-m", "pytest", "-q"),
        agent=agent,
        is_scripted=not agent,
    )


def scenario_of(spec: Path, agent: str) -> DemoScenario:
    """A spec file of the user's, on a repository with one gate. Raises UserError for a bad path."""
    if not spec.is_file():
        raise UserError(
            f"There is no file {spec}. --spec takes one file that `headgate plan` can read."
        )
    return DemoScenario(
        repository=story.NEUTRAL_REPOSITORY,
        seed={f.path: f.content for f in neutral_files()},
        seed_message=story.NEUTRAL_MESSAGE,
        spec={f"specs/{spec.name}": spec.read_bytes()},
        spec_message=story.OWN_SPEC_MESSAGE,
        tests=("sh", "check.sh"),
        agent=agent,
    )


def agent_files(agent: str) -> tuple[tuple[str, ...], str]:
    """The files that a command names, and the command with their full paths.

    A sandbox shows only its runner's tools and the files that are named.
    """
    words = _words(agent)
    found = tuple(str(Path(w).resolve()) for w in words if Path(w).exists())
    full = (str(Path(w).resolve()) if Path(w).exists() else w for w in words)
    return found, shlex.join(full) if found else agent


def program_missing(agent: str) -> str:
    """The program with which a shell line begins, if the shell finds none of that name."""
    program = next((word for word in _words(agent) if not _VARIABLE.match(word)), "")
    if not _NAME.fullmatch(program):
        return ""
    argv = ["sh", "-c", 'command -v "$1"', "sh", program]
    return program if subprocess.run(argv, capture_output=True, check=False).returncode else ""


def _words(agent: str) -> list[str]:
    try:
        return shlex.split(agent)
    except ValueError as wrong:
        raise UserError(f"--agent cannot be read as a command: {wrong}.") from wrong


def write_seed(folder: Path, scenario: DemoScenario, bot_url: str) -> Path:
    """Write everything that localhub is seeded with; the path of its seed file."""
    repository = folder / "repository"
    _write(repository, scenario.seed)
    if scenario.agent:
        policy = repository / ".github" / "headgate.yml"
        _, command = agent_files(scenario.agent)
        entry = json.dumps({"kind": "command", "command": command})
        policy.write_text(f"{policy.read_text()}agent: {entry}\n")
    _write(folder / "harness", _harness_files())
    with (folder / "seed.yaml").open("w") as file:
        YAML(typ="safe").dump(_seed(scenario, bot_url), file)
    return folder / "seed.yaml"


def _seed(scenario: DemoScenario, bot_url: str) -> dict[str, object]:
    admin = {PERSON: "admin"}
    app = {
        "name": "headgate",
        "owner": "headgate",
        "webhook_url": f"{bot_url}/webhook",
        "permissions": dict.fromkeys(_PERMISSIONS, "write"),
        "events": list(_EVENTS),
        "installations": [{"owner": OWNER}],
    }
    repositories = [
        (scenario.full_name, "repository", scenario.seed_message),
        (HARNESS, "harness", "Headgate"),
    ]
    return {
        "users": [PERSON],
        "organizations": [OWNER, "headgate"],
        "repositories": [
            {"name": name, "directory": folder, "message": message, "collaborators": admin}
            for name, folder, message in repositories
        ],
        "apps": [app],
    }


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def _harness_files() -> dict[str, bytes]:
    """The repository behind `uses: headgate/headgate/action@…`: action and gates."""
    found: dict[str, bytes] = {}
    for package in ("action", "gates"):
        for path in sorted((ROOT / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[str(path.relative_to(ROOT))] = path.read_bytes()
    return found
