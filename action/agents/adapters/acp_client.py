"""A client of the Agent Client Protocol, version 1, for one prompt.

A stand-alone program (standard library only), run inside the sandbox. Its arguments are the agent's
command; what to ask is on its stdin, in JSON. It prints a line of JSON for each event, and ends with 1
where the agent has gone or refuses. It allows whatever the agent asks permission for,
because the sandbox is what holds it, and offers neither files nor terminals of its own.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, NoReturn

# What is said is somebody else's.
Json = dict[str, Any]

PROTOCOL_VERSION = 1
# Time for an agent to end by itself once it is told nothing more.
ENDING_SECONDS = 10.0
# Worth more, the earlier it stands.
ALLOWING = ("allow_always", "allow_once")


def show(kind: str, text: object, tool: str = "") -> None:
    """One event, as `action.agents.adapters.acp` reads it."""
    shown = text if isinstance(text, str) else json.dumps(text)
    sys.stdout.write(json.dumps({"headgate": kind, "tool": tool, "text": shown}) + "\n")
    sys.stdout.flush()


def pipe(end: IO[bytes] | None) -> IO[bytes]:
    if end is None:
        raise ValueError("a pipe was asked for")
    return end


class Peer:
    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.to: IO[bytes] = pipe(self.process.stdin)
        self.of: IO[bytes] = pipe(self.process.stdout)
        self.asked = 0
        self.words: list[str] = []
        self.tools: dict[str, str] = {}
        self.is_heard = True

    def ask(self, method: str, params: Json) -> Json:
        """Ask, and answer what the agent asks meanwhile, until the answer is there."""
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self.receive()
            if "method" in message:
                self.hear(message)
            elif message.get("id") == self.asked:
                if "error" in message:
                    self.fail(f"{method}: {message['error'].get('message', message['error'])}")
                return message.get("result") or {}

    def send(self, message: Json) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        try:
            self.to.write(line.encode())
            self.to.flush()
        except BrokenPipeError:
            self.fail("the agent's process has ended")

    def receive(self) -> Json:
        while True:
            line = self.of.readline()
            if not line:
                self.fail("the agent's process has ended")
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                return message

    def hear(self, message: Json) -> None:
        params = message.get("params") or {}
        if message["method"] == "session/update":
            if self.is_heard:
                self.note(params.get("update") or {})
        elif message["method"] == "session/request_permission":
            self.send({"id": message["id"], "result": {"outcome": allowed(params)}})
        elif "id" in message:
            error = {"code": -32601, "message": f"{message['method']} is not offered"}
            self.send({"id": message["id"], "error": error})

    def note(self, update: Json) -> None:
        kind = update.get("sessionUpdate")
        if kind == "agent_message_chunk":
            self.words.append(str((update.get("content") or {}).get("text", "")))
            return
        self.say_words()
        name = str(update.get("toolCallId"))
        if kind == "tool_call":
            self.tools[name] = str(update.get("kind") or "tool")
        # What a tool is given may be said when it begins, or later.
        if kind in ("tool_call", "tool_call_update") and update.get("status") in (
            "completed",
            "failed",
        ):
            tool = self.tools.get(name, "tool")
            show("called", update.get("rawInput") or update.get("title") or "", tool)
            show("answered", said_in(update), tool)

    def say_words(self) -> None:
        if self.words:
            show("said", "".join(self.words))
            self.words = []

    def fail(self, sentence: str) -> NoReturn:
        self.say_words()
        show("failed", sentence)
        self.process.kill()
        sys.exit(1)


def allowed(params: Json) -> Json:
    """The answer that allows the most."""
    options = params.get("options") or []
    for kind in ALLOWING:
        for option in options:
            if option.get("kind") == kind:
                return {"outcome": "selected", "optionId": option.get("optionId")}
    return {"outcome": "cancelled"}


def said_in(update: Json) -> str:
    contents = (part.get("content") or {} for part in update.get("content") or ())
    return "\n".join(str(content.get("text", "")) for content in contents)


def begin(peer: Peer, asked: Json, cwd: str) -> str:
    """A session, and the text to begin with: an earlier one where the agent can go on with it.

    Only an agent that can is said to have begun one.
    """
    able = peer.ask(
        "initialize",
        {
            "protocolVersion": PROTOCOL_VERSION,
            "clientCapabilities": {
                "fs": {"readTextFile": False, "writeTextFile": False},
                "terminal": False,
            },
            "clientInfo": {"name": "headgate", "version": "1"},
        },
    )
    place = {"cwd": cwd, "mcpServers": asked["mcp"]}
    can_go_on = bool((able.get("agentCapabilities") or {}).get("loadSession"))
    if asked["session"] and can_go_on:
        # It says again what was said.
        peer.is_heard = False
        peer.ask("session/load", {"sessionId": asked["session"], **place})
        peer.is_heard = True
        show("began", asked["session"])
        return str(asked["session"])
    asked["text"] = asked["whole"]
    session = str(peer.ask("session/new", place).get("sessionId"))
    if can_go_on:
        show("began", session)
    return session


def main() -> NoReturn:
    asked = json.load(sys.stdin)
    peer = Peer(sys.argv[1:])
    session = begin(peer, asked, str(Path.cwd()))
    prompt = [{"type": "text", "text": asked["text"]}]
    answer = peer.ask("session/prompt", {"sessionId": session, "prompt": prompt})
    peer.say_words()
    show("stopped", str(answer.get("stopReason")))
    peer.to.close()
    try:
        peer.process.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        peer.process.kill()
    sys.exit(0)


if __name__ == "__main__":
    main()
