"""One question in a message batch: begun, looked at, and found again after a crash.

The rule: a batch holds one request, under the mark that our own desk keeps, and a result of another
mark is nobody's answer here. Deliberately absent: waiting; a look answers at once.
"""

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from action.report import TokenUse
from bot.adapters.model.wire import ending_of, request_of, telling_trouble_apart
from bot.core.values.prompt import Question, Reply
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message
    from anthropic.types.messages import MessageBatchRequestCounts, MessageBatchResult

# The provider's clock and ours may differ.
_CLOCK_SLACK = timedelta(minutes=10)
_LISTED_AT_ONCE = 100


def hand_in(client: "anthropic.Anthropic", what: tuple[str, Question], mark: str) -> str:
    """Begin a batch of one question for a model; its id."""
    model, question = what
    with telling_trouble_apart(model):
        begun = client.messages.batches.create(
            requests=[{"custom_id": mark, "params": request_of(model, question)}]
        )
    return begun.id


def fetch(client: "anthropic.Anthropic", batch: str, mark: str) -> Reply | None:
    """The reply under our mark; None while the batch is under way.

    Raises `UserError` where it ended without one.
    """
    with telling_trouble_apart("the batch"):
        seen = client.messages.batches.retrieve(batch)
        if seen.processing_status != "ended":
            return None
        result = _result(client, batch, mark)
    if result is None:
        raise UserError("The batch ended without a word of our question.")
    if result.type == "succeeded":
        return _reply(result.message, batch)
    says = f": {result.error.error.message[:200]}" if result.type == "errored" else ""
    raise UserError(f"The batch ended without an answer ({result.type}{says}).")


def find(client: "anthropic.Anthropic", mark: str, since: datetime) -> str | None:
    """The batch of our mark among those begun since then, the newest first.

    Only an ended batch shows its marks. Raises `Retryable` where one that has not ended may be ours.
    """
    is_one_open = False
    with telling_trouble_apart("the batches"):
        for batch in client.messages.batches.list(limit=_LISTED_AT_ONCE):
            if batch.created_at < since - _CLOCK_SLACK:
                break
            if batch.processing_status != "ended":
                # Ours holds one request; what holds more is somebody else's.
                is_one_open = is_one_open or _total(batch.request_counts) == 1
            elif _result(client, batch.id, mark) is not None:
                return batch.id
    if is_one_open:
        raise Retryable("A batch that may hold the question is under way.")
    return None


def _total(counts: "MessageBatchRequestCounts") -> int:
    ended = counts.succeeded + counts.errored + counts.canceled + counts.expired
    return counts.processing + ended


def _result(client: "anthropic.Anthropic", batch: str, mark: str) -> "MessageBatchResult | None":
    # Read to its end, so that the connection can be used again.
    found = [r.result for r in client.messages.batches.results(batch) if r.custom_id == mark]
    return found[0] if found else None


def _reply(message: "Message", batch: str) -> Reply:
    said = [
        json.dumps(b.input, ensure_ascii=False) for b in message.content if b.type == "tool_use"
    ]
    prose = [b.text for b in message.content if b.type == "text"]
    usage = message.usage
    return Reply(
        ending=ending_of(message.stop_reason or ""),
        # Prose is no answer; it is kept for the repair round, where it will be refused as such.
        text="".join(said) or "".join(prose),
        tokens=TokenUse(
            input=usage.input_tokens,
            output=usage.output_tokens,
            cache_read=usage.cache_read_input_tokens or 0,
            cache_write=usage.cache_creation_input_tokens or 0,
        ),
        request_id=batch,
    )
