"""The built-in agent in a long run: its window, its limits, and every way an answer can stop."""

from collections.abc import Callable, Iterator, Sequence
from typing import cast

import pytest
from anthropic.types import Message, MessageParam, StopReason, TextBlock, ToolUseBlock, Usage

from action.agents.budget import Budget, LimitReached
from action.agents.builtin import Model, Task, TooLong, run_builtin_agent
from action.agents.conversation import (
    COMPACT_ABOVE,
    RESULTS_KEPT,
    WINDOW_TOKENS,
    WRITE_DOWN,
    Conversation,
)
from action.agents.cut_text import WORD_CHARACTERS_MAX
from action.agents.event_log import EventLog
from action.agents.outcome import TRANSCRIPT_CHARACTERS_MAX, AgentOutcome, Transcript
from action.agents.tools import ToolAnswer, Tools
from action.order import AgentLimits, AgentSettings, AskingRule
from action.report import AgentEnding, TokenUse

# Tokens as the harness estimates them where nobody has counted: four characters each.
CHARACTERS_PER_TOKEN = 4


class ScriptedModel:
    """Answers from a script, and says how many tokens it was asked with; keeps what it was asked."""

    def __init__(self, budget: Budget, script: Iterator[Message | TooLong]) -> None:
        self._budget = budget
        self._script = script
        self.asked: list[str] = []
        self.tokens: list[int] = []

    def answer(self, _task: Task, messages: list[MessageParam]) -> Message | AgentOutcome | TooLong:
        over = self._budget.over()
        if over is not None:
            return AgentOutcome(over.ending, over.sentence)
        admitted = self._budget.admit("scripted", TokenUse())
        assert not isinstance(admitted, LimitReached)
        with admitted:
            asked = str(messages)
            self.asked.append(asked)
            tokens = len(asked) // CHARACTERS_PER_TOKEN
            self.tokens.append(tokens)
            answer = next(self._script)
            if isinstance(answer, TooLong):
                return answer
            usage = Usage(input_tokens=tokens, output_tokens=10)
            return answer.model_copy(update={"usage": usage})


class NoRounds:
    def red(self) -> str:
        return ""


class ScriptedTools:
    def __init__(self, output: str) -> None:
        self.output = output
        self.rounds = NoRounds()

    def use(self, _name: str, _given: object, _seconds_left: float) -> ToolAnswer:
        return ToolAnswer(self.output, is_error=False)


def said(text: str, stop: StopReason = "end_turn") -> Message:
    return _message([TextBlock(type="text", text=text)], stop)


def called(command: str = "cat shop.py", stop: StopReason = "tool_use") -> Message:
    call = ToolUseBlock(type="tool_use", id="t1", name="bash", input={"command": command})
    return _message([call], stop)


def _message(content: Sequence[TextBlock | ToolUseBlock], stop: StopReason) -> Message:
    return Message(
        id="m1",
        type="message",
        role="assistant",
        model="scripted",
        content=list(content),
        stop_reason=stop,
        usage=Usage(input_tokens=0, output_tokens=0),
    )


def run(
    script: Iterator[Message | TooLong],
    output: str = "ok",
    limits: AgentLimits | None = None,
    events: EventLog | None = None,
) -> tuple[AgentOutcome, Transcript, ScriptedModel]:
    budget = Budget(AgentSettings(limits=limits or AgentLimits(turns_max=1_000)), lambda: 0.0)
    model = ScriptedModel(budget, script)
    outcome, transcript = run_builtin_agent(
        cast(Model, model),
        cast(Tools, ScriptedTools(output)),
        budget,
        Task("system", "Do the task.", AskingRule.OFF),
        _silent,
        events,
    )
    return outcome, transcript, model


def _silent(_: str) -> None:
    """Nobody watches."""


def test_messages_of_the_model_are_kept_as_plain_values() -> None:
    """Objects of the client take much more memory than their text; the request stays the same."""
    answers = Message.model_validate_json(
        """{"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}}]}"""
    )
    conversation = Conversation("Do the task.")
    conversation.add_answer(answers)

    assert conversation.messages[1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}},
        ],
    }


def test_two_hundred_turns_stay_far_below_the_window() -> None:
    turns = [*(called() for _ in range(200)), said("DONE")]

    outcome, _, model = run(iter(turns), "x" * 16_000)

    assert outcome.ending is AgentEnding.FINISHED
    assert max(model.tokens) < 0.6 * WINDOW_TOKENS


def test_a_transcript_keeps_only_its_end() -> None:
    transcript = Transcript()
    for number in range(100):
        transcript.add("agent", f"{number} " + "x" * 5_000)
    assert 0 <= TRANSCRIPT_CHARACTERS_MAX - len(transcript.tail) <= WORD_CHARACTERS_MAX
    assert "--- agent\n99 xxx" in transcript.tail


