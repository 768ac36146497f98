"""GitHub's secondary limits, by the hub's clock."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from bot.localhub.app import create_app
from bot.localhub.hub import Hub
from bot.localhub.secondary_limits import CREATES_CONTENT, MESSAGE
from bot.localhub.server import running
from tests.localhub.kit import wait_for

ISSUES = "/repos/octo/demo/issues"


class SlowClock:
    """A clock that stands still until it is turned forward."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


class LimitedHub:
    """A hub whose time stands still, with a client of the user octo."""

    def __init__(self, hub: Hub, clock: SlowClock, client: httpx.Client) -> None:
        self.hub = hub
        self.clock = clock
        self.client = client

    def open_issue(self) -> httpx.Response:
        return self.client.post(ISSUES, json={"title": "A leak"})

    def forward(self, seconds: float) -> None:
        self.clock.moment += timedelta(seconds=seconds)


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[LimitedHub]:
    """The hub at midnight."""
    clock = SlowClock()
    hub = Hub(tmp_path / "hub", clock)
    with running(hub) as url:
        headers = {"Authorization": f"Bearer {hub.add_user('octo')}"}
        hub.add_repository("octo", "demo")
        hub.commit_files("octo/demo", {"README.md": b"# Demo\n"}, "Begin")
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=30) as client:
            yield LimitedHub(hub, clock, client)


def assert_too_fast(answer: httpx.Response, retry_after: int) -> None:
    """GitHub's error: 403, a sentence, and how long to wait."""
    assert (answer.status_code, answer.json()["message"]) == (403, MESSAGE)
    assert answer.headers["Retry-After"] == str(retry_after)


def test_at_most_eighty_items_a_minute_may_be_created(limited: LimitedHub) -> None:
    for _ in range(40):
        assert limited.open_issue().status_code == 201
    limited.forward(20)
    for _ in range(40):
        assert limited.open_issue().status_code == 201
    assert_too_fast(limited.open_issue(), 40)
    assert limited.client.get(ISSUES).status_code == 200
    limited.forward(40)
    assert limited.open_issue().status_code == 201
    assert len(limited.hub.repository("octo/demo").issues) == 81


def test_at_most_five_hundred_items_an_hour_may_be_created(limited: LimitedHub) -> None:
    for _ in range(10):
        for _ in range(50):
            assert limited.open_issue().status_code == 201
        limited.forward(60)
    assert_too_fast(limited.open_issue(), 3000)


def test_an_endpoint_allows_nine_hundred_points_a_minute(limited: LimitedHub) -> None:
    label = "/repos/octo/demo/labels"
    for number in range(180):
        made = limited.client.post(label, json={"name": f"label {number}", "color": "000000"})
        assert made.status_code == 201
    assert_too_fast(limited.client.post(label, json={"name": "more", "color": "000000"}), 60)
    assert limited.client.get(label).status_code == 200
    limited.forward(60)
    more = limited.client.post(label, json={"name": "more", "color": "000000"})
    assert more.status_code == 201


def test_more_than_a_hundred_concurrent_requests_are_refused(limited: LimitedHub) -> None:
    limits, octo = limited.hub.secondary_limits, limited.hub.as_user("octo")
    for _ in range(100):
        limits.enter(octo)
    assert_too_fast(limited.client.get(ISSUES), 60)
    limits.leave(octo)
    # The refused request has ended too.
    wait_for(lambda: limited.client.get(ISSUES).status_code == 200)


def test_limits_are_counted_per_caller(limited: LimitedHub) -> None:
    for _ in range(80):
        limited.open_issue()
    assert limited.open_issue().status_code == 403
    headers = {"Authorization": f"Bearer {limited.hub.add_user('eve')}"}
    assert limited.client.post(ISSUES, json={"title": "x"}, headers=headers).status_code == 201


def test_the_limits_can_be_lifted(limited: LimitedHub) -> None:
    limited.hub.secondary_limits.lift()
    assert {limited.open_issue().status_code for _ in range(90)} == {201}


def test_every_counted_content_endpoint_exists(limited: LimitedHub) -> None:
    assert set(create_app(limited.hub).view_functions) >= CREATES_CONTENT
