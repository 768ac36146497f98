"""Lost, duplicate, late or forged webhooks change no outcome."""

import hashlib
import hmac
import json

import pytest

from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from tests.testkit.house import House
from tests.testkit.hub_setup import SECRET
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


def signed(body: bytes, secret: str = SECRET) -> str:
    """GitHub's signature over a body."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def send(shop: House, body: bytes, **headers: str) -> int:
    """Send a delivery to our endpoint; returns the status."""
    base = {"Content-Type": "application/json", "X-GitHub-Event": "push"}
    base |= {"X-GitHub-Delivery": "a-guid", "X-Hub-Signature-256": signed(body)}
    base |= {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {name: value for name, value in base.items() if value}
    url = f"{shop.settings.public_url}/webhook"
    return shop.http.post(url, content=body, headers=sent).status_code


def test_without_webhooks_the_sweep_sees_pushes_and_comments(shop: House) -> None:
    shop.hub.set_webhook_url(shop.settings.app_id, None)
    shop.push({"specs/shop.md": SHOP}, "Ask for a till")
    shop.settle()
    assert shop.issues() == []
    shop.sweep()
    tracking = int(shop.tracking()["number"])

    approval = shop.comment(tracking, "/headgate approve")
    shop.settle()
    assert shop.reactions(approval) == []
    shop.sweep()
    assert shop.reactions(approval) == ["eyes", "rocket"]
    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert TILL in shop.main_files()


def test_without_webhooks_closed_pulls_and_ended_workflow_runs_are_seen(
    shop: House,
) -> None:
    tracking = shop.start(spec(requirement("TILL"), requirement("DOOR")))
    till, door = shop.runner.take(), shop.runner.take()
    assert till is not None
    assert door is not None
    shop.settle()
    shop.hub.set_webhook_url(shop.settings.app_id, None)
    shop.runner.do(till)
    shop.runner.complete(door.job)
    shop.settle()
    pull = shop.pulls()[0]
    shop.api("PATCH", shop.repo(f"/pulls/{pull['number']}"), {"state": "closed"})
    shop.sweep()

    assert "stopped" in shop.body(tracking)
    assert "The workflow run ended (success) without a report" in shop.body(
        shop.number("Make the door work")
    )


def test_duplicate_and_reordered_webhooks_have_no_extra_effect(shop: House) -> None:
    shop.hub.faults.add(Fault(kind=FaultKind.DOUBLE, method=WEBHOOK, times=1000))
    tracking = shop.start(SHOP)
    shop.work()

    assert len(shop.issues()) == 2
    assert len(shop.pulls()) == 1
    assert len(shop.comments(tracking)) == 2
    assert shop.history().count("Make the till work") == 1


def test_redelivering_all_webhooks_has_no_effect(shop: House) -> None:
    tracking = shop.start(SHOP)
    shop.work()
    before = (shop.history(), shop.comments(tracking), len(shop.issues()), len(shop.pulls()))

    for delivery in list(shop.hub.state.deliveries):
        shop.hub.webhooks.redeliver(delivery)
    shop.work()
    shop.sweep()

    after = (shop.history(), shop.comments(tracking), len(shop.issues()), len(shop.pulls()))
    assert after == before


def test_a_late_delivery_does_not_restore_an_old_state(
    shop: House,
) -> None:
    draft = spec(requirement("TILL"), front="status: draft")
    shop.push({"specs/shop.md": SHOP}, "Ask for a till")
    held = shop.hold_deliveries()
    shop.push({"specs/shop.md": draft}, "On second thought")
    shop.settle()

    shop.bell.deliveries += held
    shop.settle()

    assert shop.issues() == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X_Hub_Signature_256": ""}, 401),
        ({"X_Hub_Signature_256": "sha256=" + "0" * 64}, 401),
        ({"X_Hub_Signature_256": "sha1=" + "0" * 40}, 401),
        ({"X_GitHub_Event": ""}, 400),
        ({"X_GitHub_Delivery": ""}, 400),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 400),
    ],
    ids=["unsigned", "badly signed", "the old signature", "no event", "no id", "a form"],
)
def test_an_unsigned_delivery_is_refused_and_not_stored(
    shop: House, headers: dict[str, str], status: int
) -> None:
    body = json.dumps({"ref": "refs/heads/main", "repository": {"id": 1}}).encode()

    assert send(shop, body, **headers) == status

    assert shop.ports.inbox.get("a-guid") is None
    assert send(shop, body) == 202
    assert shop.ports.inbox.get("a-guid") is not None


@pytest.mark.parametrize("body", [b"", b"not json", b"[1, 2]", b'"text"', b"\xff\xfe", b"{" * 9000])
def test_a_signed_body_that_is_not_a_json_object_is_refused(shop: House, body: bytes) -> None:
    assert send(shop, body) == 400
    assert shop.ports.inbox.get("a-guid") is None


def test_a_delivery_larger_than_github_sends_is_refused_and_not_stored(shop: House) -> None:
    body = b'{"x": "' + b"a" * (25 * 1024 * 1024) + b'"}'
    assert send(shop, body) == 413
    assert shop.ports.inbox.get("a-guid") is None


def test_a_signature_of_another_body_or_secret_is_refused(shop: House) -> None:
    body = b'{"zen": "Keep it logically awesome."}'
    assert send(shop, body, X_Hub_Signature_256=signed(b"{}")) == 401
    assert send(shop, body, X_Hub_Signature_256=signed(body, "guess")) == 401


def test_an_irrelevant_delivery_is_accepted_and_not_stored(shop: House) -> None:
    body = json.dumps({"repository": {"id": "many"}, "action": ["created"]}).encode()
    assert send(shop, body, X_GitHub_Event="issue_comment") == 202
    body = json.dumps({"repository": {"id": 1}, "action": "completed"}).encode()
    assert send(shop, body, X_GitHub_Event="check_run") == 202
    assert shop.ports.inbox.get("a-guid") is None
    shop.settle()
    assert shop.issues() == []


def test_the_same_delivery_twice_is_stored_once(shop: House) -> None:
    body = json.dumps({"ref": "refs/heads/main", "repository": {"id": 1}}).encode()
    assert send(shop, body) == 202
    assert send(shop, body) == 202
    shop.settle()
    assert shop.ports.inbox.unread(shop.clock.now()) == ()
