"""Translates a prompt to a request of the Messages API, and its errors to ours."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.core.values.prompt import Prompt, PromptPart, ReplyEnding
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import MessageParam, TextBlockParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

_TEMPORARY_STATUS = {408, 409, 425, 429}
_TEMPORARY_KINDS = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}


def request_of(model: str, prompt: Prompt) -> "MessageCreateParamsNonStreaming":
    return {
        "model": model,
        "max_tokens": prompt.answer_tokens_max,
        "system": [_block(PromptPart(text=prompt.system, ends_stretch=True))],
        "messages": _messages(prompt),
        "tools": [
            {
                "name": prompt.tool,
                "description": prompt.tool_says,
                "input_schema": json.loads(prompt.tool_schema),
            }
        ],
        "tool_choice": {"type": "tool", "name": prompt.tool},
    }


def ending_of(stop_reason: str) -> ReplyEnding:
    if stop_reason == "refusal":
        return ReplyEnding.REFUSED
    if stop_reason in {"max_tokens", "model_context_window_exceeded"}:
        return ReplyEnding.TRUNCATED
    return ReplyEnding.COMPLETE


@contextmanager
def translated_errors(model: str) -> Iterator[None]:
    """Raises the client's temporary errors as `Retryable` and all others as `UserError`."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        raise _translated(error, model) from error
    except anthropic.APITimeoutError as error:
        raise Retryable(f"{model} did not answer in time.") from error
    except (anthropic.AnthropicError, httpx2.HTTPError, ValueError) as error:
        # ValueError: the stream broke off inside of its JSON.
        sentence = f"The connection to {model} was interrupted ({type(error).__name__})."
        raise Retryable(sentence) from error


def _block(part: PromptPart) -> "TextBlockParam":
    if part.ends_stretch:
        return {"type": "text", "text": part.text, "cache_control": {"type": "ephemeral"}}
    return {"type": "text", "text": part.text}


def _messages(prompt: Prompt) -> "list[MessageParam]":
    first: MessageParam = {"role": "user", "content": [_block(p) for p in prompt.parts]}
    if prompt.repair is None:
        return [first]
    errors = "\n".join(f"- {error}" for error in prompt.repair.errors)
    return [
        first,
        {"role": "assistant", "content": prompt.repair.reply.strip() or "(no answer)"},
        {
            "role": "user",
            "content": f"That is no valid input of the tool {prompt.tool}:\n{errors}\n"
            "Call the tool again, with the whole answer and these points corrected.",
        },
    ]


def _translated(error: "anthropic.APIStatusError", model: str) -> Retryable | UserError:
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error")
    kind = str(inner.get("type", "")) if isinstance(inner, dict) else ""
    says = str(inner.get("message", "")) if isinstance(inner, dict) else ""
    status = error.status_code
    if status in _TEMPORARY_STATUS or status >= 500 or kind in _TEMPORARY_KINDS:
        return Retryable(f"{model} is busy ({status} {kind}).".replace(" )", ")"), _after(error))
    if status in {401, 403}:
        return UserError(f"The provider refused the key for {model} ({status}).")
    if status == 404:
        return UserError(f"The provider has no model {model}.")
    return UserError(
        f"The provider refused the request to {model} ({status}): {(says or error.message)[:200]}"
    )


def _after(error: "anthropic.APIStatusError") -> timedelta | None:
    header = error.response.headers.get("retry-after", "")
    try:
        return timedelta(seconds=max(0.0, float(header)))
    except (ValueError, OverflowError):
        return None
