"""A program is restarted with its pending messages, in the same conversation or a new one."""

import json
import sys
from pathlib import Path

import pytest

from action.agents.adapters.table import ADAPTERS
from action.agents.budget import Budget, LastAnswer
from action.agents.command import Place, run_command_agent
from action.agents.contact import ModelAccess, ModelContact
from action.agents.event_log import EventLog
from action.agents.outcome import AgentOutcome, Transcript
from action.agents.restart import AGE_SECONDS_MAX, CONTEXT_TOKENS_MAX, restart
from action.agents.rounds import Rounds
from action.order import AgentKind, AgentSettings, ToldWords
from action.report import AgentEnding, SandboxKind, TokenUse
from action.sandbox.sandbox import Limits, Sandbox
from action.sandbox.view import View
from gates.result import GateDefinition, Judges
from tests.action.test_adapters import told

WORDS = ToldWords(author="ann", text="Round half up.")

# Prints what its first start has to say, then waits as a program does that asks its model. Started again it
# says what it was told.
PROGRAM = """#!{python}
import json, pathlib, sys, time
def show(**line): print(json.dumps(line), flush=True)
def block(**one): return {{"content": [one]}}
told, starts = sys.stdin.read(), pathlib.Path("starts")
with starts.open("a") as file: file.write(json.dumps([sys.argv[1:], told]) + "\\n")
show(type="system", session_id="s1", thread_id="s1")
{first}
text = "I was told.\\nDONE"
show(type="assistant", message=block(type="text", text=text))
"""
CALLS = """
if "--resume" not in sys.argv:
    for name in "ab": show(type="assistant", message=block(type="tool_use", name=name, input=""))
    show(type="user", message=block(type="tool_result", content="1"))
    time.sleep(0.2)
    pathlib.Path("both").touch()
    show(type="user", message=block(type="tool_result", content="2"))
    time.sleep(60)
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name in ("home", "tree", "given"):
        (tmp_path / name).mkdir()
    env = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    sandbox = Sandbox(SandboxKind.NONE, View(shown=(), links=(), env=env), (), Limits())
    access = ModelAccess((), ModelContact())
    return Place(sandbox, tmp_path / "tree", access, Budget(AgentSettings()))


def run(
    place: Place,
    first: str,
    *words: ToldWords,
    kind: AgentKind = AgentKind.CLAUDE_CODE,
    gate: str = "",
) -> tuple[AgentOutcome, Transcript, list[tuple[list[str], str]]]:
    """What came of it, and each start of the program: its arguments and what it was told."""
    program = place.tree.parent / "program"
    program.write_text(PROGRAM.format(python=sys.executable, first=first))
    program.chmod(0o755)
    events = EventLog()
    events.tell(words)
    gates = [GateDefinition(name="lint", judges=Judges.TREE, command=gate)] if gate else []
    rounds = Rounds(gates, place.sandbox, place.tree, place.budget)
    asked = told(program=str(program), whole="The order.", given=place.tree.parent / "given")
    outcome, transcript = run_command_agent(
        ADAPTERS[kind], asked, place, rounds, lambda _: None, events
    )
    lines = (place.tree / "starts").read_text().splitlines()
    return outcome, transcript, [tuple(json.loads(line)) for line in lines]


def test_messages_of_people_reach_a_program_between_two_turns(place: Place) -> None:
    outcome, transcript, starts = run(place, CALLS, WORDS)

    assert outcome.ending is AgentEnding.FINISHED
    (_, before), (arguments, text) = starts
    assert before == "The order."
    assert arguments[-2:] == ["--resume", "s1"]
    assert "@ann:" in text
    assert "The order." not in text
    # No call was broken off.
    assert (place.tree / "both").exists()
    assert transcript.restarts == ["The same conversation continues."]


def test_an_ended_program_is_resumed_with_messages_that_came_meanwhile(place: Place) -> None:
    codex = """
if "resume" not in sys.argv: show(type="thread.started", thread_id="s1")
"""
    outcome, _, starts = run(place, codex, WORDS, kind=AgentKind.CODEX)

    assert outcome.ending is AgentEnding.FINISHED
    assert len(starts) == 2
    assert "resume" in starts[1][0]
    assert "@ann:" in starts[1][1]


def test_a_lost_conversation_is_restarted_once(place: Place) -> None:
    gone = """
if "--resume" in sys.argv: sys.exit(1)
"""
    outcome, transcript, starts = run(place, gone, gate="test $(wc -l <starts) -gt 2")

    assert outcome.ending is AgentEnding.FINISHED
    assert ["--resume" in arguments for arguments, _ in starts] == [False, True, False]
    anew = starts[2][1]
    assert anew.startswith("The order.\n\nYou have worked on this already")
    assert "a gate that will judge your work is red" in anew
    assert transcript.restarts[1].startswith("A new conversation: the program could not continue")


def test_a_new_conversation_includes_earlier_messages_of_people(place: Place) -> None:
    # Each start reads as much as a conversation may have, and the second a token more.
    model, most = "claude-sonnet-4-6", TokenUse(input=CONTEXT_TOKENS_MAX + 1)
    place.budget.charge(model, most, TokenUse())

    _, transcript, starts = run(place, "", WORDS, gate="test $(wc -l <starts) -gt 2")

    assert ["--resume" in arguments for arguments, _ in starts] == [False] * 3
    assert ["@ann:" in text for _, text in starts] == [False, True, True]
    assert "a gate that will judge" in starts[2][1]
    assert all("had 140,001 tokens" in why for why in transcript.restarts)


@pytest.mark.parametrize(
    ("session", "last", "goes_on", "why"),
    [
        ("", LastAnswer(10, 0), False, "named no conversation"),
        ("s1", None, True, "continues"),
        ("s1", LastAnswer(CONTEXT_TOKENS_MAX, AGE_SECONDS_MAX), True, "continues"),
        ("s1", LastAnswer(CONTEXT_TOKENS_MAX + 1, 0), False, "had 140,001 tokens"),
        ("s1", LastAnswer(10, AGE_SECONDS_MAX + 60), False, "61 minutes old"),
    ],
    ids=["none", "nothing answered", "both at their limit", "too long", "too old"],
)
def test_rules_decide_whether_a_conversation_is_resumed(
    session: str, last: LastAnswer | None, goes_on: bool, why: str
) -> None:
    begins = restart(session, last)
    assert begins.goes_on is goes_on
    assert why in begins.why
