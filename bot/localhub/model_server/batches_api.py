"""Message batches: requests handed in together, answered when they have been looked at often enough.

A batch's answers are the script's, like those of any other request; what is wrong with a request shows
in its result alone, as with the real API. The rule: how long a batch takes is counted in looks, never
in seconds, so that a story need not wait. Batches are kept in memory; the process that forgets them
is gone.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bot.localhub.model_server.messages_api import Block, error_body
from bot.localhub.model_server.script import BatchFate

_LIFETIME = timedelta(hours=24)
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ENDINGS = ("succeeded", "errored", "canceled", "expired")


class BatchError(ValueError):
    """A request that the real API would answer with 400; the message says why."""


class BatchedRequest(BaseModel):
    """One request of a batch; `params` is the body that it would have alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    custom_id: str
    params: dict[str, JsonValue]


class BatchBody(BaseModel):
    """The body of `POST /v1/messages/batches`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    requests: Annotated[list[BatchedRequest], Field(min_length=1, max_length=100_000)]


# What the script makes of one request: its result, and how often it is looked at before.
Played = tuple[Block, BatchFate]


@dataclass
class _Batch:
    id: str
    created_at: datetime
    results: list[tuple[str, Block]]
    looks_left: int
    canceled_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass
class Batches:
    """Every batch of this process."""

    _held: dict[str, _Batch] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(
        self, body: BatchBody, play: Callable[[dict[str, JsonValue]], Played], host: str
    ) -> Block:
        """A new batch. Raises BatchError where the list itself is wrong."""
        ids = [request.custom_id for request in body.requests]
        for at, id_ in enumerate(ids):
            if not _CUSTOM_ID.fullmatch(id_):
                raise BatchError(f"requests.{at}.custom_id: String should match [a-zA-Z0-9_-]")
        if len(set(ids)) < len(ids):
            raise BatchError("requests: custom_id must be unique")
        played = [play(request.params) for request in body.requests]
        with self._lock:
            batch = _Batch(
                id=f"msgbatch_{len(self._held) + 1:024}",
                created_at=datetime.now(UTC),
                results=[(id_, result) for id_, (result, _) in zip(ids, played, strict=True)],
                looks_left=max(fate.looks for _, fate in played),
            )
            self._held[batch.id] = batch
            return _shape(batch, host)

    def look(self, id_: str, host: str) -> Block | None:
        """A batch as it is now; each look brings it nearer to its end."""
        with self._lock:
            batch = self._held.get(id_)
            if batch is None:
                return None
            _look(batch)
            return _shape(batch, host)

    def newest_first(self, host: str, limit: int, after: str) -> Block:
        """A page of all batches, those behind `after` where it is given; a look at each of them."""
        with self._lock:
            every = list(reversed(self._held.values()))
            ids = [batch.id for batch in every]
            rest = every[ids.index(after) + 1 :] if after in ids else every
            page = rest[:limit]
            for batch in page:
                _look(batch)
        return {
            "data": [_shape(batch, host) for batch in page],
            "has_more": len(rest) > len(page),
            "first_id": page[0].id if page else None,
            "last_id": page[-1].id if page else None,
        }

    def cancel(self, id_: str, host: str) -> Block | None:
        """Ask for the end of a batch; what has not been answered by then never is."""
        with self._lock:
            batch = self._held.get(id_)
            if batch is None:
                return None
            if batch.ended_at is None and batch.canceled_at is None:
                batch.canceled_at = datetime.now(UTC)
                batch.results = [(own, {"type": "canceled"}) for own, _ in batch.results]
            return _shape(batch, host)

    def results(self, id_: str) -> str | None:
        """One JSON line a request; None where there is no such batch or it has not ended."""
        with self._lock:
            batch = self._held.get(id_)
            if batch is None or batch.ended_at is None:
                return None
            lines = [{"custom_id": own, "result": result} for own, result in batch.results]
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _look(batch: _Batch) -> None:
    if batch.ended_at is None and (batch.looks_left == 0 or batch.canceled_at is not None):
        batch.ended_at = datetime.now(UTC)
    batch.looks_left = max(batch.looks_left - 1, 0)


def result_of(message: Block, fate: BatchFate) -> Block:
    """A request's result: its message, or what the script says became of it."""
    if fate.ends == "succeeded":
        return {"type": "succeeded", "message": message}
    if fate.ends == "errored":
        return errored("api_error", "Internal server error")
    return {"type": fate.ends}


def errored(kind: str, sentence: str) -> Block:
    """The result of a request that failed."""
    return {"type": "errored", "error": {**error_body(kind, sentence), "request_id": None}}


def _shape(batch: _Batch, host: str) -> Block:
    ended = batch.ended_at is not None
    endings = Counter(str(result["type"]) for _, result in batch.results) if ended else Counter()
    status = "ended" if ended else "canceling" if batch.canceled_at else "in_progress"
    counts: Block = {ending: endings[ending] for ending in _ENDINGS}
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": {"processing": 0 if ended else len(batch.results), **counts},
        "created_at": batch.created_at.isoformat(),
        "expires_at": (batch.created_at + _LIFETIME).isoformat(),
        "ended_at": batch.ended_at.isoformat() if batch.ended_at else None,
        "archived_at": None,
        "cancel_initiated_at": batch.canceled_at.isoformat() if batch.canceled_at else None,
        "results_url": f"{host}v1/messages/batches/{batch.id}/results" if ended else None,
    }
