"""OpenCode, which asks by the Messages or the Responses API, as the model's name says."""

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

# What it would fetch, install or read of the work tree by itself.
_OFF = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
}


class OpenCode:
    program = "opencode"
    is_spoken_to = False

    def start(self, told: Told) -> Start:
        model = _named(told.model)
        arguments = (
            *("run", "--format", "json", "--pure", "--model", model),
            # With a title of ours it asks no model for one.
            *("--title", "Headgate"),
            *(("--session", told.session) if told.session else ()),
        )
        settings = json.dumps(_settings(told))
        return Start(
            (told.program, *arguments),
            told.text if told.session else told.whole,
            env={**_OFF, "OPENCODE_CONFIG_CONTENT": settings},
        )

    def read(self, line: str) -> Iterable[Event]:
        said = Piece.of_line(line)
        part = said["part"]
        match said["type"].text:
            case "step_start":
                yield Began(said["sessionID"].text)
            case "text":
                yield Said(part["text"].text)
            case "tool_use":
                yield Called(part["tool"].text, part["state"]["input"].text)
                yield Answered(part["tool"].text, part["state"]["output"].text)
            case "error":
                error = said["error"]
                yield Failed(error["data"]["message"].text or error["name"].text or error.text)
            case _:
                pass


def _named(model: str) -> str:
    """A model by its provider and name, as OpenCode writes it."""
    return f"anthropic/{model}" if model.startswith("claude") else f"openai/{model}"


def _settings(told: Told) -> dict[str, object]:
    providers = {
        provider: {
            "options": {"baseURL": address, "apiKey": f"{{env:{key}}}"},
            "models": {
                one.partition("/")[2]: {}
                for one in (_named(told.model), _named(told.helper))
                if one.startswith(f"{provider}/")
            },
        }
        for provider, address, key in (
            ("anthropic", "{env:ANTHROPIC_BASE_URL}/v1", "ANTHROPIC_API_KEY"),
            ("openai", "{env:OPENAI_BASE_URL}", "OPENAI_API_KEY"),
        )
    }
    return {
        "model": _named(told.model),
        "small_model": _named(told.helper),
        "provider": providers,
        "enabled_providers": list(providers),
        "permission": {"*": "allow", "webfetch": "deny", "websearch": "deny"},
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "mcp": {
            name: {"type": "local", "command": ["bash", "-c", run], "enabled": True}
            for name, run in told.mcp.items()
        },
    }
