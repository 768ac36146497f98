"""The web application: HTTP in, a turn of the script out, with its delays and its faults.

The two APIs differ in form only; their routes share one path: read, match, wait, fault, answer. The
only state is how often a fault has met a conversation, so that a client's retry succeeds.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from flask import Flask, Response, request
from pydantic import BaseModel, JsonValue, ValidationError

from bot.localhub.model_server import messages_api, responses_api
from bot.localhub.model_server.conversation import Answer, Conversation, RequestError
from bot.localhub.model_server.script import Fault, FaultKind, Script
from bot.localhub.model_server.script_matching import next_answer
from bot.localhub.model_server.usage import (
    Usage,
    compute_usage,
    prompt_tokens,
    without_usage,
)

Event = tuple[str, dict[str, JsonValue]]
Body = TypeVar("Body", bound=BaseModel)
ErrorBody = Callable[[str, str], dict[str, JsonValue]]

# The limit of the Messages API for a standard request (error `request_too_large`).
_REQUEST_BYTES_MAX = 32 * 1024 * 1024

_FAULT_STATUS = {
    FaultKind.KEY_REFUSED: (401, "authentication_error", "invalid x-api-key"),
    FaultKind.RATE_LIMITED: (429, "rate_limit_error", "This request exceeds the rate limit."),
    FaultKind.OVERLOADED: (529, "overloaded_error", "Overloaded"),
    FaultKind.SERVER_ERROR: (500, "api_error", "Internal server error"),
}


@dataclass
class FaultCounter:
    _served: Counter[tuple[str, str]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def due(self, answer: Answer, conversation: Conversation) -> Fault | None:
        """The fault to serve now, counted; None after the scripted number of times."""
        if answer.fault is None:
            return None
        key = (f"{answer.scene}:{answer.turn}", conversation.fingerprint)
        with self._lock:
            if self._served[key] >= answer.fault.times:
                return None
            self._served[key] += 1
        return answer.fault


@dataclass(frozen=True)
class RenderedAnswer:
    document: dict[str, JsonValue]
    events: Callable[[], Iterator[Event]]
    midway: Event
    stream: bool


def application(script: Script, stopping: threading.Event) -> Flask:
    """The application for one script. Waits end when `stopping` is set."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = _REQUEST_BYTES_MAX
    endpoints = _Endpoints(script, stopping, FaultCounter())
    app.add_url_rule("/", view_func=_root)
    app.add_url_rule("/v1/messages", view_func=endpoints.messages, methods=["POST"])
    app.add_url_rule(
        "/v1/messages/count_tokens", view_func=endpoints.count_tokens, methods=["POST"]
    )
    app.add_url_rule("/v1/responses", view_func=endpoints.responses, methods=["POST"])
    app.add_url_rule("/v1/models", view_func=_models)
    app.add_url_rule("/v1/models/<name>", view_func=_model)
    app.register_error_handler(404, _not_found)
    app.before_request(_require_key)
    app.after_request(_with_request_id)
    return app


