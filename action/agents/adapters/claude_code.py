"""Claude Code, without a terminal and with its events as lines of JSON.

Of the work tree it reads no settings, no memory and no servers of tools: what a team wants it to know
stands in the order, as main says it.
"""

import json
from collections.abc import Iterable

from action.agents.adapters.protocol import (
    Answered,
    Began,
    Called,
    Event,
    Failed,
    Piece,
    Said,
    Start,
    Told,
)

# What needs a network, leaves the work tree, or waits for another day.
_NO_TOOLS = (
    "WebFetch",
    "WebSearch",
    "EnterWorktree",
    "ExitWorktree",
    "CronCreate",
    "CronDelete",
    "CronList",
    "ScheduleWakeup",
)

_ENVIRONMENT = {
    # Run as root, it skips its questions only if it is told that it is in a sandbox.
    "IS_SANDBOX": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    # Its own ten retries, each after twice the wait, would hide for minutes that the model is away.
    "CLAUDE_CODE_MAX_RETRIES": "4",
}


class ClaudeCode:
    program = "claude"
    is_spoken_to = True

    def start(self, told: Told) -> Start:
        servers = {name: {"command": "bash", "args": ["-c", run]} for name, run in told.mcp.items()}
        arguments = (
            *("--print", "--output-format", "stream-json", "--verbose"),
            # Our sandbox takes their place.
            "--dangerously-skip-permissions",
            *("--model", told.model),
            *("--setting-sources", "user"),
            *("--strict-mcp-config", "--mcp-config", str(told.given / "mcp.json")),
            *("--disallowedTools", ",".join(_NO_TOOLS)),
            *(("--resume", told.session) if told.session else ()),
        )
        return Start(
            (told.program, *arguments),
            told.text if told.session else told.whole,
            env=_ENVIRONMENT,
            files={"mcp.json": json.dumps({"mcpServers": servers})},
        )

    def read(self, line: str) -> Iterable[Event]:
        said = Piece.of_line(line)
        match said["type"].text:
            case "system" if said["session_id"].text:
                yield Began(said["session_id"].text)
            case "assistant":
                yield from _blocks(said)
            case "user":
                yield from _blocks(said)
            case "result":
                if said["is_error"].is_true:
                    yield Failed(said["result"].text or said["subtype"].text)
            case _:
                pass


def _blocks(said: Piece) -> Iterable[Event]:
    """What a message holds; the words of a helper are not the agent's own."""
    is_helpers = bool(said["parent_tool_use_id"].text)
    for block in said["message"]["content"]:
        match block["type"].text:
            case "text" if not is_helpers:
                yield Said(block["text"].text)
            case "tool_use":
                yield Called(block["name"].text, block["input"].text)
            case "tool_result":
                yield Answered("tool", block["content"].text)
            case _:
                pass
