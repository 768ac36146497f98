"""The built-in agent: a conversation with the model, and a few tools.

It runs in the harness's process, because it holds the model key; only its tools run in the
sandbox. The budget admits every turn.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import anthropic
import httpx2
import pydantic_core
from anthropic.types import (
    CacheControlEphemeralParam,
    Message,
    MessageParam,
    TextBlock,
    TextBlockParam,
    ToolParam,
    ToolResultBlockParam,
    ToolTextEditor20250728Param,
    ToolUnionParam,
    ToolUseBlock,
)

from action.agents.budget import Admission, Budget, LimitReached
from action.agents.contact import deferred, obstacle_in, retry_after
from action.agents.conversation import WRITE_DOWN, Conversation
from action.agents.event_log import EventLog
from action.agents.limit_notices import LimitNotices
from action.agents.outcome import AgentOutcome, Transcript, stated_end
from action.agents.prompt import (
    ask_tool_description,
    bash_tool_description,
    quick_gates_description,
    told_now,
)
from action.agents.questions import ASK, ask_schema, ended_by_asking, read_questions
from action.agents.repeats import Repeats
from action.agents.thinking import thinking_for
from action.agents.tools import BASH, QUICK_GATES, BashInput, Tools
from action.agents.usage import Usage, UsageCount, upper_estimate
from action.halt import Halt
from action.order import AskingRule, ModelCredentials
from action.report import AgentEnding, AgentQuestion, Obstacle

# Within what every current model may answer at once; a longer file is written in pieces.
ANSWER_TOKENS_MAX = 16_000
# Less than this is no answer to work with: then the money is spent.
_ANSWER_TOKENS_LEAST = 1_000
# Between two events of a stream, in which the server sends pings.
READ_TIMEOUT_SECONDS = 120.0
# 0.5 s, doubled up to 8 s, or what the server asks for.
REQUEST_RETRIES = 4
# An answer that breaks off midway is asked for again this often in a row.
BROKEN_ANSWERS_MAX = 2
# What the client raises where the events of a stream are not in the API's form.
_MALFORMED = (AttributeError, RuntimeError, ValueError)
# A server that wants more time than this is not asked again in this run.
_WAIT_SECONDS_MAX = 60.0
_TOO_LONG = re.compile(r"prompt is too long|context (?:window|length)", re.IGNORECASE)
_CACHED = CacheControlEphemeralParam(type="ephemeral")
_GO_ON = "Go on. End with DONE on the last line when it is finished, or with GIVE UP: and why."


@dataclass(frozen=True)
class Task:
    """The first messages, whether the agent may ask people, and whether there are quick gates."""

    system: str
    text: str
    asking: AskingRule
    has_quick_gates: bool = False


@dataclass(frozen=True)
class _Asked:
    """A request that was admitted: its size, and the longest answer that it allows."""

    request_bytes: int
    longest: int
    admitted: Admission


@dataclass(frozen=True)
class TooLong:
    """The conversation does not fit into the model's context window."""


