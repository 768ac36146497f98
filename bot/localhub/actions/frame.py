"""The state of one list of steps: a job's own, or those of a composite action.

A frame holds its environment, the outcomes of its steps and whether one has failed, and builds the
scope in which expressions are evaluated.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from bot.localhub.actions.evaluation import EvaluationScope
from bot.localhub.actions.filters import matches_pattern
from bot.localhub.actions.processes import Stop, StopSwitch
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.values import as_text


@dataclass
class JobState:
    """What all steps of a job share, in whatever frame; steps change it."""

    contexts: dict[str, JsonValue]
    env: dict[str, str]
    switch: StopSwitch
    workspace: Path
    paths: list[str] = field(default_factory=list)


@dataclass
class Frame:
    shared: JobState
    inputs: dict[str, JsonValue]
    env: dict[str, str] = field(default_factory=dict)
    github: dict[str, JsonValue] = field(default_factory=dict)
    outcomes: dict[str, JsonValue] = field(default_factory=dict)
    action_folder: Path | None = None
    action_names: dict[str, str] = field(default_factory=dict)
    has_failed: bool = False
    depth: int = 0

    @property
    def is_cancelled(self) -> bool:
        return self.shared.switch.is_pulled

    @property
    def status(self) -> Conclusion:
        if self.is_cancelled:
            return Conclusion.CANCELLED
        return Conclusion.FAILURE if self.has_failed else Conclusion.SUCCESS

    def evaluation_scope(self, env: dict[str, str]) -> EvaluationScope:
        """What expressions see, with the environment of a step."""
        contexts = dict(self.shared.contexts)
        github = contexts.get("github")
        if isinstance(github, dict):
            contexts["github"] = {**github, **self.github}
        values: dict[str, JsonValue] = {**env}
        contexts |= {
            "inputs": self.inputs,
            "env": values,
            "steps": self.outcomes,
            "job": {"status": str(self.status)},
        }
        return EvaluationScope(
            contexts,
            {
                "success": lambda _: self.status is Conclusion.SUCCESS,
                "failure": lambda _: self.status is Conclusion.FAILURE,
                "always": lambda _: True,
                "cancelled": lambda _: self.shared.switch.has(Stop.CANCEL, Stop.TIMEOUT),
                "hashfiles": lambda patterns: hash_files(
                    self.shared.workspace, [as_text(one) for one in patterns]
                ),
            },
        )


def hash_files(folder: Path, patterns: list[str]) -> str:
    """SHA-256 over the SHA-256 of every file that matches; empty if none does."""
    chosen: list[Path] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_chosen = False
        for pattern in patterns:
            if pattern.startswith("!"):
                is_chosen = is_chosen and not matches_pattern(pattern[1:], name)
            elif matches_pattern(pattern, name):
                is_chosen = True
        if is_chosen and path.is_file():
            chosen.append(path)
    if not chosen:
        return ""
    whole = hashlib.sha256()
    for path in chosen:
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
