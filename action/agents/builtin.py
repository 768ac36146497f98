"""The built-in agent: a conversation with the model, and two tools.

It runs in the harness's process, because it holds the model key; only its tools run in the
sandbox. The budget admits every turn.
"""

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
    ToolBash20250124Param,
    ToolParam,
    ToolResultBlockParam,
    ToolTextEditor20250728Param,
    ToolUnionParam,
    ToolUseBlock,
)

from action.agents.budget import Admission, Budget, LimitReached
from action.agents.contact import deferred, obstacle_in, retry_after
from action.agents.outcome import AgentOutcome, Transcript
from action.agents.prompt import ask_tool_description
from action.agents.questions import ASK, ask_schema, ended_by_asking, read_questions
from action.agents.tools import Tools
from action.agents.usage import Usage, UsageCount, upper_estimate
from action.halt import Halt
from action.order import AskingRule, ModelCredentials
from action.report import AgentEnding, AgentQuestion, Obstacle

# Within what every current model may answer at once; a longer file is written in pieces.
ANSWER_TOKENS_MAX = 16_000
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
_CACHED = CacheControlEphemeralParam(type="ephemeral")
_GO_ON = "Go on. End with DONE on the last line when it is finished, or with GIVE UP: and why."


@dataclass(frozen=True)
class Task:
    """The first messages, and whether the agent may ask people."""

    system: str
    text: str
    asking: AskingRule


