"""The model gateway: valid tokens, counted usage, and a key that stays on the server."""

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Thread

import httpx
import pytest
from pydantic import SecretStr

from action.report import AgentEnding, AgentReport
from bot.core.state.model_token import mint_model_token, read_model_token
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import Digest, OrderId
from bot.entry.gateway import app as gateway_app, leases as gateway_leases
from bot.entry.settings import Settings
from bot.entry.web.runner_api import credentials_for
from bot.entry.wiring import SystemClock
from tests.action.model_requests import CLAUDE_CODE, CLAUDE_CODE_BETAS, CODEX, HELPER
from tests.gateway.kit import ASKED, KEY, REPOSITORY, SECRET, House, Model, a_model, gateway

O1 = OrderId("o1")


@pytest.fixture
def model() -> Iterator[Model]:
    with a_model() as model:
        yield model


@pytest.fixture
def house(tmp_path: Path, model: Model) -> Iterator[House]:
    with gateway(tmp_path, model.url) as house:
        yield house


@pytest.fixture
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_leases, "LOOK_EVERY_SECONDS", 0.0)


def test_the_gateway_replaces_the_token_of_a_run_by_the_key(house: House, model: Model) -> None:
    answer = house.post(house.lease(), CLAUDE_CODE, "/v1/messages?beta=true&x=y")
    assert answer.status_code == 200
    assert "message_delta" in answer.text
    (headers,) = model.headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert model.asked == [CLAUDE_CODE]
    assert KEY not in str(answer.headers) + answer.text


def test_the_header_of_either_kind_of_client_is_read(house: House, model: Model) -> None:
    token = house.lease()
    answer = httpx.post(
        f"{house.url}/v1/messages", json=ASKED, headers={"x-api-key": token}, trust_env=False
    )
    assert answer.status_code == 200
    assert "x-api-key" not in model.headers[0]


@pytest.mark.parametrize("token", ["none", "x", "hgm.77.o1.", "hgm.77.o1.ff", "hgm.77.o1." + "é"])
def test_requests_without_a_valid_token_are_refused(house: House, model: Model, token: str) -> None:
    house.lease()
    said = {b"authorization": f"Bearer {token}".encode()}
    refused = httpx.post(f"{house.url}/v1/messages", json=ASKED, headers=said, trust_env=False)
    assert refused.status_code == 401
    assert "headgate: " in refused.json()["error"]["message"]
    assert model.asked == []


def test_a_token_signed_with_another_secret_is_invalid() -> None:
    token = mint_model_token(SECRET, REPOSITORY, OrderId("a.b"))
    assert read_model_token(SECRET, token) == (REPOSITORY, "a.b")
    assert read_model_token(b"other", token) is None
    assert read_model_token(SECRET, token.replace("77", "78")) is None
    assert read_model_token(SECRET, "") is None


def test_a_token_is_good_only_while_its_run_is_at_work(
    house: House, model: Model, looks_at_once: None
) -> None:
    never = mint_model_token(SECRET, REPOSITORY, OrderId("never"))
    assert house.post(never).status_code == 401
    assert house.post(house.lease("silent", minutes=-1)).status_code == 401
    revoked = house.lease("revoked")
    assert house.post(revoked).status_code == 200
    house.store.revoke(REPOSITORY, OrderId("revoked"))
    assert house.post(revoked).status_code == 401
    done = house.lease("done")
    assert house.post(done).status_code == 200
    report = AgentReport(order_id="done", ending=AgentEnding.FINISHED, sentence="s")
    house.store.hand_in("lease done", report, Digest("1" * 64), Hint(kind=HintKind.AGAIN))
    assert house.post(done).status_code == 401
    assert len(model.asked) == 2


def test_a_heartbeat_keeps_the_token_good(house: House, looks_at_once: None) -> None:
    token = house.lease(minutes=-1)
    now = SystemClock().now()
    house.store.renew("lease o1", now + timedelta(minutes=1), now)
    assert house.post(token).status_code == 200


