"""What each adapter starts and what it reads; the lines are those of the real programs, shortened."""

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from action.agents.adapters import acp_client
from action.agents.adapters.protocol import (
    Answered,
    Began,
    Called,
    Event,
    Failed,
    Said,
    Start,
    Told,
)
from action.agents.adapters.table import ADAPTERS
from action.agents.budget import Budget
from action.agents.command import LINE_BYTES_MAX, Listener, Place, run_command_agent
from action.agents.contact import ModelAccess, ModelContact
from action.agents.contracts import Contracts
from action.agents.outcome import AgentOutcome, Transcript
from action.agents.rounds import ROUNDS_MAX, Rounds
from action.harness.programs import find_program
from action.order import AgentKind, AgentSettings
from action.report import AgentEnding, SandboxKind, TokenUse
from action.sandbox.sandbox import Limits, Sandbox
from action.sandbox.view import View
from gates.result import GateDefinition, Judges

MODEL = "claude-sonnet-4-6"
PROGRAMS = (AgentKind.CLAUDE_CODE, AgentKind.CODEX, AgentKind.OPENCODE)
EVERY = tuple(AgentKind(kind) for kind in ADAPTERS)


def told(**more: object) -> Told:
    fields: dict[str, object] = {
        "program": "/opt/agent",
        "text": "Mend it.",
        "whole": "The order. Mend it.",
        "model": MODEL,
        "helper": MODEL,
        "given": Path("/given"),
    }
    return Told(**(fields | more))  # type: ignore[arg-type]


