"""The adapter over the real client, against a scripted model or prepared answers."""

import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bot.adapters.model.messages import MessagesModel, Provider, Timeouts
from bot.core.values.prompt import Prompt, PromptPart, Repair, ReplyEnding
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running
from bot.ports import Retryable, UserError

PROMPT = Prompt(
    # Long enough for a prompt cache.
    system="You plan. " * 500,
    parts=(PromptPart(text="Plan this.", ends_stretch=True),),
    tool="submit",
    tool_says="Hand it in.",
    tool_schema='{"type": "object", "properties": {"n": {"type": "integer"}}}',
    answer_tokens_max=1_000,
)
CALM = "calls: [{tool: submit, input: {n: 1}}]"


@contextmanager
def scripted(*turns: str, timeouts: Timeouts | None = None) -> Iterator[MessagesModel]:
    """A model with these turns."""
    listed = "\n".join(f"          - {{{turn}}}" for turn in turns)
    text = f"""
    version: 1
    scenes:
      - name: one
        turns:
{listed}
    """
    with running(parse_script(textwrap.dedent(text))) as url:
        yield MessagesModel(Provider(url, "any"), {}, timeouts)


@contextmanager
def answering(status: int, body: str, **headers: str) -> Iterator[str]:
    """The address of a server that gives this answer to every request."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def error(kind: str, sentence: str = "No.") -> str:
    return f'{{"type": "error", "error": {{"type": "{kind}", "message": "{sentence}"}}}}'


def test_a_reply_has_the_tool_input_its_tokens_and_its_request_id() -> None:
    with scripted(CALM) as model:
        reply = model.ask("m1", PROMPT)
    assert (reply.ending, reply.text) == (ReplyEnding.COMPLETE, '{"n": 1}')
    assert reply.tokens.cache_write > 0
    assert reply.tokens.output > 0
    assert reply.request_id.startswith("req_")


def test_a_repair_continues_the_same_conversation() -> None:
    with scripted("calls: [{tool: submit, input: {}}]", CALM) as model:
        repair = Repair(reply="{}", errors=("n: missing",))
        reply = model.ask("m1", PROMPT.model_copy(update={"repair": repair}))
    assert reply.text == '{"n": 1}'
    assert reply.tokens.cache_read > 0


@pytest.mark.parametrize(
    ("stop", "ending"),
    [("refusal", ReplyEnding.REFUSED), ("max_tokens", ReplyEnding.TRUNCATED)],
)
def test_a_cut_off_or_refused_reply_has_its_ending(stop: str, ending: ReplyEnding) -> None:
    with scripted(f"{CALM}, stop_reason: {stop}") as model:
        assert model.ask("m1", PROMPT).ending is ending


@pytest.mark.parametrize(
    "kind",
    [
        "overloaded",
        "server_error",
        "overloaded_midway",
        "cut_stream",
        "truncated_json",
        "rate_limited",
    ],
)
def test_temporary_errors_are_retryable_and_not_retried_by_the_client(kind: str) -> None:
    with scripted(f"{CALM}, fault: {{kind: {kind}, times: 1}}") as model:
        with pytest.raises(Retryable):
            model.ask("m1", PROMPT)
        assert model.ask("m1", PROMPT).text == '{"n": 1}'


def test_the_retry_after_header_is_used() -> None:
    fault = "fault: {kind: rate_limited, retry_after_seconds: 7}"
    with scripted(f"{CALM}, {fault}") as model, pytest.raises(Retryable) as told:
        model.ask("m1", PROMPT)
    assert told.value.after == timedelta(seconds=7)


def test_a_silent_stream_times_out() -> None:
    timeouts = Timeouts(silence_seconds=0.3)
    slow = f"{CALM}, after_seconds: 20"
    told = pytest.raises(Retryable, match=r"in time|was interrupted")
    with scripted(slow, timeouts=timeouts) as model, told:
        model.ask("m1", PROMPT)


def test_an_endless_stream_times_out() -> None:
    timeouts = Timeouts(whole_seconds=0.0)
    with scripted(CALM, timeouts=timeouts) as model, pytest.raises(Retryable, match="too long"):
        model.ask("m1", PROMPT)


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (401, "authentication_error", "refused the key for m1"),
        (403, "permission_error", "refused the key for m1"),
        (404, "not_found_error", "no model m1"),
        (400, "invalid_request_error", r"refused the request to m1 \(400\)"),
        (413, "request_too_large", r"refused the request to m1 \(413\)"),
    ],
)
def test_permanent_errors_are_user_errors(status: int, kind: str, says: str) -> None:
    with answering(status, error(kind)) as url, pytest.raises(UserError, match=says):
        MessagesModel(Provider(url, "any"), {}).ask("m1", PROMPT)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_every_temporary_status_is_retryable(status: int) -> None:
    with answering(status, "<html>busy</html>") as url, pytest.raises(Retryable):
        MessagesModel(Provider(url, "any"), {}).ask("m1", PROMPT)


def test_an_unreachable_provider_is_retryable() -> None:
    with pytest.raises(Retryable):
        MessagesModel(Provider("http://127.0.0.1:9", "any"), {}).ask("m1", PROMPT)


def test_a_model_uses_its_own_provider_and_needs_a_key() -> None:
    with scripted(CALM) as model:
        default = model._default
        assert default is not None
        own = MessagesModel(None, {"m1": default})
        assert own.ask("m1", PROMPT).text == '{"n": 1}'
        with pytest.raises(UserError, match="no key for m2"):
            own.ask("m2", PROMPT)


def test_a_providers_key_is_not_in_its_repr() -> None:
    assert "secret" not in repr(Provider("http://127.0.0.1:1", "secret"))
