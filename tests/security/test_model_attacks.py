"""The model's proxy as a way out: what an agent inside sends, and what reaches the provider."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from action.agents.budget import Budget
from action.agents.contact import ModelContact
from action.harness.model_proxy import BODIES_MAX, model_proxy
from action.model_request import REQUEST_BYTES_MAX
from action.order import AgentLimits, AgentSettings, ModelCredentials, Price
from action.report import Obstacle, TokenUse
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running
from tests.action.fake_server import MODEL_KEY, FakeServer, fake_server
from tests.action.model_requests import CLAUDE_CODE, CLAUDE_CODE_BETAS, CODEX, HELPER, MODEL
from tests.gates.checkouts import eventually

ASKED = {"model": MODEL, "max_tokens": 400, "messages": [{"role": "user", "content": "hi"}]}
PRICES = {MODEL: Price(input=3, output=15), HELPER: Price(input=1, output=5)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeServer]:
    with fake_server(tmp_path) as fake:
        yield fake


class Inside:
    """An agent in its sandbox: the proxy's socket, and what people are told in the end."""

    def __init__(self, path: Path, contact: ModelContact, budget: Budget) -> None:
        self.path, self.contact, self.budget = path, contact, budget
        transport = httpx2.HTTPTransport(uds=str(path))
        self.client = httpx2.Client(transport=transport, base_url="http://m", timeout=30)

    def post(self, body: object, path: str = "/v1/messages", **headers: str) -> httpx2.Response:
        return self.client.post(
            path, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    def raw(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(10)
        connection.connect(str(self.path))
        return connection


@contextmanager
def inside(server: FakeServer, folder: Path, **limits: float) -> Iterator[Inside]:
    settings = AgentSettings(
        model=MODEL, helpers=(HELPER,), limits=AgentLimits.model_validate(limits), prices=PRICES
    )
    budget = Budget(settings)
    credentials = ModelCredentials(base_url=server.url, api_key=MODEL_KEY)
    with model_proxy(credentials, MODEL, budget, folder / "m", settings.helpers) as access:
        (proxy,) = access.proxies
        agent = Inside(proxy.socket, access.contact, budget)
        with agent.client:
            yield agent


@pytest.mark.parametrize(
    "more",
    [
        {"mcp_servers": [{"type": "url", "url": "https://evil.example"}]},
        {"tools": [{"type": "web_fetch_20250910", "name": "web_fetch"}]},
        {"tools": [{"type": "code_execution_20250825", "name": "code_execution"}]},
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        {"container": "container_1"},
        {"model": "claude-opus-4-6"},
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": {"type": "url", "url": "https://evil.example"}}
                    ],
                }
            ]
        },
    ],
    ids=lambda more: next(iter(more)),
)
@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
@pytest.mark.attack(
    "A request asks the model's provider to fetch an address, search, run code, call a server, or be another model",
    held="`action.model_request` lists what may be asked",
)
def test_requests_to_fetch_run_or_call_anything_do_not_reach_the_provider(
    server: FakeServer, tmp_path: Path, more: dict[str, object], path: str
) -> None:
    with inside(server, tmp_path) as agent:
        refused = agent.post(ASKED | more, path)
        assert refused.status_code == 400
        said = refused.json()["error"]["message"]
        assert said.startswith("headgate: ")
        assert said.endswith(".")
        trouble = agent.contact.trouble
        assert trouble is not None
        assert trouble.obstacle is Obstacle.PROXY_REFUSED
        assert agent.budget.turns == 0
        assert agent.budget.tokens == TokenUse()
    assert server.asked == []


@pytest.mark.attack(
    "A header asks for a beta of the provider that opens another way",
    held="`action.model_headers.known_betas`: the others are left out",
)
def test_only_betas_that_are_known_and_the_query_of_a_client_reach_the_provider(
    server: FakeServer, tmp_path: Path
) -> None:
    with inside(server, tmp_path) as agent:
        betas = f"files-api-2025-04-14, {CLAUDE_CODE_BETAS},mcp-client-2025-11-20"
        agent.post(CLAUDE_CODE, "/v1/messages?beta=true&x=y", anthropic_beta=betas)
    (headers,) = server.model_headers
    assert headers["anthropic-beta"] == CLAUDE_CODE_BETAS.replace(", ", ",")
    assert server.asked == [CLAUDE_CODE]


def test_a_helper_model_may_be_called_and_is_charged_separately(
    server: FakeServer, tmp_path: Path
) -> None:
    with inside(server, tmp_path, dollars_max=1.0) as agent:
        assert agent.post(ASKED | {"model": HELPER}).status_code == 200
        # An answer is counted when its stream has ended.
        assert eventually(lambda: agent.budget.tokens.total == 100)
        dollars = agent.budget.limits.dollars_max or 0
        left = agent.budget.answer_tokens_left(HELPER, TokenUse())
    spent = PRICES[HELPER].cost(TokenUse(input=90, output=10)) or 0
    assert left == pytest.approx((dollars - spent) / 5e-6, abs=1)


