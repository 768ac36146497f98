"""Token usage, read while a model's answer streams through (Messages API, SSE or one JSON body).

The last number of each kind counts: `message_start` brings the input side, `message_delta` the
output so far, cumulative. Unreadable text counts nothing and is not an error.
"""

from pydantic import BaseModel, ConfigDict, ValidationError

from action.report import TokenUse

# A data line longer than this is an answer's text, not its usage.
LINE_BYTES_MAX = 4 * 1024**2


class _Usage(BaseModel):
    model_config = ConfigDict(frozen=True)

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)

    usage: _Usage | None = None


class _Piece(BaseModel):
    """An SSE event's data, or a whole answer: usage stands at the top or in `message`."""

    model_config = ConfigDict(frozen=True)

    usage: _Usage | None = None
    message: _Message | None = None


class UsageReader:
    """Fed with the bytes of one answer; `finish` says what it cost."""

    def __init__(self) -> None:
        self._pending = b""
        self._use = TokenUse()

    def feed(self, chunk: bytes) -> None:
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        for line in lines:
            self._read(line)
        if len(self._pending) > LINE_BYTES_MAX:
            self._pending = b""

    def finish(self) -> TokenUse:
        """The usage, after the answer has ended or broken off."""
        self._read(self._pending)
        self._pending = b""
        return self._use

    def _read(self, line: bytes) -> None:
        text = line.removeprefix(b"data:").strip()
        if b'"usage"' not in text:
            return
        try:
            piece = _Piece.model_validate_json(text)
        except ValidationError:
            return
        usage = piece.usage or (piece.message.usage if piece.message else None)
        if usage is not None:
            self._use = TokenUse(
                input=_last(usage.input_tokens, self._use.input),
                output=_last(usage.output_tokens, self._use.output),
                cache_read=_last(usage.cache_read_input_tokens, self._use.cache_read),
                cache_write=_last(usage.cache_creation_input_tokens, self._use.cache_write),
            )


def _last(said: int | None, before: int) -> int:
    return before if said is None else max(said, before)