def test_only_requests_that_the_order_allows_pass(house: House, model: Model) -> None:
    token = house.lease()
    assert house.post(token, ASKED | {"model": HELPER}).status_code == 200
    wrong: tuple[dict[str, object], ...] = ({"mcp_servers": []}, {"model": "claude-opus-4-6"})
    for more in wrong:
        refused = house.post(token, ASKED | more)
        assert refused.status_code == 400
        assert "headgate: " in refused.json()["error"]["message"]
    assert house.post(token, ASKED, "/v1/files").status_code == 403
    house.post(token, ASKED, **{"anthropic-beta": f"files-api-2025-04-14,{CLAUDE_CODE_BETAS}"})
    assert "files-api" not in model.headers[-1]["anthropic-beta"]
    assert len(model.asked) == 2
    assert house.post(token, CODEX, "/v1/responses").status_code == 200


def test_a_run_spends_no_more_than_its_order_allows(house: House, model: Model) -> None:
    token = house.lease(tokens_max=200)
    # Ninety tokens read and ten written weigh 140.
    assert [house.post(token).status_code for _ in range(3)] == [200, 200, 400]
    assert [asked["max_tokens"] for asked in model.asked] == [31, 3]
    assert "used all of its tokens" in house.post(token).json()["error"]["message"]


def test_a_restarted_gateway_continues_its_counts(tmp_path: Path, model: Model) -> None:
    with gateway(tmp_path, model.url) as first:
        token = first.lease(turns_max=2)
        assert first.post(token).status_code == 200
    with gateway(tmp_path, model.url) as second:
        assert second.post(token).status_code == 200
        assert second.post(token).status_code == 400


def test_counting_tokens_and_errors_cost_nothing(house: House, model: Model) -> None:
    token = house.lease(turns_max=3, tokens_max=50)
    count = {key: ASKED[key] for key in ("model", "messages")}
    assert house.post(token, count, "/v1/messages/count_tokens").status_code == 200
    model.status = 529
    assert house.post(token).status_code == 529
    model.status = 200
    assert house.post(token).status_code == 200


def test_requests_side_by_side_are_bounded_for_a_run_and_for_all(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "LEASE_STREAMS_MAX", 2)
    monkeypatch.setattr(gateway_app, "STREAMS_MAX", 3)
    model.answers.clear()
    one, other = house.lease("one"), house.lease("other")
    held = [Thread(target=house.post, args=(token,)) for token in (one, one, other)]
    for number, thread in enumerate(held, 1):
        thread.start()
        _eventually(partial(_has_asked, model, number))
        if number == 2:
            refused = house.post(one)
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert house.post(other).status_code == 429
    model.answers.set()
    for thread in held:
        thread.join()
    assert house.post(one).status_code == 200


def test_requests_of_an_owners_runs_are_bounded_together(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "OWNER_STREAMS_MAX", 1)
    model.answers.clear()
    one, other = house.lease("one"), house.lease("other", owner="Team")
    held = Thread(target=house.post, args=(one,))
    held.start()
    _eventually(partial(_has_asked, model, 1))
    assert house.post(other).status_code == 429
    model.answers.set()
    held.join()
    assert house.post(other).status_code == 200