class Model:
    """One model at one address; an answer is streamed and counted against the budget."""

    def __init__(
        self, credentials: ModelCredentials, name: str, budget: Budget, halt: Halt
    ) -> None:
        self._name = name
        self._budget = budget
        self._halt = halt
        self._may_think = True
        self._client = anthropic.Anthropic(
            api_key=credentials.api_key,
            base_url=credentials.base_url,
            max_retries=REQUEST_RETRIES,
            timeout=READ_TIMEOUT_SECONDS,
        )

    def close(self) -> None:
        self._client.close()

    def answer(self, task: Task, messages: list[MessageParam]) -> Message | AgentOutcome | TooLong:
        """The next message; retried a few times when the connection or the server fails."""
        parts = [task.system, _tools(task), messages]
        request_bytes = len(pydantic_core.to_json(parts))
        left = self._budget.answer_tokens_left(self._name, upper_estimate(request_bytes, 0))
        longest = max(_ANSWER_TOKENS_LEAST, min(ANSWER_TOKENS_MAX, left))
        admitted = self._budget.admit(self._name, upper_estimate(request_bytes, longest))
        if isinstance(admitted, LimitReached):
            return AgentOutcome(admitted.ending, admitted.sentence)
        asked = _Asked(request_bytes, longest, admitted)
        with admitted:
            return self._ask_until_answered(task, messages, asked)

    def _ask_until_answered(
        self, task: Task, messages: list[MessageParam], asked: _Asked
    ) -> Message | AgentOutcome | TooLong:
        away = _unreachable(Obstacle.MODEL_AWAY, "")
        for _ in range(1 + BROKEN_ANSWERS_MAX):
            self._halt.check()
            try:
                return self._ask(task, messages, asked)
            except anthropic.APIStatusError as error:
                away = _away(error)
                ended = self._ended_by(error, away)
                if ended is not None:
                    return ended
            except anthropic.APIConnectionError:
                # Repeated by the client already, and never answered once.
                return _unreachable(Obstacle.MODEL_AWAY, "no connection")
            except httpx2.HTTPError as error:
                sentence = f"an answer was interrupted ({type(error).__name__})"
                away = _unreachable(Obstacle.MODEL_AWAY, sentence)
            except _MALFORMED as error:
                sentence = f"an answer did not have the API's format ({type(error).__name__})"
                away = _unreachable(Obstacle.MODEL_AWAY, sentence)
        return away

    def _ended_by(
        self, error: anthropic.APIStatusError, away: AgentOutcome
    ) -> AgentOutcome | TooLong | None:
        """What an answer of the server's ends with; None where it is to be asked again."""
        if isinstance(error, anthropic.AuthenticationError | anthropic.PermissionDeniedError):
            sentence = f"the server refused the key ({error.status_code})"
            return _unreachable(Obstacle.MODEL_REFUSED, sentence)
        if isinstance(error, anthropic.NotFoundError):
            return _unreachable(Obstacle.MODEL_REFUSED, f"there is no model {self._name}")
        obstacle = obstacle_in(error.status_code, error.message)
        if obstacle is Obstacle.MODEL_UNPAID:
            return _unreachable(obstacle, error.message)
        if _is_too_long(error):
            return TooLong()
        if self._may_think and _is_about_thinking(error):
            self._may_think = False
            return None
        # An error inside a stream that began well has the stream's status.
        if obstacle is None and error.status_code >= 400:
            return AgentOutcome(AgentEnding.CRASHED, f"The model refused: {error.message}")
        after = away.retry_after_seconds
        return away if after is not None and after > _WAIT_SECONDS_MAX else None

    def _ask(self, task: Task, messages: list[MessageParam], asked: _Asked) -> Message:
        used = UsageCount()
        answer_bytes = 0
        thinking = thinking_for(self._name, asked.longest) if self._may_think else None
        with self._client.messages.stream(
            model=self._name,
            max_tokens=asked.longest,
            system=[TextBlockParam(type="text", text=task.system, cache_control=_CACHED)],
            tools=_tools(task),
            messages=messages,
            thinking=thinking or anthropic.omit,
        ) as stream:
            try:
                for event in stream:
                    self._halt.check()
                    if event.type == "message_start":
                        used.note(Usage.model_validate(event.message.usage))
                    elif event.type == "message_delta":
                        used.note(Usage.model_validate(event.usage))
                        used.is_final = True
                    elif event.type == "content_block_delta":
                        answer_bytes += len(event.delta.to_json())
                answer = stream.get_final_message()
                if answer.stop_reason is None:
                    # A proxy may end in good order what the server broke off.
                    raise httpx2.RemoteProtocolError("the stream ended before the answer")
                return answer
            finally:
                asked.admitted.charge(used.charged(asked.request_bytes, answer_bytes))


def _tools(task: Task) -> list[ToolUnionParam]:
    """With the tool for questions, also where the agent must be told that it may not ask again."""
    ask = ToolParam(name=ASK, description=ask_tool_description(), input_schema=ask_schema())
    quick = ToolParam(
        name=QUICK_GATES,
        description=quick_gates_description(),
        input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    )
    return [
        *(() if task.asking is AskingRule.OFF else (ask,)),
        *((quick,) if task.has_quick_gates else ()),
        ToolParam(
            name=BASH,
            description=bash_tool_description(),
            input_schema=BashInput.model_json_schema(),
        ),
        ToolTextEditor20250728Param(
            type="text_editor_20250728", name="str_replace_based_edit_tool", cache_control=_CACHED
        ),
    ]


