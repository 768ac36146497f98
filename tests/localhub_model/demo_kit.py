"""Plays the demo's scenes without the bot: a repository, a small agent, real prompts."""

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from anthropic import Anthropic
from anthropic.types import MessageParam, ToolParam, ToolResultBlockParam
from pydantic import BaseModel

from action.agents.prompt import task_prompt
from action.order import AgentOrder, AgentSettings, RequirementText
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import PlannedChange
from bot.core.values.spec_model import Requirement, Spec
from bot.demo.material import story
from bot.demo.material.files import MaterialFile, seed_files, spec_files
from bot.demo.material.story import Push, contents_after

TOOLS: list[ToolParam] = [
    {"name": "bash", "input_schema": {"type": "object"}},
    {"name": "str_replace_based_edit_tool", "input_schema": {"type": "object"}},
]

# More than any scene needs: a scene that does not end is a failure, not a hang.
ANSWERS_MAX = 12


@dataclass(frozen=True)
class Outcome:
    """How a test run of the repository ended."""

    passed: bool
    output: str


@dataclass(frozen=True)
class Repository:
    """A real git repository in a folder."""

    folder: Path

    def git(self, *arguments: str) -> str:
        """Run git, which must succeed; returns its output."""
        return self.try_git(*arguments, check=True).stdout.strip()

    def try_git(self, *arguments: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.folder,
            check=check,
            capture_output=True,
            text=True,
        )

    def commit(self, message: str) -> str:
        """Commit all changes; returns the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def put(self, files: tuple[MaterialFile, ...]) -> None:
        """Write files into the work tree."""
        for each in files:
            path = self.folder / each.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(each.content)

    def push(self, push: Push) -> str:
        """Commit a person's push on the current branch."""
        before = {path: (self.folder / path).read_text() for path in push.paths}
        for path, content in contents_after(push, before).items():
            (self.folder / path).write_text(content)
        return self.commit(push.message)

    def run_tests(self) -> Outcome:
        """What the repository's `test` gate would run."""
        ended = subprocess.run(
            ["python3", "-m", "pytest", "-q"],
            cwd=self.folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return Outcome(ended.returncode == 0, ended.stdout + ended.stderr)


class EditInput(BaseModel):
    """The input of the edit tool: the three commands that the demo's script uses."""

    command: Literal["view", "create", "str_replace"]
    path: str
    file_text: str = ""
    old_str: str = ""
    new_str: str = ""


def seeded(folder: Path) -> Repository:
    """The demo's repository with its seed and its spec committed on main."""
    folder.mkdir()
    repository = Repository(folder)
    repository.git("init", "--quiet", "--initial-branch", "main")
    repository.put(seed_files())
    repository.commit(story.SEED_MESSAGE)
    repository.put(spec_files())
    repository.commit(story.SPEC_MESSAGE)
    return repository


@cache
def spec() -> Spec:
    """The demo's spec as Headgate reads it."""
    return read_spec(story.DELTA_FOLDER, {f.path: f.content for f in spec_files()})


def planned() -> dict[str, PlannedChange]:
    """The changes of the demo's plan by slug, in order."""
    return {change.slug: change for change in plan(spec()).changes}


def requirements(slug: str) -> tuple[Requirement, ...]:
    """The requirements of a change."""
    wanted = set(planned()[slug].requirements)
    return tuple(r for r in spec().requirements if r.id in wanted)


def prompt(slug: str, attempt: int) -> str:
    """An agent's prompt for a change, word for word."""
    texts = tuple(
        RequirementText(
            id=r.id,
            title=r.title,
            statement=r.statement,
            scenarios=tuple(s.text for s in r.scenarios),
            spec_path=r.path,
            line=r.line_start,
        )
        for r in requirements(slug)
    )
    order = AgentOrder(
        order_id=f"o-{slug}-{attempt}",
        repository="coast/tidepool",
        clone_url="http://127.0.0.1/coast/tidepool.git",
        base_sha="0" * 40,
        start_sha="0" * 40,
        start_ref="refs/heads/main",
        change=slug,
        title=planned()[slug].title,
        attempt=attempt,
        requirements=texts,
        agent=AgentSettings(),
    )
    return task_prompt(order)


def play(client: Anthropic, repository: Repository, task: str) -> str:
    """A small agent: ask, carry out the calls, until there are none; returns its last text."""
    messages: list[MessageParam] = [{"role": "user", "content": task}]
    for _ in range(ANSWERS_MAX):
        with client.messages.stream(
            model="scripted", max_tokens=4_000, tools=TOOLS, messages=messages
        ) as stream:
            answer = stream.get_final_message()
        messages.append({"role": "assistant", "content": answer.content})
        results: list[ToolResultBlockParam] = [
            {
                "type": "tool_result",
                "tool_use_id": block.id,
                "content": _use(repository.folder, block.name, block.input),
            }
            for block in answer.content
            if block.type == "tool_use"
        ]
        if not results:
            return "".join(block.text for block in answer.content if block.type == "text")
        messages.append({"role": "user", "content": results})
    raise AssertionError("the scene does not end")


def _environment() -> dict[str, str]:
    """`python3` is the interpreter of these tests, and pytest loads no unneeded plugins."""
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return {**os.environ, "PATH": os.pathsep.join(folders), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def _use(folder: Path, name: str, asked: object) -> str:
    if name == "bash":
        command = str(asked["command"]) if isinstance(asked, dict) else ""
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return f"{ended.stdout}{ended.stderr}\nexit code {ended.returncode}"
    edit = EditInput.model_validate(asked)
    path = folder / edit.path
    if edit.command == "view":
        return path.read_text()
    if edit.command == "create":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit.file_text)
        return "created"
    text = path.read_text()
    if text.count(edit.old_str) != 1:
        return f"error: old_str occurs {text.count(edit.old_str)} times"
    path.write_text(text.replace(edit.old_str, edit.new_str))
    return "replaced"