@dataclass(frozen=True)
class _Endpoints:
    script: Script
    stopping: threading.Event
    faults: FaultCounter

    def messages(self) -> Response:
        if request.headers.get("anthropic-version") is None:
            return _refused(messages_api.error_body, "anthropic-version: header is required")
        try:
            asked = _read(messages_api.MessagesRequest)
            conversation = messages_api.conversation_of(asked, _betas())
            answer = next_answer(self.script, conversation)
        except RequestError as refusal:
            return _refused(messages_api.error_body, str(refusal))
        usage = compute_usage(conversation, answer)
        overloaded = messages_api.error_body("overloaded_error", "Overloaded")
        rendered = RenderedAnswer(
            document=messages_api.message(answer, conversation, usage),
            events=lambda: messages_api.events(answer, conversation, usage),
            midway=("error", overloaded),
            stream=asked.stream,
        )
        return self._respond(answer, conversation, rendered, messages_api.error_body)

    def count_tokens(self) -> Response:
        try:
            asked = _read(messages_api.CountRequest)
            conversation = messages_api.conversation_of(asked, _betas())
        except RequestError as refusal:
            return _refused(messages_api.error_body, str(refusal))
        return _document({"input_tokens": prompt_tokens(conversation)}, 200)

    def responses(self) -> Response:
        try:
            asked = _read(responses_api.ResponsesRequest)
            conversation = responses_api.conversation_of(asked)
            answer = next_answer(self.script, conversation)
        except RequestError as refusal:
            return _refused(responses_api.error_body, str(refusal))
        usage: Usage = compute_usage(conversation, answer)
        created_at = int(time.time())
        rendered = RenderedAnswer(
            document=responses_api.response(answer, conversation, usage, created_at),
            events=lambda: responses_api.events(answer, conversation, usage, created_at),
            midway=responses_api.failed_event(conversation, "Overloaded", created_at),
            stream=asked.stream,
        )
        return self._respond(answer, conversation, rendered, responses_api.error_body)

    def _respond(
        self, answer: Answer, conversation: Conversation, rendered: RenderedAnswer, error: ErrorBody
    ) -> Response:
        fault = self.faults.due(answer, conversation)
        if fault is not None and fault.kind in _FAULT_STATUS:
            status, kind, sentence = _FAULT_STATUS[fault.kind]
            return _document(error(kind, sentence), status, _retry_after(fault))
        if fault is not None and fault.kind is FaultKind.NO_USAGE:
            rendered, fault = _uncounted(rendered), None
        if rendered.stream:
            parts = self._streamed(answer, rendered, fault)
            headers = {"Cache-Control": "no-cache"}
            return Response(parts, mimetype="text/event-stream", headers=headers)
        self.stopping.wait(answer.after_seconds)
        if fault is not None and fault.kind is FaultKind.OVERLOADED_MIDWAY:
            return _document(error("overloaded_error", "Overloaded"), 529)
        return _whole(json.dumps(rendered.document, ensure_ascii=False), fault)

    def _streamed(
        self, answer: Answer, rendered: RenderedAnswer, fault: Fault | None
    ) -> Iterator[bytes]:
        """Server-sent events: the first at once, the rest after the turn's wait."""
        events = [_sse(event) for event in rendered.events()]
        yield events[0]
        self.stopping.wait(answer.after_seconds)
        if fault is None:
            yield from events[1:]
            return
        half = len(events) // 2
        yield from events[1:half]
        match fault.kind:
            case FaultKind.OVERLOADED_MIDWAY:
                yield _sse(rendered.midway)
            case FaultKind.TRUNCATED_JSON:
                yield events[half][: len(events[half]) // 2]
            case _:
                # The server drops the connection on this error, without the closing chunk.
                raise ConnectionResetError("the script cuts the stream here")


def _uncounted(rendered: RenderedAnswer) -> RenderedAnswer:
    return replace(
        rendered,
        document=without_usage(rendered.document),
        events=lambda: ((kind, without_usage(body)) for kind, body in rendered.events()),
    )


def _betas() -> frozenset[str]:
    named = request.headers.get("anthropic-beta", "")
    return frozenset(one.strip() for one in named.split(","))


def _read(form: type[Body]) -> Body:
    """The request's body in one of the APIs' forms. Raises RequestError."""
    try:
        return form.model_validate_json(request.get_data())
    except ValidationError as wrong:
        error = wrong.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in error["loc"])
        raise RequestError(f"{place}: {error['msg']}" if place else error["msg"]) from wrong


def _whole(text: str, fault: Fault | None) -> Response:
    """A document, or its first half if a fault cuts it."""
    if fault is None:
        return Response(text, mimetype="application/json")
    half = text.encode()[: len(text) // 2]
    if fault.kind is FaultKind.TRUNCATED_JSON:
        return Response(half, mimetype="application/json")

    def cut() -> Iterable[bytes]:
        yield half
        raise ConnectionResetError("the script cuts the answer here")

    return Response(cut(), mimetype="application/json")


def _retry_after(fault: Fault) -> dict[str, str]:
    seconds = fault.retry_after_seconds
    if seconds is None and fault.kind is FaultKind.RATE_LIMITED:
        seconds = 1.0
    if seconds is None or fault.kind not in (FaultKind.RATE_LIMITED, FaultKind.OVERLOADED):
        return {}
    return {"retry-after": f"{seconds:g}"}


def _sse(event: Event) -> bytes:
    kind, body = event
    return f"event: {kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def _document(
    body: dict[str, JsonValue], status: int, headers: dict[str, str] | None = None
) -> Response:
    text = json.dumps(body, ensure_ascii=False)
    return Response(text, status=status, mimetype="application/json", headers=headers)


def _refused(error: ErrorBody, sentence: str) -> Response:
    return _document(error("invalid_request_error", sentence), 400)


def _error_body() -> ErrorBody:
    openai = request.path.startswith("/v1/responses")
    return responses_api.error_body if openai else messages_api.error_body


def _require_key() -> Response | None:
    """Any key is accepted; a request without one is refused, as the real API does."""
    if request.path == "/" or {"X-Api-Key", "Authorization"} & set(dict(request.headers)):
        return None
    return _document(_error_body()("authentication_error", "no API key was sent"), 401)


def _not_found(_: Exception) -> Response:
    return _document(_error_body()("not_found_error", f"no such path: {request.path}"), 404)


def _with_request_id(response: Response) -> Response:
    response.headers.setdefault("request-id", f"req_{time.monotonic_ns():024x}")
    return response


def _root() -> Response:
    return _document({"name": "the scripted model"}, 200)


def _models() -> Response:
    """A list that both APIs' clients can read; every model name is accepted."""
    model = _model_body("scripted-model")
    return _document(
        {
            "object": "list",
            "data": [model],
            "has_more": False,
            "first_id": "scripted-model",
            "last_id": "scripted-model",
        },
        200,
    )


def _model(name: str) -> Response:
    return _document(_model_body(name), 200)


def _model_body(name: str) -> dict[str, JsonValue]:
    return {
        "type": "model",
        "object": "model",
        "id": name,
        "display_name": name,
        "created_at": "2026-01-01T00:00:00Z",
        "created": 1_767_225_600,
        "owned_by": "headgate",
    }