def run_builtin_agent(
    model: Model,
    tools: Tools,
    budget: Budget,
    task: Task,
    say: Callable[[str], None],
    events: EventLog | None = None,
) -> tuple[AgentOutcome, Transcript]:
    """Run until DONE, a question, a limit, or a model that does not answer.

    `events` are told as they come, and bring what people say.
    """
    run = _Run(model, tools, budget, task, say, Transcript(events))
    while True:
        outcome = run.turn()
        if outcome is not None:
            return outcome, run.transcript


class _Run:
    def __init__(
        self,
        model: Model,
        tools: Tools,
        budget: Budget,
        task: Task,
        say: Callable[[str], None],
        transcript: Transcript,
    ) -> None:
        self._model = model
        self._tools = tools
        self._budget = budget
        self._task = task
        self._say = say
        self._notices = LimitNotices(budget)
        self._repeats = Repeats()
        self._conversation = Conversation(task.text)
        self._reminded = False
        self.transcript = transcript
        self.transcript.add("task", task.text)

    def turn(self) -> AgentOutcome | None:
        """One answer and what follows from it; how the run ended, if it did."""
        self._hear()
        answer = self._answer()
        if isinstance(answer, AgentOutcome):
            return answer
        if answer.stop_reason == "model_context_window_exceeded":
            # What it was saying is cut off, so it is not kept.
            self._go_on_anew(None)
            return None
        self._conversation.add_answer(answer)
        calls = [block for block in answer.content if isinstance(block, ToolUseBlock)]
        if answer.stop_reason == "refusal" or not calls:
            return self._without_calls(answer)
        questions = self._carry_out_all(answer, calls)
        if questions:
            return ended_by_asking(questions)
        if self._conversation.make_room():
            return self._write_down()
        return None

    def _hear(self) -> bool:
        """Pass on what people told this run; whether they did."""
        words = self.transcript.events.take_told()
        if words:
            said = told_now(words)
            self.transcript.add("people", said)
            self._conversation.say(said)
        return bool(words)

    def _answer(self) -> Message | AgentOutcome:
        answer = self._model.answer(self._task, self._conversation.messages)
        if isinstance(answer, TooLong):
            self._go_on_anew(None)
            answer = self._model.answer(self._task, self._conversation.messages)
        if isinstance(answer, TooLong):
            sentence = "The task alone is longer than the model's context window."
            return AgentOutcome(AgentEnding.CRASHED, sentence)
        if isinstance(answer, Message):
            _note(answer, self.transcript, self._say, self._budget.turns)
        return answer

    def _carry_out_all(self, answer: Message, calls: list[ToolUseBlock]) -> list[AgentQuestion]:
        """Do what was asked for; the questions for people, if there are any."""
        is_cut = answer.stop_reason == "max_tokens"
        asking = self._task.asking
        results = [
            _cut_off(call)
            if is_cut
            else _refused_question(call, asking)
            or _carry_out(call, self._tools, self._budget, self.transcript)
            for call in calls
        ]
        turn = [(c.name, c.input, r.get("content")) for c, r in zip(calls, results, strict=True)]
        due = (self._notices.due(), self._repeats.due(turn))
        notice = "\n\n".join(one for one in due if one)
        if notice:
            self.transcript.add("notice", notice)
        self._conversation.add_results(results, notice)
        return [] if is_cut else _questions_in(calls, asking)

    def _without_calls(self, answer: Message) -> AgentOutcome | None:
        outcome = _stated_end(answer)
        if outcome is not None and outcome.ending is AgentEnding.FINISHED and self._hear():
            return None
        if outcome is not None:
            return self._unless_red(outcome)
        if answer.stop_reason == "pause_turn":
            # The same messages once more: the server goes on by itself.
            return None
        if answer.stop_reason == "end_turn":
            if self._reminded:
                # Not by a word: whether it is finished is seen in its tree.
                sentence = "The agent stopped without saying that it is done."
                return self._unless_red(AgentOutcome(AgentEnding.FINISHED, sentence))
            self._reminded = True
        self._conversation.say(_GO_ON)
        return None

    def _unless_red(self, outcome: AgentOutcome) -> AgentOutcome | None:
        """Red of a quick gate goes back to the agent that has finished, a few times."""
        red = self._tools.rounds.red() if outcome.ending is AgentEnding.FINISHED else ""
        if not red:
            return outcome
        self.transcript.add("harness", red)
        self._conversation.say(red)
        return None

    def _write_down(self) -> AgentOutcome | None:
        """Let the model say where it stands, and go on with that in a new conversation."""
        self._conversation.say(WRITE_DOWN)
        answer = self._model.answer(self._task, self._conversation.messages)
        if isinstance(answer, AgentOutcome):
            return answer
        if isinstance(answer, TooLong):
            self._go_on_anew(None)
            return None
        _note(answer, self.transcript, self._say, self._budget.turns)
        said = "\n".join(block.text for block in answer.content if isinstance(block, TextBlock))
        self._go_on_anew(said.strip())
        return None

    def _go_on_anew(self, written_down: str | None) -> None:
        wrote = "with its own notes" if written_down else "with the task alone"
        self.transcript.restarted(f"A new conversation, {wrote}, because the last one was full.")
        self._conversation.begin_anew(written_down)


