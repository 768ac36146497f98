"""Codex, which asks its model by the Responses API and says its events as lines of JSON."""

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

# The port is known inside only, so the address is put in there.
_LINE = (
    'mkdir -p "$HOME/.codex" && exec "$0" "$@" '
    '--config model_providers.headgate.base_url="$OPENAI_BASE_URL" -'
)


class Codex:
    program = "codex"
    is_spoken_to = False

    def start(self, told: Told) -> Start:
        settings = {
            "model_provider": "headgate",
            "model_providers.headgate.name": "headgate",
            "model_providers.headgate.wire_api": "responses",
            "model_providers.headgate.env_key": "OPENAI_API_KEY",
            # The proxy rides out what a server asks to wait for; more only hides an outage.
            "model_providers.headgate.request_max_retries": 2,
            "model_providers.headgate.stream_max_retries": 2,
            "web_search": "disabled",
            # The order has main's conventions.
            "project_doc_max_bytes": 0,
            "check_for_update_on_startup": False,
        }
        for name, run in told.mcp.items():
            settings[f"mcp_servers.{name}.command"] = "bash"
            settings[f"mcp_servers.{name}.args"] = ["-c", run]
        arguments = (
            "exec",
            *(("resume", told.session) if told.session else ()),
            *("--json", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"),
            # Our sandbox takes its place; inside it, Codex could not build another.
            "--dangerously-bypass-approvals-and-sandbox",
            *("--model", told.model),
            *(part for key, value in settings.items() for part in _setting(key, value)),
        )
        return Start(
            ("bash", "-c", _LINE, told.program, *arguments),
            told.text if told.session else told.whole,
        )

    def read(self, line: str) -> Iterable[Event]:
        said = Piece.of_line(line)
        match said["type"].text:
            case "thread.started":
                yield Began(said["thread_id"].text)
            case "item.completed":
                yield from _item(said["item"])
            case "item.started" if said["item"]["type"].text == "command_execution":
                yield Called("command", said["item"]["command"].text)
            case "turn.failed":
                yield Failed(said["error"]["message"].text)
            case "error":
                yield Failed(said["message"].text)
            case _:
                pass


def _setting(key: str, value: object) -> tuple[str, str]:
    # JSON's strings, numbers, truths and lists are TOML's, too.
    return "--config", f"{key}={json.dumps(value)}"


def _item(item: Piece) -> Iterable[Event]:
    match item["type"].text:
        case "agent_message":
            yield Said(item["text"].text)
        case "command_execution":
            yield Answered("command", item["aggregated_output"].text)
        case "file_change":
            yield Called("file_change", item["changes"].text)
        case "mcp_tool_call":
            yield Called(item["tool"].text, item["arguments"].text)
        case _:
            pass
