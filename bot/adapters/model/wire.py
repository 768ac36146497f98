"""A question as a request to the Messages API, and its errors as ours."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.core.values.prompt import PromptPart, Question, ReplyEnding
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import MessageParam, TextBlockParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

_PASSING_STATUS = {408, 409, 425, 429}
_PASSING_KINDS = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}


def request_of(model: str, question: Question) -> "MessageCreateParamsNonStreaming":
    """The request for one answer: the question's tool, and no other way to answer than it."""
    return {
        "model": model,
        "max_tokens": question.answer_tokens_max,
        "system": [_block(PromptPart(text=question.system, ends_stretch=True))],
        "messages": _messages(question),
        "tools": [
            {
                "name": question.tool,
                "description": question.tool_says,
                "input_schema": json.loads(question.tool_schema),
            }
        ],
        "tool_choice": {"type": "tool", "name": question.tool},
    }


def ending_of(stop_reason: str) -> ReplyEnding:
    """How an answer ended, by the reason that the API gives."""
    if stop_reason == "refusal":
        return ReplyEnding.REFUSED
    if stop_reason in {"max_tokens", "model_context_window_exceeded"}:
        return ReplyEnding.TRUNCATED
    return ReplyEnding.SAID


@contextmanager
def telling_trouble_apart(model: str) -> Iterator[None]:
    """Raises `Retryable` for trouble of the client's that passes, and `UserError` for all other."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        raise _told_apart(error, model) from error
    except anthropic.APITimeoutError as error:
        raise Retryable(f"{model} did not answer in time.") from error
    except (anthropic.AnthropicError, httpx2.HTTPError, ValueError) as error:
        # ValueError: what breaks off in the middle of its JSON.
        sentence = f"The connection to {model} broke off ({type(error).__name__})."
        raise Retryable(sentence) from error


def _block(part: PromptPart) -> "TextBlockParam":
    if part.ends_stretch:
        return {"type": "text", "text": part.text, "cache_control": {"type": "ephemeral"}}
    return {"type": "text", "text": part.text}


def _messages(question: Question) -> "list[MessageParam]":
    asked: MessageParam = {"role": "user", "content": [_block(p) for p in question.parts]}
    if question.repair is None:
        return [asked]
    errors = "\n".join(f"- {error}" for error in question.repair.errors)
    return [
        asked,
        {"role": "assistant", "content": question.repair.said.strip() or "(no answer)"},
        {
            "role": "user",
            "content": f"That is no valid input of the tool {question.tool}:\n{errors}\n"
            "Call the tool again, with the whole answer and these points mended.",
        },
    ]


def _told_apart(error: "anthropic.APIStatusError", model: str) -> Retryable | UserError:
    """Trouble that passes, or an answer that will not change."""
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error")
    kind = str(inner.get("type", "")) if isinstance(inner, dict) else ""
    says = str(inner.get("message", "")) if isinstance(inner, dict) else ""
    status = error.status_code
    if status in _PASSING_STATUS or status >= 500 or kind in _PASSING_KINDS:
        return Retryable(f"{model} is busy ({status} {kind}).".replace(" )", ")"), _after(error))
    if status in {401, 403}:
        return UserError(f"The key for {model} was refused ({status}).")
    if status == 404:
        return UserError(f"The provider has no model {model}.")
    return UserError(
        f"The request to {model} was refused ({status}): {(says or error.message)[:200]}"
    )


def _after(error: "anthropic.APIStatusError") -> timedelta | None:
    said = error.response.headers.get("retry-after", "")
    try:
        return timedelta(seconds=max(0.0, float(said)))
    except (ValueError, OverflowError):
        return None
