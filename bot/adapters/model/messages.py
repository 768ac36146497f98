"""The port `Model` over the Messages API, with the `anthropic` client, imported when first asked.

An answer is streamed and read from the raw events: what the model put into its forced tool call
comes back as text, whole or not. The rule: one request a call, no repetition in the client; trouble
is told apart once, in `wire`. Deliberately absent: chains, forms, prices.
"""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from action.report import TokenUse
from bot.adapters.model.wire import ending_of, request_of, telling_trouble_apart
from bot.core.values.prompt import Question, Reply
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import RawMessageStreamEvent

# Nothing for this long, not even a ping, is a dead connection.
_SILENCE_SECONDS = 60.0
# An answer of sixteen thousand tokens takes five minutes of a slow model.
_WHOLE_SECONDS = 600.0


@dataclass(frozen=True)
class Provider:
    """Where models are, and the key for them. The key shows in no repr."""

    base_url: str
    key: str = field(repr=False)


@dataclass(frozen=True)
class Patience:
    """How long a stream may say nothing, and how long it may take."""

    silence_seconds: float = _SILENCE_SECONDS
    whole_seconds: float = _WHOLE_SECONDS


class MessagesModel:
    """Implements the port `Model`; may be used by several threads."""

    def __init__(
        self,
        default: Provider | None,
        by_model: dict[str, Provider],
        patience: Patience | None = None,
    ) -> None:
        self._default = default
        self._by_model = by_model
        self._patience = patience or Patience()
        self._clients: dict[Provider, anthropic.Anthropic] = {}
        self._lock = threading.Lock()

    def ask(self, model: str, question: Question) -> Reply:
        """One request; see the port for what it raises."""
        reading = _Reading()
        ends_at = time.monotonic() + self._patience.whole_seconds
        asked = request_of(model, question)
        with (
            telling_trouble_apart(model),
            self._client(model).messages.create(
                model=model,
                max_tokens=asked["max_tokens"],
                system=asked["system"],
                messages=asked["messages"],
                tools=asked["tools"],
                tool_choice=asked["tool_choice"],
                stream=True,
            ) as stream,
        ):
            reading.request_id = stream.response.headers.get("request-id", "")
            _read(stream, reading, ends_at)
        return reading.reply(model)

    def _client(self, model: str) -> "anthropic.Anthropic":
        import anthropic

        provider = self._by_model.get(model, self._default)
        if provider is None or not provider.key:
            raise UserError(f"There is no key for {model} on this server.")
        with self._lock:
            if provider not in self._clients:
                self._clients[provider] = anthropic.Anthropic(
                    api_key=provider.key,
                    base_url=provider.base_url,
                    max_retries=0,
                    timeout=self._patience.silence_seconds,
                )
            return self._clients[provider]


@dataclass
class _Reading:
    """What has been read of a stream so far."""

    request_id: str = ""
    said: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    stop_reason: str = ""
    is_whole: bool = False
    tokens: TokenUse = field(default_factory=TokenUse)

    def take(self, event: "RawMessageStreamEvent") -> None:
        """One event."""
        match event.type:
            case "message_start":
                usage = event.message.usage
                self.tokens = TokenUse(
                    input=usage.input_tokens,
                    output=usage.output_tokens,
                    cache_read=usage.cache_read_input_tokens or 0,
                    cache_write=usage.cache_creation_input_tokens or 0,
                )
            case "content_block_delta":
                if event.delta.type == "input_json_delta":
                    self.said.append(event.delta.partial_json)
                elif event.delta.type == "text_delta":
                    self.prose.append(event.delta.text)
            case "message_delta":
                self.stop_reason = event.delta.stop_reason or ""
                # Cumulative, thinking included: what is billed.
                self.tokens = self.tokens.model_copy(update={"output": event.usage.output_tokens})
            case "message_stop":
                self.is_whole = True
            case _:
                return

    def reply(self, model: str) -> Reply:
        """What was said; raises `Retryable` where the stream ended before the answer did."""
        if not self.is_whole:
            raise Retryable(f"The answer of {model} broke off.")
        # Prose is no answer; it is kept for the repair round, where it will be refused as such.
        text = "".join(self.said) or "".join(self.prose)
        return Reply(
            ending=ending_of(self.stop_reason),
            text=text,
            tokens=self.tokens,
            request_id=self.request_id,
        )


def _read(stream: "Iterable[RawMessageStreamEvent]", reading: _Reading, ends_at: float) -> None:
    for event in stream:
        reading.take(event)
        if time.monotonic() > ends_at:
            raise Retryable("The answer took too long.")
