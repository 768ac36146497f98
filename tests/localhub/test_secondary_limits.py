"""Stories of going too fast: GitHub's secondary limits, by the hub's clock."""

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
    """A clock that stands still until it is put forward."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


class Scene:
    """A hub whose time stands still, and octo at it."""

    def __init__(self, hub: Hub, clock: SlowClock, client: httpx.Client) -> None:
        self.hub = hub
        self.clock = clock
        self.client = client

    def open_issue(self) -> httpx.Response:
        """One more issue."""
        return self.client.post(ISSUES, json={"title": "A leak"})

    def forward(self, seconds: float) -> None:
        """Put the clock forward."""
        self.clock.moment += timedelta(seconds=seconds)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """The hub at midnight."""
    clock = SlowClock()
    hub = Hub(tmp_path / "hub", clock)
    with running(hub) as url:
        headers = {"Authorization": f"Bearer {hub.add_user('octo')}"}
        hub.add_repository("octo", "demo")
        hub.commit_files("octo/demo", {"README.md": b"# Demo\n"}, "Begin")
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=30) as client:
            yield Scene(hub, clock, client)


def assert_too_fast(answer: httpx.Response, retry_after: int) -> None:
    """GitHub's refusal: 403, a sentence, and how long to wait."""
    assert (answer.status_code, answer.json()["message"]) == (403, MESSAGE)
    assert answer.headers["Retry-After"] == str(retry_after)


def test_eighty_things_a_minute_may_be_made_and_no_more(scene: Scene) -> None:
    for _ in range(40):
        assert scene.open_issue().status_code == 201
    scene.forward(20)
    for _ in range(40):
        assert scene.open_issue().status_code == 201
    assert_too_fast(scene.open_issue(), 40)
    assert scene.client.get(ISSUES).status_code == 200
    scene.forward(40)
    assert scene.open_issue().status_code == 201
    assert len(scene.hub.repository("octo/demo").issues) == 81


def test_five_hundred_things_an_hour_may_be_made(scene: Scene) -> None:
    for _ in range(10):
        for _ in range(50):
            assert scene.open_issue().status_code == 201
        scene.forward(60)
    assert_too_fast(scene.open_issue(), 3000)


def test_nine_hundred_points_a_minute_may_be_spent_at_one_endpoint(scene: Scene) -> None:
    label = "/repos/octo/demo/labels"
    for number in range(180):
        made = scene.client.post(label, json={"name": f"label {number}", "color": "000000"})
        assert made.status_code == 201
    assert_too_fast(scene.client.post(label, json={"name": "more", "color": "000000"}), 60)
    assert scene.client.get(label).status_code == 200
    scene.forward(60)
    more = scene.client.post(label, json={"name": "more", "color": "000000"})
    assert more.status_code == 201


def test_a_hundred_requests_at_once_are_too_many(scene: Scene) -> None:
    limits, octo = scene.hub.secondary_limits, scene.hub.as_user("octo")
    for _ in range(100):
        limits.enter(octo)
    assert_too_fast(scene.client.get(ISSUES), 60)
    limits.leave(octo)
    # The refused one has left, too, and the one before has only just.
    wait_for(lambda: scene.client.get(ISSUES).status_code == 200)


def test_one_caller_does_not_pay_for_another(scene: Scene) -> None:
    for _ in range(80):
        scene.open_issue()
    assert scene.open_issue().status_code == 403
    headers = {"Authorization": f"Bearer {scene.hub.add_user('eve')}"}
    assert scene.client.post(ISSUES, json={"title": "x"}, headers=headers).status_code == 201


def test_a_story_about_something_else_lifts_the_limits(scene: Scene) -> None:
    scene.hub.secondary_limits.lift()
    assert {scene.open_issue().status_code for _ in range(90)} == {201}


def test_what_creates_content_is_served_under_the_names_that_are_counted(scene: Scene) -> None:
    assert set(create_app(scene.hub).view_functions) >= CREATES_CONTENT
