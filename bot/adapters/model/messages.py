"""The port `Model` over the Messages API, by the `anthropic` client, which is imported on first use.

The stream's raw events are read, so that an invalid or cut-off tool input still comes back as text.
Each call is one request; the client does not retry.
"""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from action.report import TokenUse
from bot.adapters.model.wire import ending_of, request_of, translated_errors
from bot.core.values.prompt import Prompt, Reply
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import RawMessageStreamEvent

# The API sends pings; a connection that is silent for this long is dead.
_SILENCE_SECONDS = 60.0
# A slow model takes five minutes for sixteen thousand tokens.
_WHOLE_SECONDS = 600.0


@dataclass(frozen=True)
class Provider:
    """The address of an API and its key; no repr shows the key."""

    base_url: str
    key: str = field(repr=False)


@dataclass(frozen=True)
class Timeouts:
    """`silence_seconds` between two events of a stream, `whole_seconds` for all of it."""

    silence_seconds: float = _SILENCE_SECONDS
    whole_seconds: float = _WHOLE_SECONDS


class MessagesModel:
    """Safe for several threads. `by_model` names the provider of single models."""

    def __init__(
        self,
        default: Provider | None,
        by_model: dict[str, Provider],
        timeouts: Timeouts | None = None,
    ) -> None:
        self._default = default
        self._by_model = by_model
        self._timeouts = timeouts or Timeouts()
        self._clients: dict[Provider, anthropic.Anthropic] = {}
        self._lock = threading.Lock()

    def ask(self, model: str, prompt: Prompt) -> Reply:
        reader = _StreamReader()
        ends_at = time.monotonic() + self._timeouts.whole_seconds
        request = request_of(model, prompt)
        with (
            translated_errors(model),
            self._client(model).messages.create(
                model=model,
                max_tokens=request["max_tokens"],
                system=request["system"],
                messages=request["messages"],
                tools=request["tools"],
                tool_choice=request["tool_choice"],
                stream=True,
            ) as stream,
        ):
            reader.request_id = stream.response.headers.get("request-id", "")
            _read(stream, reader, ends_at)
        return reader.reply(model)

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
                    timeout=self._timeouts.silence_seconds,
                )
            return self._clients[provider]


@dataclass
class _StreamReader:
    request_id: str = ""
    tool_input: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    stop_reason: str = ""
    is_whole: bool = False
    tokens: TokenUse = field(default_factory=TokenUse)

    def add(self, event: "RawMessageStreamEvent") -> None:
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
                    self.tool_input.append(event.delta.partial_json)
                elif event.delta.type == "text_delta":
                    self.prose.append(event.delta.text)
            case "message_delta":
                self.stop_reason = event.delta.stop_reason or ""
                # Cumulative, with thinking: the tokens that are billed.
                self.tokens = self.tokens.replace(output=event.usage.output_tokens)
            case "message_stop":
                self.is_whole = True
            case _:
                return

    def reply(self, model: str) -> Reply:
        """Raises `Retryable` where the stream broke off before the end."""
        if not self.is_whole:
            raise Retryable(f"The answer of {model} was interrupted.")
        # Prose is not a valid reply; it is returned for the repair round.
        text = "".join(self.tool_input) or "".join(self.prose)
        return Reply(
            ending=ending_of(self.stop_reason),
            text=text,
            tokens=self.tokens,
            request_id=self.request_id,
        )


def _read(stream: "Iterable[RawMessageStreamEvent]", reader: _StreamReader, ends_at: float) -> None:
    for event in stream:
        reader.add(event)
        if time.monotonic() > ends_at:
            raise Retryable("The answer took too long.")