READ: dict[AgentKind, list[tuple[object, list[Event]]]] = {
    AgentKind.CLAUDE_CODE: [
        ({"type": "system", "subtype": "init", "session_id": "s1", "tools": []}, [Began("s1")]),
        (
            {
                "type": "assistant",
                "message": {
                    "content": [
                        {"type": "text", "text": "Looking"},
                        {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
                    ],
                    "stop_reason": None,
                },
                "parent_tool_use_id": None,
            },
            [Said("Looking"), Called("Bash", '{"command": "ls"}')],
        ),
        (
            {
                "type": "assistant",
                "message": {"content": [{"type": "text", "text": "DONE"}]},
                "parent_tool_use_id": "toolu_1",
            },
            [],
        ),
        (
            {
                "type": "user",
                "message": {"content": [{"type": "tool_result", "content": "a.txt"}]},
            },
            [Answered("tool", "a.txt")],
        ),
        (
            {"type": "result", "is_error": True, "result": "API Error: 401", "stop_reason": "x"},
            [Failed("API Error: 401")],
        ),
    ],
    AgentKind.CODEX: [
        ({"type": "thread.started", "thread_id": "t1"}, [Began("t1")]),
        (
            {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
            [Called("command", "ls")],
        ),
        (
            {
                "type": "item.completed",
                "item": {"type": "command_execution", "aggregated_output": "a.txt"},
            },
            [Answered("command", "a.txt")],
        ),
        (
            {"type": "item.completed", "item": {"type": "agent_message", "text": "DONE"}},
            [Said("DONE")],
        ),
        ({"type": "turn.failed", "error": {"message": "no"}}, [Failed("no")]),
        ({"type": "turn.completed", "usage": {}}, []),
    ],
    AgentKind.OPENCODE: [
        ({"type": "step_start", "sessionID": "ses_1", "part": {}}, [Began("ses_1")]),
        ({"type": "text", "part": {"text": "DONE"}}, [Said("DONE")]),
        (
            {
                "type": "tool_use",
                "part": {
                    "tool": "bash",
                    "state": {"input": {"command": "ls"}, "output": "a.txt"},
                },
            },
            [Called("bash", '{"command": "ls"}'), Answered("bash", "a.txt")],
        ),
        ({"type": "error", "error": {"data": {"message": "no"}}}, [Failed("no")]),
    ],
    AgentKind.ACP: [
        ({"headgate": "began", "text": "s1"}, [Began("s1")]),
        ({"headgate": "stopped", "text": "max_tokens"}, [Failed("The agent stopped: max_tokens.")]),
        ({"headgate": "stopped", "text": "end_turn"}, []),
    ],
    AgentKind.COMMAND: [({"type": "text", "part": {"text": "DONE"}}, [])],
}


@pytest.mark.parametrize("kind", EVERY)
def test_a_line_becomes_events(kind: AgentKind) -> None:
    for line, events in READ[kind]:
        assert list(ADAPTERS[kind].read(json.dumps(line))) == events


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    "line",
    [
        "",
        "warning: x",
        "[1]",
        "7",
        '{"type": ["text"]}',
        '{"type": "assistant", "message": "x"}',
        '{"type": "item.completed", "item": []}',
        '{"type": "tool_use"}',
        "[" * 100000,
    ],
)
def test_malformed_output_lines_are_ignored(kind: AgentKind, line: str) -> None:
    for event in ADAPTERS[kind].read(line):
        assert event in (Called("", ""), Answered("", ""))


@pytest.mark.parametrize("kind", EVERY)
def test_a_resumed_agent_gets_only_the_new_prompt(kind: AgentKind) -> None:
    first = ADAPTERS[kind].start(told())
    again = ADAPTERS[kind].start(told(session="s1"))
    assert "The order." in first.stdin
    if kind in PROGRAMS:
        assert again.stdin == "Mend it."
        assert "s1" in again.argv
        assert "s1" not in first.argv


@pytest.mark.parametrize("kind", [*PROGRAMS, AgentKind.ACP])
def test_only_mcp_servers_of_the_policy_are_started(kind: AgentKind) -> None:
    with_one = ADAPTERS[kind].start(told(mcp={"fixtures": "node tools/fixtures.js"}))
    without = ADAPTERS[kind].start(told())

    def said(start: object) -> str:
        return str(start)

    assert "node tools/fixtures.js" in said(with_one)
    assert "fixtures" not in said(without)


def test_claude_code_reads_only_its_own_settings_and_servers() -> None:
    start = ADAPTERS[AgentKind.CLAUDE_CODE].start(told())
    assert "--strict-mcp-config" in start.argv
    sources = start.argv[start.argv.index("--setting-sources") + 1]
    assert sources == "user"
    assert json.loads(start.files["mcp.json"]) == {"mcpServers": {}}


def test_codex_uses_the_proxy_and_ignores_configuration_in_the_tree() -> None:
    start = ADAPTERS[AgentKind.CODEX].start(told())
    assert 'base_url="$OPENAI_BASE_URL"' in start.argv[2]
    for setting in ("--ignore-user-config", "project_doc_max_bytes=0", 'web_search="disabled"'):
        assert setting in start.argv


def test_opencode_asks_each_model_at_its_own_provider() -> None:
    start = ADAPTERS[AgentKind.OPENCODE].start(told(model="gpt-5.2", helper=MODEL))
    assert "openai/gpt-5.2" in start.argv
    settings = json.loads(start.env["OPENCODE_CONFIG_CONTENT"])
    assert settings["small_model"] == f"anthropic/{MODEL}"
    assert start.env["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"


def test_a_program_is_found_where_its_installers_put_it(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    real = home / ".local" / "share" / "claude" / "versions" / "2.1"
    package = home / ".npm-global" / "lib" / "node_modules" / "@openai" / "codex" / "codex.js"
    local = elsewhere / "node_modules" / "opencode-ai" / "bin" / "opencode"
    for place, link in (
        (real, home / ".local" / "bin" / "claude"),
        (package, home / ".npm-global" / "bin" / "codex"),
        (local, elsewhere / "node_modules" / ".bin" / "opencode"),
    ):
        place.parent.mkdir(parents=True)
        place.write_text("#!/bin/sh\n")
        place.chmod(0o755)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(place)
    outer = {"HOME": str(home), "PATH": "/usr/bin", "HEADGATE_SANDBOX_PATHS": str(elsewhere)}

    claude, codex = find_program("claude", outer), find_program("codex", outer)
    opencode = find_program("opencode", outer)

    assert claude
    assert codex
    assert opencode
    assert (claude.path, claude.shown) == (real, (real,))
    assert codex.shown == (home / ".npm-global" / "lib" / "node_modules",)
    assert opencode.shown == (elsewhere / "node_modules",)
    assert find_program("another", outer) is None


def test_a_program_that_would_expose_the_whole_home_folder_is_not_used(tmp_path: Path) -> None:
    home = tmp_path / "node_modules" / "home"
    program = home / "bin" / "claude"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_program("claude", {"HOME": str(home), "PATH": ""}) is None


def test_a_line_is_read_completely_in_any_chunks_and_a_long_one_is_cut() -> None:
    said: list[str] = []
    transcript = Transcript()
    listener = Listener(ADAPTERS[AgentKind.CODEX], transcript, said.append)
    line = json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": "Hé"}})
    for byte in line.encode() + b"\n":
        listener.hear(bytes([byte]))
    assert listener.said == "Hé"
    too_long = {
        "type": "item.completed",
        "item": {"type": "agent_message", "text": "x" * LINE_BYTES_MAX},
    }
    listener.hear(json.dumps(too_long).encode() + b"\n" + line.encode())
    listener.hear(b"\n")
    assert listener.said == "Hé"
    assert "xxx" not in transcript.tail
    assert transcript.tail.count("Hé") == 2


# An agent of the protocol, as small as one can be: it asks permission, and says what it was told.
PEER = """
import json, sys
def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def update(**said): send(method="session/update", params={"sessionId": "s1", "update": said})
print("a line that is no JSON", flush=True)
while line := sys.stdin.readline():
    asked = json.loads(line)
    method, params = asked.get("method"), asked.get("params")
    if method == "initialize":
        send(id=asked["id"], result={"protocolVersion": 1, "agentCapabilities": {"loadSession": LOADS}})
    elif method == "session/load":
        update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "said before"})
        send(id=asked["id"], result=None)
    elif method == "session/new":
        send(id=asked["id"], result={"sessionId": "s1"})
    elif method == "session/prompt":
        send(id=7, method="terminal/create", params={})
        refused = json.loads(sys.stdin.readline())["error"]["code"]
        options = [{"optionId": "no", "kind": "reject_once"}, {"optionId": "yes", "kind": "allow_once"}]
        send(id=8, method="session/request_permission", params={"options": options})
        chosen = json.loads(sys.stdin.readline())["result"]["outcome"]["optionId"]
        update(sessionUpdate="tool_call", toolCallId="t", kind="execute", status="pending")
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed",
               rawInput={"command": "ls"}, content=[{"content": {"type": "text", "text": "a.txt"}}])
        text = params["prompt"][0]["text"]
        for part in (text, " ", chosen, " ", str(refused)):
            update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": part})
        END
        send(id=asked["id"], result={"stopReason": "end_turn"})
"""


def over_acp(session: str, loads: bool, end: str = "pass") -> tuple[int, list[Event]]:
    """Ask the small agent by our client; its code, and what we read."""
    peer = PEER.replace("LOADS", str(loads)).replace("END", end)
    asked = {"text": "new", "whole": "all", "session": session, "mcp": []}
    done = subprocess.run(
        [sys.executable, "-I", "-S", acp_client.__file__, sys.executable, "-c", peer],
        input=json.dumps(asked).encode(),
        capture_output=True,
        timeout=30,
        check=False,
    )
    read = ADAPTERS[AgentKind.ACP].read
    return done.returncode, [
        event for line in done.stdout.decode().split("\n") for event in read(line)
    ]


@pytest.mark.parametrize(
    ("session", "loads", "text"),
    [("", True, "all"), ("s1", True, "new"), ("s1", False, "all")],
)
def test_an_acp_agent_resumes_its_session_if_it_can(session: str, loads: bool, text: str) -> None:
    code, events = over_acp(session, loads)
    assert code == 0
    # What cannot be gone on with is not named.
    assert events == [
        *([Began("s1")] if loads else []),
        Called("execute", '{"command": "ls"}'),
        Answered("execute", "a.txt"),
        Said(f"{text} yes -32601"),
    ]


def test_an_acp_agent_that_exits_early_has_failed() -> None:
    code, events = over_acp("", loads=True, end="sys.exit(0)")
    assert code == 1
    assert events[-1] == Failed("the agent's process has ended")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name in ("home", "tree", "given"):
        (tmp_path / name).mkdir()
    env = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    sandbox = Sandbox(SandboxKind.NONE, View(shown=(), links=(), env=env), (), Limits())
    return Place(
        sandbox, tmp_path / "tree", ModelAccess((), ModelContact()), Budget(AgentSettings())
    )


def quick(line: str) -> GateDefinition:
    return GateDefinition(name="lint", judges=Judges.TREE, command=line)


def by_command(line: str, place: Place, gate: str) -> tuple[AgentEnding, str]:
    rounds = Rounds((quick(gate),), place.sandbox, place.tree, place.budget)
    given = place.tree.parent / "given"
    asked = told(program=line, text="", whole="The order.", given=given)
    adapter = ADAPTERS[AgentKind.COMMAND]
    outcome, transcript = run_command_agent(adapter, asked, place, rounds, lambda _: None)
    return outcome.ending, transcript.tail


def test_a_red_quick_gate_sends_its_output_back_to_the_agent(place: Place) -> None:
    # It mends only what it is told of, and keeps what it was told.
    line = "grep -q 'line 7 is long' && touch mended; cat $HEADGATE_PROMPT_FILE >>told; :"
    ending, tail = by_command(line, place, "test -e mended || { echo line 7 is long; false; }")
    assert ending is AgentEnding.FINISHED
    assert tail.count("--- command") == 2
    assert "`test -e mended" in tail
    assert (place.tree / "told").read_text().count("The order.") == 2


def test_a_transcript_begins_with_the_task_and_omits_the_system_prompt(
    place: Place,
) -> None:
    rounds = Rounds((), place.sandbox, place.tree, place.budget)
    asked = told(program=":", given=place.tree.parent / "given")
    _, transcript = run_command_agent(
        ADAPTERS[AgentKind.COMMAND], asked, place, rounds, lambda _: None
    )
    assert transcript.tail.startswith("--- task\nMend it.\n")


def test_a_red_quick_gate_restarts_the_agent_at_most_three_times(place: Place) -> None:
    ending, _ = by_command("echo x >>runs", place, "false")
    assert ending is AgentEnding.FINISHED
    assert (place.tree / "runs").read_text() == "x\n" * (1 + ROUNDS_MAX)


def quietly(line: str, place: Place, seconds: float = 1.5) -> tuple[AgentOutcome, str]:
    """A program that may do nothing for so long."""
    rounds = Rounds((), place.sandbox, place.tree, place.budget)
    asked = told(program=line, text="", whole="The order.", given=place.tree.parent / "given")
    adapter = ADAPTERS[AgentKind.COMMAND]
    watched = replace(place, quiet_seconds=seconds)
    outcome, transcript = run_command_agent(adapter, asked, watched, rounds, lambda _: None)
    return outcome, transcript.tail


def test_an_idle_program_is_restarted_once_and_then_stopped(place: Place) -> None:
    outcome, tail = quietly("echo x >>runs; exec sleep 60", place)
    assert outcome.ending is AgentEnding.OUT_OF_TIME
    assert "even after a restart: no request, no output" in outcome.sentence
    assert (place.tree / "runs").read_text() == "x\n" * 2
    assert tail.count("You did nothing for a long time") == 1


def test_a_program_that_was_stuck_only_once_finishes(place: Place) -> None:
    outcome, _ = quietly("test -e begun || { touch begun; exec sleep 60; }", place)
    assert outcome.ending is AgentEnding.FINISHED


@pytest.mark.parametrize(
    "busy",
    [
        "for n in $(seq 20); do sleep 0.2; echo working; done",
        "for n in $(seq 20); do sleep 0.2; touch made-$n; done",
        "end=$((SECONDS + 7)); while [ $SECONDS -lt $end ]; do :; done",
    ],
)
def test_a_program_that_works_slowly_is_not_idle(place: Place, busy: str) -> None:
    # On a busy machine a program may wait a second for its turn.
    outcome, tail = quietly(f"echo x >>runs; {busy}", place, 3)
    assert outcome.ending is AgentEnding.FINISHED
    assert "You did nothing" not in tail


def test_a_program_that_waits_for_the_model_is_not_idle(place: Place) -> None:
    with place.budget.admit("m", TokenUse()):  # type: ignore[union-attr]
        outcome, _ = quietly("sleep 3", place)
    assert outcome.ending is AgentEnding.FINISHED


def test_a_program_that_broke_a_rule_is_sent_back_with_it(place: Place) -> None:
    line = json.dumps(
        {"type": "item.started", "item": {"type": "command_execution", "command": "git push"}}
    )
    rounds = Rounds((), place.sandbox, place.tree, place.budget, Contracts(deny=("git push*",)))
    listener = Listener(ADAPTERS[AgentKind.CODEX], Transcript(), lambda _: None, rounds.contracts)
    listener.hear(line.encode() + b"\n")
    assert "You ran `git push`" in rounds.red()
    assert rounds.red() == ""


SAID_DONE, CALLED, REFUSED = "DONE", "a call", "a refusal"
# What each kind prints for them; Claude Code ends with 1 where it was refused.
LINES: dict[AgentKind, dict[str, dict[str, object]]] = {
    AgentKind.CODEX: {
        SAID_DONE: {"type": "item.completed", "item": {"type": "agent_message", "text": "DONE"}},
        CALLED: {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
        REFUSED: {"type": "turn.failed", "error": {"message": "400 tools: too long"}},
    },
    AgentKind.OPENCODE: {
        SAID_DONE: {"type": "text", "part": {"text": "DONE"}},
        CALLED: {"type": "tool_use", "part": {"tool": "bash", "state": {"input": {}}}},
        REFUSED: {"type": "error", "error": {"data": {"message": "400 tools: too long"}}},
    },
    AgentKind.ACP: {
        SAID_DONE: {"headgate": "said", "text": "DONE"},
        CALLED: {"headgate": "called", "text": "ls", "tool": "execute"},
        REFUSED: {"headgate": "stopped", "text": "400 tools: too long"},
    },
}


@dataclass(frozen=True)
class Spoken:
    """A shell line whose output is read as a kind's."""

    kind: AgentKind
    program: str = ""
    is_spoken_to: bool = False

    def start(self, told: Told) -> Start:
        return Start(("bash", "-c", told.program), "")

    def read(self, line: str) -> Iterable[Event]:
        return ADAPTERS[self.kind].read(line)


def spoken(kind: AgentKind, place: Place, *said: str, end: str = "") -> AgentOutcome:
    """How a program of this kind ended that printed this, and then did `end`."""
    lines = "\n".join(json.dumps(LINES[kind][one]) for one in said)
    rounds = Rounds((), place.sandbox, place.tree, place.budget)
    asked = told(program=f"cat <<'END'\n{lines}\nEND\n{end}", given=place.tree.parent / "given")
    return run_command_agent(Spoken(kind), asked, place, rounds, lambda _: None)[0]


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ((SAID_DONE, REFUSED), AgentEnding.FINISHED),
        ((SAID_DONE, CALLED, REFUSED), AgentEnding.CRASHED),
        ((CALLED, REFUSED), AgentEnding.CRASHED),
        ((CALLED, REFUSED, CALLED, SAID_DONE), AgentEnding.FINISHED),
        ((REFUSED, CALLED), AgentEnding.FINISHED),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, tuple) else "",
)
def test_a_program_that_was_refused_during_its_work_has_not_finished(
    place: Place, kind: AgentKind, said: tuple[str, ...], ending: AgentEnding
) -> None:
    """Some programs exit with 0 even if their last request failed."""
    outcome = spoken(kind, place, *said)
    assert outcome.ending is ending
    assert ("400 tools: too long" in outcome.sentence) == (ending is AgentEnding.CRASHED)


@pytest.mark.parametrize("kind", LINES)
def test_a_program_that_hangs_after_its_work_counts_as_finished(
    place: Place, kind: AgentKind
) -> None:
    watched = replace(place, quiet_seconds=1.5)
    outcome = spoken(kind, watched, CALLED, SAID_DONE, end="echo x >>runs; exec sleep 60")
    assert outcome.ending is AgentEnding.FINISHED
    assert "Its program did not end" in outcome.sentence
    assert (place.tree / "runs").read_text() == "x\n"


def test_an_agent_that_gave_up_is_not_prompted_again(place: Place) -> None:
    ending, _ = by_command("echo x >>runs; exit 3", place, "false")
    assert ending is AgentEnding.CRASHED
    assert (place.tree / "runs").read_text() == "x\n"
