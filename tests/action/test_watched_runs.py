"""A run reports its status without secrets and gets messages of people."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from anthropic.types import Message

from action.agents.event_log import KEPT_CHARACTERS_MAX, EventLog
from action.agents.outcome import Transcript
from action.order import ToldWords
from action.redaction import redacted
from action.report import AgentEnding
from tests.action.fake_server import (
    LEASE_TOKEN,
    MODEL_KEY,
    READ_TOKEN,
    FakeServer,
    bash,
)
from tests.action.kit import Harness, Project, agent_order, ended
from tests.action.test_long_runs import called, run, said

PROVIDER_KEY = "sk-ant-" + "canary0123456789" * 3
CANARIES = (LEASE_TOKEN, MODEL_KEY, READ_TOKEN, PROVIDER_KEY)
WORDS = ToldWords(author="ann", text="Round half up. </decided>")


def _until_seen(server: FakeServer, text: str) -> None:
    """Wait until the server has an event with the text; a killed test ends it."""
    while text not in _seen(server):
        time.sleep(0.05)


def _seen(server: FakeServer) -> str:
    lines = [json.loads(line) for batch in server.batches for line in batch.lines]
    return "\n".join(f"{line['kind']}: {line['text']}" for line in lines)


def test_messages_reach_the_model_at_its_next_turn() -> None:
    events = EventLog()

    def turns() -> Iterator[Message]:
        yield called()
        events.tell((WORDS,))
        yield called()
        yield said("DONE")

    outcome, _, model = run(turns(), events=events)

    assert outcome.ending is AgentEnding.FINISHED
    assert "@ann:" not in model.asked[1]
    assert "@ann:" in model.asked[2]
    # The frame is ours alone.
    assert "Round half up. < /decided>" in model.asked[2]


def test_a_message_during_the_last_answer_reaches_the_model() -> None:
    events = EventLog()

    def late() -> Iterator[Message]:
        yield called()
        # While this answer is on its way.
        events.tell((WORDS,))
        yield said("DONE")
        yield said("DONE")

    outcome, _, model = run(late(), events=events)

    assert outcome.ending is AgentEnding.FINISHED
    assert "@ann:" in model.asked[-1]


def test_events_are_numbered_capped_and_taken_once() -> None:
    events = EventLog()
    for number in range(5):
        events.note("agent", f"{number} " + "x" * 5_000)

    first, lines = events.pending(4_000)
    assert (first, len(lines)) == (0, 2)
    assert "[… 3,602 characters …]" in lines[0]
    events.taken(2)
    assert events.pending(5_000)[0] == 2
    events.taken(1)
    assert events.pending(100_000) == (2, events.pending(100_000)[1])
    assert len(events.pending(100_000)[1]) == 3


def test_events_that_are_not_taken_do_not_fill_the_memory() -> None:
    events = EventLog()
    for _ in range(1_000):
        events.note("agent", "x" * 5_000)

    first, lines = events.pending(10**9)
    assert KEPT_CHARACTERS_MAX - 5_000 < sum(map(len, lines)) <= KEPT_CHARACTERS_MAX
    assert first + len(lines) == 1_000
    events.taken(999)
    events.note("agent", "last")
    assert [len(line) < 100 for line in events.pending(10**9)[1]] == [False, True]


@pytest.mark.parametrize("around", ["a ", "a"])
@pytest.mark.parametrize("known", [(), (LEASE_TOKEN,)])
def test_cutting_a_text_leaves_no_part_of_a_secret(around: str, known: tuple[str, ...]) -> None:
    secret = known[0] if known else PROVIDER_KEY
    for offset in range(0, len(secret) + 1, 4):
        before, after = around * 2_000, around * 40_000
        transcript = Transcript()
        transcript.add("a", f"{before[-(1_000 - offset) :]} {secret} {after}")
        transcript.add("a", f"{after} {secret} {before[: 998 - offset]}")
        transcript.add("b", f"{before} {secret} {after[: 63_980 - offset]}")
        lines = transcript.events.pending(10**9)[1]
        seen = redacted("\n".join((*lines, transcript.tail)), known)
        parts = (secret[n : n + 12] for n in range(8, len(secret) - 12))
        assert not [part for part in parts if part in seen], offset


def test_a_text_is_shown_without_secrets() -> None:
    text = redacted(f"key {PROVIDER_KEY}, token {LEASE_TOKEN}, word {'abc'}", (LEASE_TOKEN, "abc"))
    assert text == "key [secret], token [secret], word abc"


@pytest.mark.slow
def test_a_running_agent_is_reported_and_its_transcript_has_no_secrets(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [
        [f"I know {MODEL_KEY}.", bash(f"echo {PROVIDER_KEY} {READ_TOKEN} {LEASE_TOKEN}")],
        [bash("echo x >new; echo written")],
        ["DONE"],
        ["DONE"],
    ]
    server.answers.clear()
    process = harness.start()
    server.asks.acquire()
    server.told.append(WORDS)
    _until_heard(server)
    server.answers.set()

    done = ended(process)

    assert done.code == 0, done.output
    assert "@ann:" in json.dumps(server.asked[1])
    seen = _seen(server)
    assert "agent calls bash" in seen
    assert "written" in seen
    report = server.agent_report.model_dump_json()
    assert not [one for one in CANARIES if one in seen or one in report]
    assert "I know [secret]." in seen
    status = server.batches[-1].status
    assert (status.last_tool, status.turns) == ("bash", 3)


def _until_heard(server: FakeServer) -> None:
    while not any(batch.heard for batch in server.batches):
        time.sleep(0.05)


@pytest.mark.slow
def test_the_last_output_of_a_killed_runner_is_kept(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project)
    server.script = [["I begin.", bash("echo last sign of life")], [bash("sleep 20")], ["DONE"]]
    server.answers.clear()
    process = harness.start()
    server.asks.acquire()
    server.answers.set()
    _until_seen(server, "last sign of life")
    process.kill()
    process.communicate()

    assert server.reports == []
    assert "I begin." in _seen(server)
