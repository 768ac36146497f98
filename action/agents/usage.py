"""Token usage, read while a model's answer streams through (Messages or Responses API, SSE or JSON).

The last number of each kind counts: `message_start` brings the input side, `message_delta` the
output so far, cumulative. An answer that does not say what it used is charged by its size.
"""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from action.report import TokenUse

# A data line longer than this is an answer's text, not its usage.
LINE_BYTES_MAX = 4 * 1024**2
# Measured on requests of agent CLIs: 125 KB are about 32,000 tokens.
_BYTES_PER_TOKEN = 4
# Half of what was measured, so that the estimate is above every ordinary request, and above the
# price of writing it into the cache.
_BYTES_PER_TOKEN_AT_LEAST = 2


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class _CacheCreation(_Part):
    ephemeral_1h_input_tokens: int | None = None


class _InputDetails(_Part):
    cached_tokens: int | None = None


class Usage(_Part):
    """The API's `usage` object, as far as it is charged for.

    The Responses API counts what its cache gave as input, too, and says in `input_tokens_details`
    how much of it that was.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: _CacheCreation | None = None
    input_tokens_details: _InputDetails | None = None


class _Message(_Part):
    usage: Usage | None = None


class _Piece(_Part):
    """An SSE event's data, or a whole answer: usage stands at the top, or in what it is part of."""

    usage: Usage | None = None
    message: _Message | None = None
    response: _Message | None = None


def upper_estimate(request_bytes: int, answer_tokens_max: int) -> TokenUse:
    """More than a request of this size uses, with the longest answer that it allows."""
    return TokenUse(input=-(-request_bytes // _BYTES_PER_TOKEN_AT_LEAST), output=answer_tokens_max)


@dataclass
class UsageCount:
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0
    cache_write_hour: int = 0
    is_final: bool = False

    def note(self, usage: Usage) -> None:
        """Numbers are cumulative: a later one replaces the one before."""
        hour = usage.cache_creation and usage.cache_creation.ephemeral_1h_input_tokens
        cached = (usage.input_tokens_details and usage.input_tokens_details.cached_tokens) or 0
        self.input = max((usage.input_tokens or 0) - cached, self.input)
        self.output = max(usage.output_tokens or 0, self.output)
        self.cache_read = max(usage.cache_read_input_tokens or cached, self.cache_read)
        self.cache_creation = max(usage.cache_creation_input_tokens or 0, self.cache_creation)
        self.cache_write_hour = max(hour or 0, self.cache_write_hour)

    def charged(self, request_bytes: int, answer_bytes: int) -> TokenUse:
        """The usage; a side of the exchange that was not counted is charged by its size."""
        told = TokenUse(
            input=self.input,
            output=self.output,
            cache_read=self.cache_read,
            cache_write=max(0, self.cache_creation - self.cache_write_hour),
            cache_write_hour=self.cache_write_hour,
        )
        if told.total == told.output:
            told = told.replace(input=-(-request_bytes // _BYTES_PER_TOKEN))
        if not self.is_final:
            output = max(told.output, -(-answer_bytes // _BYTES_PER_TOKEN))
            told = told.replace(output=output)
        return told


class UsageReader:
    """Fed with the bytes of one answer to a request of this size; `finish` says what it used."""

    def __init__(self, request_bytes: int) -> None:
        self._request_bytes = request_bytes
        self._answer_bytes = 0
        self._pending = b""
        self._is_document = False
        self._count = UsageCount()

    def feed(self, chunk: bytes) -> None:
        self._answer_bytes += len(chunk)
        self._pending += chunk
        if self._answer_bytes == len(self._pending):
            # Nothing was taken out yet: the first byte tells a JSON document from a stream.
            self._is_document = self._pending.lstrip().startswith(b"{")
        if not self._is_document:
            *lines, self._pending = self._pending.split(b"\n")
            for line in lines:
                self._read(line)
        if len(self._pending) > LINE_BYTES_MAX:
            self._pending = b""

    def finish(self) -> TokenUse:
        self._read(self._pending)
        self._pending = b""
        return self._count.charged(self._request_bytes, self._answer_bytes)

    def _read(self, line: bytes) -> None:
        text = line.removeprefix(b"data:").strip()
        if b'"usage"' not in text:
            return
        try:
            piece = _Piece.model_validate_json(text)
        except ValidationError:
            return
        if piece.message is not None and piece.message.usage is not None:
            self._count.note(piece.message.usage)
        whole = piece.response.usage if piece.response is not None else piece.usage
        if whole is not None:
            self._count.note(whole)
            self._count.is_final = whole.output_tokens is not None