class Model:
    """One model at one address; an answer is streamed and counted against the budget."""

    def __init__(
        self, credentials: ModelCredentials, name: str, budget: Budget, halt: Halt
    ) -> None:
        self._name = name
        self._budget = budget
        self._halt = halt
        self._client = anthropic.Anthropic(
            api_key=credentials.api_key,
            base_url=credentials.base_url,
            max_retries=REQUEST_RETRIES,
            timeout=READ_TIMEOUT_SECONDS,
        )

    def close(self) -> None:
        self._client.close()

    def answer(self, task: Task, messages: list[MessageParam]) -> Message | AgentOutcome:
        """The next message; retried a few times when the connection or the server fails."""
        parts = [task.system, _tools(task.asking), messages]
        request_bytes = len(pydantic_core.to_json(parts))
        admitted = self._budget.admit(self._name, upper_estimate(request_bytes, ANSWER_TOKENS_MAX))
        if isinstance(admitted, LimitReached):
            return AgentOutcome(admitted.ending, admitted.sentence)
        with admitted:
            return self._ask_until_answered(task, messages, request_bytes, admitted)

    def _ask_until_answered(
        self, task: Task, messages: list[MessageParam], request_bytes: int, admitted: Admission
    ) -> Message | AgentOutcome:
        away = _unreachable(Obstacle.MODEL_AWAY, "")
        for _ in range(1 + BROKEN_ANSWERS_MAX):
            self._halt.check()
            try:
                return self._ask(task, messages, request_bytes, admitted)
            except (anthropic.AuthenticationError, anthropic.PermissionDeniedError) as error:
                sentence = f"the key was refused ({error.status_code})"
                return _unreachable(Obstacle.MODEL_REFUSED, sentence)
            except anthropic.NotFoundError:
                return _unreachable(Obstacle.MODEL_REFUSED, f"there is no model {self._name}")
            except anthropic.APIStatusError as error:
                obstacle = obstacle_in(error.status_code, error.message)
                if obstacle is Obstacle.MODEL_UNPAID:
                    return _unreachable(obstacle, error.message)
                # An error inside a stream that began well has the stream's status.
                if obstacle is None and error.status_code >= 400:
                    sentence = f"The model refused: {error.message}"
                    return AgentOutcome(AgentEnding.CRASHED, sentence)
                after = retry_after(error.response.headers)
                sentence = f"the server answered {error.status_code}"
                away = _unreachable(obstacle or Obstacle.MODEL_AWAY, sentence, after)
                if after is not None and after > _WAIT_SECONDS_MAX:
                    return away
            except anthropic.APIConnectionError:
                # Repeated by the client already, and never answered once.
                return _unreachable(Obstacle.MODEL_AWAY, "no connection")
            except httpx2.HTTPError as error:
                sentence = f"an answer broke off ({type(error).__name__})"
                away = _unreachable(Obstacle.MODEL_AWAY, sentence)
            except _MALFORMED as error:
                sentence = f"an answer was not in the API's form ({type(error).__name__})"
                away = _unreachable(Obstacle.MODEL_AWAY, sentence)
        return away

    def _ask(
        self, task: Task, messages: list[MessageParam], request_bytes: int, admitted: Admission
    ) -> Message:
        used = UsageCount()
        answer_bytes = 0
        with self._client.messages.stream(
            model=self._name,
            max_tokens=ANSWER_TOKENS_MAX,
            system=[TextBlockParam(type="text", text=task.system, cache_control=_CACHED)],
            tools=_tools(task.asking),
            messages=messages,
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
                return stream.get_final_message()
            finally:
                admitted.charge(used.charged(request_bytes, answer_bytes))


def _tools(asking: AskingRule) -> list[ToolUnionParam]:
    """With the tool for questions, also where the agent must be told that it may not ask again."""
    ask = ToolParam(name=ASK, description=ask_tool_description(), input_schema=ask_schema())
    return [
        *(() if asking is AskingRule.OFF else (ask,)),
        ToolBash20250124Param(type="bash_20250124", name="bash"),
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
) -> tuple[AgentOutcome, Transcript]:
    """Run until DONE, a question, a limit, or a model that does not answer."""
    transcript = Transcript()
    transcript.add("task", task.text)
    messages: list[MessageParam] = [{"role": "user", "content": task.text}]
    reminded = False
    while True:
        answer = model.answer(task, messages)
        if isinstance(answer, AgentOutcome):
            return answer, transcript
        _note(answer, transcript, say, budget.turns)
        if answer.content:
            messages.append({"role": "assistant", "content": answer.content})
        calls = [block for block in answer.content if isinstance(block, ToolUseBlock)]
        if calls:
            is_cut = answer.stop_reason == "max_tokens"
            questions = [] if is_cut else _questions_in(calls, task.asking)
            results = [
                _cut_off(call)
                if is_cut
                else _refused_question(call, task.asking)
                or _carry_out(call, tools, budget, transcript)
                for call in calls
            ]
            if questions:
                return ended_by_asking(questions), transcript
            results[-1]["cache_control"] = _CACHED
            _drop_older_cache_marks(messages)
            messages.append({"role": "user", "content": results})
            continue
        outcome = _stated_end(answer)
        if outcome is not None:
            return outcome, transcript
        if answer.stop_reason == "end_turn":
            if reminded:
                # Not by a word: whether it is finished is seen in its tree.
                sentence = "The agent stopped without saying that it is done."
                return AgentOutcome(AgentEnding.FINISHED, sentence), transcript
            reminded = True
        messages.append({"role": "user", "content": _GO_ON})


def _carry_out(
    call: ToolUseBlock, tools: Tools, budget: Budget, transcript: Transcript
) -> ToolResultBlockParam:
    answer = tools.use(call.name, call.input, max(1.0, budget.seconds_left))
    transcript.add(f"{call.name} answered", answer.text)
    return ToolResultBlockParam(
        type="tool_result", tool_use_id=call.id, content=answer.text, is_error=answer.is_error
    )


def _questions_in(calls: list[ToolUseBlock], asking: AskingRule) -> list[AgentQuestion]:
    """All questions of an answer, if the agent may ask."""
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


def _drop_older_cache_marks(messages: list[MessageParam]) -> None:
    """At most four cache marks are allowed: system, tools, the newest results, the ones before."""
    marked = [
        block
        for message in messages
        if not isinstance(message["content"], str)
        for block in message["content"]
        if isinstance(block, dict) and block["type"] == "tool_result" and "cache_control" in block
    ]
    for block in marked[:-1]:
        if block["type"] == "tool_result":
            del block["cache_control"]


def _stated_end(answer: Message) -> AgentOutcome | None:
    if answer.stop_reason == "refusal":
        return AgentOutcome(AgentEnding.GAVE_UP, "The model declined the task.")
    text = "\n".join(block.text for block in answer.content if isinstance(block, TextBlock))
    last = text.strip().splitlines()[-1].strip(" *`.") if text.strip() else ""
    if last == "DONE":
        return AgentOutcome(AgentEnding.FINISHED, "The agent says that it is done.")
    if last.startswith("GIVE UP:"):
        reason = last.removeprefix("GIVE UP:").strip()
        return AgentOutcome(AgentEnding.GAVE_UP, f"The agent gave up: {reason}")
    return None


def _note(answer: Message, transcript: Transcript, say: Callable[[str], None], turn: int) -> None:
    for block in answer.content:
        if isinstance(block, TextBlock):
            transcript.add("agent", block.text)
        elif isinstance(block, ToolUseBlock):
            transcript.add(f"agent calls {block.name}", str(block.input))
            say(f"turn {turn}: {block.name}")


def _unreachable(
    obstacle: Obstacle, sentence: str, after_seconds: float | None = None
) -> AgentOutcome:
    return deferred(obstacle, f"The model could not be asked: {sentence}.", after_seconds)
