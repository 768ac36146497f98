"""Token counts computed from lengths, prompt cache included.

Four characters count as one token: inexact, but good enough for budgets and reports. Nothing is
stored: what the last request already held is read from the cache, what is new is written, up to the
request's last cache breakpoint.
"""

import json
from dataclasses import dataclass

from pydantic import JsonValue

from bot.localhub.model_server.conversation import Answer, Conversation

CHARACTERS_PER_TOKEN = 4

# A shorter prompt is not cached, and nothing says so ("Prompt caching", "Cache limitations"). Of
# the models that Headgate knows, these need more than the others.
_CACHED_TOKENS_MIN = 1_024
_CACHED_TOKENS_MIN_OF = {"claude-opus-4-": 4_096, "claude-haiku-4-5": 4_096}


@dataclass(frozen=True)
class Usage:
    """Tokens by kind. `input` leaves out what the cache read or wrote.

    `cache_write` is all that was written; `cache_write_hour` is the part of it for an hour.
    """

    input: int
    cache_read: int
    cache_write: int
    output: int
    cache_write_hour: int = 0


def compute_usage(conversation: Conversation, answer: Answer) -> Usage:
    parts = conversation.parts
    reach = max((index + 1 for index, part in enumerate(parts) if part.marked), default=0)
    if tokens(sum(p.characters for p in parts[:reach])) < _cached_tokens_min(conversation.model):
        reach = 0
    cached = parts[:reach]
    read = sum(p.characters for p in cached if p.answers_before < conversation.answers)
    written = sum(p.characters for p in cached) - read
    hour_reach = max((index + 1 for index, part in enumerate(parts) if part.for_an_hour), default=0)
    hour = sum(
        p.characters for p in cached[:hour_reach] if p.answers_before >= conversation.answers
    )
    return Usage(
        input=max(1, tokens(sum(p.characters for p in parts[reach:]))),
        cache_read=tokens(read),
        cache_write=tokens(written),
        cache_write_hour=tokens(hour),
        output=max(1, tokens(_answer_characters(answer))),
    )


def _cached_tokens_min(model: str) -> int:
    more = (least for name, least in _CACHED_TOKENS_MIN_OF.items() if model.startswith(name))
    return next(more, _CACHED_TOKENS_MIN)


def without_usage(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A document or an event as a gateway passes it on that drops what was counted."""
    return {
        key: without_usage(value) if isinstance(value, dict) else value
        for key, value in body.items()
        if key != "usage"
    }


def prompt_tokens(conversation: Conversation) -> int:
    """The size of the whole prompt, as `count_tokens` returns it."""
    return max(1, tokens(sum(part.characters for part in conversation.parts)))


def tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _answer_characters(answer: Answer) -> int:
    return len(answer.text) + sum(
        len(call.name) + len(json.dumps(call.input)) for call in answer.calls
    )