@pytest.mark.attack(
    "A request asks for an answer that costs more than is left",
    held="the longest answer is cut to what the budget leaves",
)
def test_an_answer_is_limited_to_the_remaining_tokens(server: FakeServer, tmp_path: Path) -> None:
    with inside(server, tmp_path, tokens_max=2_000) as agent:
        agent.post(ASKED | {"max_tokens": 64_000})
    (asked,) = server.asked
    size = len(json.dumps(ASKED | {"max_tokens": 64_000}, separators=(",", ":")))
    assert asked["max_tokens"] == (2_000 - -(-size // 2)) // 5


@pytest.mark.attack(
    "Forty requests of 32 MB each are sent to the harness at once",
    held="four bodies are in memory; the others wait",
)
def test_the_number_of_concurrent_bodies_is_limited(server: FakeServer, tmp_path: Path) -> None:
    """A further large body is not read before an earlier one has ended."""
    head = b"POST /v1/messages HTTP/1.1\r\nHost: m\r\nContent-Length: 33000000\r\n\r\n"
    with inside(server, tmp_path) as agent:
        begun = [agent.raw() for _ in range(BODIES_MAX)]
        for one in begun:
            one.sendall(head + b" " * 1_000_000)
        late = agent.raw()
        late.settimeout(0.5)
        with pytest.raises(TimeoutError):
            late.sendall(head + b" " * 1_000_000)
        begun[0].close()
        late.settimeout(10)
        late.sendall(b" " * 1_000_000)
        for one in (*begun, late):
            one.close()


def test_the_slot_of_a_body_is_free_after_it_was_forwarded(
    server: FakeServer, tmp_path: Path
) -> None:
    """Answers may take minutes, so requests that wait for one are not counted."""
    server.answers.clear()
    with inside(server, tmp_path) as agent:
        threads = [
            threading.Thread(target=agent.post, args=(ASKED,)) for _ in range(3 * BODIES_MAX)
        ]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert server.asks.acquire(timeout=10)
        server.answers.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("path", ["/v1/files", "/v1/messages"])
@pytest.mark.attack(
    "Large bodies are sent to a path that leads nowhere, or when nothing is left",
    held="path and budget are looked at before the body",
)
def test_path_and_budget_come_before_the_body(
    server: FakeServer, tmp_path: Path, path: str
) -> None:
    limits = {"turns_max": 0} if path == "/v1/messages" else {}
    with inside(server, tmp_path, **limits) as agent, agent.raw() as connection:
        # Nothing of the body is sent.
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: m\r\nContent-Length: 999\r\n\r\n".encode()
        )
        answer = connection.recv(4_096)
        assert answer.startswith(b"HTTP/1.1 4")
        while b"headgate: " not in answer:
            more = connection.recv(4_096)
            assert more
            answer += more


@pytest.mark.attack(
    "A body has no length, or more than 32 MiB",
    held="it is refused unread",
)
def test_a_body_that_is_too_large_or_endless_is_not_read(
    server: FakeServer, tmp_path: Path
) -> None:
    with inside(server, tmp_path) as agent:
        for says in (
            f"Content-Length: {REQUEST_BYTES_MAX + 1}",
            "Transfer-Encoding: chunked",
            f"Content-Length: {'0' * 5_000}",
            "Content-Length: -1",
        ):
            with agent.raw() as connection:
                connection.sendall(
                    f"POST /v1/messages HTTP/1.1\r\nHost: m\r\n{says}\r\n\r\n".encode()
                )
                assert connection.recv(4_096).startswith(b"HTTP/1.1 413")


@pytest.mark.attack(
    "An agent sends a header that no program can pass on, to end its run as if the model were away",
    held="`action.model_headers.headers_to_send`: such a header is left out",
)
def test_an_agent_cannot_say_that_the_model_is_away(
    server: FakeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = json.dumps(ASKED).encode()
    with inside(server, tmp_path) as agent:
        for value in (b"\xe9", b"a\r\n b", b"a\0b"):
            with agent.raw() as connection:
                connection.sendall(
                    b"POST /v1/messages HTTP/1.1\r\nHost: m\r\nUser-Agent: %b\r\nContent-Length: %d\r\n\r\n%b"
                    % (value, len(body), body)
                )
                assert connection.recv(4_096).startswith(b"HTTP/1.1 200")
        assert agent.contact.trouble is None
    assert capsys.readouterr().err == ""


PLAYED = parse_script("""
version: 1
scenes:
  - name: mend
    match: {task: [Mend]}
    turns: [{text: one}, {text: two}, {text: three}]
""")


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/messages?beta=true", CLAUDE_CODE), ("/v1/responses", CODEX)]
)
def test_requests_of_agent_programs_are_answered_through_the_proxy(
    tmp_path: Path, path: str, body: dict[str, object]
) -> None:
    with (
        running(PLAYED) as url,
        inside(FakeServer(url=url), tmp_path) as agent,
    ):
        headers = {"anthropic_version": "2023-06-01", "anthropic_beta": CLAUDE_CODE_BETAS}
        answer = agent.post(body, path, **headers)
        assert answer.status_code == 200, answer.text
        assert "event: message_stop" in answer.text or "event: response.completed" in answer.text
        assert agent.contact.trouble is None
        assert agent.budget.tokens.input > 0
        assert 0 < agent.budget.tokens.output < 10


def test_a_server_without_the_responses_api_is_named_as_such(
    server: FakeServer, tmp_path: Path
) -> None:
    with inside(server, tmp_path) as agent:
        refused = agent.post({"model": MODEL, "input": "hi"}, "/v1/responses")
        assert refused.status_code == 404
        assert "supports only the Messages API" in refused.json()["error"]["message"]
        trouble = agent.contact.trouble
        assert trouble is not None
        assert trouble.obstacle is Obstacle.MODEL_REFUSED
    assert agent.budget.tokens == TokenUse()
