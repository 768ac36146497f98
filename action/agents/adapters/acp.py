"""Any agent that speaks the Agent Client Protocol: a shell line of the policy is the agent.

Our client (`acp_client`) runs beside it in the sandbox and prints its events as lines.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from action.agents.adapters import acp_client
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
from action.sandbox.sandbox import shell

_SOURCE = Path(acp_client.__file__).read_text(encoding="utf-8")


class AgentClientProtocol:
    program = ""
    is_spoken_to = True

    def start(self, told: Told) -> Start:
        asked = {
            "text": told.text,
            "whole": told.whole,
            "session": told.session,
            "mcp": [
                {"name": name, "command": "bash", "args": ["-c", run], "env": []}
                for name, run in told.mcp.items()
            ],
        }
        argv = (sys.executable, "-I", "-S", "-c", _SOURCE, *shell(told.program))
        return Start(argv, json.dumps(asked))

    def read(self, line: str) -> Iterable[Event]:
        said = Piece.of_line(line)
        text = said["text"].text
        match said["headgate"].text:
            case "began":
                yield Began(text)
            case "said":
                yield Said(text)
            case "called":
                yield Called(said["tool"].text, text)
            case "answered":
                yield Answered(said["tool"].text, text)
            case "stopped" if text != "end_turn":
                yield Failed(f"The agent stopped: {text}.")
            case "failed":
                yield Failed(text)
            case _:
                pass