def _carry_out(
    call: ToolUseBlock, tools: Tools, budget: Budget, transcript: Transcript
) -> ToolResultBlockParam:
    answer = tools.use(call.name, call.input, max(1.0, budget.seconds_left))
    transcript.add(f"{call.name} answered", answer.text)
    return ToolResultBlockParam(
        type="tool_result", tool_use_id=call.id, content=answer.text, is_error=answer.is_error
    )


def _questions_in(calls: list[ToolUseBlock], asking: AskingRule) -> list[AgentQuestion]:
    if asking is not AskingRule.ALLOWED:
        return []
    read = (read_questions(call.input) for call in calls if call.name == ASK)
    return [question for one in read if not isinstance(one, str) for question in one]


def _refused_question(call: ToolUseBlock, asking: AskingRule) -> ToolResultBlockParam | None:
    """The answer to a question that goes to nobody; None for any other tool."""
    if call.name != ASK or asking is AskingRule.OFF:
        return None
    said = "You have asked as often as you may for this change: decide by yourself, and go on."
    if asking is AskingRule.ALLOWED:
        read = read_questions(call.input)
        said = read if isinstance(read, str) else ""
    return ToolResultBlockParam(
        type="tool_result", tool_use_id=call.id, content=said, is_error=True
    )


def _cut_off(call: ToolUseBlock) -> ToolResultBlockParam:
    """An input that was cut off midway may look whole; it is never carried out."""
    return ToolResultBlockParam(
        type="tool_result",
        tool_use_id=call.id,
        content="Not done: your answer was too long and was cut off. Work in smaller pieces.",
        is_error=True,
    )


def _stated_end(answer: Message) -> AgentOutcome | None:
    if answer.stop_reason == "refusal":
        return AgentOutcome(AgentEnding.GAVE_UP, "The model declined the task.")
    text = "\n".join(block.text for block in answer.content if isinstance(block, TextBlock))
    return stated_end(text)


def _note(answer: Message, transcript: Transcript, say: Callable[[str], None], turn: int) -> None:
    for block in answer.content:
        if isinstance(block, TextBlock):
            transcript.add("agent", block.text)
        elif isinstance(block, ToolUseBlock):
            transcript.add(f"agent calls {block.name}", str(block.input), block.name)
            say(f"turn {turn}: {block.name}")


def _is_too_long(error: anthropic.APIStatusError) -> bool:
    """The API's own words, and those of servers that speak like it."""
    if error.status_code == 400:
        return bool(_TOO_LONG.search(error.message))
    return error.status_code == 413


def _away(error: anthropic.APIStatusError) -> AgentOutcome:
    sentence = f"the server answered {error.status_code}"
    obstacle = obstacle_in(error.status_code, error.message) or Obstacle.MODEL_AWAY
    return _unreachable(obstacle, sentence, retry_after(error.response.headers))


def _is_about_thinking(error: anthropic.APIStatusError) -> bool:
    return error.status_code == 400 and "thinking" in error.message.lower()


def _unreachable(
    obstacle: Obstacle, sentence: str, after_seconds: float | None = None
) -> AgentOutcome:
    return deferred(obstacle, f"The request to the model failed: {sentence}.", after_seconds)