def test_the_newest_results_are_never_cleared() -> None:
    outputs = (f"result {n} " + "x" * 15_000 for n in range(100))

    class Numbered(ScriptedTools):
        def use(self, _name: str, _given: object, _seconds_left: float) -> ToolAnswer:
            return ToolAnswer(next(outputs), is_error=False)

    budget = Budget(AgentSettings(limits=AgentLimits(turns_max=1_000)), lambda: 0.0)
    model = ScriptedModel(budget, iter([*(called() for _ in range(60)), said("DONE")]))
    task = Task("system", "Do the task.", AskingRule.OFF)
    run_builtin_agent(cast(Model, model), cast(Tools, Numbered("")), budget, task, _silent)

    last = model.asked[-1]
    assert all(f"result {n} " in last for n in range(60 - RESULTS_KEPT, 60))
    assert "result 0 " not in last
    assert "cleared to make room: 15,009 characters" in last


def test_a_full_conversation_is_restarted_from_the_models_notes() -> None:
    long_talk = "y" * int(COMPACT_ABOVE * WINDOW_TOKENS * CHARACTERS_PER_TOKEN)
    talk = _message(
        [
            TextBlock(type="text", text=long_talk),
            ToolUseBlock(type="tool_use", id="t1", name="bash", input={"command": "ls"}),
        ],
        "tool_use",
    )
    script = [talk, called(), said("The half is done; run `make test`."), said("DONE")]

    outcome, transcript, model = run(iter(script))

    assert outcome.ending is AgentEnding.FINISHED
    assert WRITE_DOWN[:40] in model.asked[2]
    assert "Do the task." in model.asked[3]
    assert "The half is done; run `make test`." in model.asked[3]
    assert model.tokens[3] < 1_000
    assert transcript.restarts == [
        "A new conversation, with its own notes, because the last one was full."
    ]


def test_a_prompt_that_is_too_long_restarts_the_conversation() -> None:
    outcome, _, model = run(iter([called(), TooLong(), called(), said("DONE")]))

    assert outcome.ending is AgentEnding.FINISHED
    assert "`git diff` show it" in model.asked[2]


def test_a_task_longer_than_the_context_window_is_an_error() -> None:
    outcome, _, _ = run(iter([TooLong(), TooLong()]))
    assert outcome.ending is AgentEnding.CRASHED
    assert "longer than the model's context window" in outcome.sentence


@pytest.mark.parametrize(
    ("first", "ending", "then"),
    [
        (said("Still at it.", "pause_turn"), AgentEnding.FINISHED, "Still at it."),
        (said("I was cut", "max_tokens"), AgentEnding.FINISHED, "Go on."),
        (said("Stopped.", "stop_sequence"), AgentEnding.FINISHED, "Go on."),
        (said("…", "model_context_window_exceeded"), AgentEnding.FINISHED, "Where you stand"),
    ],
    ids=["pause", "cut", "stop", "window"],
)
def test_every_way_to_stop_is_handled(first: Message, ending: AgentEnding, then: str) -> None:
    outcome, _, model = run(iter([first, said("DONE")]))
    assert outcome.ending is ending
    assert then in model.asked[1]


def test_a_paused_answer_is_sent_back_as_it_is() -> None:
    _, _, model = run(iter([said("Still at it.", "pause_turn"), said("DONE")]))
    assert "Go on" not in model.asked[1]


def test_a_model_that_declines_ends_the_run_even_with_a_tool_call() -> None:
    outcome, _, _ = run(iter([called(stop="refusal")]))
    assert outcome.ending is AgentEnding.GAVE_UP


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (AgentLimits(turns_max=10), "80% of your turns"),
        (AgentLimits(turns_max=10, agent_timeout_seconds=10), "80% of your turns"),
    ],
)
def test_the_agent_is_warned_once_at_four_fifths_of_a_limit(limits: AgentLimits, told: str) -> None:
    script = [*(called(f"cat {n}.py") for n in range(9)), said("DONE")]
    _, transcript, model = run(iter(script), limits=limits)
    assert told in model.asked[8]
    assert told not in model.asked[7]
    assert model.asked[9].count(told) == 1
    assert transcript.tail.count("--- notice") == 1


def test_every_third_identical_call_adds_a_notice() -> None:
    def circle() -> Iterator[Message]:
        for command in ("make", *["make test"] * 6, "make"):
            yield called(command)
        yield said("DONE")

    _, transcript, model = run(circle())

    assert transcript.tail.count("--- notice") == 2
    assert "the same call 3 times" not in model.asked[3]
    assert "the same call 3 times in a row" in model.asked[4]
    assert "the same call 6 times in a row" in model.asked[7]


def test_every_limit_has_its_notice() -> None:
    clock: Callable[[], float] = iter([0.0, *([850.0] * 9)]).__next__
    limits = AgentLimits(tokens_max=100, agent_timeout_seconds=1_000, dollars_max=None)
    budget = Budget(AgentSettings(limits=limits), clock)
    budget.charge("scripted", TokenUse(output=18), TokenUse())
    shares = budget.shares()
    assert shares["time"] == pytest.approx(0.85)
    assert shares["tokens"] > 0.8
    assert "money" not in shares
