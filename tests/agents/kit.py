"""The kinds of agents, each as a policy would set it up, and a model that says the same to all."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from action.order import AgentKind, AgentLimits, AgentSettings
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running

NODE = Path(__file__).parent / "node"
_PROGRAMS = NODE / "node_modules" / ".bin"

MODEL = "claude-sonnet-4-6"
# OpenCode as any agent of the Agent Client Protocol: what it needs stands in the policy's line.
_OPENCODE = {
    "model": f"anthropic/{MODEL}",
    "small_model": f"anthropic/{MODEL}",
    "enabled_providers": ["anthropic"],
    "permission": "ask",
    "agent": {"title": {"disable": True}},
    "provider": {
        "anthropic": {
            "options": {
                "baseURL": "{env:ANTHROPIC_BASE_URL}/v1",
                "apiKey": "{env:ANTHROPIC_API_KEY}",
            }
        }
    },
}
_OVER_ACP = (
    "OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_PROJECT_CONFIG=1 "
    f"OPENCODE_CONFIG_CONTENT='{json.dumps(_OPENCODE)}' {_PROGRAMS / 'opencode'} acp"
)
_BY_COMMAND = (
    f'{_PROGRAMS / "claude"} -p --dangerously-skip-permissions --model "$ANTHROPIC_MODEL"'
    " --setting-sources user"
)

REAL = (AgentKind.CLAUDE_CODE, AgentKind.CODEX, AgentKind.OPENCODE, AgentKind.ACP)
EVERY = (AgentKind.BUILTIN, *REAL, AgentKind.COMMAND)


def settings(kind: AgentKind, **limits: int) -> AgentSettings:
    """As a policy that says `agent: {kind: …}`, and a `command` only where it must."""
    commands = {AgentKind.ACP: _OVER_ACP, AgentKind.COMMAND: _BY_COMMAND}
    return AgentSettings(
        kind=kind, command=commands.get(kind), model=MODEL, limits=AgentLimits(**limits)
    )


@contextmanager
def model(turns: str, before: str = "") -> Iterator[str]:
    """A model that plays `turns` to whoever works on an order, and makes up titles."""
    scenes = f"""
version: 1
scenes:
  - name: title
    match: {{system: ["(?i)title generator|generate a (?:concise|short) title"]}}
    turns: [{{text: A title}}]
{before}
  - name: work
    match: {{task: ["Headgate order"]}}
    turns:
{turns}
"""
    with running(parse_script(scenes)) as url:
        yield url


def path_without_bubblewrap(folder: Path) -> str:
    """A PATH on which the harness finds all but bubblewrap."""
    folder.mkdir()
    for part in os.environ["PATH"].split(os.pathsep):
        for program in Path(part).iterdir() if Path(part).is_dir() else ():
            place = folder / program.name
            # Debian's packages leave links that lead nowhere, in two folders of PATH at once.
            if program.name != "bwrap" and not place.is_symlink():
                place.symlink_to(program)
    return str(folder)