def _send_head(house: House, token: str, body: bytes) -> socket.socket:
    """A request whose body has begun and goes on at some time."""
    url = httpx.URL(house.url)
    connection = socket.create_connection((url.host, url.port), timeout=30)
    head = (
        f"POST /v1/messages HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode() + body[:1])
    return connection


@pytest.mark.attack(
    "Whoever holds one run's token sends bodies that stop in the middle, until no other run is answered",
    held="`bot.entry.gateway.leases.LEASE_BODIES_MAX`: a run has its share of the places for bodies",
)
def test_slow_bodies_of_one_run_do_not_hold_the_others_up(house: House) -> None:
    body = json.dumps(ASKED).encode()
    slow, other = house.lease("slow"), house.lease("other")
    # From now on both are known, and nothing is waited for but a place.
    assert [house.post(token).status_code for token in (slow, other)] == [200, 200]
    with contextlib.ExitStack() as held:
        begun = [
            held.enter_context(_send_head(house, slow, body))
            for _ in range(2 * gateway_app.BODIES_MAX)
        ]
        httpx.get(f"{house.url}/healthz", trust_env=False)
        asked = httpx.post(
            f"{house.url}/v1/messages",
            json=ASKED,
            headers={"authorization": f"Bearer {other}"},
            timeout=10,
            trust_env=False,
        )
        assert asked.status_code == 200
        begun[0].sendall(body[1:])
        assert begun[0].recv(64).startswith(b"HTTP/1.1 200")


@pytest.mark.attack(
    "Whoever owns a repository has several runs send bodies that stop in the middle, until no other owner's run is answered",
    held="`bot.entry.gateway.leases.OWNER_BODIES_MAX`: an owner's runs together have their share of the places",
)
def test_slow_bodies_of_one_owner_do_not_hold_the_others_up(house: House) -> None:
    body = json.dumps(ASKED).encode()
    slow = [house.lease(f"slow{n}", owner="Mallory") for n in range(gateway_app.BODIES_MAX)]
    other = house.lease("other", owner="ada")
    assert {house.post(token).status_code for token in (*slow, other)} == {200}
    with contextlib.ExitStack() as held:
        for token in slow:
            held.enter_context(_send_head(house, token, body))
        httpx.get(f"{house.url}/healthz", trust_env=False)
        asked = httpx.post(
            f"{house.url}/v1/messages",
            json=ASKED,
            headers={"authorization": f"Bearer {other}"},
            timeout=5,
            trust_env=False,
        )
        assert asked.status_code == 200


@pytest.mark.attack(
    "A large body that stops after its first byte holds its place for as long as a slow line would take for all of it",
    held="`bot.entry.gateway.app`: a body has time for what is here of it",
)
@pytest.mark.parametrize("begun", [1, 400_000])
def test_the_time_limit_of_a_body_depends_on_received_bytes(
    house: House, monkeypatch: pytest.MonkeyPatch, begun: int
) -> None:
    monkeypatch.setattr(gateway_app, "_BODY_SECONDS", 0.2)
    body = json.dumps({**ASKED, "filler": "x" * 30_000_000}).encode()
    with _send_head(house, house.lease(), body) as connection:
        connection.sendall(body[1:begun])
        connection.settimeout(10)
        assert connection.recv(64).startswith(b"HTTP/1.1 408")


@pytest.mark.attack(
    "An agent asks and does not read the answer, until all streams of the gateway are taken",
    held="`bot.entry.gateway.app`: a piece of an answer that nobody takes for so long ends it",
)
def test_an_unread_response_is_abandoned(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "_UNREAD_SECONDS", 0.2)
    model.much = 64 * 1024 * 1024
    token = house.lease()
    body = json.dumps(ASKED).encode()
    with _send_head(house, token, body) as connection:
        connection.sendall(body[1:])
        _eventually(lambda: bool(list(house.folder.glob("*.json"))))


def test_an_agent_that_disconnects_is_charged(house: House, model: Model) -> None:
    model.answers.clear()
    token = house.lease(tokens_max=60)
    with (
        httpx.Client(trust_env=False) as client,
        client.stream(
            "POST",
            f"{house.url}/v1/messages",
            json=ASKED,
            headers={"authorization": f"Bearer {token}"},
        ) as answer,
    ):
        assert answer.status_code == 200
    _eventually(lambda: bool(list(house.folder.glob("*.json"))))
    (spent,) = (json.loads(file.read_text()) for file in house.folder.glob("*.json"))
    assert spent["used"]["claude-sonnet-4-6"]["input"] > 10


def test_an_agent_that_disconnects_before_the_answer_is_charged(house: House, model: Model) -> None:
    model.is_silent = True
    body = json.dumps(ASKED).encode()
    head = (
        f"POST /v1/messages HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer {house.lease()}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    url = httpx.URL(house.url)
    with socket.create_connection((url.host, url.port), timeout=30) as connection:
        connection.sendall(head.encode() + body)
        _eventually(lambda: bool(model.asked))
    _eventually(lambda: any("input" in file.read_text() for file in house.folder.glob("*.json")))


def test_without_a_key_no_model_is_called(tmp_path: Path, model: Model) -> None:
    with gateway(tmp_path, model.url, key="") as house:
        refused = house.post(house.lease())
        assert refused.status_code == 503
        assert "ANTHROPIC_API_KEY" in refused.json()["error"]["message"]
        assert httpx.get(f"{house.url}/healthz", trust_env=False).status_code == 200


def test_an_unreachable_model_is_answered_with_502(tmp_path: Path) -> None:
    with gateway(tmp_path, "http://127.0.0.1:1") as house:
        refused = house.post(house.lease())
        assert refused.status_code == 502
        assert "cannot be reached" in refused.json()["error"]["message"]


def test_the_spending_folder_is_readable_only_by_its_owner(house: House) -> None:
    house.post(house.lease())
    assert house.folder.stat().st_mode & 0o777 == 0o700


def _has_asked(model: Model, times: int) -> bool:
    return len(model.asked) == times


def _eventually(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("public_url", "address"),
    [
        ("http://127.0.0.1:8460", "http://127.0.0.1:8461"),
        ("https://headgate.example.org", "https://headgate.example.org/model"),
        ("https://headgate.example.org/", "https://headgate.example.org/model"),
    ],
)
def test_a_grant_contains_the_gateway_address_but_not_the_key(
    public_url: str, address: str
) -> None:
    settings = Settings(_env_file=None, model_key=SecretStr(KEY), public_url=public_url)
    granted = credentials_for(settings)(REPOSITORY, O1)
    assert granted is not None
    assert granted.base_url == address
    assert KEY not in granted.model_dump_json()
    assert read_model_token(settings.gateway_secret(), granted.api_key) == (REPOSITORY, O1)


def test_the_key_is_sent_to_runners_only_if_the_gateway_is_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HEADGATE_MODEL_GATEWAY", "off")
    settings = Settings(_env_file=None, model_key=SecretStr(KEY))
    granted = credentials_for(settings)(REPOSITORY, O1)
    assert granted is not None
    assert granted.api_key == KEY
    monkeypatch.setenv("HEADGATE_MODEL_GATEWAY", "on")
    assert credentials_for(Settings(_env_file=None))(REPOSITORY, O1) is None


def test_two_requests_at_once_do_not_both_spend_the_last_tokens(
    house: House, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "_ROOM_SECONDS", 0.1)
    model.answers.clear()
    token = house.lease(tokens_max=200)
    answers: list[httpx.Response] = []
    first = Thread(target=lambda: answers.append(house.post(token)))
    first.start()
    _eventually(partial(_has_asked, model, 1))
    beside = [house.post(token) for _ in range(3)]
    assert [one.status_code for one in beside] == [429] * 3
    assert "may use the rest of its budget" in beside[0].json()["error"]["message"]
    assert len(model.asked) == 1
    model.answers.set()
    first.join()
    assert [one.status_code for one in answers] == [200]
    # What the first did not use is there for the next.
    assert house.post(token).status_code == 200
    assert house.post(token).status_code == 400


def test_concurrent_requests_stay_within_the_remaining_budget(house: House, model: Model) -> None:
    token = house.lease(tokens_max=1_000, turns_max=100)
    for _ in range(5):
        together = [Thread(target=house.post, args=(token,)) for _ in range(4)]
        for thread in together:
            thread.start()
        for thread in together:
            thread.join()
    # 140 each, and only the last one, alone, may pass the limit.
    assert len(model.asked) <= 8
