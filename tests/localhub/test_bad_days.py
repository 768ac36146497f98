"""Stories of bad days: refused requests, lost answers, and webhooks that do not simply arrive."""

import threading

import httpx
import pytest

from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from tests.localhub.kit import GitError, Stage

ISSUES = "/repos/octo/demo/issues"


def open_issue(client: httpx.Client, title: str) -> int:
    """Open an issue; returns the status of the answer."""
    return client.post(ISSUES, json={"title": title}).status_code


def titles(scene: Stage) -> list[str]:
    """The titles of all issues, in order."""
    return [issue.title for issue in scene.hub.repository("octo/demo").issues.values()]


def test_a_refused_request_does_nothing(scene: Stage) -> None:
    fault = Fault(
        kind=FaultKind.REFUSE_BEFORE,
        method="POST",
        path_glob="/repos/*/issues",
        nth=2,
        status=403,
        message="You have exceeded a secondary rate limit.",
        retry_after_seconds=60,
    )
    scene.hub.faults.add(fault)
    with scene.rest(scene.installation_token()) as client:
        assert [open_issue(client, "one"), open_issue(client, "two")] == [201, 403]
        assert open_issue(client, "three") == 201
    assert titles(scene) == ["one", "three"]


def test_a_lost_answer_leaves_the_deed_done(scene: Stage) -> None:
    scene.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/issues"))
    with scene.rest(scene.installation_token()) as client:
        with pytest.raises(httpx.TransportError):
            open_issue(client, "lost")
        assert client.get(ISSUES).json()[0]["title"] == "lost"
    assert titles(scene) == ["lost"]


def test_a_ref_that_was_just_made_may_not_be_seen_at_once(scene: Stage) -> None:
    fault = Fault(
        kind=FaultKind.REFUSE_BEFORE,
        method="GET",
        path_glob="*/git/ref/heads/new",
        times=2,
        status=404,
        message="Not Found",
    )
    scene.hub.faults.add(fault)
    repository = "/repos/octo/demo/git"
    with scene.rest(scene.installation_token()) as client:
        sha = client.get(f"{repository}/ref/heads/main").json()["object"]["sha"]
        made = client.post(f"{repository}/refs", json={"ref": "refs/heads/new", "sha": sha})
        assert made.status_code == 201
        seen = [client.get(f"{repository}/ref/heads/new").status_code for _ in range(3)]
    assert seen == [404, 404, 200]


def test_a_lost_answer_to_a_push_leaves_the_ref_moved(scene: Stage) -> None:
    clone = scene.clone()
    sha = clone.commit("a.txt", "a\n")
    fault = Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/git-receive-pack")
    scene.hub.faults.add(fault)
    with pytest.raises(GitError, match=r"RPC failed|hung up|unexpected"):
        clone.git("push", "origin", "main")
    assert scene.hub.repository("octo/demo").refs["refs/heads/main"] == sha


def test_a_delayed_request_is_answered_late(scene: Stage) -> None:
    scene.hub.faults.add(Fault(kind=FaultKind.DELAY, method="GET", delay_seconds=0.3))
    with scene.rest(scene.installation_token()) as client:
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
def test_webhooks_are_lost_doubled_late_and_out_of_order(
    scene: Stage, kind: FaultKind, arrived: list[str]
) -> None:
    fault = Fault(kind=kind, method=WEBHOOK, path_glob="issues.opened", nth=2, delay_seconds=1.5)
    scene.hub.faults.add(fault)
    with scene.rest(scene.installation_token()) as client:
        for title in ("one", "two", "three"):
            open_issue(client, title)
    scene.settle()
    heard = [one["issue"] for one in scene.receiver.payloads("issues.opened")]
    assert [issue["title"] for issue in heard if isinstance(issue, dict)] == arrived


def test_a_receiver_that_is_not_there_is_recorded_and_not_asked_again(scene: Stage) -> None:
    scene.hub.set_webhook_url(scene.app.app_id, None)
    with scene.rest(scene.installation_token()) as client:
        open_issue(client, "one")
    scene.settle()
    assert scene.receiver.names() == []
    assert scene.hub.state.deliveries[-1].status == "no webhook URL"


def test_thirty_clients_at_once_get_thirty_different_numbers(scene: Stage) -> None:
    scene.hub.secondary_limits.lift()
    token = scene.installation_token()
    statuses: list[int] = []

    def work() -> None:
        with scene.rest(token) as client:
            for number in range(3):
                statuses.append(open_issue(client, f"issue {number}"))

    threads = [threading.Thread(target=work) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert statuses == [201] * 90
    assert sorted(scene.hub.repository("octo/demo").issues) == list(range(1, 91))


def test_of_many_pushes_at_once_each_lands_or_is_told_why(scene: Stage) -> None:
    clones = [scene.clone() for _ in range(4)]
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
    repository = scene.hub.repository("octo/demo")
    assert repository.refs == repository.git.read_refs()


def test_every_exchange_is_in_the_log_with_its_kind(scene: Stage) -> None:
    before = len(scene.hub.exchanges)
    with scene.rest(scene.installation_token()) as client:
        client.get(ISSUES)
        open_issue(client, "one")
    heard = scene.hub.exchanges[before:]
    assert [(one.method, one.status, one.is_write) for one in heard] == [
        ("GET", 200, False),
        ("POST", 201, True),
    ]
    assert {one.token_kind.value for one in heard} == {"installation"}


def test_an_unknown_path_is_a_not_found_in_githubs_form(scene: Stage) -> None:
    with scene.rest() as client:
        answer = client.get("/api/v3/no/such/thing")
        wrong_body = client.post("/api/v3/repos/octo/demo/issues", content=b"{")
        wrong_token = client.get("/user", headers={"Authorization": "token nonsense"})
    assert (answer.status_code, answer.json()["message"]) == (404, "Not Found")
    assert wrong_body.status_code == 404
    assert (wrong_token.status_code, wrong_token.json()["message"]) == (401, "Bad credentials")
