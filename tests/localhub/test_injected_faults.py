"""Faults: refused requests, lost answers, lost or late webhooks; concurrent clients."""

import threading

import httpx
import pytest

from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from tests.localhub.kit import Box, GitError

ISSUES = "/repos/octo/demo/issues"


def open_issue(client: httpx.Client, title: str) -> int:
    """Open an issue; returns the status of the answer."""
    return client.post(ISSUES, json={"title": title}).status_code


def titles(box: Box) -> list[str]:
    """The titles of all issues, in order."""
    return [issue.title for issue in box.hub.repository("octo/demo").issues.values()]


def test_a_refused_request_has_no_effect(box: Box) -> None:
    fault = Fault(
        kind=FaultKind.REFUSE_BEFORE,
        method="POST",
        path_glob="/repos/*/issues",
        nth=2,
        status=403,
        message="You have exceeded a secondary rate limit.",
        retry_after_seconds=60,
    )
    box.hub.faults.add(fault)
    with box.rest(box.installation_token()) as client:
        assert [open_issue(client, "one"), open_issue(client, "two")] == [201, 403]
        assert open_issue(client, "three") == 201
    assert titles(box) == ["one", "three"]


def test_a_request_with_a_lost_answer_is_still_performed(box: Box) -> None:
    box.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/issues"))
    with box.rest(box.installation_token()) as client:
        with pytest.raises(httpx.TransportError):
            open_issue(client, "lost")
        assert client.get(ISSUES).json()[0]["title"] == "lost"
    assert titles(box) == ["lost"]


def test_a_new_ref_may_not_be_visible_at_once(box: Box) -> None:
    fault = Fault(
        kind=FaultKind.REFUSE_BEFORE,
        method="GET",
        path_glob="*/git/ref/heads/new",
        times=2,
        status=404,
        message="Not Found",
    )
    box.hub.faults.add(fault)
    repository = "/repos/octo/demo/git"
    with box.rest(box.installation_token()) as client:
        sha = client.get(f"{repository}/ref/heads/main").json()["object"]["sha"]
        made = client.post(f"{repository}/refs", json={"ref": "refs/heads/new", "sha": sha})
        assert made.status_code == 201
        seen = [client.get(f"{repository}/ref/heads/new").status_code for _ in range(3)]
    assert seen == [404, 404, 200]


def test_a_push_with_a_lost_answer_still_moves_the_ref(box: Box) -> None:
    clone = box.clone()
    sha = clone.commit("a.txt", "a\n")
    fault = Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/git-receive-pack")
    box.hub.faults.add(fault)
    with pytest.raises(GitError, match=r"RPC failed|hung up|unexpected"):
        clone.git("push", "origin", "main")
    assert box.hub.repository("octo/demo").refs["refs/heads/main"] == sha


def test_a_delayed_request_is_answered_late(box: Box) -> None:
    box.hub.faults.add(Fault(kind=FaultKind.DELAY, method="GET", delay_seconds=0.3))
    with box.rest(box.installation_token()) as client:
        assert client.get(ISSUES).elapsed.total_seconds() >= 0.3


@pytest.mark.parametrize(
    ("kind", "arrived"),
    [
        (FaultKind.DROP, ["one", "three"]),
        (FaultKind.DOUBLE, ["one", "two", "two", "three"]),
        (FaultKind.REORDER, ["one", "three", "two"]),
        (FaultKind.DELAY, ["one", "three", "two"]),
    ],
)
def test_webhooks_can_be_dropped_doubled_delayed_and_reordered(
    box: Box, kind: FaultKind, arrived: list[str]
) -> None:
    fault = Fault(kind=kind, method=WEBHOOK, path_glob="issues.opened", nth=2, delay_seconds=1.5)
    box.hub.faults.add(fault)
    with box.rest(box.installation_token()) as client:
        for title in ("one", "two", "three"):
            open_issue(client, title)
    box.settle()
    heard = [one["issue"] for one in box.receiver.payloads("issues.opened")]
    assert [issue["title"] for issue in heard if isinstance(issue, dict)] == arrived


def test_a_delivery_to_an_absent_receiver_is_recorded_and_not_retried(box: Box) -> None:
    box.hub.set_webhook_url(box.app.app_id, None)
    with box.rest(box.installation_token()) as client:
        open_issue(client, "one")
    box.settle()
    assert box.receiver.names() == []
    assert box.hub.state.deliveries[-1].status == "no webhook URL"


def test_thirty_concurrent_clients_get_different_issue_numbers(box: Box) -> None:
    box.hub.secondary_limits.lift()
    token = box.installation_token()
    statuses: list[int] = []

    def work() -> None:
        with box.rest(token) as client:
            for number in range(3):
                statuses.append(open_issue(client, f"issue {number}"))

    threads = [threading.Thread(target=work) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert statuses == [201] * 90
    assert sorted(box.hub.repository("octo/demo").issues) == list(range(1, 91))


def test_each_of_many_concurrent_pushes_succeeds_or_is_refused_with_a_reason(box: Box) -> None:
    clones = [box.clone() for _ in range(4)]
    outcomes: list[bool] = []

    def push(position: int) -> None:
        clone = clones[position]
        clone.commit(f"{position}.txt", "x\n")
        try:
            clone.git("push", "origin", "main")
            outcomes.append(True)
        except GitError as refusal:
            outcomes.append("rejected" not in str(refusal))

    threads = [threading.Thread(target=push, args=(position,)) for position in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert outcomes.count(True) == 1
    repository = box.hub.repository("octo/demo")
    assert repository.refs == repository.git.read_refs()


def test_every_request_is_logged_with_its_token_kind(box: Box) -> None:
    before = len(box.hub.exchanges)
    with box.rest(box.installation_token()) as client:
        client.get(ISSUES)
        open_issue(client, "one")
    heard = box.hub.exchanges[before:]
    assert [(one.method, one.status, one.is_write) for one in heard] == [
        ("GET", 200, False),
        ("POST", 201, True),
    ]
    assert {one.token_kind.value for one in heard} == {"installation"}


def test_an_unknown_path_is_404_in_githubs_form(box: Box) -> None:
    with box.rest() as client:
        answer = client.get("/api/v3/no/such/thing")
        wrong_body = client.post("/api/v3/repos/octo/demo/issues", content=b"{")
        wrong_token = client.get("/user", headers={"Authorization": "token nonsense"})
    assert (answer.status_code, answer.json()["message"]) == (404, "Not Found")
    assert wrong_body.status_code == 404
    assert (wrong_token.status_code, wrong_token.json()["message"]) == (401, "Bad credentials")
